import { type HeldWrite, relayDoor } from '../client/index.ts';
import {
  type Caller,
  type Door,
  isOperationName,
  type OperationName,
  operationNames,
  operationOf,
} from '../contract/index.ts';
import { openLocal } from '../emulator/index.ts';
import type { Project } from '../project/index.ts';
import { FnError, nearest, UsageError, WorkspaceError } from '../std/index.ts';

export interface Relay {
  /** The door of a workspace in memory whose functions read from the workspace elsewhere. */
  readonly door: Door;
  /** Writes that were held back, in the order in which they were asked for. */
  held(): readonly HeldWrite[];
  /** Why the workspace could not be asked, if it could not: that is no failure of the function. */
  failure(): unknown;
  close(): Promise<void>;
}

/** Local code on the data of a workspace elsewhere, for one call. */
export async function openRelay(options: { project: Project; remote: Door; allow: readonly string[] }): Promise<Relay> {
  const held: HeldWrite[] = [];
  let failure: unknown;
  const remote: Door = async (name, input, call) => {
    try {
      return await options.remote(name, input, call);
    } catch (error) {
      if (isNoAnswer(error)) failure ??= error;
      throw error;
    }
  };
  const { functionDoor } = relayedFunctions(remote, options.allow, (write) => held.push(write));
  const local = await openLocal({ project: options.project, database: 'memory', functionDoor });
  return { door: local.door(), held: () => held, failure: () => failure, close: local.close };
}

/** Nobody answered, or not this workspace, or not with this token. */
function isNoAnswer(error: unknown): boolean {
  if (error instanceof WorkspaceError) return error.status === 401 || error.code === 'workspace_unknown';
  return error instanceof FnError;
}

/**
 * What the `sdk` of local functions goes through.
 * @param allow names of writes that may go through
 * @param onHeld told of every write that may not
 * @throws UsageError operation_unknown
 */
export function relayedFunctions(
  remote: Door,
  allow: readonly string[],
  onHeld: (write: HeldWrite) => void,
): { functionDoor: (caller: Caller, local: Door) => Door } {
  const allowed = allow.map(operationNamed);
  return { functionDoor: (_caller, own) => relayDoor(remote, own, { allow: allowed, onHeld }) };
}

function operationNamed(name: string): OperationName {
  if (isOperationName(name) && operationOf(name).effect !== 'read') return name;
  if (isOperationName(name)) {
    throw new UsageError('operation_unknown', `${name} is a read: it goes through anyway`, { hint: 'Leave it out.' });
  }
  const near = nearest(name, operationNames);
  throw new UsageError('operation_unknown', `There is no operation "${name}"`, {
    hint: near ? `Did you mean ${near}?` : '"fn docs operations" lists them.',
  });
}
