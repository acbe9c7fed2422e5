import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type HarnessConfig, harnessAdapters, type RunEvent } from '../../src/agent/index.ts';
import { codeOf, ofType, runAgent, statusOf, textsOf } from './a-run.ts';
import { appWithModule } from './vendor-apps.ts';

const adapter = harnessAdapters['agent-framework'];

/** What a HarnessAgent was asked, and which of its sessions are open. */
interface Seen {
  readonly settings: { tools: object; activeTools?: string[]; instructions: string }[];
  readonly asked: { messages: { content: { type: string; text?: string; mediaType?: string }[] }[] }[];
  readonly open: Set<object>;
  sessions: number;
}

/** A HarnessAgent without its package: `parts` is the code of the list of what its stream tells, or of a function of the signal. */
function aHarnessAgent(parts: string, settings = '{ sandbox: {} }') {
  const seen: Seen = { settings: [], asked: [], open: new Set(), sessions: 0 };
  const mark = `seen${Math.random()}`;
  (globalThis as unknown as Record<string, Seen>)[mark] = seen;
  const folder = appWithModule(
    `new Agent(${settings})`,
    `const seen = globalThis['${mark}'];
     class Agent {
       version = 'agent-v1';
       constructor(settings) { this.settings = settings; seen.settings.push(settings); }
       generate() {}
       async createSession() {
         const session = { destroy: async () => { seen.open.delete(session); } };
         seen.open.add(session);
         seen.sessions++;
         return session;
       }
       async stream(options) {
         if (!seen.open.has(options.session)) throw new Error('no session');
         seen.asked.push(options);
         const parts = ${parts};
         return { fullStream: typeof parts === 'function' ? parts(options.abortSignal) : parts };
       }
     }`,
  );
  const harness: HarnessConfig = {
    kind: 'agent-framework',
    name: 'bot',
    module: 'bot.mjs',
    packages: { folder, trusted: true },
  };
  return { seen, harness };
}

const hello = `[{ type: 'start-step' }, { type: 'text-delta', text: 'Good morning.' },
  { type: 'finish-step', finishReason: 'stop', usage: {}, response: {} }]`;

const call = `[{ type: 'start-step' }, { type: 'tool-call', toolCallId: 'c', toolName: 'order_status', input: { orderId: 'A17' } },
  { type: 'finish-step', finishReason: 'tool-calls', usage: {}, response: {} }]`;

describe('a HarnessAgent of the AI SDK', () => {
  test('without a sandbox is refused, with what to do', async () => {
    const { harness } = aHarnessAgent(hello, '{}');
    const { ok, problems } = await adapter.check(harness);
    assert.deepEqual([ok, problems[0]?.code], [false, 'harness_agent_unsupported']);
    assert.match(problems[0]?.message ?? '', /a HarnessAgent without a sandbox/);
    assert.match(problems[0]?.fix ?? '', /in the setting sandbox/);
    assert.equal(codeOf(await runAgent({ say: 'hello', harness })), 'harness_agent_unsupported');
  });

  test('keeps its own settings, to which tools and instructions of the run are added', async () => {
    const own = `{ sandbox: {}, tools: { lookup: {} }, activeTools: ['lookup'], instructions: { role: 'system', content: 'You are mine.' } }`;
    const { harness, seen } = aHarnessAgent(hello, own);
    assert.deepEqual(textsOf(await runAgent({ say: 'hello', harness })), ['Good morning.']);
    const used = seen.settings.at(-1);
    const names = ['lookup', 'order_status', 'cancel_order', 'handover_to_human'];
    assert.deepEqual(Object.keys(used?.tools ?? {}), names);
    assert.deepEqual(used?.activeTools, names);
    assert.equal(used?.instructions, 'You are mine.\n\nYou help with orders.');
  });

  test('has a session for each leg, which is told the conversation and destroyed', async () => {
    const { harness, seen } = aHarnessAgent(`seen.sessions === 1 ? ${call} : ${hello}`);
    const events = await runAgent({ say: 'Where is order A17?', harness });
    assert.equal(statusOf(events), 'completed');
    assert.deepEqual([seen.sessions, seen.open.size], [2, 0]);
    assert.equal(seen.asked[0]?.messages[0]?.content[0]?.text, 'Where is order A17?');
    const told = seen.asked[1]?.messages[0]?.content[0]?.text ?? '';
    assert.match(told, /"from":"tool","tool":"order_status","answer":"A17 shipped"/);
  });

  test('is shown the pictures of a customer', async () => {
    const { harness, seen } = aHarnessAgent(hello);
    const content = [
      { type: 'text', text: 'What is it?' },
      { type: 'file', mediaType: 'image/png', data: 'AAAA' },
      { type: 'file', mediaType: 'application/zip', data: 'BBBB', name: 'all.zip' },
    ] as const;
    await runAgent({ say: '', harness, messages: [{ role: 'user', content }] });
    const [text, ...files] = seen.asked[0]?.messages[0]?.content ?? [];
    assert.match(text?.text ?? '', /"attachments":\["image\/png","all.zip"\]/);
    assert.deepEqual(files, [{ type: 'file', mediaType: 'image/png', data: 'AAAA' }]);
  });

  test('has its session destroyed when it fails, and when the run is cancelled', async () => {
    const failing = aHarnessAgent(`[{ type: 'error', error: new Error('no luck') }]`);
    const failed = await runAgent({ say: 'hello', harness: failing.harness });
    assert.equal(codeOf(failed), 'harness_failed');
    assert.match(ofType(failed, 'error')[0]?.message ?? '', /no luck/);
    assert.deepEqual([failing.seen.sessions, failing.seen.open.size], [1, 0]);
    const endless = aHarnessAgent('async function* () { for (;;) yield await new Promise(() => {}); }');
    const stop = new AbortController();
    const onEvent = (event: RunEvent) => {
      if (event.type === 'leg.started') setTimeout(() => stop.abort(), 20);
    };
    const cancelled = await runAgent({ say: 'hello', harness: endless.harness, signal: stop.signal, onEvent });
    assert.equal(statusOf(cancelled), 'cancelled');
    assert.deepEqual([endless.seen.sessions, endless.seen.open.size], [1, 0], 'though its stream does not end');
  });
});
