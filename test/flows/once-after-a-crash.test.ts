import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { suite, test } from 'node:test';
import { App, type Dev } from './app.ts';
import { childrenOf } from './processes.ts';

/** Sends a message, and then waits until somebody opens the gate. */
const greet = `
export const config = { type: 'server-side-method', expose: { methods: ['POST'], auth: 'token' } };
export default async (sdk) => {
  const { phone } = await sdk.request.json();
  const { conversationId } = await sdk.sessions.link({ phone });
  const message = await sdk.messages.send({ conversationId, text: 'Your order is on its way' });
  console.log('sent', conversationId);
  while (!(await sdk.store.get('gate'))) await new Promise((done) => setTimeout(done, 5));
  return { conversationId, messageId: message.id };
};
`;
const gate = `
export const config = { type: 'server-side-method', expose: { methods: ['POST'], auth: 'token' } };
export default (sdk) => sdk.store.set('gate', true);
`;
/** Has another method send the message. */
const outer = `
export const config = { type: 'server-side-method', expose: { methods: ['POST'], auth: 'token' } };
export default async (sdk) => sdk.methods.call('greet', await sdk.request.json());
`;
/** Has another method send each message; waits in the middle until it is run a second time. */
const each = `
export const config = { type: 'server-side-method', expose: { methods: ['POST'], auth: 'token' } };
export default async (sdk) => {
  const { people } = await sdk.request.json();
  for (const phone of people) {
    if (await sdk.store.get(phone)) continue;
    await sdk.methods.call('greet', { phone });
    await sdk.store.set(phone, true);
    if (phone !== people[1] || (await sdk.store.get('again'))) continue;
    await sdk.store.set('again', true);
    console.log('half done');
    await new Promise((done) => setTimeout(done, 20_000));
  }
  return { done: people.length };
};
`;

interface Answer {
  readonly status: number;
  readonly replayed: boolean;
  readonly body: Record<string, unknown>;
}

async function post(dev: Dev, path: string, body: unknown, key?: string): Promise<Answer> {
  const response = await fetch(`${dev.ready.url}/api/dev${path}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${dev.ready.token}`,
      'content-type': 'application/json',
      ...(key !== undefined && { 'idempotency-key': key }),
    },
    body: JSON.stringify(body),
  });
  const replayed = response.headers.get('idempotent-replayed') === 'true';
  const answer = (await response.json()) as Record<string, unknown> | null;
  return { status: response.status, replayed, body: answer ?? {} };
}

async function messagesIn(dev: Dev, conversationId: string): Promise<number> {
  const response = await fetch(`${dev.ready.url}/api/dev/conversations/${conversationId}/messages`, {
    headers: { authorization: `Bearer ${dev.ready.token}` },
  });
  const { items } = (await response.json()) as { items: unknown[] };
  return items.length;
}

async function killed(dev: Dev): Promise<void> {
  dev.child.kill('SIGKILL');
  await dev.ended;
}

/** Writes to everybody who is left, and waits after the second; `at` says whether a time is in it. */
const notify = `
export const config = { type: 'server-side-method', expose: { methods: ['POST'], auth: 'token' } };
export default async (sdk) => {
  const { people, at } = await sdk.request.json();
  for (const phone of people) {
    if (await sdk.store.get(phone)) continue;
    const { conversationId } = await sdk.sessions.link({ phone });
    await sdk.messages.send({ conversationId, text: at ? 'At ' + performance.timeOrigin : 'Your order is on its way' });
    if (phone === people[1]) {
      console.log('sent', conversationId);
      while (!(await sdk.store.get('gate'))) await new Promise((done) => setTimeout(done, 5));
    }
    await sdk.store.set(phone, true);
  }
  return { done: people.length };
};
`;

suite('a request with an Idempotency-Key that a crash cut off', () => {
  test('repeated by functions.invoke, a function has sent exactly one message, too', async () => {
    const app = new App({ 'functions/greet.js': greet, 'functions/gate.js': gate });
    const before = await app.dev();
    const input = { phone: '+4915112340011' };
    const cut = post(before, '/apps/flow/functions/greet/invoke', { input }, 'order-18').catch(() => undefined);
    await before.event(({ type, text }) => type === 'log' && String(text).startsWith('sent'));
    await killed(before);
    await cut;
    const after = await app.dev();
    await post(after, '/custom-functions/flow/gate.js', {});
    const repeat = await post(after, '/apps/flow/functions/greet/invoke', { input }, 'order-18');
    assert.deepEqual([repeat.status, repeat.replayed], [200, false], JSON.stringify(repeat.body));
    const { conversationId } = repeat.body['result'] as { conversationId: string };
    assert.equal(await messagesIn(after, conversationId), 1);
    await after.stop();
  });

  test('repeated after kill -9 in the middle of a function, it has sent exactly one message', async () => {
    const app = new App({ 'functions/greet.js': greet, 'functions/gate.js': gate });
    const before = await app.dev();
    const phone = '+4915112340001';
    const cut = post(before, '/custom-functions/flow/greet.js', { phone }, 'order-17').then(
      () => 'answered',
      () => 'cut off',
    );
    await before.event(({ type, text }) => type === 'log' && String(text).startsWith('sent'));
    await killed(before);
    assert.equal(await cut, 'cut off');

    const after = await app.dev();
    await post(after, '/custom-functions/flow/gate.js', {});
    const repeat = await post(after, '/custom-functions/flow/greet.js', { phone }, 'order-17');
    assert.deepEqual([repeat.status, repeat.replayed], [200, false], JSON.stringify(repeat.body));
    assert.equal(await messagesIn(after, String(repeat.body['conversationId'])), 1);

    const again = await post(after, '/custom-functions/flow/greet.js', { phone }, 'order-17');
    assert.deepEqual([again.status, again.replayed, again.body], [200, true, repeat.body]);
    const other = await post(after, '/custom-functions/flow/greet.js', { phone: '+4915112340002' }, 'order-17');
    assert.deepEqual([other.status, other.body['code']], [422, 'idempotency_key_reused']);
    await after.stop();
  });

  for (const [what, path, inputOf] of [
    ['its endpoint', '/custom-functions/flow/greet.js', (phone: string) => ({ phone })],
    ['functions.invoke', '/apps/flow/functions/greet/invoke', (phone: string) => ({ input: { phone } })],
  ] as const) {
    test(`repeated at ${what} after only the process of the function ended, it has sent exactly one message`, {
      skip: process.platform !== 'linux' && 'looks for processes in /proc',
    }, async () => {
      const app = new App({ 'functions/greet.js': greet, 'functions/gate.js': gate });
      const dev = await app.dev();
      const input = inputOf('+4915112340021');
      const cut = post(dev, path, input, 'order-19');
      await dev.event(({ type, text }) => type === 'log' && String(text).startsWith('sent'));
      for (const { pid, command } of childrenOf(dev.child.pid ?? 0))
        if (command.includes('--permission')) process.kill(pid, 'SIGKILL');
      const { status, body } = await cut;
      assert.deepEqual([status, body['code']], [502, 'function_crashed']);

      await post(dev, '/custom-functions/flow/gate.js', {});
      const repeat = await post(dev, path, input, 'order-19');
      assert.deepEqual([repeat.status, repeat.replayed], [200, false], JSON.stringify(repeat.body));
      const { conversationId } = (repeat.body['result'] ?? repeat.body) as { conversationId: string };
      assert.equal(await messagesIn(dev, conversationId), 1);
      assert.equal((await post(dev, path, input, 'order-19')).replayed, true);
      await dev.stop();
    });
  }

  test('repeated, a method that the function had called has sent exactly one message, too', async () => {
    const app = new App({ 'functions/greet.js': greet, 'functions/gate.js': gate, 'functions/outer.js': outer });
    const before = await app.dev();
    const input = { phone: '+4915112340031' };
    const cut = post(before, '/custom-functions/flow/outer.js', input, 'order-20').catch(() => undefined);
    await before.event(({ type, text }) => type === 'log' && String(text).startsWith('sent'));
    await killed(before);
    await cut;
    const after = await app.dev();
    await post(after, '/custom-functions/flow/gate.js', {});
    const repeat = await post(after, '/custom-functions/flow/outer.js', input, 'order-20');
    assert.deepEqual([repeat.status, repeat.replayed], [200, false], JSON.stringify(repeat.body));
    assert.equal(await messagesIn(after, String(repeat.body['conversationId'])), 1);
    await after.stop();
  });

  test('repeated, a loop over what is left to do begins further on, and everybody gets one message', async () => {
    const app = new App({ 'functions/notify.js': notify, 'functions/gate.js': gate });
    const before = await app.dev();
    const people = ['+4915112342001', '+4915112342002', '+4915112342003'];
    const cut = post(before, '/custom-functions/flow/notify.js', { people }, 'all').catch(() => undefined);
    await before.event(({ type, text }) => type === 'log' && String(text).startsWith('sent'));
    await killed(before);
    await cut;
    const after = await app.dev();
    await post(after, '/custom-functions/flow/gate.js', {});
    const repeat = await post(after, '/custom-functions/flow/notify.js', { people }, 'all');
    assert.deepEqual([repeat.status, repeat.body], [200, { done: 3 }], JSON.stringify(repeat.body));
    for (const phone of people) {
      const link = await post(after, '/custom-functions/session-link-app/api/session/link.js', { phone });
      assert.equal(await messagesIn(after, String(link.body['conversationId'])), 1, phone);
    }
    await after.stop();
  });

  test('repeated, a loop that has a method do each piece of work begins further on, too', async () => {
    const app = new App({ 'functions/greet.js': greet, 'functions/gate.js': gate, 'functions/each.js': each });
    const before = await app.dev();
    const people = ['+4915112344001', '+4915112344002', '+4915112344003'];
    const cut = post(before, '/custom-functions/flow/each.js', { people }, 'each').catch(() => undefined);
    await before.event(({ type, text }) => type === 'log' && String(text).startsWith('sent'));
    await post(before, '/custom-functions/flow/gate.js', {});
    await before.event(({ type, text }) => type === 'log' && text === 'half done');
    await killed(before);
    await cut;
    const after = await app.dev();
    const repeat = await post(after, '/custom-functions/flow/each.js', { people }, 'each');
    assert.deepEqual([repeat.status, repeat.body['code']], [200, undefined], JSON.stringify(repeat.body));
    for (const phone of people) {
      const link = await post(after, '/custom-functions/session-link-app/api/session/link.js', { phone });
      assert.equal(await messagesIn(after, String(link.body['conversationId'])), 1, phone);
    }
    await after.stop();
  });

  test('repeated, what says something else than the first time is not written a second time', async () => {
    const app = new App({ 'functions/notify.js': notify, 'functions/gate.js': gate });
    const before = await app.dev();
    const people = ['+4915112343001', '+4915112343002'];
    const cut = post(before, '/custom-functions/flow/notify.js', { people, at: true }, 'all').catch(() => undefined);
    await before.event(({ type, text }) => type === 'log' && String(text).startsWith('sent'));
    await killed(before);
    await cut;
    const after = await app.dev();
    await post(after, '/custom-functions/flow/gate.js', {});
    const since = after.lines.length;
    const repeat = await post(after, '/custom-functions/flow/notify.js', { people, at: true }, 'all');
    assert.deepEqual([repeat.status, repeat.body['code']], [500, 'function_failed']);
    const { error } = (await after.event(
      ({ type, error: found }) => type === 'invoked' && found !== undefined,
      since,
    )) as unknown as {
      error: { message: string };
    };
    assert.match(error.message, /sdk\.messages\.send then wrote something else.*a function must write the same/);
    const link = await post(after, '/custom-functions/session-link-app/api/session/link.js', { phone: people[1] });
    assert.equal(await messagesIn(after, String(link.body['conversationId'])), 1);
    await after.stop();
  });

  test('a template sent when the workspace was killed at any moment is there once after the repeat', async () => {
    const app = new App();
    const template = '/custom-functions/template-app/api/template/send.js';
    let dev = await app.dev();
    for (let round = 0; round < 3; round++) {
      const body = { to: `+491511234100${round}`, template: 'order_shipped', variables: { body: ['Ann', 'A-17'] } };
      const cut = post(dev, template, body, `round-${round}`).catch(() => undefined);
      // Between "not begun" and "answered": a send in a cold sandbox takes some 100 ms.
      await new Promise((resolve) => setTimeout(resolve, randomInt(0, 150)));
      await killed(dev);
      const first = await cut;

      dev = await app.dev();
      const sent = await post(dev, template, body, `round-${round}`);
      assert.equal(sent.status, 200, JSON.stringify(sent.body));
      if (first) assert.deepEqual([sent.replayed, sent.body], [true, first.body]);
      assert.equal(await messagesIn(dev, String(sent.body['conversationId'])), 1);
    }
    await dev.stop();
  });
});
