import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import test from 'node:test';
import { WorkspaceError } from '../../src/std/index.ts';
import { until } from '../until.ts';
import { anEmulator, everyone, type Functions, method } from './an-emulator.ts';

const order = {
  type: 'object',
  properties: { order: { type: 'string' } },
  required: ['order'],
  additionalProperties: false,
};

const functions: Functions = {
  'tools/status': {
    config: {
      type: 'ai-tool',
      name: 'status',
      description: 'Status of an order',
      input: order,
      output: { type: 'object', required: ['state'] },
      limits: { maxResultBytes: 100 },
    },
    body: 'const { order } = sdk.tool.args; return order === "broken" ? {} : order === "long" ? { state: "x".repeat(200) } : { state: "sent", seen: sdk.tool.conversation?.id ?? null };',
  },
  'tools/slow-pattern': {
    config: {
      type: 'ai-tool',
      name: 'slow',
      description: 'A pattern that backtracks',
      input: { type: 'object', properties: { a: { type: 'string', pattern: '^(a+)+$' } } },
    },
    body: 'return 1;',
  },
  'tools/no-schema': {
    config: {
      type: 'ai-tool',
      name: 'odd',
      description: 'A schema that is none',
      input: { type: 'object', properties: { a: { type: 'nonsense' } } },
    },
    body: 'return 1;',
  },
  'flow-nodes/check': {
    config: {
      type: 'custom-flow-node',
      title: 'Check',
      input: order,
      outcomes: ['in stock', 'sold-out'].map((name) => name.replace(' ', '-')),
    },
    body: 'const { order } = sdk.flow.input; if (order === "seen") return { outcome: "in-stock", output: sdk.flow.variables }; return order === "odd" ? { outcome: "elsewhere" } : order === "surplus" ? { outcome: "sold-out", next: 1 } : { outcome: "in-stock", output: { order, who: sdk.flow.customer?.phone ?? null }, variables: { a: 1 } };',
  },
  'cron/nightly': {
    config: { type: 'cron-job', schedule: '0 3 * * *', timezone: 'Europe/Berlin' },
    body: 'await sdk.store.increment("runs"); return { at: sdk.cron.scheduledAt, last: sdk.cron.lastRunAt, now: sdk.context.now().toISOString().slice(0, 16) };',
  },
  setup: {
    config: {
      type: 'custom-app-setup',
      settings: {
        type: 'object',
        properties: { region: { enum: ['eu', 'us'] }, fail: { type: 'boolean' } },
        additionalProperties: false,
      },
    },
    body: 'await sdk.vars.set("phase", sdk.setup.phase); if (sdk.setup.settings.fail) throw new Error("the ERP says no."); return sdk.setup;',
  },
  'views/panel': { config: { type: 'custom-view', title: 'Panel', placement: 'page' }, body: '' },
};

const start = (now = '2029-03-24T12:00:00.000Z') => anEmulator({ functions, now });
const { emulator, workspace } = await start();
const door = emulator.door(everyone);
const invoke = (name: string, input: unknown, more: object = {}) =>
  door('functions.invoke', { app: 'shop', name, input: input as never, ...more });

async function refused(asked: Promise<unknown>, code: string): Promise<WorkspaceError> {
  const error = await asked.then(
    () => assert.fail('it was not refused'),
    (thrown: unknown) => thrown,
  );
  assert.ok(error instanceof WorkspaceError, String(error));
  assert.equal(error.code, code, error.message);
  return error;
}

test('a tool gets arguments that fit its schema, and gives a result that fits its own', async () => {
  assert.deepEqual((await invoke('tools/status', { order: 'A-17' })).result, { state: 'sent', seen: null });
  const error = await refused(invoke('tools/status', { order: 17, x: 1 }), 'function_input_invalid');
  assert.deepEqual(error.errors?.map(({ path }) => path).sort(), ['order', 'x']);
  await refused(invoke('tools/status', { order: 'broken' }), 'result_invalid');
  assert.match((await refused(invoke('tools/status', { order: 'long' }), 'result_invalid')).message, /maxResultBytes/);
});

test('null is an input of its own, not one that is missing', async () => {
  for (const name of ['tools/status', 'flow-nodes/check']) {
    const { errors } = await refused(invoke(name, null), 'function_input_invalid');
    assert.deepEqual(errors, [{ path: '', message: 'must be an object' }]);
  }
});

// Where it backtracked there would be no answer in a lifetime.
test('a pattern that would backtrack for ages is checked at once', async () => {
  await refused(invoke('tools/slow-pattern', { a: `${'a'.repeat(200)}!` }), 'function_input_invalid');
});

test('a schema that cannot be compiled disables its tool with a clear message', async () => {
  const { message, status } = await refused(invoke('tools/no-schema', {}), 'function_broken');
  assert.equal(status, 500);
  assert.match(message, /config\.input of tools\/no-schema is not a usable JSON Schema/);
});

test('a tool works in the conversation it is called in', async () => {
  const { conversationId } = await door('messages.receive', { phone: '+4930901820', text: 'Hi' });
  assert.deepEqual((await invoke('tools/status', { order: '1' }, { conversationId })).result, {
    state: 'sent',
    seen: conversationId,
  });
  const { result } = await invoke('flow-nodes/check', { order: '1' }, { conversationId });
  assert.deepEqual(result, { outcome: 'in-stock', output: { order: '1', who: '+4930901820' }, variables: { a: 1 } });
  await refused(invoke('tools/status', { order: '1' }, { conversationId: 'cnv_none' }), 'conversation_not_found');
});

test('a flow node answers with one of its outcomes and nothing else', async () => {
  assert.match(
    (await refused(invoke('flow-nodes/check', { order: 'odd' }), 'result_invalid')).message,
    /'in-stock', 'sold-out'/,
  );
  assert.match((await refused(invoke('flow-nodes/check', { order: 'surplus' }), 'result_invalid')).message, /"next"/);
  const seen = async (more: object) => (await invoke('flow-nodes/check', { order: 'seen' }, more)).result;
  assert.deepEqual(await seen({}), { outcome: 'in-stock', output: {} });
  assert.deepEqual(await seen({ variables: { shopIsOpen: true } }), {
    outcome: 'in-stock',
    output: { shopIsOpen: true },
  });
  await refused(invoke('flow-nodes/check', { order: 'seen' }, { variables: ['open'] }), 'input_invalid');
  await refused(invoke('flow-nodes/check', {}), 'function_input_invalid');
});

test('a view cannot be invoked, and an unknown function suggests a near one', async () => {
  await refused(invoke('views/panel', {}), 'function_type_mismatch');
  assert.match((await refused(invoke('tools/statsu', {}), 'function_not_found')).hint ?? '', /tools\/status/);
});

test('a Cron Job takes the times of its run, and refuses anything else', async () => {
  const given = { scheduledAt: '2030-01-31T10:00:00+01:00', lastRunAt: null };
  const { result } = await invoke('cron/nightly', given);
  const { at, last } = result as { at: string; last: unknown };
  assert.deepEqual([at, last], ['2030-01-31T09:00:00.000Z', null]);
  const wrong = [
    [{ order: '1' }, /^cron\/nightly: .*order/],
    [{ scheduledAt: 'tonight' }, /^cron\/nightly: scheduledAt must be a time like/],
    ['2030-01-31T09:00:00Z', /^cron\/nightly: .*object/],
  ] as const;
  for (const [input, message] of wrong)
    assert.match((await refused(invoke('cron/nightly', input as never), 'function_input_invalid')).message, message);
});

test('what a function of its type never receives is refused, not ignored', async () => {
  const { conversationId } = await door('messages.receive', { phone: '+4930901820', text: 'Hi' });
  const extras = [
    ['tools/status', { request: { query: { order: '1' } } }, /receives no HTTP method, query or headers/],
    ['tools/status', { variables: { open: true } }, /no variables: only a Custom Flow Node does/],
    ['cron/nightly', { conversationId }, /no conversation: only a Custom Flow Node or AI Tool does/],
  ] as const;
  for (const [name, more, message] of extras) {
    const error = await refused(invoke(name, { order: '1' }, more), 'function_type_mismatch');
    assert.match(error.message, message);
  }
});

test('a cron job fires once when the clock jumps over many of its times, in its own zone, with summer time', async () => {
  const living = await start('2029-03-24T12:00:00.000Z');
  const call = living.emulator.door(everyone);
  // Summer time begins in Berlin on 25 March 2029: 3 o'clock is 1 o'clock UTC from then on.
  assert.equal((await call('clock.advance', { ms: 86_400_000 })).fired, 1);
  assert.equal((await call('clock.advance', { ms: 5 * 86_400_000 })).fired, 1);
  assert.equal((await call('clock.advance', { ms: 60_000 })).fired, 0);
  const { items } = await call('invocations.list', { app: 'shop', function: 'cron/nightly' });
  const results = await Promise.all(items.map(async ({ id }) => (await call('invocations.show', { id })).result));
  assert.deepEqual(results, [
    { at: '2029-03-30T01:00:00.000Z', last: '2029-03-25T01:00:00.000Z', now: '2029-03-30T01:00' },
    { at: '2029-03-25T01:00:00.000Z', last: null, now: '2029-03-25T01:00' },
  ]);
  assert.equal((await call('clock.set', { now: '2029-04-03T12:00:00.000Z' })).fired, 1);
});

test('after a reset a cron job has never run', async () => {
  const living = await start('2029-03-24T12:00:00.000Z');
  const call = living.emulator.door(everyone);
  await call('clock.advance', { ms: 86_400_000 });
  await call('workspace.reset', {});
  await call('clock.advance', { ms: 86_400_000 });
  const { items } = await call('invocations.list', { app: 'shop', function: 'cron/nightly' });
  const results = await Promise.all(items.map(async ({ id }) => (await call('invocations.show', { id })).result));
  assert.deepEqual(results, [{ at: '2029-03-26T01:00:00.000Z', last: null, now: '2029-03-26T01:00' }]);
});

/** A job of every hour that runs until somebody opens the gate. */
const hourly = (overlap: 'skip' | 'queue'): Functions => ({
  'cron/hourly': {
    config: { type: 'cron-job', schedule: '0 * * * *', timezone: 'UTC', overlap },
    body: `console.log('began'); while (!(await sdk.store.get('go'))) await new Promise((done) => setTimeout(done, 5));
      return sdk.cron.scheduledAt;`,
  },
  'api/go': method('await sdk.store.set("go", true); return 1;'),
});

/** Lets three hours strike while the first run has not ended, then opens the gate. @returns when the runs were due, in order */
async function strike(overlap: 'skip' | 'queue', runs: number) {
  const living = await anEmulator({ functions: hourly(overlap), now: '2029-03-24T12:30:00.000Z' });
  const call = living.emulator.door(everyone);
  const planned = async () =>
    (await living.workspace.jobs.waiting('cron'))
      .map(({ due }) => due)
      .sort()
      .at(-1) ?? 0;
  await until('the schedule', async () => (await planned()) > 0);
  for (let hour = 0; hour < 3; hour++) {
    living.clock.advance(3_600_000);
    await until('the next job', async () => (await planned()) > living.clock.now());
    await until('the beginning', () => living.events.some((event) => event.type === 'log' && event.text === 'began'));
  }
  await living.post('/custom-functions/shop/api/go.js', {});
  const ended = () => living.events.filter((event) => event.type === 'invoked' && event.trigger === 'cron').length;
  await until('the runs', () => ended() === runs);
  assert.equal((await call('clock.advance', { ms: 3_600_000 })).fired, 1);
  const { items } = await call('invocations.list', { app: 'shop', function: 'cron/hourly' });
  const results = await Promise.all(items.map(async ({ id }) => (await call('invocations.show', { id })).result));
  return results.toReversed();
}

test('overlap skip: while a run has not ended, the job does not fire', async () => {
  assert.deepEqual(await strike('skip', 1), ['2029-03-24T13:00:00.000Z', '2029-03-24T16:00:00.000Z']);
});

test('overlap queue: what fell due meanwhile runs afterwards, in its order, one at a time', async () => {
  assert.deepEqual(
    await strike('queue', 3),
    [13, 14, 15, 16].map((hour) => `2029-03-24T${hour}:00:00.000Z`),
  );
});

test('a clock set back makes no job fire', async () => {
  const living = await start();
  const call = living.emulator.door(everyone);
  await call('clock.advance', { ms: 1 });
  await call('clock.set', { now: '2029-01-01T00:00:00.000Z' });
  assert.deepEqual((await call('invocations.list', { app: 'shop' })).items, []);
});

test('installing an app runs its setup with settings that fit; a setup that throws leaves the version and settings before', async () => {
  await refused(door('apps.install', { app: 'shop', settings: { region: 'mars' } }), 'settings_invalid');
  assert.equal((await workspace.apps.state('shop')).installed, false);
  const { setup } = await door('apps.install', { app: 'shop', settings: { region: 'eu' } });
  assert.deepEqual(setup?.result, { phase: 'install', settings: { region: 'eu' }, fromVersion: null });
  const error = await refused(
    door('apps.install', { app: 'shop', settings: { region: 'us', fail: true } }),
    'setup_failed',
  );
  assert.deepEqual(error.details?.['changed'], ['vars.set']);
  assert.match(error.message, /the ERP says no; by then it had done vars\.set/);
  assert.deepEqual((await workspace.apps.state('shop')).settings, { region: 'eu' });
  await door('apps.uninstall', { app: 'shop' });
  assert.equal((await door('vars.get', { app: 'shop', name: 'phase' })).value, 'uninstall');
  await refused(door('apps.uninstall', { app: 'shop' }), 'app_not_installed');
  await refused(door('apps.install', { app: 'nobody' }), 'app_unknown');
});

test('a switch runs the setup of the release that goes live, and nothing when it is refused or repeated', async () => {
  const release = (name: string, base: string | null) =>
    deploy(
      {
        'setup.js': {
          config: { type: 'custom-app-setup' },
          body: `
            const { phase } = sdk.setup;
            await sdk.vars.set({ name: 'release', value: '${name} ' + phase });
            if (await sdk.store.get('stuck')) throw new Error('not now');`,
        },
        'api/stick.js': {
          config: { type: 'server-side-method', expose: { methods: ['POST'] } },
          body: 'await sdk.store.set("stuck", true);',
        },
      },
      base,
      'desk',
    );
  const first = await release('one', null);
  await door('deployments.activate', { app: 'desk', id: first });
  const second = await release('two', first);
  await door('deployments.activate', { app: 'desk', id: second });
  const left = async () => (await door('vars.get', { app: 'desk', name: 'release' })).value;
  assert.equal(await left(), 'two update');
  await door('deployments.rollback', { app: 'desk' });
  assert.equal(await left(), 'one update');
  await door('deployments.rollback', { app: 'desk', to: second });
  assert.equal(await left(), 'two update');

  const key = { idempotencyKey: 'back' };
  const back = await door('deployments.rollback', { app: 'desk' }, key);
  await door('deployments.rollback', { app: 'desk', to: second });
  await door('vars.set', { app: 'desk', name: 'release', value: 'untouched' });
  assert.deepEqual(await door('deployments.rollback', { app: 'desk' }, key), back);
  assert.equal(await left(), 'untouched', 'a repeat goes nowhere, and sets nothing up');
  assert.equal((await workspace.apps.state('desk')).version, second);

  const late = await deploy(
    {
      'setup.js': { config: { type: 'custom-app-setup' }, body: 'await sdk.vars.set({ name: "release", value: 3 });' },
    },
    second,
    'desk',
  );
  await refused(door('deployments.rollback', { app: 'desk', to: late }), 'deployment_not_found');
  await door('deployments.rollback', { app: 'desk', to: first });
  await refused(door('deployments.activate', { app: 'desk', id: late }), 'version_conflict');
  assert.equal(await left(), 'one update', 'what is refused changes nothing');

  await door('functions.invoke', { app: 'desk', name: 'api/stick', input: {} });
  await refused(door('deployments.rollback', { app: 'desk', to: second }), 'setup_failed');
  assert.equal((await door('deployments.show', { app: 'desk', id: 'live' })).id, first);
});

test('two who install an app at once do it one after the other', async () => {
  const { emulator: other } = await anEmulator({
    functions: {
      setup: {
        config: { type: 'custom-app-setup', settings: { type: 'object', properties: { waitMs: { type: 'integer' } } } },
        body: `await new Promise((resolve) => setTimeout(resolve, sdk.setup.settings.waitMs)); return sdk.setup.phase;`,
      },
    },
  });
  const call = other.door(everyone);
  const [first, second] = await Promise.all(
    [30, 0].map((waitMs) => call('apps.install', { app: 'shop', settings: { waitMs } })),
  );
  assert.deepEqual([first?.setup?.result, second?.setup?.result], ['install', 'update']);
  const { items } = await call('apps.list', {});
  assert.deepEqual(items.find(({ app }) => app === 'shop')?.settings, { waitMs: 0 });
});

/** Releases of an app, of which the first is live. Their setup notes what it is told, and waits for the gate where its settings say so. */
async function releases(app: string) {
  const release = (name: string, base: string | null) =>
    deploy(
      {
        'setup.js': {
          config: { type: 'custom-app-setup' },
          body: `
            const { phase, settings } = sdk.setup;
            await sdk.store.increment('runs of ${name}');
            while (settings.waits && !(await sdk.store.get('go'))) {
              await sdk.store.set('waits', true);
              await new Promise((done) => setTimeout(done, 5));
            }
            await sdk.vars.set({ name: 'release', value: '${name} ' + phase + ' ' + (settings.region ?? 'anywhere') });`,
        },
        'state.js': {
          config: { type: 'server-side-method', expose: { methods: ['POST'] } },
          body: `return { waits: await sdk.store.get('waits'), two: await sdk.store.get('runs of two'), three: await sdk.store.get('runs of three') };`,
        },
        'go.js': {
          config: { type: 'server-side-method', expose: { methods: ['POST'] } },
          body: 'await sdk.store.set("go", true); return 1;',
        },
      },
      base,
      app,
    );
  const first = await release('one', null);
  await door('deployments.activate', { app, id: first });
  const second = await release('two', first);
  const third = await release('three', first);
  const state = async () => (await door('functions.invoke', { app, name: 'state' })).result as Record<string, unknown>;
  return { second, third, state, go: () => door('functions.invoke', { app, name: 'go' }) };
}

test('a function that runs during a switch calls the methods of its own release, and a setup those of the release it prepares', async () => {
  const app = 'relay';
  const release = (name: string, base: string | null) =>
    deploy(
      {
        'setup.js': {
          config: { type: 'custom-app-setup' },
          body: `await sdk.vars.set({ name: 'prepared', value: await sdk.methods.call('name') });`,
        },
        'name.js': { config: { type: 'server-side-method' }, body: `return '${name}';` },
        'wait.js': {
          config: { type: 'server-side-method' },
          body: `
            await sdk.store.set('waits', true);
            while (!(await sdk.store.get('go'))) await new Promise((done) => setTimeout(done, 5));
            return ['${name}', await sdk.methods.call('name')];`,
        },
        'waits.js': { config: { type: 'server-side-method' }, body: 'return sdk.store.get("waits");' },
        'go.js': { config: { type: 'server-side-method' }, body: 'await sdk.store.set("go", true);' },
      },
      base,
      app,
    );
  const run = async (name: string) => (await door('functions.invoke', { app, name, input: {} })).result;
  const prepared = async () => (await door('vars.get', { app, name: 'prepared' })).value;
  const first = await release('one', null);
  await door('deployments.activate', { app, id: first });
  assert.equal(await prepared(), 'one');

  const waiting = run('wait');
  await until('the wait', async () => (await run('waits')) === true);
  await door('deployments.activate', { app, id: await release('two', first) });
  assert.equal(await prepared(), 'two');
  await run('go');
  assert.deepEqual(await waiting, ['one', 'one']);
  assert.deepEqual(await run('wait'), ['two', 'two']);
});

test('a switch waits for the setup of an install under way: the release that is live has seen the last settings', async () => {
  const app = 'lamp';
  const { second, state, go } = await releases(app);
  const installing = door('apps.install', { app, settings: { region: 'eu', waits: true } });
  await until('the setup', async () => (await state())['waits'] === true);
  const switching = door('deployments.activate', { app, id: second });
  await go();
  await Promise.all([installing, switching]);
  assert.equal((await door('vars.get', { app, name: 'release' })).value, 'two update eu');
  const { items } = await door('apps.list', {});
  const { version, settings } = items.find((item) => item.app === app) ?? {};
  assert.deepEqual({ version, settings }, { version: second, settings: { region: 'eu', waits: true } });
});

test('of two who switch an app under one key at once one does it, and the other is told', async () => {
  const app = 'vase';
  const { second, state } = await releases(app);
  const activate = () => door('deployments.activate', { app, id: second }, { idempotencyKey: 'once' });
  const [one, other] = await Promise.all([activate(), activate()]);
  assert.deepEqual(one, other);
  assert.equal((await state())['two'], 1);
});

test('of two who switch an app to different releases at once the later one is refused before its setup runs', async () => {
  const app = 'desk-lamp';
  const { second, third, state } = await releases(app);
  const switched = await Promise.allSettled([second, third].map((id) => door('deployments.activate', { app, id })));
  assert.deepEqual(
    switched.map(({ status }) => status),
    ['fulfilled', 'rejected'],
  );
  assert.deepEqual(await state(), { waits: null, two: 1, three: null });
});

const programOf = (body: string) => `(async (register) => { register({ default: async (sdk) => { ${body} } }); })`;
const hashOf = (text: string) => createHash('sha256').update(text).digest('hex');

async function deploy(
  files: Record<string, { config: Record<string, unknown>; body: string }>,
  baseVersion: string | null,
  app = 'till',
) {
  const texts = Object.values(files).map(({ body }) => programOf(body));
  const manifest = Object.entries(files).map(([path, { config }], i) => ({
    path,
    type: config['type'] as 'server-side-method',
    config: config as never,
    sha256: hashOf(texts[i] ?? ''),
    bytes: Buffer.byteLength(texts[i] ?? ''),
  }));
  const made = await door('deployments.create', { app, baseVersion, manifest });
  for (const text of texts.filter((one) => made.missing.includes(hashOf(one)))) {
    await workspace.deployments.putFile({ app, id: made.id ?? '', sha256: hashOf(text) }, chunks(text));
  }
  return made.id ?? '';
}

async function* chunks(text: string) {
  yield Buffer.from(text);
}

test('a deployed function runs from its deployment, and a setup that throws keeps the release before', async () => {
  const pay = { type: 'server-side-method', expose: { methods: ['GET'] } };
  const setup = { type: 'custom-app-setup' };
  const first = await deploy(
    {
      'api/pay.js': { config: pay, body: 'return "one";' },
      'setup.js': { config: setup, body: 'return sdk.setup.phase;' },
    },
    null,
  );
  await door('deployments.activate', { app: 'till', id: first });
  const run = async () => (await door('functions.invoke', { app: 'till', name: 'api/pay' })).result;
  assert.equal(await run(), 'one');
  assert.equal((await workspace.apps.state('till')).version, first);
  const broken = await deploy(
    {
      'api/pay.js': { config: pay, body: 'return "two";' },
      'setup.js': { config: setup, body: 'throw new Error(sdk.setup.phase);' },
    },
    first,
  );
  assert.match(
    (await refused(door('deployments.activate', { app: 'till', id: broken }), 'setup_failed')).message,
    /update/,
  );
  assert.equal(await run(), 'one');
  const third = await deploy({ 'api/pay.js': { config: pay, body: 'return "three";' } }, first);
  await door('deployments.activate', { app: 'till', id: third });
  assert.equal(await run(), 'three');
  await door('deployments.rollback', { app: 'till', to: first });
  assert.equal(await run(), 'one');
});
