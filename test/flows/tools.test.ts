import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { Client, StreamableHTTPClientTransport, type Transport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { packageFile } from '../../src/std/index.ts';
import { App, type Dev } from './app.ts';

const iban = 'DE89370400440532013000';

const refund = `
export const config = {
  type: 'ai-tool', name: 'refund', title: 'Refund', description: 'Refunds an order',
  input: { type: 'object', required: ['orderId'], additionalProperties: false,
    properties: { orderId: { type: 'string' }, euros: { type: 'number' }, iban: { type: 'string' } } },
  permissions: { callers: { code: true, mcp: true } },
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
/** A tool that neither code nor MCP hosts may call. */
const closed = refund.replace("name: 'refund'", "name: 'closed'").replace('code: true, mcp: true', 'code: false');

/** One way to call a tool. */
type Way = (name: string, args: unknown) => Promise<Answer>;
interface Answer {
  readonly status: string;
  /** An MCP host does not learn it. */
  readonly callId?: string;
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

/** A host that calls tools over MCP. What it gets is what a model sees: the id of the call is in the log alone. */
async function aHost(transport: Transport): Promise<{ call: Way; close(): Promise<void> }> {
  const host = new Client({ name: 'host', version: '1' }, { versionNegotiation: { mode: 'auto' } });
  await host.connect(transport);
  return {
    async call(name, args) {
      const { isError = false, content } = await host.callTool({ name, arguments: args as Record<string, unknown> });
      const [first] = content;
      const told = JSON.parse(first?.type === 'text' ? first.text : 'null');
      if (!isError) return { status: 'ok', result: told };
      return { status: 'error', error: told.error };
    },
    close: () => host.close(),
  };
}

const app = () =>
  new App({
    'functions/tools/refund.js': refund,
    'functions/tools/closed.js': closed,
    'functions/api/code.js': code,
  });

test('a tool answers alike by CLI, REST, sdk and MCP, with one line in the log each, and what is hidden is in no file', async (t) => {
  const at = app();
  const dev = await at.dev();
  const { token } = (await ask(dev, '/tokens', { name: 'ci', scopes: ['read', 'write'] })) as { token: string };
  const url = new URL(`${dev.ready.url}/mcp`);
  const headers = { authorization: `Bearer ${token}` };
  const http = await aHost(new StreamableHTTPClientTransport(url, { requestInit: { headers } }));
  const stdio = await aHost(
    new StdioClientTransport({
      command: process.execPath,
      args: [packageFile('bin/fn.js'), '-C', at.root, 'mcp', 'serve', '--stdio'],
      env: { PATH: process.env['PATH'] ?? '', HOME: at.root },
      stderr: 'pipe',
    }),
  );
  t.after(() => Promise.all([http.close(), stdio.close()]));
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
    http: http.call,
    stdio: stdio.call,
  };
  const cases: readonly (readonly [string, unknown, code?: string])[] = [
    ['refund', { orderId: 'A-1', iban }],
    ['refund', { orderId: 7, iban }, 'tool_invalid_arguments'],
    ['refund', { orderId: 'A-0', iban }, 'tool_failed'],
    ['refund', { orderId: 'A-2', euros: 80, iban }, 'tool_confirmation_required'],
    ['refunt', {}, 'tool_unknown'],
  ];
  /** Codes of the lines in the log, the latest first. */
  const codesOf = async (query: string) => {
    const { items } = (await ask(dev, `/tool-calls?${query}`)) as { items: { error: { code: string } | null }[] };
    return items.map(({ error }) => error?.code);
  };
  const counted = new Map<string, number>();
  const lines = (name: string) => counted.get(name) ?? 0;
  for (const [name, args, expected] of cases) {
    const answers = await Promise.all(Object.values(ways).map((way) => way(name, args)));
    const alike = answers.map(({ status, result, error }) => ({
      status,
      result,
      error: error && { ...error, message: error.message.replaceAll(/cfm_\w+/g, 'cfm_') },
    }));
    for (const [i, way] of Object.keys(ways).entries()) assert.deepEqual(alike[i], alike[0], way);
    assert.equal(alike[0]?.error?.code, expected);
    const logged = expected === 'tool_confirmation_required' ? undefined : expected;
    for (const { callId } of answers.filter((answer) => answer.callId !== undefined))
      assert.deepEqual(await codesOf(`id=${callId}`), [logged]);
    const all = await codesOf(`tool=${name}&limit=200`);
    assert.equal(all.length - lines(name), answers.length, 'a line each, and no more');
    assert.deepEqual(all.slice(0, answers.length), Array(answers.length).fill(logged));
    counted.set(name, all.length);
  }
  assert.equal((await ways['cli']?.('closed', { orderId: 'A-1' }))?.status, 'ok', 'people may always call');
  for (const way of ['rest', 'sdk', 'http', 'stdio'])
    assert.equal((await ways[way]?.('closed', { orderId: 'A-1' }))?.error?.code, 'tool_forbidden', way);
  await Promise.all([http.close(), stdio.close()]);
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
