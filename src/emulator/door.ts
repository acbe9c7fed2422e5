import {
  type Caller,
  type CallOptions,
  type Input,
  type MachineOperation,
  type OperationName,
  type Output,
  operationOf,
  type ParsedInput,
  type StateOperation,
} from '../contract/index.ts';
import { WorkspaceError } from '../std/index.ts';
import type { Workspace } from '../workspace/index.ts';
import { isLeftToRepeat, untouched } from './invoke/failure.ts';

/** The contract's door, which also tells when an answer is a replay. */
export type EmulatorDoor = <N extends OperationName>(
  name: N,
  input: Input<N>,
  options?: CallOptions,
) => Promise<Output<N>>;

/** Handlers of operations that need a machine; the input has been checked. */
export type MachineHandlers = {
  readonly [N in MachineOperation]: (input: ParsedInput<N>, caller: Caller, options: CallOptions) => Promise<Output<N>>;
};

export interface DoorParts {
  readonly workspace: Workspace;
  readonly handlers: MachineHandlers;
  /** Runs before any check, so that a missing app is reported first. */
  readonly before?: (name: OperationName) => Promise<void> | undefined;
  /** Runs after an operation, to update cached state or to complete the answer. */
  readonly after?: (name: OperationName, input: unknown, output: unknown) => Promise<void> | undefined;
}

/** Makes the door of a running workspace: state operations go to the workspace, the others to the machine handlers. */
export function doorOf(parts: DoorParts, caller: Caller): EmulatorDoor {
  return async (name, input, options = {}) => {
    const absent = parts.before?.(name);
    if (absent) await absent;
    const output = isState(name)
      ? await untouched(parts.workspace.call(name, input as never, caller, options))
      : await onMachine(parts, name, input, caller, options);
    const after = parts.after?.(name, input, output);
    if (after) await after;
    return output as Output<typeof name>;
  };
}

const isState = (name: OperationName): name is StateOperation => operationOf(name).by === 'state';

/** Operations that handle idempotency themselves, because they end in one transaction of the workspace. */
const transactional: ReadonlySet<OperationName> = new Set(['deployments.activate', 'deployments.rollback']);

/** Operations that are a single transaction, like state operations, whatever happens after it. */
const whole: ReadonlySet<OperationName> = new Set([
  'clock.set',
  'clock.advance',
  'workspace.reset',
  'workspace.import',
]);

async function onMachine(
  { workspace, handlers }: DoorParts,
  name: OperationName,
  input: unknown,
  caller: Caller,
  options: CallOptions,
): Promise<unknown> {
  const parsed = await workspace.check(name, input, caller);
  const own = handlers[name as MachineOperation] as (
    input: unknown,
    caller: Caller,
    options: CallOptions,
  ) => Promise<unknown>;
  const handler: typeof own = whole.has(name) ? (...given) => untouched(own(...given)) : own;
  const { idempotencyKey: key } = options;
  if (key === undefined || operationOf(name).effect === 'read' || transactional.has(name))
    return handler(parsed, caller, options);
  const { replay } = await untouched(workspace.idempotency.begin(key, caller, `${name} ${JSON.stringify(parsed)}`));
  if (replay) {
    options.onReplay?.();
    return replayed(replay.status, replay.body);
  }
  try {
    const output = await handler(parsed, caller, options);
    await workspace.idempotency.finish(key, caller, { status: 200, headers: {}, body: JSON.stringify(output ?? null) });
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
