import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  Budget,
  createPrices,
  defaultBudget,
  nothingUsed,
  priceTable,
  type TokenUsage,
} from '../../src/agent/index.ts';

const usage = (inputTokens: number, outputTokens: number): TokenUsage => ({
  inputTokens,
  outputTokens,
  cachedInputTokens: 0,
  reasoningTokens: 0,
});

/** Two dollars a million input tokens, ten a million output tokens. */
const prices = createPrices({ m: { input: 2, cachedInput: 1, output: 10 } });

const codeOf = (code: string) => (error: unknown) =>
  assert.equal((error as { problem: { code: string } }).problem.code, code) === undefined;

test('the default budget is 50,000 tokens, 12 model calls, 20 tool calls and 120 seconds, without a limit on money', () => {
  assert.deepEqual(defaultBudget, { maxTokens: 50_000, maxModelCalls: 12, maxToolCalls: 20, maxSeconds: 120 });
});

test('a reservation is the estimate of the input and the answer that was asked for', () => {
  const budget = new Budget({ ...defaultBudget, maxCostUsd: 1 }, { prices });
  assert.deepEqual(budget.reserve('m', 4_000, 500), {
    model: 'm',
    inputTokens: 1_000,
    outputTokens: 500,
    costUsd: 0.007,
    clampedBy: null,
  });
});

test('an answer is clamped to the tokens that are left', () => {
  const budget = new Budget({ ...defaultBudget, maxTokens: 1_200 }, { prices });
  const reserved = budget.reserve('m', 4_000, 500);
  assert.equal(reserved.outputTokens, 200);
  assert.equal(reserved.clampedBy, 'tokens');
});

test('an answer is clamped to what the money that is left buys', () => {
  const budget = new Budget({ ...defaultBudget, maxCostUsd: 0.004 }, { prices });
  const reserved = budget.reserve('m', 4_000, 500);
  assert.equal(reserved.outputTokens, 200);
  assert.equal(reserved.clampedBy, 'cost');
  assert.equal(reserved.costUsd, 0.004);
});

test('a call is refused when fewer than 64 tokens of answer are left', () => {
  const tokens = new Budget({ ...defaultBudget, maxTokens: 1_063 }, { prices });
  assert.throws(() => tokens.reserve('m', 4_000, 500), codeOf('budget_tokens'));
  const money = new Budget({ ...defaultBudget, maxCostUsd: 0.0026 }, { prices });
  assert.throws(() => money.reserve('m', 4_000, 500), codeOf('budget_cost'));
  const none = new Budget({ ...defaultBudget, maxCostUsd: 0.001 }, { prices });
  assert.throws(() => none.reserve('m', 4_000, 500), codeOf('budget_cost'));
});

test('a short answer may be asked for', () => {
  assert.equal(new Budget(defaultBudget, { prices }).reserve('m', 40, 16).outputTokens, 16);
});

test('the estimate of a model is corrected by what it reported', () => {
  const budget = new Budget(defaultBudget, { prices });
  budget.settle(budget.reserve('m', 4_000, 500), usage(1_500, 10));
  assert.equal(budget.reserve('m', 4_000, 500).inputTokens, 1_500);
  budget.settle(budget.reserve('m', 4_000, 500), usage(750, 10));
  assert.equal(budget.reserve('m', 4_000, 500).inputTokens, 750);
  assert.equal(budget.reserve('other', 4_000, 500).inputTokens, 1_000);
});

test('settling counts tokens, cached ones at their price, by model', () => {
  const budget = new Budget(defaultBudget, { prices });
  const cost = budget.settle(budget.reserve('m', 4_000, 500), {
    inputTokens: 1_000,
    outputTokens: 100,
    cachedInputTokens: 400,
    reasoningTokens: 30,
  });
  assert.equal(cost, (600 * 2 + 400 * 1 + 100 * 10) / 1e6);
  const { seconds: _, ...used } = budget.used;
  assert.deepEqual(used, {
    modelCalls: 1,
    toolCalls: 0,
    inputTokens: 1_000,
    outputTokens: 100,
    cachedInputTokens: 400,
    reasoningTokens: 30,
    costUsd: cost,
    costBasis: 'priced',
    byModel: [{ model: 'm', inputTokens: 1_000, outputTokens: 100, costUsd: cost }],
  });
});

test('a call whose end nobody saw is settled with all that was put aside', () => {
  const budget = new Budget(defaultBudget, { prices });
  budget.settle(budget.reserve('m', 4_000, 500));
  assert.equal(budget.used.inputTokens, 1_000);
  assert.equal(budget.used.outputTokens, 500);
});

test('a budget goes on from a record', () => {
  const before = new Budget({ ...defaultBudget, maxModelCalls: 2, maxToolCalls: 1 }, { prices });
  before.settle(before.reserve('m', 4_000, 500), usage(1_000, 100));
  before.takeToolCall();
  const record = JSON.parse(JSON.stringify(before.used));
  const after = new Budget(before.limits, { prices, used: record });
  assert.deepEqual(after.used, before.used);
  assert.throws(() => after.takeToolCall(), codeOf('budget_tool_calls'));
  after.settle(after.reserve('m', 4_000, 500), usage(1_000, 100));
  assert.throws(() => after.reserve('m', 4_000, 500), codeOf('budget_model_calls'));
});

test('an unknown price is refused with a money limit, unless it is allowed', () => {
  const limits = { ...defaultBudget, maxCostUsd: 1 };
  const budget = new Budget(limits, { prices });
  assert.throws(() => budget.reserve('unknown', 400, 100), codeOf('budget_price_unknown'));
  assert.deepEqual(budget.modelsWithoutPrice(['m', 'unknown', 'script:a']), ['unknown']);
  const allowing = new Budget(limits, { prices, allowUnknownPrice: true });
  assert.deepEqual(allowing.modelsWithoutPrice(['unknown']), []);
  assert.equal(allowing.settle(allowing.reserve('unknown', 400, 100), usage(100, 10)), null);
  assert.equal(allowing.used.costBasis, 'unknown');
  assert.deepEqual(new Budget(defaultBudget, { prices }).modelsWithoutPrice(['unknown']), []);
});

test('seconds count while the clock runs, and are kept', () => {
  let nowMs = 0;
  const budget = new Budget({ ...defaultBudget, maxSeconds: 10 }, { prices, nowMs: () => nowMs });
  nowMs = 5_000;
  assert.equal(budget.left.seconds, 10);
  budget.startClock();
  nowMs = 9_000;
  assert.equal(budget.left.seconds, 6);
  budget.stopClock();
  nowMs = 60_000;
  assert.equal(budget.left.seconds, 6);
  budget.startClock();
  nowMs = 67_000;
  assert.throws(() => budget.takeToolCall(), codeOf('budget_time'));
});

test('what an agent of its own reports is counted, and checked afterwards', () => {
  const budget = new Budget({ ...defaultBudget, maxTokens: 1_000 }, { prices });
  budget.report('m', usage(600, 300), 2);
  budget.checkReported();
  assert.equal(budget.used.costBasis, 'reported');
  assert.equal(budget.used.modelCalls, 2);
  budget.report('m', usage(100, 1), 1);
  assert.throws(() => budget.checkReported(), codeOf('budget_tokens'));
});

test('nothing was used at the start', () => {
  assert.deepEqual(new Budget(defaultBudget, { prices }).used, nothingUsed);
});

test('the table of prices has a date, a source and models of both providers', () => {
  assert.match(priceTable.date, /^\d{4}-\d{2}-\d{2}$/);
  assert.match(priceTable.source, /MIT/);
  for (const [name, { input, cachedInput = 0, output }] of Object.entries(priceTable.models)) {
    assert.ok(input > 0 && output > 0 && cachedInput < input, name);
  }
});

test('a model with a date has the price of its family', () => {
  const find = createPrices();
  assert.deepEqual(find('gpt-5-2025-08-07'), priceTable.models['gpt-5']);
  assert.deepEqual(find('claude-haiku-4-5-20251001'), priceTable.models['claude-haiku-4-5']);
  assert.deepEqual(find('claude-sonnet-4-20250514'), priceTable.models['claude-sonnet-4-0']);
  assert.deepEqual(find('claude-3-5-haiku-20241022'), priceTable.models['claude-3-5-haiku-latest']);
  assert.equal(find('nobody-knows'), undefined);
  assert.equal(find('constructor'), undefined);
});

test('scripted models are free, and an override beats the table', () => {
  assert.deepEqual(createPrices()('script:nora'), { input: 0, output: 0 });
  const find = createPrices({ 'gpt-5': { input: 1, output: 2 }, 'script:nora': { input: 3, output: 4 } });
  assert.deepEqual(find('gpt-5'), { input: 1, output: 2 });
  assert.deepEqual(find('gpt-5-2025-08-07'), { input: 1, output: 2 });
  assert.deepEqual(find('script:nora'), { input: 3, output: 4 });
});
