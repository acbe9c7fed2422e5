import { type OperationName, operationOf, refusal } from '../../contract/index.ts';

/** A version derived from the visible content: the same content has the same tag. */
export function etagOfContent(output: object): string {
  const { createHash } = process.getBuiltinModule('node:crypto');
  return `"${createHash('sha256').update(JSON.stringify(output)).digest('base64url').slice(0, 22)}"`;
}

/** The tag of a missing object: only callers that expect nothing pass. */
export const etagOfNothing = '"none"';

/** The version of a deployment is its id: it never changes. */
export function etagOfDeployment(id: string | null): string {
  return id === null ? etagOfNothing : `"${id}"`;
}

/** Whether an `If-Match` header (a list, `*`, or a bare tag) names this version. */
function matchesEtag(ifMatch: string, etag: string): boolean {
  if (ifMatch.trim() === '*') return etag !== etagOfNothing;
  return ifMatch.split(',').some((part) => bare(part) === bare(etag));
}

export function requireMatch(ifMatch: string | undefined, etag: string): void {
  if (ifMatch === undefined || matchesEtag(ifMatch, etag)) return;
  throw refusal('version_conflict', undefined, {
    details: { current: etag },
    hint: 'Read it again, then decide.',
  });
}

function bare(tag: string): string {
  return tag
    .trim()
    .replace(/^W\//, '')
    .replace(/^"(.*)"$/, '$1');
}

/** The tag of an answer; undefined if the operation has none, or the answer is about something that is gone. */
export function etagOf(name: OperationName, output: unknown): string | undefined {
  const { versioned } = operationOf(name);
  if (versioned === undefined || typeof output !== 'object' || output === null) return undefined;
  if (versioned === 'id') return 'id' in output ? etagOfDeployment(String(output.id)) : undefined;
  // Whether it was created just now is not part of its content.
  const { created: _, ...content } = output as { created?: unknown };
  return Object.keys(content).length === 0 ? undefined : etagOfContent(content);
}
