import { newId } from '../../std/index.ts';
import type { TokenUsage } from '../budget/budget.ts';
import type { RequestedCall, RunEvent, RunInput } from '../types.ts';
import { noTokens } from './conversation-state.ts';
import type { HostedEvent } from './service.ts';

type LegEvent = Exclude<HostedEvent, { type: 'session' }>;

/** Turns what comes of one leg into events of the run. What is said is told after the model call that said it. */
export class LegReader {
  /** Tokens of the session as it last told them. Undefined: it did not. */
  counted: TokenUsage | undefined;
  readonly #leg: number;
  readonly #input: RunInput;
  readonly #provider: string;
  /** The vendor's id of a text → ours, and what came of it. */
  readonly #texts = new Map<string, { readonly messageId: string; text: string; isSaid: boolean }>();
  readonly #calls: Extract<LegEvent, { type: 'call' }>[] = [];
  #held: RunEvent[] = [];
  #modelCallId: string | null = null;
  #isAsking = false;
  #hasToldCalls = false;
  #lastMessageId: string | undefined;

  constructor(leg: number, input: RunInput, provider: string) {
    this.#leg = leg;
    this.#input = input;
    this.#provider = provider;
  }

  get hasCalls(): boolean {
    return this.#calls.length > 0;
  }

  /** @throws RunFailure `budget_…` when too much has been used */
  *read(event: LegEvent, countedBefore: TokenUsage): Generator<RunEvent, void> {
    switch (event.type) {
      case 'text.delta': {
        const open = this.#textOf(event.itemId);
        open.text += event.text;
        return yield { type: 'text.delta', messageId: open.messageId, text: event.text };
      }
      case 'text': {
        const open = this.#textOf(event.itemId);
        if (open.isSaid) return;
        // Some vendors send no parts: whoever reads along sees the text at once.
        if (open.text === '' && event.text !== '') {
          yield { type: 'text.delta', messageId: open.messageId, text: event.text };
        }
        open.text = event.text;
        open.isSaid = true;
        if (event.text.trim() !== '') this.#tell(open.messageId, event);
        return yield* this.#tellHeld();
      }
      case 'call':
        this.#calls.push(event);
        return;
      case 'modelCall.started':
        return yield* this.#startCall();
      case 'modelCall.ended':
        return yield* this.#endCall(event.usage, event.failed);
      case 'usage':
        return yield* this.#count(event.sum, this.counted ?? countedBefore);
    }
  }

  *end(state: unknown): Generator<RunEvent, void> {
    yield* this.#tellHeld();
    // Each leg has asked a model once at least.
    if (!this.#hasToldCalls && this.counted === undefined)
      this.#input.budget.report(this.#input.models.main, noTokens, 1);
    const messageId = this.#lastMessageId ?? newId('ans');
    const calls = this.#calls.map(({ externalId, name, arguments: given }): RequestedCall => {
      const parsed = argumentsOf(given);
      return { messageId, call: { id: newId('tlc'), externalId, modelCallId: this.#modelCallId, name, ...parsed } };
    });
    const ending = calls.length === 0 ? ({ type: 'completed' } as const) : null;
    yield { type: 'leg.ended', leg: this.#leg, calls, ending, ...(state !== undefined && { state }) };
  }

  /** What was said before it broke off stays. */
  *breakOff(): Generator<RunEvent, void> {
    if (this.#isAsking) yield* this.#endCall(undefined, true);
    yield* this.#tellHeld();
    for (const { messageId, text, isSaid } of this.#texts.values()) {
      if (!isSaid && text !== '') yield { type: 'message', messageId, text, partial: true };
    }
  }

  #textOf(itemId: string) {
    const known = this.#texts.get(itemId);
    if (known !== undefined) return known;
    const made = { messageId: newId('ans'), text: '', isSaid: false };
    this.#texts.set(itemId, made);
    return made;
  }

  #tell(messageId: string, { itemId: externalId, text }: { readonly itemId: string; readonly text: string }): void {
    this.#lastMessageId = messageId;
    this.#held.push({ type: 'message', messageId, externalId, text, partial: false });
  }

  *#tellHeld(): Generator<RunEvent, void> {
    if (!this.#isAsking) yield* this.#held.splice(0);
  }

  *#startCall(): Generator<RunEvent, void> {
    if (this.#isAsking) yield* this.#endCall(undefined, false);
    this.#modelCallId = newId('mdc');
    this.#isAsking = true;
    this.#hasToldCalls = true;
    yield { type: 'modelCall.started', ...this.#described, attempt: 1, reserved: null };
  }

  *#endCall(usage: TokenUsage | undefined, failed: boolean): Generator<RunEvent, void> {
    if (!this.#isAsking) return;
    this.#isAsking = false;
    const { budget } = this.#input;
    const costUsd = budget.report(this.#input.models.main, usage ?? noTokens, 1);
    const finishReason = failed ? 'error' : this.hasCalls ? 'toolCalls' : 'stop';
    yield {
      type: 'modelCall.ended',
      ...this.#described,
      finishReason,
      usage: usage ?? null,
      costUsd: usage === undefined ? null : costUsd,
      answer: null,
      error: null,
    };
    yield* this.#tellHeld();
    budget.checkReported();
  }

  get #described() {
    const model = this.#input.models.main;
    return { modelCallId: this.#modelCallId ?? '', role: 'main' as const, provider: this.#provider, model };
  }

  /** Counts what the session has used since the last time. */
  *#count(sum: TokenUsage, before: TokenUsage): Generator<RunEvent, void> {
    const { budget, models } = this.#input;
    const isFirst = this.counted === undefined;
    this.counted = sum;
    const usage: TokenUsage = {
      inputTokens: Math.max(0, sum.inputTokens - before.inputTokens),
      outputTokens: Math.max(0, sum.outputTokens - before.outputTokens),
      cachedInputTokens: Math.max(0, sum.cachedInputTokens - before.cachedInputTokens),
      reasoningTokens: Math.max(0, sum.reasoningTokens - before.reasoningTokens),
    };
    const costUsd = budget.report(models.main, usage, isFirst ? 1 : 0);
    if (usage.inputTokens + usage.outputTokens === 0) return;
    yield { type: 'usage', provider: this.#provider, model: models.main, usage, costUsd };
    budget.checkReported();
  }
}

/** Some send what the model wrote, others what it means. */
function argumentsOf(given: unknown): { readonly arguments: unknown; readonly rawArguments?: string } {
  if (typeof given !== 'string') return { arguments: given ?? {} };
  try {
    return { arguments: given === '' ? {} : JSON.parse(given) };
  } catch {
    return { arguments: undefined, rawArguments: given };
  }
}
