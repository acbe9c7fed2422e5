import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { addEvent, Budget, createPrices, defaultBudget, noProgress, type RunEvent } from '../../src/agent/index.ts';
import { codeOf, type Gate, ofType, runAgent, statusOf } from './a-run.ts';
import { harnesses, outlineOf } from './harnesses.ts';

/** One suite for every kind: the same conversation leaves the same events. */
for (const kind of harnesses) {
  describe(kind.title, { skip: kind.missing ?? false }, () => {
    /** What a kind cannot know is not asked of it. */
    const expect = (events: readonly RunEvent[], lines: readonly string[]) =>
      assert.deepEqual(
        outlineOf(events),
        kind.tellsModelCalls ? lines : lines.filter((line) => !/^(?:ask )?(?:main|fallback)\b/.test(line)),
      );

    const run = async (say: string, more: Partial<Parameters<typeof runAgent>[0]> = {}, gate?: Gate) => {
      await using open = await kind.open();
      const { harness, models } = open;
      return await runAgent({ say, harness, models: { main: models.main }, gate: gate ?? open.gate(), ...more });
    };

    test('answers with a text', async () => {
      const events = await run('hello');
      expect(events, ['ask main', 'main stop', 'say Good morning, Ann.', 'completed']);
      const typed = ofType(events, 'text.delta').map(({ text }) => text);
      assert.equal(typed.join(''), 'Good morning, Ann.');
      assert.ok(typed.length > (kind.tellsModelCalls ? 1 : 0), 'the text comes in parts');
    });

    test('makes one tool call', async () => {
      expect(await run('Where is order A17?'), [
        'ask main',
        'main toolCalls',
        'say Let me look.',
        'call order_status {"orderId":"A17"}',
        'ok A17 shipped',
        'ask main',
        'main stop',
        'say Your order: A17 shipped',
        'completed',
      ]);
    });

    test('makes two tool calls side by side', async () => {
      await using open = await kind.open();
      const gate = open.gate();
      const both = Promise.withResolvers<void>();
      const callTool = gate.callTool.bind(gate);
      gate.callTool = async (...call) => {
        const result = callTool(...call);
        if (gate.calls.length === 2) both.resolve();
        // Neither answers before both were called.
        await both.promise;
        return await result;
      };
      const { harness, models } = open;
      const events = await runAgent({ say: 'both', harness, models: { main: models.main }, gate });
      expect(events, [
        'ask main',
        'main toolCalls',
        'call order_status {"orderId":"A17"}',
        'call order_status {"orderId":"B18"}',
        'ok A17 shipped',
        'ok B18 shipped',
        'ask main',
        'main stop',
        'say Both: A17 shipped and B18 shipped',
        'completed',
      ]);
    });

    test('asks the fallback model when the main one fails', { skip: !kind.hasFallback }, async () => {
      await using open = await kind.open({
        trouble: (_, model) => (model === 'big' ? { status: 503 } : undefined),
      });
      const { harness, models } = open;
      expect(await runAgent({ say: 'hello', harness, models, gate: open.gate() }), [
        'ask main',
        'main model_unavailable',
        'ask fallback',
        'fallback stop',
        'say Good morning, Ann.',
        'completed',
      ]);
    });

    test('hands over by a tool and says nothing more', async () => {
      expect(await run('I want a human'), [
        'ask main',
        'main toolCalls',
        'say I hand you over.',
        'call handover_to_human {"reason":"asked","team":"support"}',
        'ok handed over',
        'hand over to support: asked',
        'handedOver',
      ]);
    });

    test('stops at its budget of tool calls', async () => {
      expect(await run('for ever', { limitsOfBudget: { maxToolCalls: 2 } }), [
        'ask main',
        'main toolCalls',
        'call order_status {"orderId":"A17"}',
        'ok A17 shipped',
        'ask main',
        'main toolCalls',
        'call order_status {"orderId":"A17"}',
        'ok A17 shipped',
        'ask main',
        'main toolCalls',
        'call order_status {"orderId":"A17"}',
        'fail budget_tool_calls',
        'failed',
      ]);
    });

    test('waits for a confirmation, and goes on with its answer in another process', async () => {
      await using open = await kind.open();
      const { harness, models } = open;
      const gate = open.gate();
      let progress = noProgress;
      const onEvent = (event: RunEvent) => {
        progress = addEvent(progress, event);
      };
      const budget = new Budget(defaultBudget, { prices: createPrices() });
      const common = { say: 'Please cancel the order', harness, models: { main: models.main }, gate, onEvent };
      const first = await runAgent({ ...common, budget });
      expect(first, [
        'ask main',
        'main toolCalls',
        'call cancel_order {"orderId":"A17"}',
        'wait for confirmation: Cancel the order?',
        'waiting',
      ]);
      const [interrupt] = ofType(first, 'interrupt')[0]?.interrupts ?? [];
      gate.answers.set(interrupt?.toolCallId ?? '', true);
      const second = await runAgent({
        ...common,
        budget: new Budget(budget.limits, { prices: createPrices(), used: budget.used }),
        progress: JSON.parse(JSON.stringify(progress)),
      });
      expect(second, [
        'call cancel_order {"orderId":"A17"}',
        'ok cancelled',
        'ask main',
        'main stop',
        'say Done: cancelled',
        'completed',
      ]);
      assert.equal(gate.calls[0]?.toolCallId, gate.calls[1]?.toolCallId);
    });

    test('goes on after being killed at any event, and says and does the same', async () => {
      await using open = await kind.open();
      const { harness, models } = open;
      const common = { say: 'Where is order A17?', harness, models: { main: models.main } };
      const whole = await runAgent({ ...common, gate: open.gate() });
      const said = (events: readonly RunEvent[]) => [
        ...new Map(ofType(events, 'message').map(({ messageId, text }) => [messageId, text])).values(),
      ];
      for (let kill = 0; kill < whole.length; kill++) {
        const gate = open.gate();
        const written: RunEvent[] = [];
        const dead = new Error('killed');
        const onEvent = (event: RunEvent) => {
          if (written.length === kill) throw dead;
          written.push(event);
        };
        await assert.rejects(runAgent({ ...common, gate, onEvent }), dead);
        const progress = written.reduce(addEvent, noProgress);
        const rest = await runAgent({ ...common, gate: open.gate(), progress });
        if (progress.openLeg === 'effects') {
          assert.equal(codeOf(rest), 'run_interrupted', `killed at event ${kill}`);
          continue;
        }
        assert.equal(statusOf(rest), 'completed', `killed at event ${kill}`);
        assert.deepEqual(said([...written, ...rest]), said(whole), `killed at event ${kill}`);
      }
    });

    test('stops at once when it is cancelled, at every event', async () => {
      await using open = await kind.open();
      const { harness, models } = open;
      const common = { say: 'Where is order A17?', harness, models: { main: models.main } };
      const whole = await runAgent({ ...common, gate: open.gate() });
      for (let at = 0; at < whole.length - 1; at++) {
        const stop = new AbortController();
        let count = 0;
        const onEvent = () => {
          if (count++ === at) stop.abort();
        };
        const events = await runAgent({ ...common, gate: open.gate(), signal: stop.signal, onEvent });
        assert.equal(statusOf(events), 'cancelled', `cancelled at event ${at}: ${whole[at]?.type}`);
        assert.deepEqual(ofType(events, 'error'), []);
        assert.equal(events.length >= at + 1, true);
      }
    });
  });
}
