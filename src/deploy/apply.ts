import type { Client } from '../client/index.ts';
import { type Output, refusal } from '../contract/index.ts';
import { ConflictError, everyPage, MachineError, WorkspaceError } from '../std/index.ts';
import type { Commit } from './git.ts';
import { byWhom, type Live, readLive } from './live.ts';
import type { Blobs } from './manifest.ts';
import type { Plan } from './plan.ts';
import type { DeployState, Remembered } from './state.ts';
import { readAfter, switchedAnswer, switchOver } from './switch.ts';

export interface ApplyOptions {
  readonly client: Client;
  readonly app: string;
  readonly plan: Plan;
  readonly blobs: Blobs;
  readonly live: Live | undefined;
  readonly state: DeployState;
  readonly message?: string | undefined;
  readonly commit?: Commit | undefined;
  /** Names of secrets that must have a value. */
  readonly secrets: readonly string[];
  readonly namedProfile?: string | undefined;
  readonly allowOlder: boolean;
  readonly signal?: AbortSignal | undefined;
  readonly onEvent?: ((event: ApplyEvent) => void) | undefined;
}

export type ApplyEvent =
  | { readonly type: 'announced'; readonly id: string; readonly missing: number }
  | { readonly type: 'uploaded'; readonly done: number; readonly of: number; readonly bytes: number }
  /** From this event on, an interruption leaves the outcome open. */
  | { readonly type: 'activating'; readonly id: string }
  /** The answer to the switch was lost: what is live now is read. */
  | { readonly type: 'checking'; readonly why: string };

export interface Applied {
  /** What is live now. */
  readonly deployment: Output<'deployments.activate'>;
  readonly uploadedFiles: number;
  readonly uploadedBytes: number;
  /** Whether it was live already, so that nothing had to be done. */
  readonly wasLive: boolean;
}

const uploadsAtOnce = 6;
const activations = 4;

/**
 * Carries out a plan: announces it, uploads missing files, switches everything at once, and reads back the result. After an
 * interruption, a repeat continues where it stopped; a deploy is never partly live.
 * @throws WorkspaceError secrets_missing and others; ConflictError version_conflict; UnknownOutcomeError when the switch was
 * requested and the workspace stopped answering
 */
export async function apply(options: ApplyOptions): Promise<Applied> {
  const { client, app, plan, live, state, signal } = options;
  await requireSecrets(options);
  const created = await announce(options);
  if (created.id === null) {
    const now = await readLive(client, app, signal);
    if (now === undefined)
      throw new ConflictError(
        'version_conflict',
        'The version that was live is gone; somebody else changed it in the meantime',
        {
          hint: 'Run it again.',
        },
      );
    return { deployment: now.deployment, uploadedFiles: 0, uploadedBytes: 0, wasLive: true };
  }
  const { id, missing } = created;
  options.onEvent?.({ type: 'announced', id, missing: missing.length });
  const underWay = {
    id,
    fingerprint: plan.fingerprint,
    base: live?.deployment.id ?? null,
    at: new Date().toISOString(),
  };
  const uploading = upload(options, id, missing);
  // Noted on disk before the switch is requested; the first uploads run meanwhile.
  const [uploaded] = await Promise.all([
    uploading,
    afterTurn(() => state.write({ ...withLastLive(state.read(), live), underWay })),
  ]);
  options.onEvent?.({ type: 'activating', id });
  await activate(options, id, uploaded);
  const deployment = await readBack(options, id);
  await state.write({ last: { id: deployment.id, fingerprint: plan.fingerprint, at: new Date().toISOString() } });
  return { deployment, uploadedFiles: uploaded.files, uploadedBytes: uploaded.bytes, wasLive: false };
}

/** Records a deployment that went live without an answer as this folder's last one, before `underWay` is overwritten. */
function withLastLive(known: Remembered, live: Live | undefined): Remembered {
  if (live === undefined || live.deployment.id !== known.underWay?.id) return known;
  const { id, fingerprint, at } = known.underWay;
  return { ...known, last: { id, fingerprint, at } };
}

/** Starts CPU-heavy work only after the requests of this turn of the event loop have been sent. */
async function afterTurn<T>(work: () => Promise<T>): Promise<T> {
  await new Promise((resolve) => setImmediate(resolve));
  return await work();
}

/** Finds missing secrets before anything is sent. */
async function requireSecrets({ client, app, secrets, namedProfile, signal }: ApplyOptions): Promise<void> {
  if (secrets.length === 0) return;
  const known = await everyPage((page) => client('secrets.list', { app, ...page }, { signal }));
  const missing = secrets.filter((wanted) => !known.some(({ name }) => name === wanted));
  if (missing.length === 0) return;
  const there = namedProfile === undefined ? '' : ` --profile ${namedProfile}`;
  throw refusal('secrets_missing', `${app} has no value for ${missing.join(', ')} in ${client.workspace.slug}`, {
    details: { missing },
    hint: `Nothing was sent. Set it first: fn secret set ${missing[0]}${there}`,
  });
}

async function announce(options: ApplyOptions): Promise<Output<'deployments.create'>> {
  const { client, app, plan, live, message, commit, secrets, allowOlder, signal } = options;
  try {
    return await client(
      'deployments.create',
      {
        app,
        baseVersion: live?.deployment.id ?? null,
        manifest: [...plan.manifest],
        ...(message !== undefined && { message }),
        ...(commit !== undefined && { commit }),
        ...(secrets.length > 0 && { secrets: [...secrets] }),
        ...(allowOlder && { allowOlder }),
      },
      { signal },
    );
  } catch (error) {
    throw await explained(options, error);
  }
}

async function upload(
  options: ApplyOptions,
  id: string,
  missing: readonly string[],
): Promise<{ files: number; bytes: number }> {
  const { client, app, blobs, signal } = options;
  const queue = [...missing];
  let files = 0;
  let bytes = 0;
  const one = async () => {
    for (let sha256 = queue.shift(); sha256 !== undefined; sha256 = queue.shift()) {
      const content = blobs.get(sha256);
      if (content === undefined) {
        throw new MachineError(
          'file_lost',
          `The workspace has lost the file ${sha256} of a function that is not in this folder`,
          {
            hint: 'Deploy it from the folder it belongs to, or remove it with --prune.',
          },
        );
      }
      await client.sendBytes('deployments.putFile', { app, id, sha256 }, content, { signal });
      files++;
      bytes += content.length;
      options.onEvent?.({ type: 'uploaded', done: files, of: missing.length, bytes });
    }
  };
  await Promise.all(Array.from({ length: Math.min(uploadsAtOnce, missing.length) }, one));
  return { files, bytes };
}

async function activate(options: ApplyOptions, id: string, uploaded: { files: number; bytes: number }): Promise<void> {
  const { client, app, live, allowOlder, signal, onEvent } = options;
  const ask = async () => {
    for (let attempt = 1; ; attempt++) {
      try {
        await client(
          'deployments.activate',
          { app, id, ...(allowOlder && { allowOlder }) },
          { ...(live?.etag !== undefined && { ifMatch: live.etag }), signal },
        );
        return;
      } catch (error) {
        const missing = error instanceof WorkspaceError ? error.details?.['missing'] : undefined;
        const incomplete = error instanceof WorkspaceError && error.code === 'deployment_incomplete';
        if (!incomplete || !Array.isArray(missing) || attempt === activations) throw error;
        const names = missing.filter((item): item is string => typeof item === 'string');
        const again = await upload(options, id, names);
        uploaded.files += again.files;
        uploaded.bytes += again.bytes;
      }
    }
  };
  try {
    await switchOver({
      client,
      app,
      before: live?.deployment.id ?? null,
      ask,
      isDone: (now) => now === id,
      conflict: (now) => conflict(options, id, now),
      onLost: (why) => onEvent?.({ type: 'checking', why }),
    });
  } catch (error) {
    throw await explained(options, error, id);
  }
}

async function readBack(options: ApplyOptions, id: string): Promise<Output<'deployments.activate'>> {
  const now = await readAfter(options.client, options.app, switchedAnswer);
  if (now?.deployment.id === id && now.deployment.fingerprint === options.plan.fingerprint) return now.deployment;
  if (now?.deployment.id === id) {
    throw new MachineError(
      'fingerprint_differs',
      `${id} is live, but the workspace keeps another manifest than was sent`,
      {
        hint: 'Compare with `fn diff`.',
      },
    );
  }
  throw conflict(options, id, now);
}

/** Extends a conflict error with the names of both sides. */
async function explained(options: ApplyOptions, error: unknown, id?: string): Promise<unknown> {
  if (!(error instanceof WorkspaceError) || error.code !== 'version_conflict') return error;
  const now = await readLive(options.client, options.app).catch(() => undefined);
  return conflict(options, id, now, error);
}

function conflict(
  options: ApplyOptions,
  id: string | undefined,
  now: Live | undefined,
  cause?: unknown,
): ConflictError {
  const base = options.live?.deployment.id ?? 'nothing';
  const there =
    now === undefined ? 'nothing is live' : `${now.deployment.id} is live, deployed ${byWhom(now.deployment)}`;
  const mine = id === undefined ? 'yours was not made' : `yours, ${id}, is not`;
  return new ConflictError(
    'version_conflict',
    `Somebody deployed ${options.app} meanwhile: ${there}; ${mine} (it was planned on ${base})`,
    {
      hint: 'See what differs with `fn diff`, then deploy again.',
      cause,
    },
  );
}
