import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  addEvent,
  Budget,
  createPrices,
  defaultBudget,
  type ModelPrice,
  noProgress,
  type Reservation,
  type RunEvent,
} from '../../src/agent/index.ts';
import fc from '../properties.ts';
import { Gate, ofType, runAgent } from './a-run.ts';

const price = fc.record({
  input: fc.double({ min: 0, max: 100, noNaN: true }),
  output: fc.double({ min: 0, max: 200, noNaN: true }),
});

/** A script that calls tools for some rounds and answers at last, with long texts and results. */
const script = fc
  .record({
    rounds: fc.integer({ min: 0, max: 4 }),
    say: fc.integer({ min: 1, max: 6_000 }),
    result: fc.integer({ min: 0, max: 8_000 }),
    charactersPerToken: fc.double({ min: 1, max: 8, noNaN: true }),
  })
  .map(({ rounds, say, result, charactersPerToken }) => ({
    result: 'r'.repeat(result),
    script: {
      rules: Array.from({ length: rounds }, (_, i) => ({
        when: { toolResults: i },
        say: 'word '.repeat(say / 20),
        call: [{ tool: 'order_status', args: { orderId: 'A17' } }],
      })),
      default: { say: 'word '.repeat(say / 5) },
      usage: { charactersPerToken },
    },
  }));

/** By how much the estimates of input were too low, over all calls that were settled. */
function errorOf(events: readonly RunEvent[], { input }: ModelPrice): { tokens: number; usd: number } {
  const reserved = new Map<string, Reservation>();
  let tokens = 0;
  for (const event of events) {
    if (event.type === 'modelCall.started' && event.reserved) reserved.set(event.modelCallId, event.reserved);
    if (event.type !== 'modelCall.ended' || event.usage === null) continue;
    tokens = Math.max(tokens, event.usage.inputTokens - (reserved.get(event.modelCallId)?.inputTokens ?? 0));
  }
  return { tokens: Math.max(0, tokens), usd: (Math.max(0, tokens) * input) / 1e6 };
}

const options = fc.record({
  model: script,
  price,
  maxCostUsd: fc.option(fc.double({ min: 0, max: 0.2, noNaN: true }), { nil: undefined }),
  maxTokens: fc.integer({ min: 100, max: 20_000 }),
  /** After how many events the run is killed; it goes on from what was written down. */
  kills: fc.array(fc.integer({ min: 1, max: 30 }), { maxLength: 3 }),
});

test('a run overspends by the error of the estimated input at most, also when it is killed and goes on', async () => {
  let stopped = 0;
  const run = fc.asyncProperty(options, async ({ model, price, maxCostUsd, maxTokens, kills }) => {
    const prices = createPrices({ 'script:s': price });
    const limits = { ...defaultBudget, maxTokens, maxCostUsd };
    const gate = new Gate({ s: model.script }, () => ({ status: 'ok', content: model.result }));
    const written: RunEvent[] = [];
    let progress = noProgress;
    let used = new Budget(limits, { prices }).used;
    for (const kill of [...kills, Number.POSITIVE_INFINITY]) {
      const budget = new Budget(limits, { prices, used });
      let [count, lost]: [number, Reservation | null] = [0, null];
      await runAgent({
        say: 'Where is order A17?',
        models: { main: 'script:s' },
        budget,
        gate,
        progress,
        onEvent(event) {
          if (++count > kill) throw killed;
          written.push(event);
          used = budget.used;
          progress = addEvent(progress, event);
          if (event.type === 'modelCall.started') lost = event.reserved;
          if (event.type === 'modelCall.ended') lost = null;
        },
      }).catch((error) => assert.equal(error, killed));
      // What was under way counts as spent, whatever became of it.
      if (lost !== null) {
        const restored = new Budget(limits, { prices, used });
        restored.settle(lost);
        used = restored.used;
      }
      if (ofType(written, 'done').length > 0) break;
    }
    const error = errorOf(written, price);
    const tokens = used.inputTokens + used.outputTokens;
    assert.ok(tokens <= maxTokens + error.tokens, `${tokens} tokens of ${maxTokens}, estimate off by ${error.tokens}`);
    if (maxCostUsd !== undefined) {
      const most = maxCostUsd + error.usd + 1e-9;
      assert.ok(used.costUsd <= most, `$${used.costUsd} of $${maxCostUsd}, estimate off by $${error.usd}`);
    }
    if (ofType(written, 'error').length > 0) stopped++;
  });
  await fc.assert(run, { numRuns: 1_000 });
  assert.ok(stopped > 100, `only ${stopped} runs were stopped by their budget: the property says little`);
});

const killed = new Error('killed');
