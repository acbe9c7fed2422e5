import { type OperationName, refusal } from '../contract/index.ts';

/** A version of something, made from what is shown of it: the same content, the same tag. */
export function etagOfContent(output: object): string {
  const { createHash } = process.getBuiltinModule('node:crypto');
  return `"${createHash('sha256').update(JSON.stringify(output)).digest('base64url').slice(0, 22)}"`;
}

/** The version of a deployment is its id: it never changes. */
export function etagOfDeployment(id: string | null): string {
  return `"${id ?? 'none'}"`;
}

/** Whether an `If-Match` header (a list, `*`, or a bare tag) names this version. */
function matchesEtag(ifMatch: string, etag: string): boolean {
  if (ifMatch.trim() === '*') return etag !== etagOfDeployment(null);
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

/** Versions: of customers and conversations by what is shown, of deployments by their id. */
export function etagOf(name: OperationName, output: unknown): string | undefined {
  if (typeof output !== 'object' || output === null || !('id' in output)) return undefined;
  const [area] = name.split('.');
  if (area === 'deployments') return etagOfDeployment(String(output.id));
  if (area !== 'customers' && area !== 'conversations') return undefined;
  const { created: _, ...content } = output as { id: unknown; created?: unknown };
  return etagOfContent(content);
}
