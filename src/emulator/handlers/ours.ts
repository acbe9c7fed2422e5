import { type Caller, type CallOptions, type Output, refusal } from '../../contract/index.ts';
import { WorkspaceError } from '../../std/index.ts';
import { insideRefusal } from '../invoke/failure.ts';
import { onceKeyOf } from '../invoke/idempotency-keys.ts';
import { invokeMethod } from './invoke-method.ts';
import { type OurOperations, ourFunctions } from './our-functions.ts';
import type { HandlersFor, MachineParts } from './parts.ts';

/** The Template API and the Session Link app: each operation is one of their functions, run in the sandbox like any other. */
export function ourHandlers(parts: MachineParts): HandlersFor<OurOperations> {
  const run =
    <N extends OurOperations>(name: N) =>
    async (input: unknown, caller: Caller, options: CallOptions): Promise<Output<N>> =>
      (await runOurs(parts, name, input, caller, options)) as Output<N>;
  return {
    'templates.send': run('templates.send'),
    'templates.list': run('templates.list'),
    'templates.uploadCredentials': run('templates.uploadCredentials'),
    'sessions.link': run('sessions.link'),
  };
}

/** @throws WorkspaceError app_not_installed */
export async function requireInstalled(parts: Pick<MachineParts, 'apps'>, app: string): Promise<void> {
  const state = parts.apps.state(app);
  const { installed } = state instanceof Promise ? await state : state;
  if (!installed) {
    throw refusal('app_not_installed', `The app ${app} is not installed`, {
      hint: `Install it: fn app install ${app}`,
    });
  }
}

async function runOurs(
  parts: MachineParts,
  operation: OurOperations,
  input: unknown,
  caller: Caller,
  { signal, idempotencyKey }: CallOptions,
): Promise<unknown> {
  signal?.throwIfAborted();
  const { app, name, method } = ourFunctions[operation];
  const loaded = await parts.apps.load(app, name);
  const invoked = await invokeMethod(parts, loaded, {
    body: input,
    method,
    caller: deeper(caller),
    trigger: caller.type === 'function' ? 'method' : 'http',
    // A write that has begun is not cancelled: what it has done could not be told.
    ...(method === 'GET' && { signal }),
    onceKey: onceKeyOf(caller, idempotencyKey),
  });
  const { invocationId } = invoked;
  if (!invoked.ok) throw insideRefusal(invoked.code, invocationId, invoked.reason);
  const { result } = invoked;
  if (result.kind === 'json') return JSON.parse(result.json);
  const { status, body } = result.response;
  const answer = JSON.parse(Buffer.from(body).toString('utf8'));
  if (status < 300) return answer;
  const { code, detail, errors, details } = answer;
  throw new WorkspaceError(code, status, detail, { errors, details });
}

function deeper(caller: Caller): Caller {
  return caller.type === 'function' ? { ...caller, depth: (caller.depth ?? 0) + 1 } : caller;
}
