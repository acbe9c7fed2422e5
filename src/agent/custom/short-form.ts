import { isRecord, newId } from '../../std/index.ts';
import { RunFailure } from '../run-error.ts';

type Fields = Record<string, unknown>;

const known: readonly string[] = ['reply', 'toolCalls', 'handover', 'state', 'usage', 'error', 'note'];

/**
 * The events of a JSON reply: those that it lists, or those that its short form stands for. `{"reply": "Hello"}` is a whole agent.
 * @throws RunFailure `harness_protocol`
 */
export function eventsOfJson(reply: unknown, runId: string, threadId: string): readonly unknown[] {
  if (!isRecord(reply)) throw wrong('is no object');
  if (Array.isArray(reply['events'])) return reply['events'];
  const unknown = Object.keys(reply).find((name) => !known.includes(name));
  if (unknown !== undefined) throw wrong(`has a field "${unknown}"; the short form has ${known.join(', ')}`);
  const { reply: text, toolCalls, handover, state, usage, error, note } = reply;
  const events: Fields[] = [{ type: 'RUN_STARTED', runId, threadId }];
  const messageId = newId('ans');
  if (text !== undefined && text !== null) {
    if (typeof text !== 'string') throw wrong('has a reply that is no text');
    if (text !== '') {
      events.push({ type: 'TEXT_MESSAGE_START', messageId, role: 'assistant' });
      events.push({ type: 'TEXT_MESSAGE_CONTENT', messageId, delta: text });
      events.push({ type: 'TEXT_MESSAGE_END', messageId });
    }
  }
  events.push(...eventsOfCalls(toolCalls, messageId));
  if (note !== undefined)
    events.push({ type: 'CUSTOM', name: 'note', value: typeof note === 'string' ? { text: note } : note });
  if (handover !== undefined && handover !== null) events.push({ type: 'CUSTOM', name: 'handover', value: handover });
  if (state !== undefined) events.push({ type: 'STATE_SNAPSHOT', snapshot: state });
  if (error !== undefined && error !== null) {
    if (!isRecord(error) || typeof error['message'] !== 'string') throw wrong('has an error without a message');
    return [...events, { type: 'RUN_ERROR', message: error['message'], code: error['code'], usage }];
  }
  return [...events, { type: 'RUN_FINISHED', runId, threadId, usage }];
}

function eventsOfCalls(calls: unknown, parentMessageId: string): Fields[] {
  if (calls === undefined || calls === null) return [];
  if (!Array.isArray(calls)) throw wrong('has toolCalls that are no list');
  return calls.flatMap((call: unknown, i) => {
    if (!isRecord(call) || typeof call['name'] !== 'string') throw wrong(`has a toolCalls[${i}] without a name`);
    const { id, name, arguments: args = {} } = call;
    const toolCallId = typeof id === 'string' && id !== '' ? id : newId('call');
    return [
      { type: 'TOOL_CALL_START', toolCallId, toolCallName: name, parentMessageId },
      { type: 'TOOL_CALL_ARGS', toolCallId, delta: typeof args === 'string' ? args : JSON.stringify(args) },
      { type: 'TOOL_CALL_END', toolCallId },
    ];
  });
}

const wrong = (what: string) => new RunFailure('harness_protocol', `The agent’s JSON reply ${what}`);
