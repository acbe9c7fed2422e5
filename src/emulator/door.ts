import {
  type Caller,
  type CallOptions,
  type Input,
  type MachineOperation,
  type OperationName,
  type OperationsWhere,
  type Output,
  operationOf,
  type ParsedInput,
  refusal,
  type StateOperation,
} from '../contract/index.ts';
import { sha256Hex, WorkspaceError } from '../std/index.ts';
import type { Workspace } from '../workspace/index.ts';
import { isLeftToRepeat, untouched } from './invoke/failure.ts';

/** The contract's door, which also tells when an answer is a replay. */
export type EmulatorDoor = <N extends OperationName>(
  name: N,
  input: Input<N>,
  options?: CallOptions,
) => Promise<Output<N>>;

/** Operations that need a machine and are not just bytes or a stream over HTTP, which a call cannot carry. */
export type CallableOperation = Exclude<
  MachineOperation,
  OperationsWhere<'rawBody', true> | OperationsWhere<'eventStream', 'only'>
>;

/** Handlers of operations that need a machine; the input has been checked. */
export type MachineHandlers = {
  readonly [N in CallableOperation]: (
    input: ParsedInput<N>,
    caller: Caller,
    options: CallOptions,
  ) => Promise<Output<N>>;
};

export interface DoorParts {
  readonly workspace: Workspace;
  readonly handlers: MachineHandlers;
  /** Runs before any check, so that a missing app is reported first. */
  readonly before?: (name: OperationName, input: unknown, caller: Caller) => Promise<void> | undefined;
  /** Runs after an operation, to update cached state or to complete the answer. */
  readonly after?: (name: OperationName, input: unknown, output: unknown, caller: Caller) => Promise<void> | undefined;
}

/** Makes the door of a running workspace: state operations go to the workspace, the others to the machine handlers. */
export function doorOf(parts: DoorParts, caller: Caller): EmulatorDoor {
  return async (name, input, options = {}) => {
    const absent = parts.before?.(name, input, caller);
    if (absent) await absent;
    const output = isState(name)
      ? await untouched(parts.workspace.call(name, input as never, caller, options))
      : await onMachine(parts, name, input, caller, options);
    const after = parts.after?.(name, input, output, caller);
    if (after) await after;
    return output as Output<typeof name>;
  };
}

const isState = (name: OperationName): name is StateOperation => operationOf(name).by === 'state';

async function onMachine(
  { workspace, handlers }: DoorParts,
  name: OperationName,
  input: unknown,
  caller: Caller,
  options: CallOptions,
): Promise<unknown> {
  const { effect, transaction, rawBody, eventStream, sealed } = operationOf(name);
  const parsed = await workspace.check(name, input, caller);
  // A call carries JSON only: the HTTP face passes bytes to the workspace as they arrive, and sends events as they happen.
  if (rawBody) throw refusal('content_type_unsupported', `${name} takes bytes: send them over HTTP`);
  if (eventStream === 'only') throw refusal('operation_not_allowed', `${name} is an event stream: read it over HTTP`);
  const own = handlers[name as CallableOperation] as (
    input: unknown,
    caller: Caller,
    options: CallOptions,
  ) => Promise<unknown>;
  const handler: typeof own = transaction === 'whole' ? (...given) => untouched(own(...given)) : own;
  const { idempotencyKey: key } = options;
  if (key === undefined || effect === 'read' || transaction === 'last') return handler(parsed, caller, options);
  const request = `${name} ${JSON.stringify(parsed)}`;
  const fingerprint = sealed ? sha256Hex(request) : request;
  const { replay } = await untouched(workspace.idempotency.begin(key, caller, fingerprint));
  if (replay) {
    options.onReplay?.();
    return replayed(replay.status, replay.body);
  }
  try {
    const output = await handler(parsed, caller, options);
    const body = JSON.stringify(output ?? null);
    await workspace.idempotency.finish(key, caller, { status: 200, headers: {}, body, ...(sealed && { sealed }) });
    return output;
  } catch (error) {
    // A refusal changed nothing, so a retry may use the same key. After a failure the outcome is unknown, so it stays the answer.
    const again =
      !(error instanceof WorkspaceError) ||
      error.status < 500 ||
      error.code === 'disk_full' ||
      isLeftToRepeat(error.code, error.status);
    if (again) await workspace.idempotency.abandon(key, caller);
    else await workspace.idempotency.finish(key, caller, { status: error.status, headers: {}, body: kept(error) });
    throw error;
  }
}

function kept({ code, message, details, errors }: WorkspaceError): string {
  return JSON.stringify({ code, message, details, errors });
}

function replayed(status: number, body: string): unknown {
  const answer = JSON.parse(body);
  if (status === 200) return answer;
  const { code, message, details, errors } = answer;
  throw new WorkspaceError(code, status, message, { details, errors });
}
