import assert from 'node:assert/strict';
import type { Door } from '../../src/contract/index.ts';
import type { manifestOf } from '../../src/deploy/index.ts';

/** What a deploy sends to a workspace of a test, switched live. @returns its id */
export async function deployFiles(
  { door, ask }: { door: Door; ask: (path: string, init: RequestInit) => Promise<Response> },
  app: string,
  { manifest, blobs }: ReturnType<typeof manifestOf>,
  baseVersion: string | null = null,
): Promise<string> {
  const made = await door('deployments.create', { app, baseVersion, manifest });
  for (const sha256 of made.missing) {
    const path = `/apps/${app}/deployments/${made.id}/files/${sha256}`;
    const headers = { 'content-type': 'application/octet-stream' };
    const answer = await ask(path, { method: 'PUT', headers, body: Buffer.from(blobs.get(sha256) ?? []) });
    assert.equal(answer.status, 200);
  }
  await door('deployments.activate', { app, id: made.id ?? '' });
  return made.id ?? '';
}
