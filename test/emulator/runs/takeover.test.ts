import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import type { Output } from '../../../src/contract/index.ts';
import { momentsOfRun, openStepByStepModel, workPath } from '../../agent/stand-ins/step-by-step-model.ts';
import { anEmulator, everyone } from '../an-emulator.ts';

const model = await openStepByStepModel();
after(() => model[Symbol.asyncDispose]());

const here = await anEmulator({
  agents: {
    nora: { file: { instructions: 'Help.', tools: ['order_status'] }, script: { default: { say: 'Hello.' } } },
  },
  functions: {
    'tools/order-status': {
      config: {
        type: 'ai-tool',
        name: 'order_status',
        description: 'Where an order is',
        input: { type: 'object', properties: { orderId: { type: 'string' } } },
        permissions: { callers: { aiAgents: 'all' }, http: ['127.0.0.1'] },
      },
      body: `return await (await fetch('${model.url}${workPath}')).text();`,
    },
  },
});
const door = here.emulator.door(everyone);
await door('harnesses.add', {
  name: 'model',
  kind: 'builtin',
  provider: 'openai-compatible',
  baseUrl: model.url,
  apiKey: 'k',
});
const [person] = (await door('agents.list', {})).items;
const desk = here.emulator.door({ ...everyone, type: 'agent', id: person?.id ?? '' });

type Message = Output<'messages.list'>['items'][number];

async function messagesOf(conversationId: string): Promise<Message[]> {
  const { items } = await door('messages.list', { conversationId, limit: 200 });
  return items.toSorted((a, b) => a.id.localeCompare(b.id));
}

/** A run in a new conversation, in which a person writes at one moment. @returns whether that moment came */
async function takenOverAt(moment: number) {
  const { conversationId } = await door('messages.receive', {
    phone: `+4930123${String(100 + moment)}`,
    text: 'Where is A-1?',
  });
  let reached = 0;
  let written = false;
  model.onMoment = async () => {
    if (reached++ !== moment) return;
    written = true;
    await desk('messages.send', { conversationId, text: 'I am looking after this myself.' });
  };
  const { id } = await door('aiAgentRuns.create', {
    agent: 'nora',
    harness: 'model',
    models: { main: 'm' },
    conversationId,
  });
  await here.emulator.settled();
  model.onMoment = async () => {};
  return { written, conversationId, run: await door('aiAgentRuns.show', { id }) };
}

describe('a person who writes at any moment of a run', () => {
  for (let moment = 0; moment < momentsOfRun; moment++) {
    test(`takes over: no message of the AI follows (moment ${moment + 1} of ${momentsOfRun})`, async () => {
      const { written, conversationId, run } = await takenOverAt(moment);
      assert.ok(written, `the run has only ${moment} moments`);
      const messages = await messagesOf(conversationId);
      const at = messages.findIndex(({ author }) => author.type === 'agent');
      assert.notEqual(at, -1);
      assert.deepEqual(
        messages.slice(at + 1).map(({ author, text }) => `${author.type}: ${text}`),
        [],
      );
      assert.equal(run.status, 'cancelled');

      await door('conversations.resumeAi', { id: conversationId });
      await door('messages.receive', { conversationId, text: 'And now?' });
      const next = await door('aiAgentRuns.create', {
        agent: 'nora',
        harness: 'model',
        models: { main: 'm' },
        conversationId,
      });
      await here.emulator.settled();
      assert.equal((await door('aiAgentRuns.show', { id: next.id })).status, 'completed');
      const asked = JSON.stringify(model.requests.findLast(({ path }) => path !== workPath)?.body.messages);
      assert.match(asked, /I am looking after this myself\./);
      assert.match(asked, /handed it back/);
    });
  }
});
