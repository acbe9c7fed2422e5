import { type Client, plainText } from '../client/index.ts';
import type { Output } from '../contract/index.ts';
import { everyPage, WorkspaceError } from '../std/index.ts';

/** The live deployment of an app. */
export interface Live {
  readonly deployment: Output<'deployments.show'>;
  /** Sent as `If-Match`, so that nobody's newer deployment is replaced unnoticed. */
  readonly etag: string | undefined;
}

/** @returns undefined when nothing of the app is deployed */
export async function readLive(client: Client, app: string, signal?: AbortSignal): Promise<Live | undefined> {
  try {
    const answer = await client.answer('deployments.show', { app, id: 'live' }, { signal });
    return { deployment: answer.output, etag: answer.etag };
  } catch (error) {
    const nothing =
      error instanceof WorkspaceError && (error.code === 'deployment_not_found' || error.code === 'app_unknown');
    if (nothing) return undefined;
    throw error;
  }
}

/**
 * Finds what was live before, by the times of switching: a rollback makes a version live again that itself replaced another, or nothing.
 * @returns the id; undefined if nothing was live before, or the workspace no longer lists it
 */
export async function replacedBy(
  { deployment }: Live,
  client: Client,
  signal?: AbortSignal,
): Promise<string | undefined> {
  const { app, id, activatedAt } = deployment;
  const all = await everyPage((page) => client('deployments.list', { app, ...page }, { signal }));
  const earlier = all.filter(
    (one) => one.id !== id && one.activatedAt !== null && one.activatedAt <= (activatedAt ?? ''),
  );
  return earlier.toSorted((a, b) => ((a.activatedAt ?? '') < (b.activatedAt ?? '') ? 1 : -1))[0]?.id;
}

/** Whether it was made before a time that the same workspace gave: true after a rollback, false after somebody else's deploy. */
export function isOlderThan({ deployment }: Live, madeAt: string): boolean {
  return Date.parse(deployment.createdAt) <= Date.parse(madeAt);
}

/** Says in one line who activated a deployment, and when. */
export function byWhom(deployment: Live['deployment'] | Output<'deployments.activate'>): string {
  const { createdBy, activatedAt, commit, message } = deployment;
  const inLine = (text: string) => plainText(text, 500, true);
  const who = inLine(createdBy.name ?? createdBy.id ?? createdBy.type);
  const at = inLine(activatedAt ?? deployment.createdAt)
    .slice(0, 16)
    .replace('T', ' ');
  const what = commit === null ? '' : `, commit ${commit.sha.slice(0, 10)}`;
  return `by ${who} at ${at} UTC${what}${message === null ? '' : `: ${inLine(message)}`}`;
}
