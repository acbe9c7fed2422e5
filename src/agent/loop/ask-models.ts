import { newId, wait } from '../../std/index.ts';
import type { Reservation } from '../budget/budget.ts';
import { RunFailure } from '../run-error.ts';
import type { Stop } from '../stop.ts';
import { type ModelRole, type RunEvent, type RunHost, type RunInput, type RunMessage, runLimits } from '../types.ts';
import type { ModelOutcome, OpenModel } from './askable-model.ts';
import { type FailedCall, readModelFailure } from './model-failure.ts';

const defaultOutputTokens = 4_096;

interface Candidate {
  readonly role: ModelRole;
  readonly model: string;
}

/**
 * Asks the main model, and the fallback where the main one cannot answer; the last of them is asked again after a pause. Each try is a
 * model call of its own in the record. Once something was said, no other model begins again.
 * @returns `nothing-more`: an answer without words, after the run has said something
 * @throws RunFailure `budget_…`, `model_…`
 */
export async function* askModels(
  input: RunInput,
  host: RunHost,
  open: OpenModel,
  soFar: readonly RunMessage[],
  stop: Stop,
): AsyncGenerator<RunEvent, 'answered' | 'nothing-more' | 'stopped'> {
  const { budget } = input;
  const limits = { ...runLimits, ...input.limits };
  const candidates = candidatesOf(input);
  let attempt = 0;
  for (const [i, { role, model: name }] of candidates.entries()) {
    const isLast = i === candidates.length - 1;
    for (let retry = 0; ; retry++) {
      const model = await open(name, input, host);
      const prepared = model.prepare([...input.messages, ...soFar]);
      const reserved = budget.reserve(name, prepared.characters, input.maxOutputTokens ?? defaultOutputTokens);
      const call = { modelCallId: newId('mdc'), role, provider: model.provider };
      attempt++;
      yield { type: 'modelCall.started', ...call, model: name, attempt, reserved };
      const { modelCallId } = call;
      const outcome = yield* prepared.call({ modelCallId, reserved, signal: stop.signal });
      const ended = endOf(outcome, reserved, input, name);
      yield { type: 'modelCall.ended', ...call, ...ended.event };
      if (ended.partial !== undefined) {
        yield { type: 'message', messageId: modelCallId, text: ended.partial, partial: true };
      }
      stop.check();
      if (stop.cancelled) return 'stopped';
      if (ended.warning) yield { type: 'warning', ...ended.warning };
      const { failed } = ended;
      if (failed === undefined) {
        if (ended.event.answer !== null) return 'answered';
        if (soFar.some((message) => message.role === 'assistant' && message.content !== '')) return 'nothing-more';
        const why =
          outcome.finishReason === 'filter' ? 'its answer was withheld by a content filter' : 'it answered nothing';
        throw new RunFailure('model_empty_answer', `${name}: ${why}`);
      }
      if (outcome.hasOutput || (isLast && !failed.mayRetry)) throw failed.failure;
      if (!isLast) {
        if (failed.mayFallBack) break;
        throw failed.failure;
      }
      const pauseMs = limits.retryMs[retry];
      const askedMs = failed.retryAfterMs ?? 0;
      if (pauseMs === undefined || askedMs > limits.maxRetryAfterMs) throw failed.failure;
      const waitMs = Math.max(askedMs, pauseMs * (0.8 + 0.4 * Math.random()));
      await (host.wait?.(waitMs, stop.signal) ?? wait(waitMs, stop.signal));
      stop.check();
      if (stop.cancelled) return 'stopped';
    }
  }
  throw new RunFailure('internal', 'No model was asked');
}

function candidatesOf({ models, role = 'main' }: RunInput): Candidate[] {
  const first: Candidate =
    role === 'fast' && models.fast !== undefined ? { role, model: models.fast } : { role: 'main', model: models.main };
  if (models.fallback === undefined || models.fallback === first.model) return [first];
  return [first, { role: 'fallback', model: models.fallback }];
}

interface Ended {
  readonly event: Pick<
    Extract<RunEvent, { type: 'modelCall.ended' }>,
    'model' | 'finishReason' | 'usage' | 'costUsd' | 'answer' | 'error'
  >;
  readonly failed?: FailedCall | undefined;
  /** What was said before it was cut off. */
  readonly partial?: string | undefined;
  readonly warning?: { readonly code: string; readonly message: string } | undefined;
}

/** Settles a try and tells how it ended. */
function endOf(outcome: ModelOutcome, reserved: Reservation, { budget, harness }: RunInput, name: string): Ended {
  const { answer, finishReason, usage, model } = outcome;
  const costUsd = usage === undefined ? null : budget.settle(reserved, usage);
  const base = { model, finishReason, usage: usage ?? null, costUsd };
  const said = answer?.content || undefined;
  if (outcome.error !== undefined && !outcome.overran) {
    const failed = readModelFailure(outcome.error, name, [harness.apiKey]);
    const error = finishReason === 'aborted' ? null : failed.failure.problem;
    return { event: { ...base, answer: null, error }, failed, partial: said };
  }
  if (finishReason === 'aborted') return { event: { ...base, answer: null, error: null }, partial: said };
  if (finishReason === 'length' && reserved.clampedBy !== null) {
    const { maxCostUsd, maxTokens } = budget.limits;
    const failure =
      reserved.clampedBy === 'cost'
        ? new RunFailure('budget_cost', `The budget of $${maxCostUsd} was used up in the middle of an answer`)
        : new RunFailure('budget_tokens', `The budget of ${maxTokens} tokens was used up in the middle of an answer`);
    const failed = { failure, mayRetry: false, mayFallBack: false, retryAfterMs: undefined };
    return { event: { ...base, answer: null, error: null }, failed, partial: said };
  }
  const warning =
    finishReason === 'length'
      ? { code: 'model_answer_cut', message: `${name}: the answer was cut at ${reserved.outputTokens} tokens` }
      : undefined;
  return { event: { ...base, answer: answer ?? null, error: null }, warning };
}
