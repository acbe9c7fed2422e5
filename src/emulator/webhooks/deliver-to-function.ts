import { errorCodes } from '../../contract/index.ts';
import { monotonicMs, shortened, WorkspaceError } from '../../std/index.ts';
import { deliveryLimits } from '../../webhook/index.ts';
import type { Workspace } from '../../workspace/index.ts';
import { systemCaller } from '../invoke/arguments.ts';
import type { Invoked, Invoker } from '../invoke/invoker.ts';
import { type MethodRequest, methodArgument, methodInput } from '../invoke/method.ts';
import type { Secrets } from '../invoke/secrets.ts';
import type { Apps } from '../sources/apps.ts';
import type { FunctionDelivery, MadeAttempt } from './deliveries.ts';

export interface FunctionReceiverParts {
  readonly apps: Pick<Apps, 'load'>;
  readonly invoker: Pick<Invoker, 'invoke'>;
  readonly secrets: Pick<Secrets, 'redact'>;
  readonly workspace: Pick<Workspace, 'slug'>;
  readonly baseUrl: () => string;
}

/**
 * Delivers an event by an invocation instead of a POST: the method, exposed or not, gets the body with the headers of a webhook, unsigned. What it
 * returns is its answer; a throw counts as 500.
 */
export async function deliverToFunction(
  { apps, invoker, secrets, workspace, baseUrl }: FunctionReceiverParts,
  delivery: FunctionDelivery,
  signal: AbortSignal,
): Promise<MadeAttempt> {
  const { id, eventId, target, body, trace, attemptNumber } = delivery;
  const startedAtMs = Date.now();
  const requestHeaders = {
    ...delivery.headers,
    'content-type': 'application/json',
    'webhook-id': eventId,
    'webhook-timestamp': String(Math.floor(startedAtMs / 1000)),
  };
  const slash = target.indexOf('/');
  const [app, name] = [target.slice(0, slash), target.slice(slash + 1)];
  const start = monotonicMs();
  const answered = await answerOf(async () => {
    const loaded = await apps.load(app, name);
    if (loaded.type !== 'server-side-method')
      throw new WorkspaceError('function_type_mismatch', 422, `${target} is no Server Side Method`);
    const request: MethodRequest = {
      method: 'POST',
      url: `${baseUrl()}/api/${workspace.slug}/custom-functions/${app}/${loaded.path}`,
      headers: Object.entries(requestHeaders),
      body: Buffer.from(body),
    };
    const made = methodArgument(request);
    return invoker.invoke(loaded, {
      trigger: 'event',
      caller: { ...systemCaller, trace },
      argument: made.argument,
      body: made.body,
      inputJson: () => methodInput(request),
      signal,
      onceKey: id,
      attempt: attemptNumber,
    });
  }, signal);
  const { answer: kept } = answered;
  return {
    startedAtMs,
    ms: Math.round(monotonicMs() - start),
    requestHeaders,
    ...answered,
    ...(kept && { answer: { ...kept, body: secrets.redact(app, kept.body) } }),
  };
}

type Answered = Pick<MadeAttempt, 'status' | 'answer' | 'error' | 'invocationId'>;

async function answerOf(invoke: () => Promise<Invoked>, signal: AbortSignal): Promise<Answered> {
  try {
    const invoked = await invoke();
    if (signal.aborted && !invoked.ok) return { error: { code: 'stopped', message: 'the attempt was stopped' } };
    return { invocationId: invoked.invocationId, ...readAnswer(invoked) };
  } catch (error) {
    if (signal.aborted) return { error: { code: 'stopped', message: 'the attempt was stopped' } };
    // It is not there, does not build, or there is no room for it now: nothing has run.
    if (error instanceof WorkspaceError) return answer(error.status, {}, `${error.code}: ${error.message}`);
    throw error;
  }
}

function readAnswer(invoked: Invoked): Answered {
  if (!invoked.ok) {
    const { name, message } = invoked.reason;
    const { status } = errorCodes[invoked.code];
    return answer(status, {}, `${name}: ${message}`);
  }
  const { result } = invoked;
  if (result.kind === 'json') return answer(200, { 'content-type': 'application/json' }, result.json);
  const { status, headers, body } = result.response;
  return answer(status, Object.fromEntries(headers), Buffer.from(body).toString('utf8'));
}

function answer(status: number, headers: Record<string, string>, text: string): Answered {
  const body = shortened(text, deliveryLimits.answerBytes);
  return { status, answer: { headers, body, truncated: body !== text } };
}
