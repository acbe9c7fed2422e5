import { messageOf, shortened } from '../../std/index.ts';
import { ProgressKeeper, unansweredCalls } from '../progress.ts';
import { RunFailure, runErrorHints } from '../run-error.ts';
import { runTools } from '../run-tools.ts';
import { Stop } from '../stop.ts';
import type { AssistantMessage, RunEvent, RunHost, RunInput, RunMessage, RunProblem, RunStatus } from '../types.ts';
import { askModels } from './ask-models.ts';
import type { OpenModel } from './askable-model.ts';
import { sumUp } from './sum-up.ts';

/**
 * Asks a model, makes the calls it asks for through the gate, and asks again until it answers without any. The loop is ours for every
 * library, because it must stop, be written down and go on between any two steps.
 */
export async function* runModelLoop(input: RunInput, host: RunHost, open: OpenModel): AsyncGenerator<RunEvent, void> {
  using stop = new Stop(input.signal, input.budget);
  let status: RunStatus = 'failed';
  try {
    status = yield* converse(input, host, open, stop);
  } catch (error) {
    if (!stop.cancelled) yield { type: 'error', ...toProblem(error) };
  }
  yield { type: 'done', status: stop.cancelled ? 'cancelled' : status };
}

function toProblem(error: unknown): RunProblem {
  if (error instanceof RunFailure) return error.problem;
  return { code: 'internal', message: shortened(messageOf(error), 500), hint: runErrorHints.internal };
}

async function* converse(
  input: RunInput,
  host: RunHost,
  open: OpenModel,
  stop: Stop,
): AsyncGenerator<RunEvent, RunStatus> {
  const progress = new ProgressKeeper(input.progress);
  const isNew = progress.now.messages.length === 0 && progress.now.summary === undefined;
  if (isNew && (input.leftOut?.length ?? 0) > 0) {
    if ((yield* progress.follow(sumUp(input, host, open, stop))) === 'stopped') return 'cancelled';
  }
  const { summary } = progress.now;
  const asked: RunInput =
    summary === undefined
      ? input
      : { ...input, messages: [{ role: 'user', author: 'system', content: summary }, ...input.messages] };
  for (;;) {
    const { messages } = progress.now;
    const answer = messages.findLast(({ role }) => role === 'assistant');
    // A run that goes on says its last text again: whoever writes it down knows the id.
    if (answer?.role === 'assistant' && isLatest(answer, messages)) {
      yield* sayText(answer);
      if ((answer.toolCalls ?? []).length === 0) return 'completed';
    }
    const round = yield* progress.follow(runTools(messages, asked, host, stop));
    stop.check();
    if (round === 'stopped') return 'cancelled';
    if (round !== 'answered') return round;
    const answered = yield* progress.follow(askModels(asked, host, open, progress.now.messages, stop));
    if (answered === 'nothing-more') return 'completed';
    if (answered === 'stopped') return 'cancelled';
  }
}

/** Whether no more came of an answer than that it was given. */
function isLatest(answer: AssistantMessage, messages: readonly RunMessage[]): boolean {
  const calls = answer.toolCalls ?? [];
  return calls.length === 0 || unansweredCalls(messages).length === calls.length;
}

function* sayText({ id = '', content }: AssistantMessage): Generator<RunEvent> {
  if (content !== '') yield { type: 'message', messageId: id, text: content, partial: false };
}
