import {
  type Caller,
  type CallOptions,
  type OperationName,
  type OperationsWhere,
  operationNames,
  operationOf,
  operations,
  refusal,
} from '../../contract/index.ts';
import { WorkspaceError } from '../../std/index.ts';
import { permit } from '../../workspace/index.ts';
import type { MachineHandlers } from '../door.ts';
import { insideRefusal } from '../invoke/failure.ts';
import { onceKeyOf } from '../invoke/idempotency-keys.ts';
import { invokeMethod } from './invoke-method.ts';
import type { MachineParts } from './parts.ts';

type BuiltInOperation = OperationsWhere<'builtIn', { app: string; name: string }>;

const builtInOperations = operationNames.filter(
  (name) => operationOf(name).builtIn !== undefined,
) as BuiltInOperation[];

/** The Template API and the Session Link app: each operation is one of their functions, run in the sandbox like any other. */
export function builtInHandlers(parts: MachineParts): Pick<MachineHandlers, BuiltInOperation> {
  const handlerOf = (name: BuiltInOperation) => (input: unknown, caller: Caller, options: CallOptions) =>
    runBuiltIn(parts, name, input, caller, options);
  // The compiler cannot see that every name has its handler.
  return Object.fromEntries(builtInOperations.map((name) => [name, handlerOf(name)])) as never;
}

const operationAt = new Map(
  builtInOperations.map((operation) => {
    const { app, name } = operations[operation].builtIn;
    return [`${app}/${name}`, operation];
  }),
);

/** Running a built-in function by name requires the scope of its operation. @throws WorkspaceError token_scope */
export function permitBuiltIn(app: string, name: string, caller: Caller): void {
  const operation = operationAt.get(`${app}/${name}`);
  if (operation) permit(operation, operations[operation], caller);
}

/** Checks that the app is installed whose function carries out the operation, if there is one. @throws WorkspaceError app_not_installed */
export function requireAppOf(parts: Pick<MachineParts, 'apps'>, name: OperationName): Promise<void> | undefined {
  const { builtIn } = operationOf(name);
  return builtIn && requireInstalled(parts, builtIn.app);
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

async function runBuiltIn(
  parts: MachineParts,
  operation: BuiltInOperation,
  input: unknown,
  caller: Caller,
  { signal, idempotencyKey }: CallOptions,
): Promise<unknown> {
  signal?.throwIfAborted();
  const { route, builtIn } = operations[operation];
  const { app, name } = builtIn;
  const [method = ''] = route.split(' ');
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
