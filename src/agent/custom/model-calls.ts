import { isRecord, newId } from '../../std/index.ts';
import type { Budget, TokenUsage } from '../budget/budget.ts';
import type { FinishReason, ModelRole, RunEvent, RunModels } from '../types.ts';
import type { AguiEvent } from './agui-event.ts';

interface OpenCall {
  readonly modelCallId: string;
  readonly role: ModelRole;
  readonly model: string;
}

/** What an agent tells of the models that it asks: by steps `model:NAME`, by its own event `modelCall`, and by the usage at the end. */
export class ModelCalls {
  /** The latest one; null if the agent told of none. */
  lastId: string | null = null;
  readonly #context: { readonly models: RunModels; readonly budget: Budget; readonly harnessName: string };
  readonly #emit: (event: RunEvent) => void;
  #open: OpenCall | undefined;
  /** What is said while a model is asked; its call is told of first. */
  #held: RunEvent[] = [];
  /** Model → tokens that were told of with its calls. */
  readonly #reported = new Map<string, TokenUsage>();

  constructor(
    context: { readonly models: RunModels; readonly budget: Budget; readonly harnessName: string },
    emit: (event: RunEvent) => void,
  ) {
    this.#context = context;
    this.#emit = emit;
  }

  /** Tells of what came of the open call, after it: whoever writes it down sees a model call before what came of it. */
  tellAfter(event: RunEvent): void {
    if (this.#open === undefined) this.#emit(event);
    else this.#held.push(event);
  }

  tellHeld(): void {
    for (const event of this.#held.splice(0)) this.#emit(event);
  }

  start(model: string, role?: unknown): void {
    this.end('stop');
    const modelCallId = newId('mdc');
    this.#open = { modelCallId, model, role: this.#roleOf(model, role) };
    this.lastId = modelCallId;
    this.#emit({ type: 'modelCall.started', ...this.#describe(this.#open), attempt: 1, reserved: null });
  }

  /**
   * Ends the open call, if there is one.
   * @throws RunFailure `budget_…` when too much has been used
   */
  end(finishReason: FinishReason, usage?: TokenUsage): void {
    const open = this.#open;
    if (open === undefined) return;
    this.#open = undefined;
    const { budget } = this.#context;
    const costUsd = budget.report(open.model, usage ?? noTokens, 1);
    this.#emit({
      type: 'modelCall.ended',
      ...this.#describe(open),
      finishReason,
      usage: usage ?? null,
      costUsd: usage === undefined ? null : costUsd,
      answer: null,
      error: null,
    });
    if (usage !== undefined) {
      const before = this.#reported.get(open.model) ?? noTokens;
      this.#reported.set(
        open.model,
        combine(before, usage, (a, b) => a + b),
      );
    }
    this.tellHeld();
    budget.checkReported();
  }

  /** The agent’s own event about one call, the open one if it is of the same model. */
  take(event: AguiEvent, fields: Readonly<Record<string, unknown>>, usualReason: FinishReason): void {
    const { model, role, usage, finishReason } = fields;
    if (typeof model !== 'string') throw event.wrong('"modelCall" names no model');
    if (this.#open?.model !== model) {
      this.end(usualReason);
      this.start(model, role);
    }
    const reason = finishReasons.find((known) => known === finishReason) ?? usualReason;
    this.end(reason, isRecord(usage) ? readUsage(usage) : undefined);
  }

  /** The tokens of the whole leg by model: what was not told of with a model call is counted here. */
  takeUsage(event: AguiEvent): void {
    const entries = event.raw('usage');
    if (entries === undefined || entries === null) return;
    if (!Array.isArray(entries)) throw event.wrong('has a usage that is no list');
    const { budget, harnessName, models } = this.#context;
    for (const entry of entries) {
      if (!isRecord(entry)) throw event.wrong('has a usage that is no list of objects');
      const model = typeof entry['model'] === 'string' ? entry['model'] : models.main;
      const provider = typeof entry['provider'] === 'string' ? entry['provider'] : harnessName;
      const told = this.#reported.get(model) ?? noTokens;
      const usage = combine(readUsage(entry), told, (all, part) => Math.max(0, all - part));
      this.#reported.set(
        model,
        combine(told, readUsage(entry), (part, all) => Math.max(0, part - all)),
      );
      if (usage.inputTokens === 0 && usage.outputTokens === 0) continue;
      const costUsd = budget.report(model, usage, this.lastId === null ? 1 : 0);
      this.#emit({ type: 'usage', provider, model, usage, costUsd });
    }
  }

  #describe({ modelCallId, role, model }: OpenCall) {
    return { modelCallId, role, provider: this.#context.harnessName, model };
  }

  #roleOf(model: string, role: unknown): ModelRole {
    if (role === 'main' || role === 'fallback' || role === 'fast') return role;
    const { fallback, fast } = this.#context.models;
    return model === fallback ? 'fallback' : model === fast ? 'fast' : 'main';
  }
}

const finishReasons: readonly FinishReason[] = ['stop', 'toolCalls', 'length', 'filter', 'error', 'aborted'];

const noTokens: TokenUsage = { inputTokens: 0, outputTokens: 0, cachedInputTokens: 0, reasoningTokens: 0 };

/** Counts that are missing or impossible are none. */
function readUsage(usage: Readonly<Record<string, unknown>>): TokenUsage {
  const count = (name: string) => {
    const value = usage[name];
    return typeof value === 'number' && Number.isFinite(value) && value > 0 ? Math.round(value) : 0;
  };
  return {
    inputTokens: count('inputTokens'),
    outputTokens: count('outputTokens'),
    cachedInputTokens: count('cachedInputTokens'),
    reasoningTokens: count('reasoningTokens'),
  };
}

function combine(a: TokenUsage, b: TokenUsage, how: (a: number, b: number) => number): TokenUsage {
  return {
    inputTokens: how(a.inputTokens, b.inputTokens),
    outputTokens: how(a.outputTokens, b.outputTokens),
    cachedInputTokens: how(a.cachedInputTokens, b.cachedInputTokens),
    reasoningTokens: how(a.reasoningTokens, b.reasoningTokens),
  };
}
