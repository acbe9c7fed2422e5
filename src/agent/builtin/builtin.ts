import { messageOf, shortened } from '../../std/index.ts';
import { lastAnswer, RunHistory, unansweredCalls } from '../messages.ts';
import { RunFailure, runErrorHints } from '../run-error.ts';
import { runTools } from '../run-tools.ts';
import { Stop } from '../stop.ts';
import type { AssistantMessage, HarnessAdapter, RunEvent, RunHost, RunInput, RunProblem, RunStatus } from '../types.ts';
import { askModels } from './ask-models.ts';
import { checkModelHarness } from './check.ts';

/**
 * The platform's own loop: asks a model, makes the calls it asks for through the gate, and asks again until it answers without any.
 * One model call is one step of `ai`; the loop is ours, because it must stop, be written down and go on between any two steps.
 */
export const builtinHarness: HarnessAdapter = { kind: 'builtin', check: checkModelHarness, run };

async function* run(input: RunInput, host: RunHost): AsyncGenerator<RunEvent, void> {
  using stop = new Stop(input.signal, input.budget);
  let status: RunStatus = 'failed';
  try {
    status = yield* converse(input, host, stop);
  } catch (error) {
    if (!stop.cancelled) yield { type: 'error', ...toProblem(error) };
  }
  yield { type: 'done', status: stop.cancelled ? 'cancelled' : status };
}

function toProblem(error: unknown): RunProblem {
  if (error instanceof RunFailure) return error.problem;
  return { code: 'internal', message: shortened(messageOf(error), 500), hint: runErrorHints.internal };
}

async function* converse(input: RunInput, host: RunHost, stop: Stop): AsyncGenerator<RunEvent, RunStatus> {
  const history = new RunHistory(input.soFar);
  for (let answer = lastAnswer(history.messages); ; answer = lastAnswer(history.messages)) {
    const calls = unansweredCalls(history.messages);
    // A run that goes on says its last text again: whoever writes it down knows the id.
    if (answer !== undefined && (calls.length > 0 || isFinal(answer))) yield* sayText(answer);
    if (answer !== undefined && isFinal(answer)) return 'completed';
    for (const call of calls) yield { type: 'toolCall.requested', messageId: answer?.id ?? call.id, call };
    const round = yield* history.follow(runTools(calls, history.messages, input, host, stop));
    stop.check();
    if (round === 'stopped') return 'cancelled';
    if (round !== 'answered') return round;
    const asked = yield* history.follow(askModels(input, host, history.messages, stop));
    if (asked === 'nothing-more') return 'completed';
    if (asked === 'stopped') return 'cancelled';
  }
}

const isFinal = ({ toolCalls = [] }: AssistantMessage): boolean => toolCalls.length === 0;

function* sayText({ id = '', content }: AssistantMessage): Generator<RunEvent> {
  if (content !== '') yield { type: 'message', messageId: id, text: content, partial: false };
}
