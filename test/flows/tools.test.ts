import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { App, type Dev } from './app.ts';

const iban = 'DE89370400440532013000';

const refund = `
export const config = {
  type: 'ai-tool', name: 'refund', title: 'Refund', description: 'Refunds an order',
  input: { type: 'object', required: ['orderId'], additionalProperties: false,
    properties: { orderId: { type: 'string' }, euros: { type: 'number' }, iban: { type: 'string' } } },
  permissions: { callers: { code: true } },
  confirm: { by: 'human', when: { required: ['euros'], properties: { euros: { exclusiveMinimum: 50 } } } },
  log: { redact: ['iban'] },
};
export default async (sdk) => {
  const { orderId, iban = 'none' } = sdk.tool.args;
  console.log('refunding to', iban);
  if (orderId === 'A-0') throw new Error('there is no order for ' + iban);
  const count = await sdk.store.increment('refunds');
  return { orderId, to: iban, count: count > 0 };
};
`;
const code = `
export const config = { type: 'server-side-method', expose: { methods: ['POST'] } };
export default async (sdk) => {
  // Its own record shows what it is given and what it answers.
  const iban = ['DE89370400', '440532013000'].join('');
  const given = JSON.parse((await sdk.request.text()).replaceAll('@iban', iban));
  return JSON.parse(JSON.stringify(await sdk.tools.call(given)).replaceAll(iban, '@iban'));
};
`;
/** A tool that code may not call. */
const closed = refund.replace("name: 'refund'", "name: 'closed'").replace('code: true', 'code: false');

/** One way to call a tool. MCP hosts are further ones. */
type Way = (name: string, args: unknown) => Promise<Answer>;
interface Answer {
  readonly status: string;
  readonly callId: string;
  readonly result?: unknown;
  readonly error?: { readonly code: string; readonly message: string };
  readonly confirmationId?: string;
}

async function ask(dev: Dev, path: string, body?: unknown, token = dev.ready.token): Promise<unknown> {
  const response = await fetch(`${dev.ready.url}/api/dev${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  assert.ok(response.ok, `${path}: ${response.status} ${await response.clone().text()}`);
  return response.json();
}

const app = () =>
  new App({
    'functions/tools/refund.js': refund,
    'functions/tools/closed.js': closed,
    'functions/api/code.js': code,
  });

test('a tool answers alike by CLI, REST and sdk, with one line in the log each, and what is hidden is in no file', async () => {
  const at = app();
  const dev = await at.dev();
  const { token } = (await ask(dev, '/tokens', { name: 'ci', scopes: ['read', 'write'] })) as { token: string };
  const ways: Record<string, Way> = {
    cli: async (name, args) => {
      const { out, err } = await at.fn(['tool', 'call', name, '-d', JSON.stringify(args), '--json']);
      assert.notEqual(out, '', err);
      return JSON.parse(out) as Answer;
    },
    rest: (name, args) => ask(dev, `/tools/${name}/call`, { arguments: args }, token) as Promise<Answer>,
    sdk: async (name, args) => {
      const given = JSON.stringify({ name, arguments: args }).replaceAll(iban, '@iban');
      const answer = await ask(dev, '/custom-functions/flow/api/code.js', JSON.parse(given));
      return JSON.parse(JSON.stringify(answer).replaceAll('@iban', iban)) as Answer;
    },
  };
  const cases: readonly (readonly [string, unknown, code?: string])[] = [
    ['refund', { orderId: 'A-1', iban }],
    ['refund', { orderId: 7, iban }, 'tool_invalid_arguments'],
    ['refund', { orderId: 'A-0', iban }, 'tool_failed'],
    ['refund', { orderId: 'A-2', euros: 80, iban }, 'tool_confirmation_required'],
    ['refunt', {}, 'tool_unknown'],
  ];
  for (const [name, args, expected] of cases) {
    const answers = await Promise.all(Object.values(ways).map((way) => way(name, args)));
    const alike = answers.map(({ status, result, error }) => ({
      status,
      result,
      error: error && { ...error, message: error.message.replaceAll(/cfm_\w+/g, 'cfm_') },
    }));
    assert.deepEqual(alike[1], alike[0]);
    assert.deepEqual(alike[2], alike[0]);
    assert.equal(alike[0]?.error?.code, expected);
    for (const { callId } of answers) {
      const { items } = (await ask(dev, `/tool-calls?id=${callId}`)) as { items: { error: { code: string } | null }[] };
      assert.deepEqual(
        [items.length, items[0]?.error?.code],
        [1, expected === 'tool_confirmation_required' ? undefined : expected],
      );
    }
  }
  assert.equal((await ways['cli']?.('closed', { orderId: 'A-1' }))?.status, 'ok', 'people may always call');
  for (const way of ['rest', 'sdk'])
    assert.equal((await ways[way]?.('closed', { orderId: 'A-1' }))?.error?.code, 'tool_forbidden', way);
  await dev.stop();
  const files = globSync('.fn/**/*', { cwd: at.root, withFileTypes: true }).filter((entry) => entry.isFile());
  const texts = files.map(({ parentPath, name }) => ({ name, bytes: readFileSync(`${parentPath}/${name}`) }));
  assert.ok(texts.some(({ bytes }) => bytes.includes('[redacted]')));
  for (const { name, bytes } of texts) assert.ok(!bytes.includes(iban), `${name} shows the account`);
});

test('a confirmation that was asked for before kill -9 is answered after it, and the call is made once', async () => {
  const at = app();
  const first = await at.dev();
  const args = { orderId: 'A-3', euros: 90 };
  const asked = (await ask(first, '/tools/refund/call', { arguments: args })) as Answer;
  assert.equal(asked.error?.code, 'tool_confirmation_required');
  first.child.kill('SIGKILL');
  await first.ended;
  const second = await at.dev();
  await ask(second, `/confirmations/${asked.confirmationId}/answer`, { answer: 'allow' });
  const done = (await ask(second, '/tools/refund/call', { arguments: args })) as Answer;
  assert.deepEqual([done.status, done.callId], ['ok', asked.callId]);
  const { items } = (await ask(second, '/tool-calls')) as { items: unknown[] };
  assert.equal(items.length, 1);
  const twice = await fetch(`${second.ready.url}/api/dev/confirmations/${asked.confirmationId}/answer`, {
    method: 'POST',
    headers: { authorization: `Bearer ${second.ready.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ answer: 'deny' }),
  });
  assert.equal(twice.status, 409);
  await second.stop();
});
