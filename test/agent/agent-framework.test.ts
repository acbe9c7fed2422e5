import assert from 'node:assert/strict';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { type HarnessConfig, harnessAdapters, type RunEvent } from '../../src/agent/index.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { codeOf, ofType, orderStatus, runAgent, statusOf, textsOf } from './a-run.ts';
import { appWithModule } from './vendor-apps.ts';

const adapter = harnessAdapters['agent-framework'];

const inApp = (folder: string, module: string | undefined = 'bot.mjs', trusted = true): HarnessConfig => {
  return { kind: 'agent-framework', name: 'bot', module, packages: { folder, trusted } };
};

/** An agent of AG-UI without its package: `tell` is code that has `input` and `observer`. */
const anAgent = (tell: string): string => `{
  runAgent() {},
  run: (input) => ({ subscribe: (observer) => { ${tell}; return { unsubscribe: () => { globalThis.left = true; } }; } }),
}`;

const greeting = anAgent(`
  const { runId, threadId } = input;
  observer.next({ type: 'RUN_STARTED', runId, threadId });
  observer.next({ type: 'TEXT_MESSAGE_CHUNK', messageId: 'm', delta: 'Good morning.' });
  observer.next({ type: 'RUN_FINISHED', runId, threadId });
  observer.complete()`);

const run = (harness: HarnessConfig, more: Partial<Parameters<typeof runAgent>[0]> = {}) =>
  runAgent({ say: 'hello', harness, ...more });

describe('a module that cannot be used', () => {
  const outside = appWithModule(greeting);
  const linked = temporaryFolder('fn-module');
  symlinkSync(outside, join(linked, 'agents'), 'junction');
  const folder = temporaryFolder('fn-module');
  mkdirSync(join(folder, 'bot.mjs'));
  const cases: [what: string, harness: HarnessConfig, code: string, message: RegExp, hint: RegExp][] = [
    [
      'a harness without a module',
      { ...inApp(outside), module: undefined },
      'harness_module_missing',
      /names no module/,
      /fn harness update bot --module/,
    ],
    [
      'a harness outside of an app',
      { ...inApp(outside), packages: undefined },
      'harness_module_missing',
      /there is no app here/,
      /in the folder of the app/,
    ],
    [
      'a file that is missing',
      inApp(temporaryFolder('fn-module')),
      'harness_module_missing',
      /no file bot\.mjs in/,
      /./,
    ],
    ['a folder', inApp(folder), 'harness_module_missing', /no file bot\.mjs in/, /./],
    ['a file beside the app', inApp(folder, '../bot.mjs'), 'harness_module_missing', /no file/, /./],
    ['a link that leads out of the app', inApp(linked, 'agents/bot.mjs'), 'harness_module_missing', /no file/, /./],
    [
      'a module in a folder that is not trusted',
      inApp(appWithModule(`(() => { throw new Error('it was loaded'); })()`), 'bot.mjs', false),
      'folder_not_trusted',
      /would run outside the sandbox/,
      /fn trust/,
    ],
    [
      'a module that throws when it is loaded',
      inApp(appWithModule(`(() => { throw new Error('no key'); })()`)),
      'harness_module_broken',
      /bot\.mjs cannot be loaded: no key/,
      /Correct the module/,
    ],
    [
      'a module with an error of syntax',
      inApp(appWithModule('{')),
      'harness_module_broken',
      /bot\.mjs cannot be loaded: Unexpected token/,
      /Correct the module/,
    ],
    [
      'a module whose package is not installed',
      inApp(appWithModule('agent', `import agent from '@mastra/core/agent';`)),
      'harness_package_missing',
      /bot\.mjs needs the package @mastra\/core$/,
      /: npm install @mastra\/core$/,
    ],
    [
      'a module whose function throws',
      inApp(appWithModule(`() => { throw new Error('no model'); }`)),
      'harness_module_broken',
      /The function that bot\.mjs exports throws: no model/,
      /Correct the module/,
    ],
    [
      'a module whose function makes something else',
      inApp(appWithModule('async () => ({ answer: 42 })')),
      'harness_agent_unsupported',
      /What bot\.mjs exports is none of these/,
      /Export the agent/,
    ],
    [
      'a module that exports something else',
      inApp(appWithModule('{ answer: 42 }')),
      'harness_agent_unsupported',
      /What bot\.mjs exports is none of these: .*an AG-UI agent/,
      /Export the agent/,
    ],
  ];
  for (const [what, harness, code, message, hint] of cases) {
    test(`${what} is ${code} for a check and for a run`, async () => {
      const { ok, problems } = await adapter.check(harness);
      assert.equal(ok, false);
      assert.equal(problems[0]?.code, code);
      assert.match(problems[0]?.message ?? '', message);
      assert.match(problems[0]?.fix ?? '', hint);
      const events = await run(harness);
      assert.deepEqual([statusOf(events), codeOf(events)], ['failed', code]);
    });
  }

  test('a module without an export is harness_agent_unsupported', async () => {
    const folder = temporaryFolder('fn-module');
    writeFileSync(join(folder, 'bot.mjs'), 'export const other = 1;');
    assert.equal(codeOf(await run(inApp(folder))), 'harness_agent_unsupported');
  });
});

describe('an agent of AG-UI', () => {
  test('is the export default, the export agent, or that of a CommonJS module', async () => {
    const folder = temporaryFolder('fn-module');
    writeFileSync(join(folder, 'default.mjs'), `export default ${greeting};`);
    writeFileSync(join(folder, 'named.mjs'), `export const agent = ${greeting};`);
    writeFileSync(join(folder, 'common.cjs'), `exports.agent = ${greeting};`);
    writeFileSync(join(folder, 'typed.mts'), `const agent: object = ${greeting}; export default agent;`);
    for (const file of ['default.mjs', 'named.mjs', './common.cjs', 'typed.mts']) {
      assert.deepEqual(await adapter.check(inApp(folder, file)), { ok: true, problems: [] });
      assert.deepEqual(textsOf(await run(inApp(folder, file))), ['Good morning.'], file);
    }
  });

  test('is loaded anew when its file was changed', async () => {
    const folder = appWithModule(greeting);
    assert.deepEqual(textsOf(await run(inApp(folder))), ['Good morning.']);
    writeFileSync(join(folder, 'bot.mjs'), `export default ${greeting.replace('morning', 'evening')};`);
    assert.deepEqual(textsOf(await run(inApp(folder))), ['Good evening.']);
  });

  test('that fails is harness_failed, with what it says', async () => {
    for (const tell of [`observer.error(new Error('no luck'))`, `throw new Error('no luck')`]) {
      const events = await run(inApp(appWithModule(anAgent(tell))));
      assert.equal(codeOf(events), 'harness_failed');
      assert.match(ofType(events, 'error')[0]?.message ?? '', /no luck/);
      assert.match(ofType(events, 'error')[0]?.hint ?? '', /bot\.mjs/);
    }
  });

  test('that ends without RUN_FINISHED is harness_connection_lost', async () => {
    const events = await run(inApp(appWithModule(anAgent('observer.complete()'))));
    assert.equal(codeOf(events), 'harness_connection_lost');
  });

  test('that never answers is left when the run is cancelled, or when its time is over', async () => {
    const folder = appWithModule(anAgent(''));
    const seen = globalThis as { left?: boolean };
    seen.left = false;
    const stop = new AbortController();
    const onEvent = (event: RunEvent) => {
      if (event.type === 'leg.started') setImmediate(() => stop.abort());
    };
    assert.equal(statusOf(await run(inApp(folder), { signal: stop.signal, onEvent })), 'cancelled');
    assert.equal(seen.left, true, 'it was unsubscribed from');
    const late = await run(inApp(folder), { limitsOfBudget: { maxSeconds: 0.05 } });
    assert.equal(codeOf(late), 'budget_time');
    const slow = await run(inApp(folder), { limits: { legMs: 20 } });
    assert.equal(codeOf(slow), 'harness_timeout');
  });

  test('whose module never finishes loading is left when the run is cancelled', async () => {
    const folder = appWithModule('{}', 'await new Promise(() => {});');
    const stop = new AbortController();
    const onEvent = (event: RunEvent) => {
      if (event.type === 'leg.started') setImmediate(() => stop.abort());
    };
    assert.equal(statusOf(await run(inApp(folder), { signal: stop.signal, onEvent })), 'cancelled');
  });
});

describe('a compiled graph of LangGraph', () => {
  /** Without its package: it tells that it has answered. */
  const graph = `{
    lg_is_pregel: true,
    invoke() {},
    stream: async (input, options) => {
      return (async function* () { yield ['updates', { ask: { messages: [{ type: 'ai', content: 'Good morning.' }] } }]; })();
    },
  }`;

  test('has no tools of the AI agent, which its check and a warning of each run say, with what to export', async () => {
    const harness = inApp(appWithModule(graph));
    const { ok, problems } = await adapter.check(harness);
    assert.deepEqual([ok, problems[0]?.code], [true, 'harness_agent_without_tools']);
    assert.match(problems[0]?.message ?? '', /Export a function that builds it, \(\{ tools \}\) =>/);
    const events = await run(harness);
    assert.deepEqual(textsOf(events), ['Good morning.']);
    assert.equal(ofType(events, 'warning')[0]?.code, 'harness_agent_without_tools');
  });

  test('that a function builds gets them, and nothing is said', async () => {
    const harness = inApp(appWithModule(`({ tools }) => { globalThis.given = tools; return ${graph}; }`));
    assert.deepEqual(await adapter.check(harness), { ok: true, problems: [] });
    const events = await run(harness);
    assert.deepEqual([textsOf(events), ofType(events, 'warning')], [['Good morning.'], []]);
    const { given } = globalThis as unknown as { given: { name: string; description: string; schema: object }[] };
    assert.deepEqual(
      given.map(({ name }) => name),
      ['order_status', 'cancel_order', 'handover_to_human'],
    );
    assert.equal(given[0]?.description, 'The status of an order');
    assert.deepEqual(given[0]?.schema, orderStatus.input);
  });
});
