import { limits } from '../contract/index.ts';

interface SourceMap {
  readonly sources: readonly string[];
  readonly sourcesContent?: readonly (string | null)[];
}

/**
 * Makes a source map fit for a deployment. One that is too large loses the sources of packages: traces need only positions, and a
 * pull restores the author's own sources.
 */
export function leanMap(text: string): string {
  if (Buffer.byteLength(text) <= limits.deployment.fileBytes) return text;
  const map = JSON.parse(text) as SourceMap;
  const isOwn = (index: number) => !/(^|\/)node_modules\//.test(map.sources[index] ?? '');
  return JSON.stringify({
    ...map,
    sourcesContent: map.sourcesContent?.map((content, index) => (isOwn(index) ? content : null)),
  });
}
