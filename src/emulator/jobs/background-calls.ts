import { errorCodes, limits, type ParsedInput, refusal } from '../../contract/index.ts';
import { canonicalJson, sha256Hex, WorkspaceError } from '../../std/index.ts';
import { retryDelayMs } from '../../webhook/index.ts';
import type { Job, Json, Workspace } from '../../workspace/index.ts';
import { invokeMethod } from '../handlers/invoke-method.ts';
import type { MachineParts } from '../handlers/parts.ts';
import { systemCaller } from '../invoke/arguments.ts';
import type { Invoked } from '../invoke/invoker.ts';
import { resultValue } from '../invoke/method.ts';
import type { Ended, JobWorker } from './runner.ts';

const maxAtOnce = 8;

/**
 * Enqueues a call of a method. The job belongs to its app: it is listed and bounded with the app's others.
 * @param onceKey of a repeatable request: if the process is killed before its answer is kept, the repeat finds the job that was enqueued
 */
export async function enqueueCall(
  { jobs }: Pick<Workspace, 'jobs'>,
  now: number,
  input: ParsedInput<'methods.enqueue'> & { app: string },
  { trace, onceKey }: { readonly trace: Job['trace'] | undefined; readonly onceKey: string | undefined },
): Promise<{ id: string; created: boolean }> {
  const { app, path, body, delayMs, runAt, key, attempts } = input;
  const unique =
    key !== undefined
      ? `call ${app} ${key}`
      : // What differs is another call.
        onceKey && `${onceKey} ${sha256Hex(canonicalJson(input))}`;
  const [enqueued] = await jobs.enqueue([
    {
      kind: 'invocation',
      group: app,
      ...(unique !== undefined && { key: unique }),
      due: runAt === undefined ? now + (delayMs ?? 0) : Date.parse(runAt),
      fixed: runAt !== undefined,
      payload: {
        app,
        path,
        attempts: attempts ?? limits.jobs.attempts,
        ...(body !== undefined && { body: body as Json }),
      },
      ...(trace && { trace }),
    },
  ]);
  if (enqueued === undefined) throw new Error('nothing was enqueued');
  return enqueued;
}

/**
 * Carries out background calls. What a method throws, a limit, and answers of 429 or from 500 on are tried again by the schedule of
 * webhooks; any other answer from 400 on ends the job. All tries have the job's id as the key of their writes.
 */
export function backgroundCalls(parts: MachineParts): JobWorker {
  return {
    maxAtOnce,
    async run(job, signal): Promise<Ended | 'left'> {
      const { app, path, body, attempts } = job.payload as { app: string; path: string; body?: Json; attempts: number };
      const attempt = job.attempt + 1;
      let judged: Judged;
      try {
        const loaded = await parts.apps.load(app, path);
        const invoked = await invokeMethod(parts, loaded, {
          caller: { ...systemCaller, trace: job.trace },
          trigger: 'job',
          body,
          signal,
          onceKey: job.id,
          attempt,
        });
        if (signal.aborted && !invoked.ok) return 'left';
        judged = judge(invoked);
      } catch (error) {
        if (signal.aborted) return 'left';
        if (!(error instanceof WorkspaceError)) throw error;
        judged = {
          again: error.status === 429 || error.status >= 500,
          outcome: { status: error.status, error: { code: error.code, message: error.message } },
        };
      }
      const { failed = true, again, outcome } = judged;
      const delayMs = again
        ? retryDelayMs({ attemptNumber: attempt, random: Math.random(), maxAttempts: attempts })
        : undefined;
      if (delayMs !== undefined) return { end: { state: 'waiting', due: parts.clock.now() + delayMs, outcome } };
      return { end: { state: failed ? 'failed' : 'done', keep: true, outcome } };
    },
  };
}

interface Judged {
  readonly failed?: boolean;
  readonly again: boolean;
  readonly outcome: Record<string, Json>;
}

function judge(invoked: Invoked): Judged {
  const { invocationId } = invoked;
  if (!invoked.ok) {
    const error = { code: invoked.code, message: `${invoked.reason.name}: ${invoked.reason.message}` };
    const { status } = errorCodes[invoked.code];
    return { again: status === 429 || status >= 500, outcome: { invocationId, status, error } };
  }
  if (invoked.result.kind === 'json') {
    return { failed: false, again: false, outcome: { invocationId, status: 200, result: shortResult(invoked) } };
  }
  const { status } = invoked.result.response;
  return { failed: status >= 400, again: status === 429 || status >= 500, outcome: { invocationId, status } };
}

const maxResultLength = 4_096;

/** The whole result is in the invocation's record. */
function shortResult(invoked: Invoked & { ok: true }): Json {
  const { result } = invoked;
  if (result.kind === 'json' && result.json.length > maxResultLength) return null;
  return (resultValue(result) ?? null) as Json;
}

/** @throws WorkspaceError function_not_found, function_type_mismatch */
export async function requireMethod({ apps }: MachineParts, app: string, path: string): Promise<string> {
  const loaded = await apps.load(app, path.replace(/^\/+/, '').replace(/\.js$/, ''));
  if (loaded.type === 'server-side-method') return loaded.name;
  throw refusal('function_type_mismatch', `${app}/${loaded.name} is of type ${loaded.type}, not server-side-method`);
}
