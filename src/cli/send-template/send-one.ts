import { checkKey } from '../../client/index.ts';
import { type Output, operationOf } from '../../contract/index.ts';
import {
  InterruptedError,
  MachineError,
  messageOf,
  UnknownOutcomeError,
  UnreachableError,
  UsageError,
  WorkspaceError,
} from '../../std/index.ts';
import type { Context, Target } from '../context.ts';
import { fingerprintOf, newKey } from './keys.ts';
import { uploadMedia, withMedia } from './media.ts';
import type { Draft } from './message.ts';
import { firstAt, isOpen, Outbox } from './outbox.ts';

export type Sent = Output<'templates.send'> & {
  readonly outcome: 'done';
  readonly idempotencyKey: string;
  /** The workspace had already sent it with the same key. */
  readonly replayed: boolean;
};

/**
 * Sends one message, once. Its journal entry is synced before the first byte is sent, and a lost answer never causes a second
 * send. If the outcome of the same message is unknown, it is repeated with its first key.
 * @throws UnknownOutcomeError if it may or may not have been sent; MachineError, WorkspaceError, UnreachableError if certainly not
 */
export async function sendOne(
  context: Context,
  target: Target,
  draft: Draft,
  keyGiven: string | undefined,
): Promise<Sent> {
  // Before the journal entry, so that a send that cannot begin leaves none.
  if (keyGiven !== undefined) checkKey(keyGiven);
  const outbox = new Outbox(context.env, context.clock);
  const workspace = `${target.baseUrl ?? 'local'} ${target.slug}`;
  const hash = fingerprintOf(JSON.stringify([workspace, draft.body]));
  const earlier = keyGiven === undefined ? outbox.unresolved(hash) : outbox.find(keyGiven);
  const key = keyGiven ?? earlier?.key ?? newKey();
  if (keyGiven === undefined && earlier !== undefined) {
    context.io.err(
      `The same message was sent at ${firstAt(earlier)} with an unknown outcome; repeating with its key ${key}.`,
    );
  }
  const since = earlier?.hash === hash && isOpen(earlier) ? firstAt(earlier) : undefined;
  const media = new Map(earlier?.hash === hash ? Object.entries(earlier.media ?? {}) : []);
  for (const file of draft.files) {
    if (!media.has(file.placeholder)) media.set(file.placeholder, await uploadMedia(context, target, file));
  }
  const entry = {
    key,
    hash,
    workspace,
    template: draft.body.template,
    ...(since !== undefined && { since }),
    ...(media.size > 0 && { media: Object.fromEntries(media) }),
  };

  outbox.begin(entry);
  context.ifCutOff({ exitCode: 8, message: unknownMessage(key) });
  try {
    const body = withMedia(draft.body, media);
    let replayed = false;
    const output = await target.door('templates.send', body, {
      idempotencyKey: key,
      signal: context.signal,
      onReplay: () => {
        replayed = true;
      },
    });
    outbox.end(entry, 'done');
    return { ...output, outcome: 'done', idempotencyKey: key, replayed };
  } catch (error) {
    if (error instanceof WorkspaceError && error.code === 'idempotency_key_running') {
      outbox.end(entry, 'unknown');
      throw new UnknownOutcomeError('outcome_unknown', 'The first send with this key is still in progress', {
        hint: `Ask again in a moment: add --idempotency-key ${key}`,
        cause: error,
      });
    }
    if (error instanceof UnknownOutcomeError) {
      outbox.end(entry, 'unknown');
      const { message, cause } = error;
      throw new UnknownOutcomeError(
        'outcome_unknown',
        `The message may or may not have been sent: ${message.replace(/^.*?carried out: /, '')}`,
        {
          hint: `fn does not send it again by itself. To repeat safely: add --idempotency-key ${key}`,
          cause,
        },
      );
    }
    // A failure of this repeat says nothing about the first send, whose key must be kept.
    if (since !== undefined) {
      outbox.end(entry, 'unknown');
      throw stillUnknown(since, key, error);
    }
    const unsent = [InterruptedError, MachineError, UnreachableError, UsageError].some((kind) => error instanceof kind);
    outbox.end(entry, error instanceof WorkspaceError ? 'refused' : unsent ? 'not_done' : 'unknown');
    throw error;
  } finally {
    context.ifCutOff(undefined);
  }
}

function stillUnknown(since: string, key: string, cause: unknown): UnknownOutcomeError {
  const hint =
    cause instanceof WorkspaceError && cause.exitCode !== 7 && cause.hint !== undefined ? `${cause.hint}\n` : '';
  return new UnknownOutcomeError(
    'outcome_unknown',
    `The message may or may not have been sent at ${since}, and this repeat was not: ${messageOf(cause)}`,
    { hint: `${hint}To repeat safely: run the same command again, or add --idempotency-key ${key}`, cause },
  );
}

function unknownMessage(key: string): string {
  return `The message may or may not have been sent. To repeat safely: add --idempotency-key ${key}`;
}

/** Method and address of the documented route for sending. */
export function addressOfSend(target: Target): string {
  const [method, path] = (operationOf('templates.send').route ?? '').split(' ');
  return `${method} ${target.baseUrl ?? ''}/api/${target.slug}${path}`;
}
