import { type Caller, type OperationName, operationOf, refusal, type ToolGrant } from '../../contract/index.ts';
import { isRecord } from '../../std/index.ts';
import type { ToolSubject } from '../../workspace/index.ts';
import type { EmulatorDoor } from '../door.ts';
import { systemCaller } from '../invoke/arguments.ts';

/** What a tool sees of its conversation unless it says otherwise. */
export const readByDefault: readonly string[] = ['id', 'channel', 'customerId'];

/**
 * The conversation cut to the permitted fields: paths of the API's Conversation, `channel` (its kind), `customer` and what is below it. A path
 * includes all below it; `*` is any name.
 */
export function cutConversation({ conversation, channel, customer }: ToolSubject, paths: readonly string[]): object {
  const whole: Record<string, unknown> = { ...conversation, channel, customer };
  // Its id tells nothing, and every call about the conversation needs it.
  const cut: Record<string, unknown> = { id: conversation.id };
  for (const path of paths) copyPath(whole, cut, path.split('.'));
  return cut;
}

function copyPath(
  from: Record<string, unknown>,
  to: Record<string, unknown>,
  [name, ...below]: readonly string[],
): void {
  const names = name === '*' ? Object.keys(from) : name !== undefined && Object.hasOwn(from, name) ? [name] : [];
  for (const one of names) {
    const value = from[one];
    if (below.length === 0) to[one] = value;
    else if (isRecord(value)) {
      const inner = isRecord(to[one]) ? to[one] : {};
      to[one] = inner;
      // What was copied whole by another path stays whole.
      if (inner !== value) copyPath(value, inner, below);
    }
  }
}

/** What a tool may change of the conversation it works in. */
export function grantOf(subject: ToolSubject, write: readonly string[]): ToolGrant {
  return { conversationId: subject.conversation.id, customerId: subject.conversation.customerId, write };
}

/**
 * Refuses a change of the tool's own conversation or customer that it has no path for. What it does elsewhere is its app's own right.
 * @throws WorkspaceError tool_forbidden
 */
export async function permitChange(
  { grant, caller, door }: { grant: ToolGrant; caller: Caller; door: (caller: Caller) => EmulatorDoor },
  operation: OperationName,
  input: unknown,
): Promise<void> {
  if (!isRecord(input)) return;
  for (const change of operationOf(operation).changes ?? []) {
    if (change.if !== undefined && input[change.if] === undefined) continue;
    const forbidden = pathsOf(change.path, input, change.by).find((path) => !isPermitted(grant.write, path));
    if (forbidden === undefined) continue;
    if (!(await isOwn(grant, change, input, door))) continue;
    throw refusal('tool_forbidden', `The tool may not change ${forbidden} (permissions.conversation.write)`, {
      hint: `Add '${forbidden}' to permissions.conversation.write of ${caller.name ?? 'the tool'}.`,
      details: { path: forbidden },
    });
  }
}

type Change = NonNullable<ReturnType<typeof operationOf>['changes']>[number];

async function isOwn(
  grant: ToolGrant,
  { of, by }: Change,
  input: Readonly<Record<string, unknown>>,
  door: (caller: Caller) => EmulatorDoor,
): Promise<boolean> {
  const named = Object.entries(by).filter(([, field]) => typeof input[field] === 'string');
  for (const [kind, field] of named) {
    const value = String(input[field]);
    if (kind === 'id') {
      if (value === (of === 'conversation' ? grant.conversationId : grant.customerId)) return true;
      continue;
    }
    try {
      const { id } = await door(systemCaller)('customers.find', { [kind]: value });
      if (id === grant.customerId) return true;
    } catch {
      // Nobody has this number or address, or it is none: the operation itself says so.
    }
  }
  return false;
}

/** The paths that an input changes: for `customer.*` one for each of its fields. */
function pathsOf(path: string, input: Readonly<Record<string, unknown>>, by: Change['by']): string[] {
  if (!path.endsWith('.*')) return [path];
  const base = path.slice(0, -2);
  const own: readonly string[] = Object.values(by);
  if (base === 'fields') return namesIn(input['fields']).map((name) => `fields.${name}`);
  return Object.keys(input)
    .filter((name) => !own.includes(name))
    .flatMap((name) =>
      name === 'fields' ? namesIn(input['fields']).map((one) => `${base}.fields.${one}`) : [`${base}.${name}`],
    );
}

const namesIn = (value: unknown): string[] => (isRecord(value) ? Object.keys(value) : []);

/** Whether one of the paths is this one, or one above it. */
function isPermitted(permitted: readonly string[], path: string): boolean {
  const parts = path.split('.');
  return permitted.some((one) => {
    const wanted = one.split('.');
    return wanted.length <= parts.length && wanted.every((part, i) => part === '*' || part === parts[i]);
  });
}
