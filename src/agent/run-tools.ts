import { isRecord, messageOf } from '../std/index.ts';
import { succeededCall, unansweredCalls } from './progress.ts';
import { RunFailure } from './run-error.ts';
import type { Stop } from './stop.ts';
import type { Interrupt, RunEvent, RunHost, RunInput, RunMessage, ToolCall, ToolResult, ToolSpec } from './types.ts';

/** How a round of tool calls ends: the model goes on, or the run ends. */
export type ToolRound = 'answered' | 'waiting' | 'handedOver' | 'stopped';

/** Calls of one tool with arguments that it does not take, in one run. */
const maxInvalidCalls = 3;
const maxParallelCalls = 8;
const invalidCodes: readonly string[] = ['tool_invalid_arguments', 'tool_unknown'];

/**
 * Makes the calls that have no result yet, side by side, each through the gate; results are told in the order in which they come. Calls that the
 * budget no longer allows are not made.
 * @throws RunFailure `budget_tool_calls`, `tool_loop`, `internal`
 */
export async function* runTools(
  messages: readonly RunMessage[],
  input: RunInput,
  host: RunHost,
  stop: Stop,
): AsyncGenerator<RunEvent, ToolRound> {
  const { budget, tools } = input;
  const ending = tools.filter(({ ends }) => ends !== undefined).map(({ name }) => name);
  const before = succeededCall(messages, ending);
  if (before !== undefined) {
    yield toHandover(before);
    return 'handedOver';
  }
  const requested = unansweredCalls(messages);
  for (const each of requested) yield { type: 'toolCall.requested', ...each };
  const running = new Map<string, Promise<Done>>();
  const waiting = requested.map(({ call }) => call);
  const interrupts: Interrupt[] = [];
  let failure: RunFailure | undefined;
  let handover: ToolCall | undefined;
  const invalid = countInvalid(messages);
  while (running.size > 0 || (waiting.length > 0 && failure === undefined && !stop.signal.aborted)) {
    while (waiting.length > 0 && running.size < maxParallelCalls && failure === undefined) {
      const call = waiting.shift();
      if (call === undefined) break;
      try {
        budget.takeToolCall();
      } catch (error) {
        if (!(error instanceof RunFailure)) throw error;
        failure = error;
        break;
      }
      running.set(call.id, callOne(call, host, stop));
    }
    if (running.size === 0) break;
    const { call, result } = await Promise.race(running.values());
    running.delete(call.id);
    if (result.status === 'awaitingConfirmation') {
      const id = result.confirmationId ?? call.id;
      interrupts.push({
        id,
        kind: 'confirmation',
        reason: 'confirmation',
        message: result.content,
        toolCallId: call.id,
      });
      continue;
    }
    yield { type: 'toolCall.ended', call, result };
    if (result.status === 'ok' && ending.includes(call.name)) handover ??= call;
    if (result.error !== undefined && invalidCodes.includes(result.error.code)) {
      const count = (invalid.get(call.name) ?? 0) + 1;
      invalid.set(call.name, count);
      if (count >= maxInvalidCalls) {
        failure ??= new RunFailure(
          'tool_loop',
          `The model called ${call.name} ${count} times with what it does not take: ${result.error.message}`,
        );
      }
    }
  }
  if (stop.signal.aborted) return 'stopped';
  if (handover !== undefined) {
    yield toHandover(handover);
    return 'handedOver';
  }
  if (failure !== undefined) throw failure;
  if (interrupts.length === 0) return 'answered';
  yield { type: 'interrupt', interrupts };
  return 'waiting';
}

interface Done {
  readonly call: ToolCall;
  readonly result: ToolResult;
}

/** @throws RunFailure `internal` when the gate itself fails */
export async function callOne(call: ToolCall, host: RunHost, stop: Stop): Promise<Done> {
  const { id: toolCallId, modelCallId, rawArguments } = call;
  const options = { toolCallId, modelCallId, signal: stop.signal, ...(rawArguments !== undefined && { rawArguments }) };
  try {
    const result = await stop.race(host.callTool(call.name, call.arguments, options));
    return { call, result: result === 'stopped' ? cancelledResult : result };
  } catch (error) {
    throw new RunFailure('internal', `The gate failed at ${call.name}: ${messageOf(error)}`, { cause: error });
  }
}

export const cancelledResult: ToolResult = {
  status: 'cancelled',
  content: 'The run was stopped.',
  error: { code: 'tool_cancelled', message: 'The run was stopped', retryable: false },
};

function countInvalid(messages: readonly RunMessage[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const message of messages) {
    if (message.role !== 'tool' || message.errorCode === undefined) continue;
    if (!invalidCodes.includes(message.errorCode)) continue;
    counts.set(message.name, (counts.get(message.name) ?? 0) + 1);
  }
  return counts;
}

function toHandover(call: ToolCall): RunEvent {
  const args = isRecord(call.arguments) ? call.arguments : {};
  const text = (name: string) => (typeof args[name] === 'string' ? args[name] : null);
  return {
    type: 'handover',
    team: text('team'),
    reason: text('reason'),
    summary: text('summary'),
    toolCallId: call.id,
  };
}

/** Offered to every run. */
export const handoverTool: ToolSpec = {
  name: 'handover_to_human',
  description:
    'Hands this conversation over to a person, when the customer asks for one or you cannot help. You say nothing more afterwards.',
  input: {
    type: 'object',
    properties: {
      reason: { type: 'string', description: 'Why, in a few words' },
      team: { type: 'string', description: 'Name of the team, if you know which' },
      summary: { type: 'string', description: 'What the person must know' },
    },
    required: ['reason'],
    additionalProperties: false,
  },
  readOnly: false,
  confirm: 'never',
  source: 'platform',
  ends: 'handover',
};
