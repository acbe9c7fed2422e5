import type { Client } from '../client/index.ts';
import { ConflictError, UnknownOutcomeError } from '../std/index.ts';
import { byWhom, isOlderThan, type Live } from './live.ts';
import type { DeployState } from './state.ts';
import { readAfter, switchedAnswer, switchOver } from './switch.ts';

export interface RollbackOptions {
  readonly client: Client;
  readonly app: string;
  /** The version to make live; undefined: the previous one. */
  readonly version: string | undefined;
  readonly before: Live;
  readonly state: DeployState;
  readonly signal?: AbortSignal | undefined;
}

/** The result of a rollback: what is live now, and what was live before. */
export interface RolledBack {
  readonly now: Live;
  readonly previous: string;
  /** The time of an earlier command that got no answer but was carried out. */
  readonly askedAt?: string;
}

/**
 * Makes an older version live, all functions at once, and reads it back. A rollback by one is relative: it is noted on disk before it is
 * requested, so that a repeat after a lost answer does not go back a second time.
 * @throws ConflictError version_conflict; UnknownOutcomeError when the switch was requested and the workspace stopped answering
 */
export async function rollBack(options: RollbackOptions): Promise<RolledBack> {
  const { client, app, version, before, state, signal } = options;
  const { last, underWay, goingBack } = state.read();
  const { id: previous, createdAt } = before.deployment;
  const settled = { ...(last && { last }), ...(underWay && { underWay }) };
  if (version === undefined && goingBack !== undefined && goingBack.from !== previous) {
    const wasDone = isOlderThan(before, goingBack.fromMadeAt);
    await state.write(wasDone ? { last: lastOf(before) } : settled);
    if (!wasDone) throw conflict(app, before);
    return { now: before, previous: goingBack.from, askedAt: goingBack.at };
  }
  const at = new Date().toISOString();
  const noted =
    version !== undefined ||
    (await state.write({ ...settled, goingBack: { from: previous, fromMadeAt: createdAt, at } }));
  const input = { app, ...(version !== undefined && { to: version }) };
  const asking = { ...(before.etag !== undefined && { ifMatch: before.etag }), signal };
  try {
    await switchOver({
      client,
      app,
      before: previous,
      ask: async () => void (await client('deployments.rollback', input, asking)),
      isDone: (live) => (version === undefined ? live !== null && live !== previous : live === version),
      conflict: (now) => conflict(app, now),
    });
    const now = await readAfter(client, app, switchedAnswer);
    if (now === undefined || (version !== undefined && now.deployment.id !== version)) throw conflict(app, now);
    await state.write({ last: lastOf(now) });
    return { now, previous };
  } catch (error) {
    if (!(error instanceof UnknownOutcomeError)) {
      if (version === undefined) await state.write(settled);
      throw error;
    }
    if (noted) throw error;
    throw new UnknownOutcomeError(error.code, error.message, {
      hint: 'Either the old or the new version is live. Check `fn status` before you repeat it: fn could not record this rollback in the folder, so the same command might go back one version further.',
      cause: error,
    });
  }
}

function lastOf({ deployment: { id, fingerprint } }: Live) {
  return { id, fingerprint, at: new Date().toISOString() };
}

function conflict(app: string, now: Live | undefined): ConflictError {
  const live =
    now === undefined ? 'nothing is live' : `${now.deployment.id} is live, deployed ${byWhom(now.deployment)}`;
  return new ConflictError('version_conflict', `Somebody else changed ${app} in the meantime: ${live}`, {
    hint: 'See what was live with `fn versions`, then name the version: fn rollback dpl_…',
  });
}
