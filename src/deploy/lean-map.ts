import { limits } from '../contract/index.ts';

interface SourceMap {
  readonly sources: readonly string[];
  readonly sourcesContent?: readonly (string | null)[];
}

/**
 * A source map that a deployment takes. One that is too large goes without the texts of packages: traces need their positions only,
 * and a pull brings one's own sources back.
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
