import { type HeldWrite, relayDoor } from '../client/index.ts';
import { type Door, isOperationName, type OperationName } from '../contract/index.ts';
import { openLocal } from '../emulator/index.ts';
import type { Project } from '../project/index.ts';
import { UsageError } from '../std/index.ts';

export interface Relay {
  /** The door of a workspace in memory whose functions read from the workspace elsewhere. */
  readonly door: Door;
  /** Writes that were held back, in the order in which they were asked for. */
  held(): readonly HeldWrite[];
  close(): Promise<void>;
}

/** Local code on the data of a workspace elsewhere. */
export async function openRelay(options: { project: Project; remote: Door; allow: readonly string[] }): Promise<Relay> {
  const allow = options.allow.map(operationNamed);
  const relays: (() => readonly HeldWrite[])[] = [];
  const local = await openLocal({
    project: options.project,
    database: 'memory',
    functionDoor: (_caller, own) => {
      const relay = relayDoor(options.remote, own, allow);
      relays.push(relay.held);
      return relay.door;
    },
  });
  return { door: local.door(), held: () => relays.flatMap((held) => held()), close: local.close };
}

function operationNamed(name: string): OperationName {
  if (isOperationName(name)) return name;
  throw new UsageError('operation_unknown', `There is no operation "${name}"`, {
    hint: 'For example messages.send, conversations.assign, customers.update. "fn docs operations" lists them.',
  });
}
