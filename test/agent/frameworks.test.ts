import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { harnessAdapters } from '../../src/agent/index.ts';
import { codeOf, ofType, runAgent, statusOf, textsOf } from './a-run.ts';
import { closedPort } from './closed-port.ts';
import { bots } from './frameworks.ts';
import { outlineOf } from './harnesses.ts';
import type { Brain } from './stand-ins/brain.ts';

/** What comes of an agent that has models, tools and instructions of its own, for every framework. */
for (const bot of bots) {
  describe(bot.title, { skip: bot.missing ?? false }, () => {
    const run = async (brain: Brain, more: Partial<Parameters<typeof runAgent>[0]> = {}) => {
      await using open = await bot.open({ brain });
      const { harness, gate, server } = open;
      const events = await runAgent({ say: 'hello', harness, gate: gate(), ...more });
      return { events, requests: server?.requests ?? [] };
    };

    test('passes its check', async () => {
      await using open = await bot.open();
      assert.deepEqual(await harnessAdapters['agent-framework'].check(open.harness), { ok: true, problems: [] });
    });

    test('keeps its instructions, to which those of the run are added', async () => {
      const { requests } = await run(() => ({ text: 'Good morning.' }));
      const sent = JSON.stringify(requests[0]?.body.messages);
      assert.ok(sent.indexOf('You are the bot of') < sent.indexOf('You help with orders.'), sent);
      assert.match(sent, /You are the bot of/);
    });

    test('runs its own tools in its own loop: they are in the record, past the gate', async () => {
      const { events } = await run(({ results }) =>
        results.length > 0
          ? { text: `It is ${results[0]}.` }
          : { text: 'I look.', calls: [{ tool: 'lookup', args: { what: 'it' } }] },
      );
      assert.deepEqual(outlineOf(events), [
        'ask main',
        'main toolCalls',
        'say I look.',
        'call lookup {"what":"it"}',
        'ok found it',
        'ask main',
        'main stop',
        'say It is found it.',
        'completed',
      ]);
      assert.equal(ofType(events, 'toolCall.requested')[0]?.call.own, true);
      assert.equal(ofType(events, 'leg.started').length, 1);
    });

    test('runs its own tool beside one of ours, and goes on with both results', async () => {
      const own = bot.runsOwnBesideOurs ? 'found it' : 'This call was not carried out.';
      const { events } = await run(({ results }) =>
        results.length > 0
          ? { text: [...results].sort().join(' and ') }
          : {
              calls: [
                { tool: 'lookup', args: { what: 'it' } },
                { tool: 'order_status', args: { orderId: 'A17' } },
              ],
            },
      );
      assert.deepEqual(textsOf(events), [`A17 shipped and ${own}`]);
      assert.deepEqual(
        ofType(events, 'toolCall.ended').map(({ call, result }) => [call.name, call.own ?? false, result.content]),
        [...(bot.runsOwnBesideOurs ? [['lookup', true, own]] : []), ['order_status', false, 'A17 shipped']],
      );
    });

    test('tells of its model and the tokens that the API reports', async () => {
      const { events, requests } = await run(() => ({ text: 'Good morning.' }));
      const [ended] = ofType(events, 'modelCall.ended');
      assert.equal(ended?.model, 'small');
      assert.equal(ended?.usage?.inputTokens, Math.ceil((requests[0]?.text.length ?? 0) / 4));
    });

    test('is stopped by the budget after the model call that went too far', async () => {
      const brain: Brain = () => ({ calls: [{ tool: 'lookup', args: { what: 'it' } }] });
      const { events, requests } = await run(brain, { limitsOfBudget: { maxModelCalls: 2 } });
      assert.equal(codeOf(events), 'budget_model_calls');
      assert.ok(requests.length <= 4, `${requests.length} requests`);
    });

    test('fails as its model does: a refused key, an endpoint where nothing listens', async () => {
      await using refusing = await bot.open({ trouble: () => ({ status: 401 }) });
      const refused = await runAgent({ say: 'hello', harness: refusing.harness });
      assert.deepEqual([statusOf(refused), codeOf(refused)], ['failed', 'model_auth']);
      const events = await runAgent({
        say: 'hello',
        harness: bot.harnessAt(`http://127.0.0.1:${await closedPort()}/v1`),
      });
      assert.deepEqual([statusOf(events), codeOf(events)], ['failed', 'model_unavailable']);
    });
  });
}
