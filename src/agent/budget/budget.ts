import { monotonicMs } from '../../std/index.ts';
import { RunFailure } from '../run-error.ts';
import { type ModelPrice, type Prices, priceTokens } from './prices.ts';

/** What a run may use. Seconds are those in which it works. */
export interface BudgetLimits {
  /** US dollars; without it, money is not limited. */
  readonly maxCostUsd?: number | undefined;
  readonly maxTokens: number;
  readonly maxModelCalls: number;
  readonly maxToolCalls: number;
  readonly maxSeconds: number;
}

export const defaultBudget: BudgetLimits = {
  maxTokens: 50_000,
  maxModelCalls: 12,
  maxToolCalls: 20,
  maxSeconds: 120,
};

/** Of one model call. Cached ones are part of the input, reasoning is part of the output. */
export interface TokenUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cachedInputTokens: number;
  readonly reasoningTokens: number;
}

/** What a run has used; `usage` of its record. */
export interface BudgetUse extends TokenUsage {
  readonly modelCalls: number;
  readonly toolCalls: number;
  /** Of the models whose price is known. */
  readonly costUsd: number;
  /** `unknown`: at least one model has no price. `reported`: by the agent's own count. */
  readonly costBasis: 'priced' | 'reported' | 'unknown';
  readonly seconds: number;
  readonly byModel: readonly ModelUse[];
}

export interface ModelUse {
  readonly model: string;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Null if its price is unknown. */
  readonly costUsd: number | null;
}

/** What is put aside for one model call: as much as it can use if the estimate of its input is right. JSON, so it can be recorded. */
export interface Reservation {
  readonly model: string;
  readonly inputTokens: number;
  /** The most that the model may answer. */
  readonly outputTokens: number;
  /** Null if the price is unknown. */
  readonly costUsd: number | null;
  /** What makes the answer shorter than was asked for. */
  readonly clampedBy: 'tokens' | 'cost' | null;
}

export interface BudgetLeft {
  /** Null if money is not limited. */
  readonly costUsd: number | null;
  readonly tokens: number;
  readonly modelCalls: number;
  readonly toolCalls: number;
  readonly seconds: number;
}

export interface BudgetOptions {
  readonly prices: Prices;
  /** Of the record, when a run goes on. */
  readonly used?: BudgetUse | undefined;
  /** Whether a run with a money limit may use models without a price. */
  readonly allowUnknownPrice?: boolean | undefined;
  /** A clock that only moves forward, in milliseconds. */
  readonly nowMs?: (() => number) | undefined;
}

export const nothingUsed: BudgetUse = {
  modelCalls: 0,
  toolCalls: 0,
  inputTokens: 0,
  outputTokens: 0,
  cachedInputTokens: 0,
  reasoningTokens: 0,
  costUsd: 0,
  costBasis: 'priced',
  seconds: 0,
  byModel: [],
};

/** An answer that may not even be this long is not worth asking for. */
const minOutputTokens = 64;
export const charactersPerToken = 4;

/**
 * Keeps a run within its limits by reservation. Checking before a call would not: one call can cost more than what is left. So each
 * call puts aside what its input is estimated to cost and as many tokens of output as the rest buys, the model is told that number, and
 * what it reports is settled. A run can exceed its budget by the error of the input estimate at most. The estimate is corrected
 * by what the model reported for its last call.
 *
 * Calls of one run are made one after another: there is one reservation at a time.
 */
export class Budget {
  readonly limits: BudgetLimits;
  readonly #prices: Prices;
  readonly #allowUnknownPrice: boolean;
  readonly #nowMs: () => number;
  #used: BudgetUse;
  #workingSince: number | undefined;
  /** Model → reported ÷ estimated input tokens. */
  readonly #corrections = new Map<string, number>();

  constructor(limits: BudgetLimits, options: BudgetOptions) {
    this.limits = limits;
    this.#prices = options.prices;
    this.#allowUnknownPrice = options.allowUnknownPrice ?? false;
    this.#nowMs = options.nowMs ?? monotonicMs;
    this.#used = options.used ?? nothingUsed;
  }

  /** What has been used so far, the running seconds included. */
  get used(): BudgetUse {
    const { seconds } = this.#used;
    const running = this.#workingSince === undefined ? 0 : (this.#nowMs() - this.#workingSince) / 1_000;
    return { ...this.#used, seconds: seconds + running };
  }

  get left(): BudgetLeft {
    const { limits, used } = this;
    const costUsd = limits.maxCostUsd === undefined ? null : Math.max(0, limits.maxCostUsd - used.costUsd);
    return {
      costUsd,
      tokens: Math.max(0, limits.maxTokens - used.inputTokens - used.outputTokens),
      modelCalls: Math.max(0, limits.maxModelCalls - used.modelCalls),
      toolCalls: Math.max(0, limits.maxToolCalls - used.toolCalls),
      seconds: Math.max(0, limits.maxSeconds - used.seconds),
    };
  }

  /** Seconds count from here on. Waiting for a person does not count: stop the clock before it. */
  startClock(): void {
    this.#workingSince ??= this.#nowMs();
  }

  stopClock(): void {
    this.#used = this.used;
    this.#workingSince = undefined;
  }

  /** Models that this budget must refuse, because its money cannot be counted for them. */
  modelsWithoutPrice(models: readonly string[]): readonly string[] {
    if (this.limits.maxCostUsd === undefined || this.#allowUnknownPrice) return [];
    return models.filter((model) => this.#prices(model) === undefined);
  }

  /** Prices what a model reports. Null if its price is unknown. */
  costOf(model: string, usage: TokenUsage): number | null {
    const price = this.#prices(model);
    return price === undefined ? null : priceTokens(price, usage);
  }

  /**
   * Puts aside what a model call may use.
   * @param inputCharacters of everything that is sent
   * @param maxOutputTokens what the call asks for; it may get less, but not less than 64
   * @throws RunFailure `budget_…`
   */
  reserve(model: string, inputCharacters: number, maxOutputTokens: number): Reservation {
    this.#check();
    const { left } = this;
    if (left.modelCalls < 1) throw exceeded('budget_model_calls', `${this.limits.maxModelCalls} model calls`);
    const inputTokens = this.#estimate(model, inputCharacters);
    const price = this.#prices(model);
    const byTokens = left.tokens - inputTokens;
    const byCost = this.#affordableOutput(model, price, inputTokens);
    const outputTokens = Math.floor(Math.min(maxOutputTokens, byTokens, byCost));
    const least = Math.min(minOutputTokens, maxOutputTokens);
    if (byTokens < least) throw exceeded('budget_tokens', `${this.limits.maxTokens} tokens`);
    if (outputTokens < least) throw exceeded('budget_cost', `$${this.limits.maxCostUsd}`);
    const usage = { inputTokens, outputTokens, cachedInputTokens: 0, reasoningTokens: 0 };
    return {
      model,
      inputTokens,
      outputTokens,
      costUsd: price === undefined ? null : priceTokens(price, usage),
      clampedBy: outputTokens >= maxOutputTokens ? null : byCost < byTokens ? 'cost' : 'tokens',
    };
  }

  /**
   * Ends a reservation with what the model reports. Without a report everything that was put aside counts as used, so a call whose end
   * nobody saw (the process was killed) is settled, too. A call that failed before its first output is not settled at all.
   * @param model as the provider reports it
   * @returns the cost; null if the price is unknown
   */
  settle(reservation: Reservation, usage?: TokenUsage, model = reservation.model): number | null {
    const spent = usage ?? {
      inputTokens: reservation.inputTokens,
      outputTokens: reservation.outputTokens,
      cachedInputTokens: 0,
      reasoningTokens: 0,
    };
    if (usage !== undefined && usage.inputTokens > 0 && reservation.inputTokens > 0) {
      const before = this.#corrections.get(reservation.model) ?? 1;
      this.#corrections.set(reservation.model, (before * usage.inputTokens) / reservation.inputTokens);
    }
    // The name that was asked for has the price that was promised; a provider may report a longer one, with a date.
    const costUsd = this.costOf(reservation.model, spent);
    this.#count(model, spent, costUsd, 1);
    return costUsd;
  }

  /**
   * Counts what an agent of its own reports.
   * @param calls how many model calls it reports with it
   */
  report(model: string, usage: TokenUsage, calls: number): number | null {
    const costUsd = this.costOf(model, usage);
    this.#count(model, usage, costUsd, calls);
    if (this.#used.costBasis === 'priced') this.#used = { ...this.#used, costBasis: 'reported' };
    return costUsd;
  }

  /** @throws RunFailure when more than a limit has been used: of what is reported afterwards */
  checkReported(): void {
    this.#check();
    const { used, limits } = this;
    if (used.inputTokens + used.outputTokens > limits.maxTokens)
      throw exceeded('budget_tokens', `${limits.maxTokens} tokens`);
    if (limits.maxCostUsd !== undefined && used.costUsd > limits.maxCostUsd)
      throw exceeded('budget_cost', `$${limits.maxCostUsd}`);
    if (used.modelCalls > limits.maxModelCalls)
      throw exceeded('budget_model_calls', `${limits.maxModelCalls} model calls`);
  }

  /** @throws RunFailure when an agent that makes its model calls itself has nothing left for another one */
  checkBeforeLeg(): void {
    this.checkReported();
    const { left, limits } = this;
    if (left.tokens < 1) throw exceeded('budget_tokens', `${limits.maxTokens} tokens`);
    if (left.costUsd !== null && left.costUsd <= 0) throw exceeded('budget_cost', `$${limits.maxCostUsd}`);
    if (left.modelCalls < 1) throw exceeded('budget_model_calls', `${limits.maxModelCalls} model calls`);
  }

  /** @throws RunFailure `budget_tool_calls` */
  takeToolCall(): void {
    this.#check();
    if (this.left.toolCalls < 1) throw exceeded('budget_tool_calls', `${this.limits.maxToolCalls} tool calls`);
    this.#used = { ...this.#used, toolCalls: this.#used.toolCalls + 1 };
  }

  #check(): void {
    if (this.left.seconds <= 0) throw exceeded('budget_time', `${this.limits.maxSeconds} seconds`);
  }

  #estimate(model: string, characters: number): number {
    return Math.ceil((characters / charactersPerToken) * (this.#corrections.get(model) ?? 1));
  }

  #affordableOutput(model: string, price: ModelPrice | undefined, inputTokens: number): number {
    const { costUsd } = this.left;
    if (costUsd === null) return Number.POSITIVE_INFINITY;
    if (price === undefined) {
      if (this.#allowUnknownPrice) return Number.POSITIVE_INFINITY;
      throw new RunFailure('budget_price_unknown', `The price of ${model} is unknown, and the budget limits money`);
    }
    const rest = costUsd - (inputTokens * price.input) / 1e6;
    if (rest < 0) return 0;
    return price.output === 0 ? Number.POSITIVE_INFINITY : (rest * 1e6) / price.output;
  }

  #count(model: string, usage: TokenUsage, costUsd: number | null, calls: number): void {
    const used = this.#used;
    const before = used.byModel.find((one) => one.model === model);
    const use: ModelUse = {
      model,
      inputTokens: (before?.inputTokens ?? 0) + usage.inputTokens,
      outputTokens: (before?.outputTokens ?? 0) + usage.outputTokens,
      costUsd: costUsd === null || before?.costUsd === null ? null : (before?.costUsd ?? 0) + costUsd,
    };
    this.#used = {
      ...used,
      modelCalls: used.modelCalls + calls,
      inputTokens: used.inputTokens + usage.inputTokens,
      outputTokens: used.outputTokens + usage.outputTokens,
      cachedInputTokens: used.cachedInputTokens + usage.cachedInputTokens,
      reasoningTokens: used.reasoningTokens + usage.reasoningTokens,
      costUsd: used.costUsd + (costUsd ?? 0),
      costBasis: costUsd === null ? 'unknown' : used.costBasis,
      byModel: before ? used.byModel.map((one) => (one === before ? use : one)) : [...used.byModel, use],
    };
  }
}

/** What a call without a report is counted with, by the characters that came. */
export function countUsage(reserved: Reservation, outputCharacters: number): TokenUsage {
  const outputTokens = Math.min(Math.ceil(outputCharacters / charactersPerToken), reserved.outputTokens);
  return { inputTokens: reserved.inputTokens, outputTokens, cachedInputTokens: 0, reasoningTokens: 0 };
}

function exceeded(
  code: 'budget_cost' | 'budget_tokens' | 'budget_model_calls' | 'budget_tool_calls' | 'budget_time',
  limit: string,
): RunFailure {
  return new RunFailure(code, `The budget of ${limit} is used up`);
}
