import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { between, type Fate, type Passing } from '../../bench/faults/between.ts';
import { type HeldWrite, openClient, relayDoor } from '../../src/client/index.ts';
import { type Door, type OperationName, operationNames, operationOf } from '../../src/contract/index.ts';
import { shapes } from '../../src/contract/shapes/index.ts';
import { WorkspaceError } from '../../src/std/index.ts';
import { runFn } from '../cli/context.ts';
import { spawnFn } from '../cli/fn-process.ts';
import { deadPort } from '../client/server.ts';
import { anApp, type Elsewhere, elsewhere } from '../deploy/elsewhere.ts';
import { Dev } from './app.ts';

let remote: Elsewhere;
let folder = '';
let conversationId = '';

before(async () => {
  remote = await elsewhere();
  const { items } = await remote.local.door()('conversations.list', { inbox: 'all', limit: 1 });
  conversationId = items[0]?.id ?? '';
  folder = anApp({
    'functions/answer.js': `
export const config = { type: 'server-side-method', expose: { methods: ['POST'], auth: 'public' } };
export default async function (sdk) {
  const { items: [conversation] } = await sdk.conversations.list({ inbox: 'all', limit: 1 });
  const message = await sdk.messages.send({ conversationId: conversation.id, text: 'on our way' });
  await sdk.conversations.assign({ id: conversation.id, assign: null });
  await sdk.store.set('seen', conversation.id);
  return { conversation: conversation.id, text: message.text, seen: await sdk.store.get('seen') };
}
`,
  });
});
after(async () => {
  await remote.close();
});

const fn = (...argv: string[]) => runFn(argv, { cwd: folder, env: remote.env });
/** Grows with every change of the workspace. */
const changes = () => remote.local.workspace.events.latest();
const messages = async () => (await remote.local.door()('messages.list', { conversationId, limit: 100 })).items;

describe('fn invoke --relay', () => {
  test('runs local code on the data elsewhere, changes nothing there and lists what it would have', async () => {
    const before = await changes();
    const { exitCode, out, err } = await fn('invoke', 'answer', '--relay');
    assert.equal(exitCode, 0, err);
    assert.deepEqual(JSON.parse(out), { conversation: conversationId, text: 'on our way', seen: conversationId });
    assert.match(err, /2 writes were held back/);
    assert.match(err, /^messages\.send {9}\{.*"text":"on our way".*\}$/m);
    assert.match(err, /^conversations\.assign {2}\{.*\}$/m);
    assert.equal(await changes(), before);
  });

  test('a workspace that does not answer, or not with this token, is no failure of the function', async () => {
    const away = { ...remote.env, FN_BASE_URL: `http://127.0.0.1:${deadPort}` };
    const foreign = { ...remote.env, FN_TOKEN: `fn_local_${'x'.repeat(32)}` };
    for (const [env, expected] of [
      [away, 7],
      [foreign, 4],
    ] as const) {
      const { exitCode, err } = await runFn(['invoke', 'answer', '--relay'], { cwd: folder, env });
      assert.equal(exitCode, expected, err);
      assert.doesNotMatch(err, /A bug|answer\.js/);
    }
  });

  describe('of a function that goes on without an answer', () => {
    const caught = `
export const config = { type: 'server-side-method', expose: { methods: ['POST'], auth: 'public' } };
export default async function (sdk) {
  const codes = [];
  const { items: [conversation] } = await sdk.conversations.list({ inbox: 'all', limit: 1 });
  const one = async (work) => { try { await work(); codes.push('ok'); } catch (error) { codes.push(error.code); } };
  await one(() => sdk.messages.send({ conversationId: conversation.id, text: 'on our way' }));
  await (sdk.request.url.includes('hard') ? sdk.channels.list({}) : one(() => sdk.channels.list({})));
  return codes;
}
`;
    /** @param fate of requests by method, after the first read */
    async function withCut(fates: (passing: Passing) => Fate | undefined, ...more: string[]) {
      const folder = anApp({ 'functions/caught.js': caught });
      const proxy = await between(remote.url);
      proxy.watch({ arrived: (passing) => (passing.n === 1 ? undefined : fates(passing)) });
      try {
        const env = { ...remote.env, FN_BASE_URL: proxy.url };
        const argv = ['invoke', 'caught', '--relay', '--allow', 'messages.send', '--json', ...more];
        return await runFn(argv, { cwd: folder, env });
      } finally {
        await proxy.close();
      }
    }
    const away: Fate = {
      kind: 'answer',
      done: false,
      status: 429,
      headers: { 'content-type': 'application/problem+json', 'retry-after': '86400' },
      body: '{"code":"rate_limited","title":"later"}',
    };

    test('a write whose answer is lost ends with 8: it may have been carried out', async () => {
      const { exitCode, err } = await withCut(({ method }) =>
        method === 'POST' ? { kind: 'reset', done: true } : undefined,
      );
      assert.equal(exitCode, 8, err);
      assert.match(err, /messages\.send may or may not have been carried out/);
    });

    test('a read that ends it behind an allowed write does not say that nothing was changed', async () => {
      const cut = ({ path }: Passing) => (path.includes('/channels') ? away : undefined);
      const { exitCode, err } = await withCut(cut, '--query', 'hard=1');
      assert.equal(exitCode, 8, err);
      assert.match(err, /by then it had carried out messages\.send/);
      assert.doesNotMatch(err, /Nothing was changed/);
    });

    test('a read that fails alone is told beside the result, and the function learns its code', async () => {
      const { exitCode, out, err } = await withCut(({ path, method }) =>
        path.includes('/channels') || method === 'POST' ? away : undefined,
      );
      assert.equal(exitCode, 0, err);
      assert.deepEqual(JSON.parse(out).result, ['rate_limited', 'rate_limited']);
      assert.match(err, /no answer .* accepts no requests before/);
    });
  });

  test('lets a write through that --allow names, and holds the others', async () => {
    const before = (await messages()).length;
    const { exitCode, err } = await fn('invoke', 'answer', '--relay', '--allow', 'messages.send');
    assert.equal(exitCode, 0, err);
    assert.match(err, /1 write was held back/);
    assert.doesNotMatch(err, /^messages\.send/m);
    assert.equal((await messages()).length, before + 1);
  });

  const refused: [string, string[], number, RegExp][] = [
    ['an operation that does not exist', ['--relay', '--allow', 'message.send'], 2, /messages\.send/],
    ['a read', ['--relay', '--allow', 'customers.get'], 2, /goes through anyway/],
    ['an operation without --relay', ['--allow', 'messages.send'], 2, /--relay/],
    ['--remote at the same time', ['--relay', '--remote'], 2, /cannot be combined/],
  ];
  for (const [what, flags, expected, words] of refused) {
    test(`refuses ${what}`, async () => {
      const before = await changes();
      const { exitCode, out, err } = await fn('invoke', 'answer', ...flags);
      assert.equal(exitCode, expected, err);
      assert.equal(out, '');
      assert.match(err, words);
      assert.equal(await changes(), before);
    });
  }

  test('without a login ends with 4', async () => {
    const { exitCode } = await runFn(['invoke', 'answer', '--relay'], {
      cwd: folder,
      env: { XDG_CONFIG_HOME: `${folder}/nothing` },
    });
    assert.equal(exitCode, 4);
  });
});

describe('fn dev --relay', () => {
  test('serves local code on the data elsewhere and tells of every write that it held back', async () => {
    const before = await changes();
    const { child } = spawnFn(['dev', '--json', '--port', '0', '--relay'], { cwd: folder, env: remote.env });
    const dev = new Dev(child);
    try {
      await dev.event(({ type }) => type === 'ready');
      const url = `${dev.ready.url}/api/dev/custom-functions/order-desk/answer.js`;
      const answer = await fetch(url, { method: 'POST' });
      assert.equal(((await answer.json()) as { conversation: string }).conversation, conversationId);
      const held = await dev.event(({ type, operation }) => type === 'held' && operation === 'messages.send');
      assert.equal((held['input'] as { text: string }).text, 'on our way');
      assert.equal(await changes(), before);
      assert.ok(!(dev.err + JSON.stringify(dev.lines)).includes(remote.token));
    } finally {
      await dev.stop();
    }
  });
});

test('a function of fn dev --relay learns the code of a request without an answer', async () => {
  const folder = anApp({
    'functions/ask.js': `
export const config = { type: 'server-side-method', expose: { methods: ['POST'], auth: 'public' } };
export default (sdk) => sdk.channels.list({}).catch(({ code, message }) => ({ code, message }));
`,
  });
  const env = { ...remote.env, FN_BASE_URL: `http://127.0.0.1:${deadPort}` };
  const { child } = spawnFn(['dev', '--json', '--port', '0', '--relay'], { cwd: folder, env });
  const dev = new Dev(child);
  try {
    await dev.event(({ type }) => type === 'ready');
    const answer = await fetch(`${dev.ready.url}/api/dev/custom-functions/order-desk/ask.js`, { method: 'POST' });
    const { code, message } = (await answer.json()) as { code: string; message: string };
    assert.equal(code, 'connection_refused', message);
  } finally {
    await dev.stop();
  }
});

test('fn dev --relay says whose data the functions see, and what becomes of their writes', async () => {
  const { exitCode, err } = await fn('dev', '--relay', '--once', '--port', '0');
  assert.equal(exitCode, 0, err);
  assert.match(err, /Functions read from .+ at http.+; writes are held back\./);
});

describe('a write that is held back', () => {
  /** Every write of the sdk that goes to the workspace, with an input that the workspace would take. */
  const inputs = async (): Promise<Partial<Record<OperationName, unknown>>> => {
    const { items } = await remote.local.door()('customers.list', { limit: 1 });
    const id = items[0]?.id;
    return {
      'customers.findOrCreate': { phone: '+4930901820099', name: 'New' },
      'customers.update': { id, name: 'Changed' },
      'conversations.assign': { id: conversationId, assign: null },
      'conversations.close': { id: conversationId },
      'conversations.reopen': { id: conversationId },
      'messages.send': { conversationId, text: 'hello' },
      'sessions.link': { phone: '+4930901820098' },
    };
  };
  const relayed = () => {
    const held: HeldWrite[] = [];
    const client = openClient({ baseUrl: remote.url, slug: 'acme', token: remote.token, env: {} });
    const own: Door = (name) => Promise.reject(new Error(`${name} was asked of the local workspace`));
    const asked: OperationName[] = [];
    const there: Door = (name, input, options) => {
      asked.push(name);
      return client(name, input, options);
    };
    return { door: relayDoor(there, own, { allow: [], onHeld: (write) => held.push(write) }), held, asked };
  };

  test('is answered in the shape in which the workspace answers, and changes nothing', async () => {
    const before = await changes();
    for (const [name, input] of Object.entries(await inputs()) as [OperationName, never][]) {
      const { door } = relayed();
      const checked = shapes[name].output.safeParse(await door(name, input));
      assert.ok(checked.success, `${name}: ${checked.error?.message}`);
    }
    assert.equal(await changes(), before);
  });

  test('is never let through unasked, whatever its operation', async () => {
    const before = await changes();
    const known = await inputs();
    const others = operationNames.filter((name) => {
      const { effect, route, localOnly, relay } = operationOf(name);
      return effect !== 'read' && route !== null && !localOnly && relay !== 'local' && !(name in known);
    });
    assert.ok(others.includes('templates.uploadCredentials') && others.includes('apps.uninstall'));
    for (const name of others) {
      const { door, asked } = relayed();
      await assert.rejects(door(name, {} as never), WorkspaceError, name);
      assert.deepEqual(asked, []);
    }
    assert.equal(await changes(), before);
  });

  test('that the workspace would refuse is refused', async () => {
    const { door, held } = relayed();
    await assert.rejects(door('messages.send', { conversationId, text: 'x', surplus: 1 } as never), {
      code: 'input_invalid',
    });
    await assert.rejects(door('messages.send', { conversationId: 'cnv_nobody', text: 'x' }), {
      code: 'conversation_not_found',
    });
    assert.deepEqual(held, []);
  });

  test('whose answer nobody can know is refused, and says how to let it through', async () => {
    const input = { fileName: 'a.png', contentType: 'image/png', bytes: 10 };
    await assert.rejects(relayed().door('templates.uploadCredentials', input), {
      code: 'operation_not_allowed',
      hint: /--allow templates\.uploadCredentials/,
    });
  });

  test('is not listed when it would have changed nothing', async () => {
    const { door, held } = relayed();
    const conversation = await remote.local.door()('conversations.get', { id: conversationId });
    const same = conversation.status === 'open' ? 'conversations.reopen' : 'conversations.close';
    await door(same, { id: conversationId });
    assert.deepEqual(held, []);
  });
});
