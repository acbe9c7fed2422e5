import { type EventKind, eventKinds, findSubscriptionProblem, refusal } from '../../contract/index.ts';
import { checkShape, eventData, exampleOf } from '../../contract/shapes/index.ts';
import { type FieldProblem, isRecord } from '../../std/index.ts';
import { inputInvalid } from '../door/problems.ts';
import type { Announcement } from '../door/tx.ts';
import type { Json } from '../types.ts';

/**
 * An event of something that did not happen: the example of a kind, for those who try out what receives it.
 * @param given what is to differ from the example; objects are merged
 * @throws WorkspaceError event_unknown; input_invalid for what no event of this kind carries
 */
export function syntheticEvent(type: string, given: Record<string, Json>): Announcement {
  const kind = requireKind(type);
  const data = exampleWith(kind, given);
  const conversationId = conversationOf(data);
  return { type: kind, data, synthetic: true, ...(conversationId !== undefined && { conversationId }) };
}

/** @throws WorkspaceError event_unknown, with the kind that was probably meant */
function requireKind(type: string): EventKind {
  const kind = eventKinds.find((one) => one === type);
  if (kind !== undefined) return kind;
  const problem = findSubscriptionProblem([type]);
  throw refusal('event_unknown', problem?.message ?? `${type} is not one kind of event`, {
    hint: problem?.hint ?? 'Name one kind, such as message.received. fn webhook events lists them.',
    errors: [{ path: 'type', message: problem?.message ?? 'names more than one kind' }],
  });
}

/**
 * The example of a kind with what is to differ from it.
 * @throws WorkspaceError input_invalid for what no event of this kind can carry
 */
function exampleWith(kind: EventKind, given: Record<string, Json>): Record<string, Json> {
  const merged = mergeInto(exampleOf(kind), given);
  const checked = checkShape<Record<string, unknown>>(eventData[kind], merged);
  const problems = checked.fits
    ? unknownIn(given, checked.value, '')
    : checked.problems.map(({ path, message }) => ({ path: path === '' ? 'data' : `data.${path}`, message }));
  if (problems.length > 0) throw inputInvalid(kind, problems);
  return merged;
}

function mergeInto(base: Record<string, Json>, given: Record<string, Json>): Record<string, Json> {
  const merged = { ...base };
  for (const [name, value] of Object.entries(given)) {
    const before = merged[name];
    merged[name] = isRecord(value) && isRecord(before) ? mergeInto(before, value) : value;
  }
  return merged;
}

/** Fields that the shape has left out, because it does not know them. */
function unknownIn(given: Record<string, Json>, known: Record<string, unknown>, prefix: string): FieldProblem[] {
  return Object.entries(given).flatMap(([name, value]) => {
    const path = `${prefix}${name}`;
    const meant = known[name];
    if (meant === undefined) return [{ path: `data.${path}`, message: 'is no field of this event' }];
    return isRecord(value) && isRecord(meant) ? unknownIn(value, meant, `${path}.`) : [];
  });
}

/** The conversation of which an event tells. */
function conversationOf(data: Record<string, Json>): string | undefined {
  const { conversation } = data;
  const id = isRecord(conversation) ? conversation['id'] : undefined;
  const other = Object.values(data).find((one) => isRecord(one) && 'conversationId' in one);
  const found = id ?? (isRecord(other) ? other['conversationId'] : undefined);
  return typeof found === 'string' ? found : undefined;
}
