import { type HeldWrite, relayDoor } from '../../client/index.ts';
import {
  type Caller,
  type Door,
  isOperationName,
  type OperationName,
  operationNames,
  operationOf,
} from '../../contract/index.ts';
import { openLocal } from '../../emulator/index.ts';
import type { Project } from '../../project/index.ts';
import { FnError, nearest, UnknownOutcomeError, UsageError, WorkspaceError } from '../../std/index.ts';
import type { AwaitedDebugger } from '../functions/awaited-debugger.ts';

export interface Relay {
  /** Door of a workspace in memory whose functions read from the remote workspace. */
  readonly door: Door;
  /** Writes that were held back, in order. */
  held(): readonly HeldWrite[];
  /** Why the remote workspace could not be reached, if so. That is not a failure of the function. */
  failure(): FnError | undefined;
  /** The same for a function that has ended, including what was written before. */
  end(): FnError | undefined;
  close(): Promise<void>;
}

interface RelayOptions {
  readonly project: Project;
  readonly remote: Door;
  readonly allow: readonly string[];
  readonly inspect?: AwaitedDebugger;
}

/** Runs local code on the data of a remote workspace, for one call. */
export async function openRelay(options: RelayOptions): Promise<Relay> {
  const held: HeldWrite[] = [];
  const written: OperationName[] = [];
  let failure: FnError | undefined;
  const remote: Door = async (name, input, call) => {
    try {
      const answer = await options.remote(name, input, call);
      if (operationOf(name).effect !== 'read') written.push(name);
      return answer;
    } catch (error) {
      // Of several failures, an unknown outcome of a write is the most important.
      if (isNoAnswer(error) && (failure === undefined || error instanceof UnknownOutcomeError)) failure = error;
      throw error;
    }
  };
  const { functionDoor } = relayedFunctions(remote, options.allow, (write) => held.push(write));
  const { project, inspect } = options;
  const local = await openLocal({ project, database: 'memory', functionDoor, ...(inspect && { inspect }) });
  return {
    door: local.door(),
    held: () => held,
    failure: () => failure,
    end: () => afterWrites(failure, written),
    close: local.close,
  };
}

/** Corrects a failure that says "nothing was changed" if an allowed write had succeeded before. */
function afterWrites(failure: FnError | undefined, written: readonly OperationName[]): FnError | undefined {
  if (failure === undefined || failure.exitCode === 8 || written.length === 0) return failure;
  return new UnknownOutcomeError(
    'outcome_unknown',
    `The function did not finish: ${failure.message}; by then it had carried out ${written.join(', ')}`,
    { hint: 'A repeat would do that again. Check in the workspace first.', cause: failure },
  );
}

/** Whether there was no answer, or not from this workspace, or the token was refused. */
function isNoAnswer(error: unknown): error is FnError {
  if (error instanceof WorkspaceError) return error.status === 401 || error.code === 'workspace_unknown';
  return error instanceof FnError;
}

/**
 * The door for the `sdk` of local functions.
 * @param allow names of writes that are let through
 * @param onHeld called for every write that is held back
 * @throws UsageError operation_unknown
 */
export function relayedFunctions(
  remote: Door,
  allow: readonly string[],
  onHeld: (write: HeldWrite) => void,
): { functionDoor: (caller: Caller, local: Door) => Door } {
  const allowed = allow.map(operationNamed);
  const there = toldToFunctions(remote);
  return { functionDoor: (_caller, own) => relayDoor(there, own, { allow: allowed, onHeld }) };
}

/** Turns a request without an answer into an error for the function, with a code and what happened. */
function toldToFunctions(remote: Door): Door {
  return async (name, input, call) => {
    try {
      return await remote(name, input, call);
    } catch (error) {
      if (error instanceof WorkspaceError || !(error instanceof FnError)) throw error;
      throw new WorkspaceError(error.code, 503, error.message, { cause: error });
    }
  };
}

function operationNamed(name: string): OperationName {
  if (isOperationName(name) && operationOf(name).effect !== 'read') return name;
  if (isOperationName(name)) {
    throw new UsageError('operation_unknown', `${name} is a read, which goes through anyway`, { hint: 'Omit it.' });
  }
  const near = nearest(name, operationNames);
  throw new UsageError('operation_unknown', `There is no operation "${name}"`, {
    hint: near ? `Did you mean ${near}?` : '"fn docs operations" lists them.',
  });
}
