import type { Client } from '../client/index.ts';
import { ConflictError } from '../std/index.ts';
import { byWhom, type Live } from './live.ts';
import { readAfter, switchedAnswer, switchOver } from './switch.ts';

export interface RollbackOptions {
  readonly client: Client;
  readonly app: string;
  /** Which to make live; undefined: the one before. */
  readonly version: string | undefined;
  readonly before: Live;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Makes an older version live, all functions at once, and reads it back.
 * @throws ConflictError version_conflict; UnknownOutcomeError when the switch was asked for and nobody answers any more
 */
export async function rollBack({ client, app, version, before, signal }: RollbackOptions): Promise<Live> {
  const previous = before.deployment.id;
  const input = { app, ...(version !== undefined && { to: version }) };
  const options = { ...(before.etag !== undefined && { ifMatch: before.etag }), signal };
  const conflict = (now: Live | undefined) => {
    const live =
      now === undefined ? 'nothing is live' : `${now.deployment.id} is live, put there ${byWhom(now.deployment)}`;
    return new ConflictError('version_conflict', `Somebody changed ${app} meanwhile: ${live}`, {
      hint: 'See what was live with `fn versions`, then name the version: fn rollback dpl_…',
    });
  };
  await switchOver({
    client,
    app,
    before: previous,
    ask: async () => void (await client('deployments.rollback', input, options)),
    isDone: (live) => (version === undefined ? live !== null && live !== previous : live === version),
    conflict,
  });
  const now = await readAfter(client, app, switchedAnswer);
  if (now === undefined || (version !== undefined && now.deployment.id !== version)) throw conflict(now);
  return now;
}
