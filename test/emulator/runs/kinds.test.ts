import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ProjectPackages } from '../../../src/agent/index.ts';
import type { Input, Output } from '../../../src/contract/index.ts';
import { type HarnessUnderTest, harnesses, script } from '../../agent/harnesses.ts';
import { type AiAgents, anEmulator, everyone, method } from '../an-emulator.ts';
import { cancelOrder, orderTool } from './order-tools.ts';

type Run = Output<'aiAgentRuns.show'>;

/** While `together` is set, a call does not end before the one for the other order has begun. */
const status = `
  const { orderId } = sdk.tool.args;
  if ((await sdk.store.get('together'))?.value === true) {
    await sdk.store.set('began ' + orderId, true);
    const other = orderId === 'A17' ? 'B18' : 'A17';
    while (!(await sdk.store.get('began ' + other))) {}
  }
  return Number(orderId.slice(1));
`;

const file = { instructions: 'Help with orders.', tools: ['order_status', 'cancel_order'] };
const agents: AiAgents = {
  nora: { file },
  s: { file, script },
};

/** Of the kind that is under test: some load their package from an app. */
let packages: ProjectPackages | undefined;

const here = await anEmulator({
  packages: () => packages,
  agents,
  functions: {
    'tools/order-status': orderTool('order_status', status),
    'tools/cancel-order': cancelOrder,
    'api/together': method(
      "for (const key of ['A17', 'B18']) await sdk.store.delete('began ' + key); await sdk.store.set('together', await sdk.request.json());",
    ),
  },
});
const door = here.emulator.door(everyone);

/** Registers a harness of the kind under test, for as long as the test takes. */
async function harnessOf(kind: HarnessUnderTest, options?: Parameters<HarnessUnderTest['open']>[0]) {
  const open = await kind.open(options);
  packages = open.harness.packages;
  const { provider, baseUrl, apiKey, secrets, module } = open.harness;
  const isCustom = open.harness.kind === 'custom';
  const name = kind.title.toLowerCase().replaceAll(/[^a-z]+/g, '-');
  if (open.server !== undefined) {
    const [secret] = secrets ?? [];
    await door('harnesses.add', {
      name,
      kind: open.harness.kind,
      ...(isCustom ? { endpoint: baseUrl, ...(secret === undefined ? { unsigned: true } : { secret }) } : {}),
      ...(!isCustom && { provider, baseUrl, apiKey, module }),
    } as Input<'harnesses.add'>);
  }
  return {
    open,
    create: (input: string, more: Partial<Input<'aiAgentRuns.create'>> = {}) =>
      door('aiAgentRuns.create', {
        agent: open.server === undefined ? 's' : 'nora',
        input,
        ...(open.server !== undefined && { harness: name, models: { main: open.models.main } }),
        ...more,
      }),
    async [Symbol.asyncDispose]() {
      await open[Symbol.asyncDispose]();
      if (open.server !== undefined) await door('harnesses.remove', { id: name });
    },
  };
}

async function worked(id: string): Promise<Run> {
  await here.emulator.settled();
  return door('aiAgentRuns.show', { id });
}

/** A record without ids, times and tokens, and without what a kind keeps to itself. */
function outlineOf(run: Run, { tellsModelCalls }: HarnessUnderTest) {
  const { status, text, result, error, budgetExceeded, warnings, waitingFor, lateEvents } = run;
  return {
    status,
    text,
    result: { type: result.type, reason: result.reason, messages: result.messageIds.length },
    error: error?.code ?? null,
    budgetExceeded,
    warnings,
    waitingFor: waitingFor.map(({ kind, message }) => `${kind}: ${message}`),
    lateEvents,
    toolCalls: run.toolCalls.map(({ name, source, arguments: given, status, result, error, confirmation }) => {
      const asked = confirmation !== null;
      return { name, source: source.function ?? source.type, given, status, result, error: error?.code ?? null, asked };
    }),
    toolCallsCounted: run.usage.toolCalls,
    ...(tellsModelCalls && {
      modelCalls: run.modelCalls.map(({ role, finishReason, error }) => `${role} ${error?.code ?? finishReason}`),
      counted: run.usage.modelCalls,
    }),
  };
}

/** What is done with a kind, and the records that must be equal for all of them. */
type Scene = (kind: HarnessUnderTest) => Promise<Run[]>;

const scenes: Record<string, Scene> = {
  async answers(kind) {
    await using made = await harnessOf(kind);
    const run = await worked((await made.create('hello')).id);
    assert.deepEqual(
      [run.status, run.text, run.harness.kind],
      ['completed', 'Good morning, Ann.', made.open.harness.kind],
    );
    return [run];
  },

  async 'makes a tool call'(kind) {
    await using made = await harnessOf(kind);
    const run = await worked((await made.create('Where is order A17?')).id);
    assert.equal(run.text, 'Let me look.\n\nYour order: 17');
    return [run];
  },

  async 'makes two tool calls side by side'(kind) {
    await using made = await harnessOf(kind);
    await here.post('/custom-functions/shop/api/together.js', true);
    const run = await worked((await made.create('both')).id);
    await here.post('/custom-functions/shop/api/together.js', false);
    assert.match(run.text ?? '', /^Both: /);
    return [{ ...run, text: null }];
  },

  'waits for a person, who answers allow, and goes on': confirmed('allow'),
  'waits for a person, who answers deny, and goes on': confirmed('deny'),

  async 'stops at its budget of tool calls, and keeps what was said'(kind) {
    await using made = await harnessOf(kind);
    const run = await worked((await made.create('for ever', { budget: { maxToolCalls: 2 } })).id);
    assert.deepEqual([run.status, run.budgetExceeded], ['failed', 'toolCalls']);
    return [run];
  },

  async 'hands over by a tool'(kind) {
    await using made = await harnessOf(kind);
    const { conversationId } = await door('messages.receive', { phone: '+4930901820', text: 'I want a human' });
    const run = await worked((await made.create('I want a human', { conversationId })).id);
    assert.equal(run.status, 'handedOver');
    assert.equal((await door('conversations.get', { id: conversationId })).ai.state, 'paused');
    const [said] = (await door('messages.list', { conversationId, order: 'desc' })).items;
    assert.deepEqual([said?.author.type, said?.text], ['aiAgent', 'I hand you over.']);
    await door('conversations.resumeAi', { id: conversationId });
    return [run];
  },
};

function confirmed(answer: 'allow' | 'deny'): Scene {
  return async (kind) => {
    await using made = await harnessOf(kind);
    const waiting = await worked((await made.create('Please cancel the order')).id);
    assert.equal(waiting.status, 'waiting');
    assert.deepEqual(
      waiting.waitingFor.map(({ kind, message }) => [kind, message]),
      [['confirmation', 'Cancel the order?']],
    );
    await door('confirmations.answer', { id: waiting.waitingFor[0]?.id ?? '', answer });
    const run = await worked(waiting.id);
    assert.deepEqual([run.status, run.toolCalls.length], ['completed', 1]);
    assert.equal(run.toolCalls[0]?.status, answer === 'allow' ? 'ok' : 'denied');
    assert.match(run.text ?? '', answer === 'allow' ? /^Done: true$/ : /^Done: .*tool_denied/);
    // Stand-ins repeat a failure as they were told of it.
    return [waiting, { ...run, text: null }];
  };
}

/** Those of the lowest versions differ in their package only, which the suite of the agents tries. */
const kinds = harnesses.filter(({ title }) => !/lowest version/.test(title));

const builtin = kinds.find(({ title }) => title === 'the scripted model') ?? assert.fail('no scripted model');
const records = new Map<string, Promise<Run[]>>();
/** The records of the built-in kind, whichever kinds are tried. */
function builtinRecords(name: string, scene: Scene): Promise<Run[]> {
  const made = records.get(name) ?? scene(builtin);
  records.set(name, made);
  return made;
}

for (const kind of kinds) {
  describe(kind.title, { skip: kind.missing ?? false }, () => {
    for (const [name, scene] of Object.entries(scenes)) {
      test(name, async () => {
        const expected = await builtinRecords(name, scene);
        if (kind === builtin) return;
        const outlined = (runs: readonly Run[]) => runs.map((run) => outlineOf(run, kind));
        assert.deepEqual(outlined(await scene(kind)), outlined(expected));
      });
    }

    test('is cancelled while nobody answers: the connection is closed', async () => {
      await using made = await harnessOf(kind, { trouble: () => 'hang' });
      const { server } = made.open;
      if (server === undefined) return;
      const { id } = await made.create('hello');
      await Promise.race([server.nextRequest(), here.emulator.settled()]);
      await door('aiAgentRuns.cancel', { id });
      await server.nextEarlyClose();
      const run = await worked(id);
      assert.deepEqual([run.status, run.error?.code, run.text], ['cancelled', 'cancelled', null]);
    });
  });
}
