import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'node:test';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { anEmulator, method, token } from '../emulator/an-emulator.ts';
import { temporaryFolder } from '../temporary-folder.ts';

/**
 * A client that a public generator (@hey-api/openapi-ts) makes of the OpenAPI document alone: its types are checked by the
 * TypeScript it was made for, and it is used as its users would. The generator stands in a folder of its own, see test/install.ts.
 */
const tools = join(import.meta.dirname, 'node_modules');
assert.ok(existsSync(tools), 'run "npm ci" in test/openapi first');

const text = { type: 'string' };
const { api, ask } = await anEmulator({
  functions: {
    'api/orders/find': method('return { state: (await sdk.request.json()).number };', ['POST'], {
      input: { type: 'object', required: ['number'], properties: { number: text }, additionalProperties: false },
      output: { type: 'object', required: ['state'], properties: { state: text } },
    }),
  },
});
const folder = temporaryFolder('fn-openapi');
const run = (script: string, args: readonly string[]) =>
  promisify(execFile)(process.execPath, [join(tools, script), ...args], { cwd: folder });

await writeFile(join(folder, 'openapi.json'), await (await ask('/openapi.json')).text());
await run('@hey-api/openapi-ts/bin/run.js', ['--input', 'openapi.json', '--output', 'client', '--no-log-file']);

/** What is used of the generated client. */
type Call = (options: Record<string, unknown>) => Promise<{
  readonly data?: Record<string, unknown>;
  readonly error?: { readonly code: string };
  readonly response: Response;
}>;

async function loadClient(): Promise<Record<string, Call>> {
  const outfile = join(folder, 'client.mjs');
  await build({
    entryPoints: [join(folder, 'client/index.ts')],
    outfile,
    bundle: true,
    format: 'esm',
    logLevel: 'silent',
  });
  return (await import(outfile)) as Record<string, Call>;
}

test('a client generated from the OpenAPI document calls ten operations', async () => {
  const client = await loadClient();
  const called = new Set<string>();
  const call = async (name: string, options: Record<string, unknown> = {}) => {
    called.add(name);
    const operation = client[name];
    assert.ok(operation, `the generator made no ${name}`);
    const { data, error, response } = await operation({ baseUrl: api, auth: token, ...options });
    assert.equal(error, undefined, `${name}: ${JSON.stringify(error)}`);
    assert.equal(response.status < 300, true);
    return data ?? {};
  };
  const idOf = (one: Record<string, unknown>) => String(one['id']);

  assert.equal((await call('workspaceShow'))['slug'], 'dev');
  const customer = await call('customersFindOrCreate', { body: { phone: '+49 30 901820', name: 'Ann' } });
  assert.equal(customer['phone'], '+4930901820');
  const { created: _, ...stored } = customer;
  assert.deepEqual(await call('customersGet', { path: { id: idOf(customer) } }), stored);
  assert.equal(idOf(await call('customersFind', { query: { phone: '+4930901820' } })), idOf(customer));
  const changed = await call('customersUpdate', { path: { id: idOf(customer) }, body: { email: 'ann@example.org' } });
  assert.equal(changed['email'], 'ann@example.org');
  const page = await call('customersList', { query: { limit: 1 } });
  assert.equal((page['items'] as unknown[]).length, 1);
  const next = await call('customersList', { query: { limit: 1, cursor: page['nextCursor'] } });
  assert.notDeepEqual(next['items'], page['items']);

  const link = await call('sessionsLink', { body: { phone: '+4930901820' } });
  assert.equal(link['customerId'], idOf(customer));
  const again = await call('sessionsLink', { body: { phone: '+4930901820' } });
  assert.equal(again['conversationId'], link['conversationId']);
  const conversation = { path: { id: link['conversationId'] } };
  assert.equal((await call('conversationsGet', conversation))['url'], link['url']);
  await call('messagesSend', { path: { conversationId: link['conversationId'] }, body: { text: 'Hello Ann' } });
  assert.equal((await call('conversationsClose', conversation))['status'], 'closed');

  const body = { to: '+4930901821', template: 'order_shipped', variables: { body: ['Ben', 'A-17'] } };
  const headers = { 'Idempotency-Key': 'generated-1' };
  const sent = await call('templatesSend', { body, headers });
  assert.deepEqual(await call('templatesSend', { body, headers }), sent);
  const { items } = (await call('templatesList')) as { items: { status: string }[] };
  assert.ok(items.length > 0);
  const made = await call('tokensCreate', { body: { name: 'ci', scopes: ['read'] } });
  assert.match(String(made['token']), /^fnt_/);
  await call('tokensRevoke', { path: { id: idOf(made) } });
  const before = Number((await call('packsBalance'))['left']);
  await call('packsAdd', { body: { days: 5 } });
  assert.equal((await call('packsBalance'))['left'], before + 5);
  assert.ok(called.size >= 10);
});

test('the generated client calls a method that the app exposes', async () => {
  const { shopApiOrdersFind } = await loadClient();
  const { data } = (await shopApiOrdersFind?.({ baseUrl: api, auth: token, body: { number: 'A-17' } })) ?? {};
  assert.deepEqual(data, { state: 'A-17' });
});

test('the generated client tells a refusal by its code', async () => {
  const { customersGet } = await loadClient();
  assert.ok(customersGet);
  const { error, response } = await customersGet({ baseUrl: api, auth: token, path: { id: 'cus_none' } });
  assert.deepEqual([response.status, error?.code], [404, 'customer_not_found']);
  const unknown = await customersGet({ baseUrl: api, auth: 'wrong', path: { id: 'cus_none' } });
  assert.equal(unknown.response.status, 401);
});

test('the generated types hold what the contract says', async () => {
  await writeFile(
    join(folder, 'use.ts'),
    `import { type Customer, customersFindOrCreate, customersGet, shopApiOrdersFind, templatesSend, sessionsLink } from './client/index.ts';
const found = await shopApiOrdersFind({ body: { number: 'A-17' } });
export const state: string | undefined = found.data?.state;
// @ts-expect-error a number is no text
await shopApiOrdersFind({ body: { number: 17 } });
const sent = await templatesSend({ body: { to: '+4930901820', template: 'order_shipped', variables: { body: ['Ann'] } } });
export const texts: (string | undefined)[] = [sent.data?.conversationId, sent.data?.conversationUrl, sent.error?.code];
const link = await sessionsLink({ body: { email: 'ann@example.org', assign: { agentEmail: 'max@example.org' } } });
export const created: boolean | undefined = link.data?.created.customer;
// @ts-expect-error a number is no phone number
await customersFindOrCreate({ body: { phone: 1 } });
const ann: Customer | undefined = (await customersGet({ path: { id: 'cus_1' } })).data;
export const phone: string | null | undefined = ann?.phone;
// @ts-expect-error there is no such field
export const shoe = link.data?.shoe;
`,
  );
  const options = ['--noEmit', '--strict', '--target', 'es2022', '--module', 'esnext', '--moduleResolution', 'bundler'];
  const checked = run('typescript/bin/tsc', [
    ...options,
    ...['--lib', 'es2023,dom,dom.iterable', '--allowImportingTsExtensions', 'use.ts'],
  ]);
  await checked.catch(({ stdout }: { stdout: string }) => assert.fail(stdout));
});
