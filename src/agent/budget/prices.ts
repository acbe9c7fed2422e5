import type { TokenUsage } from './budget.ts';
import table from './prices.json' with { type: 'json' };

/** US dollars for a million tokens. Without `cachedInput`, cached input costs as much as other input. */
export interface ModelPrice {
  readonly input: number;
  readonly cachedInput?: number | undefined;
  readonly output: number;
}

/** @returns undefined when the price of a model is unknown */
export type Prices = (model: string) => ModelPrice | undefined;

/** The date of the table and where it comes from, and each model's price. It is a file of the package; nothing is fetched. */
export const priceTable: {
  readonly date: string;
  readonly source: string;
  readonly models: Readonly<Record<string, ModelPrice>>;
} = table;

const free: ModelPrice = { input: 0, output: 0 };

/**
 * The price of a model: an override, or the table's. A name with a date (`-2026-03-01`, `-20260301`) has the price of the name without it, of
 * its `-latest` or of its `-0`. Scripted models are free.
 */
export function createPrices(overrides: Readonly<Record<string, ModelPrice>> = {}): Prices {
  const find = (model: string): ModelPrice | undefined => {
    if (Object.hasOwn(overrides, model)) return overrides[model];
    if (model.startsWith('script:')) return free;
    return Object.hasOwn(priceTable.models, model) ? priceTable.models[model] : undefined;
  };
  return (model) => {
    const family = model.replace(/-(?:\d{4}-\d{2}-\d{2}|\d{8}|latest)$/, '');
    return find(model) ?? find(family) ?? find(`${family}-latest`) ?? find(`${family}-0`);
  };
}

/** US dollars. */
export function priceTokens(price: ModelPrice, usage: TokenUsage): number {
  const cached = Math.min(usage.cachedInputTokens, usage.inputTokens);
  const fresh = usage.inputTokens - cached;
  return (fresh * price.input + cached * (price.cachedInput ?? price.input) + usage.outputTokens * price.output) / 1e6;
}
