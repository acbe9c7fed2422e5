import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import test, { after } from 'node:test';
import { Validator } from '@seriousme/openapi-schema-validator';
import { openClient } from '../../src/client/index.ts';
import { curlLine } from '../../src/console/model/command-lines.ts';
import { until } from '../until.ts';
import { anEmulator, everyone, method, token } from './an-emulator.ts';

const view = (body: string) => ({
  config: { type: 'custom-view', title: 'Order panel', placement: 'conversation' },
  body,
});
const {
  emulator,
  workspace,
  url,
  api,
  ask,
  post,
  source,
  events: told,
} = await anEmulator({
  functions: {
    'api/log': method('for (const line of (await sdk.request.json()).lines) console.log(line); return 1;'),
    'api/hold': method(
      `console.log('held'); while (!(await sdk.store.get('go'))) await new Promise((done) => setTimeout(done, 5)); return 1;`,
    ),
    'api/find': { ...method('return 1;'), example: { name: "Ann's" } },
    'api/go': method(`await sdk.store.set('go', true); return 1;`),
    'views/panel': view('sdk.view.container.append("one")'),
  },
});
const signedIn = async () => {
  const answer = await fetch(emulator.openUrl('/'), { redirect: 'manual' });
  return { cookie: (answer.headers.get('set-cookie') ?? '').split(';')[0] ?? '' };
};

test('the OpenAPI document is valid', async () => {
  const document = await (await ask('/openapi.json')).json();
  const { valid, errors } = await new Validator().validate(document as Record<string, unknown>);
  assert.ok(valid, JSON.stringify(errors));
  assert.equal((document as { servers: { url: string }[] }).servers[0]?.url, api);
});

test('an address made for a browser signs it in once, at the page asked for', async () => {
  const { url: address } = (await (await post('/_local/open', { path: '/tenants/dev' })).json()) as { url: string };
  const first = await fetch(address, { redirect: 'manual' });
  assert.deepEqual([first.status, first.headers.get('location')], [303, '/tenants/dev']);
  const cookie = (first.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
  assert.equal((await fetch(`${url}/tenants/dev`, { headers: { cookie } })).status, 200);
  const second = await fetch(address, { redirect: 'manual' });
  assert.equal(second.headers.get('set-cookie'), null);
});

test('only who may administer gets an address that signs in, and only to a place of ours', async () => {
  const { token: reader } = await emulator.door(everyone)('tokens.create', { name: 'r', scopes: ['read', 'write'] });
  const refused = await post('/_local/open', {}, { authorization: `Bearer ${reader}` });
  assert.equal(refused.status, 403);
  for (const path of ['//evil.example', '/\\evil.example', 'https://evil.example', '/a\r\nb', 'x']) {
    assert.equal((await post('/_local/open', { path })).status, 422, path);
  }
});

test('lists go on where their cursor says, without a gap and without a repeat', async () => {
  for (let i = 0; i < 7; i++) await post('/customers', { phone: `+493090170${i}` });
  const seen: string[] = [];
  let cursor: string | null = null;
  do {
    const page: { items: { id: string }[]; nextCursor: string | null } = (await (
      await ask(`/customers?limit=2${cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`}`)
    ).json()) as never;
    seen.push(...page.items.map(({ id }) => id));
    cursor = page.nextCursor;
  } while (cursor !== null);
  assert.equal(new Set(seen).size, seen.length);
  const all = (await emulator.door(everyone)('customers.list', { limit: 200 })).items.map(({ id }) => id);
  assert.deepEqual(seen, all);
});

test('what was changed by somebody else is not replaced', async () => {
  const made = (await (await post('/customers', { phone: '+4930901720' })).json()) as { id: string };
  const read = await ask(`/customers/${made.id}`);
  const etag = read.headers.get('etag') ?? '';
  assert.match(etag, /^".+"$/);
  assert.equal((await ask(`/customers/${made.id}`, { headers: { 'if-none-match': etag } })).status, 304);
  const change = (headers: Record<string, string>) =>
    ask(`/customers/${made.id}`, {
      method: 'PATCH',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ name: 'Ann' }),
    });
  assert.equal((await change({ 'if-match': etag })).status, 200);
  const late = await change({ 'if-match': etag });
  assert.equal(late.status, 412);
  assert.equal(((await late.json()) as { code: string }).code, 'version_conflict');
});

test('a variable that was changed by somebody else is neither replaced nor deleted', async () => {
  const at = '/apps/shop/vars/discount';
  const change = async (method: string, ifMatch: string, value?: number) => {
    const body = value === undefined ? undefined : JSON.stringify({ value });
    const headers = { 'content-type': 'application/json', 'if-match': ifMatch };
    return ask(at, { method, headers, ...(body !== undefined && { body }) });
  };
  assert.equal((await change('PUT', '*', 1)).status, 412, 'there is nothing to replace');
  const first = (await change('PUT', '"none"', 5)).headers.get('etag') ?? '';
  assert.equal((await ask(at)).headers.get('etag'), first);
  assert.equal((await ask(at, { headers: { 'if-none-match': first } })).status, 304);
  const second = await change('PUT', first, 10);
  assert.equal(second.status, 200);
  for (const late of [
    await change('PUT', first, 15),
    await change('PUT', '"none"', 15),
    await change('DELETE', first),
  ]) {
    assert.equal(late.status, 412);
    assert.equal(((await late.json()) as { code: string }).code, 'version_conflict');
  }
  assert.equal(((await (await ask(at)).json()) as { value: number }).value, 10);
  assert.equal((await change('DELETE', second.headers.get('etag') ?? '')).status, 200);
});

test('an address says which methods it takes', async () => {
  const options = await ask('/customers', { method: 'OPTIONS' });
  assert.equal(options.status, 204);
  assert.equal(options.headers.get('allow'), 'GET, POST, HEAD, OPTIONS');
  const wrong = await ask('/customers', { method: 'DELETE' });
  assert.equal(wrong.status, 405);
  assert.equal(wrong.headers.get('allow'), 'GET, POST, HEAD, OPTIONS');
  const head = await ask('/customers', { method: 'HEAD' });
  assert.equal(head.status, 200);
  assert.ok(Number(head.headers.get('content-length')) > 0);
});

test('a request may bring its own id', async () => {
  assert.equal(
    (await ask('/workspace', { headers: { 'x-request-id': 'mine-1' } })).headers.get('x-request-id'),
    'mine-1',
  );
  assert.match(
    (await ask('/workspace', { headers: { 'x-request-id': 'no spaces' } })).headers.get('x-request-id') ?? '',
    /^req_/,
  );
});

/** Reads an event stream until enough events came. */
async function events(
  response: Response,
  count: number,
): Promise<{ event: string; id?: string; data: Record<string, unknown> }[]> {
  const found: { event: string; id?: string; data: Record<string, unknown> }[] = [];
  let text = '';
  for await (const chunk of response.body ?? []) {
    text += Buffer.from(chunk).toString();
    const parts = text.split('\n\n');
    text = parts.pop() ?? '';
    for (const part of parts) {
      const lines = Object.fromEntries(
        part.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
      );
      if (lines['event'])
        found.push({
          event: lines['event'],
          ...(lines['id'] && { id: lines['id'] }),
          data: JSON.parse(lines['data'] ?? 'null'),
        });
    }
    if (found.length >= count) break;
  }
  return found;
}

test('logs are followed as they are written, and a follower that comes back misses nothing', async () => {
  const follow = (headers: Record<string, string> = {}) =>
    ask('/apps/shop/logs', { headers: { accept: 'text/event-stream', ...headers } });
  const stream = await follow();
  assert.match(stream.headers.get('content-type') ?? '', /^text\/event-stream/);
  const write = (lines: string[]) => post('/custom-functions/shop/api/log.js', { lines });
  await write(['one', 'two']);
  const first = await events(stream, 2);
  assert.deepEqual(
    first.map(({ data }) => data['text']),
    ['one', 'two'],
  );
  await write(['three']);
  const again = await events(await follow({ 'last-event-id': first[0]?.id ?? '' }), 2);
  assert.deepEqual(
    again.map(({ data }) => data['text']),
    ['two', 'three'],
  );
  const stranger = await events(await follow({ 'last-event-id': 'ffffffff.0.0' }), 4);
  assert.deepEqual(
    stranger.map(({ event, data }) => [event, data['text'] ?? data['missed']]),
    [
      ['gap', null],
      ['log', 'one'],
      ['log', 'two'],
      ['log', 'three'],
    ],
  );
});

test('logs are followed from where a page of them ended, also those of a function that still runs', async () => {
  const write = (lines: string[]) => post('/custom-functions/shop/api/log.js', { lines });
  await write(['seen']);
  const { resumeCursor } = await emulator.door(everyone)('functions.logs', { app: 'shop', limit: 200 });
  const holds = post('/custom-functions/shop/api/hold.js', {});
  await until('the line', () => told.some((event) => event.type === 'log' && event.text === 'held'));
  await write(['new']);
  const query = `?cursor=${encodeURIComponent(resumeCursor)}`;
  const stream = await ask(`/apps/shop/logs${query}`, { headers: { accept: 'text/event-stream' } });
  const seen = events(stream, 3);
  await post('/custom-functions/shop/api/go.js', {});
  await holds;
  await write(['last']);
  assert.deepEqual(
    (await seen).map(({ data }) => data['text']),
    ['new', 'held', 'last'],
  );
  const page = await emulator.door(everyone)('functions.logs', { app: 'shop', cursor: resumeCursor });
  assert.deepEqual(
    page.items.map(({ text }) => text),
    ['new', 'held', 'last'],
  );
  const end = await emulator.door(everyone)('functions.logs', { app: 'shop', cursor: page.resumeCursor });
  assert.deepEqual([end.items, end.resumeCursor], [[], page.resumeCursor]);
});

test('the client of the command line follows them, too', async () => {
  const client = openClient({ baseUrl: url, slug: 'dev', token });
  const stream = await client.stream('functions.logs', { app: 'shop', since: '2020-01-01T00:00:00.000Z' }, {});
  for await (const chunk of stream) if (Buffer.from(chunk).toString().includes('"text":"one"')) break;
  await client.close();
});

test('an input of each function is offered, from which its line is made', async () => {
  const { items } = await emulator.door(everyone)('fixtures.list', { app: 'shop', function: 'api/find' });
  assert.deepEqual(items, [{ name: 'default', input: { name: "Ann's" } }]);
  const line = curlLine({
    method: 'POST',
    url: `${api}/custom-functions/shop/api/find.js`,
    auth: 'token',
    body: items[0]?.input,
  });
  assert.equal(
    line,
    `curl -X POST ${api}/custom-functions/shop/api/find.js -H "Authorization: Bearer $(cat .fn/local-token)" -H 'Content-Type: application/json' -d '{"name":"Ann'\\''s"}'`,
  );
});

test('the document of the console holds no data, and runs nothing but the console', async () => {
  const page = await fetch(`${url}/functions/shop/api/find`, { headers: await signedIn() });
  assert.match(
    page.headers.get('content-security-policy') ?? '',
    /^default-src 'none'; script-src 'nonce-[\w-]{22}'; style-src 'nonce-[\w-]{22}'; img-src 'self' data:; connect-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'$/,
  );
  const text = await page.text();
  assert.doesNotMatch(text, /api\/find|fn_local_|fnc_/);
  const [script = ''] = /\/console\/\w+\/main\.js/.exec(text) ?? [];
  const file = await fetch(url + script);
  assert.equal(file.headers.get('content-type'), 'text/javascript; charset=utf-8');
  await file.body?.cancel();
  for (const [path, init, status] of [
    [script, { headers: { 'sec-fetch-site': 'cross-site' } }, 403],
    [script, { method: 'POST' }, 405],
    [script.replace('main.js', '..%2fbuild.ts'), {}, 404],
    [script.replace(/console\/\w+/, 'console/old'), {}, 404],
    ['/functions/shop/api/find', { method: 'POST', headers: await signedIn() }, 405],
  ] as const) {
    const answer = await fetch(url + path, init);
    assert.equal(answer.status, status, path);
    await answer.body?.cancel();
  }
});

test('a page that is signed in gets a short-lived token, which opens the API and nothing else', async () => {
  const headers = await signedIn();
  const ask = (init: RequestInit) => fetch(`${url}/session/token`, { method: 'POST', ...init });
  const given = (await (await ask({ headers })).json()) as { token: string; expiresAt: string };
  const left = Date.parse(given.expiresAt) - Date.now();
  assert.ok(left > 0 && left <= 15 * 60_000);
  const authorization = `Bearer ${given.token}`;
  const workspaceShown = await fetch(`${api}/workspace`, { headers: { authorization } });
  assert.equal(workspaceShown.status, 200);
  await workspaceShown.body?.cancel();
  const cookie = headers.cookie ?? '';
  const [name = '', session = ''] = cookie.split('=');
  const refused: readonly (readonly [string, Promise<Response>, number])[] = [
    ['without a session', ask({}), 401],
    ['with an API token', ask({ headers: { authorization: `Bearer ${token}` } }), 401],
    ['from another page', ask({ headers: { ...headers, origin: 'https://evil.example' } }), 403],
    ['from the frame of a view', ask({ headers: { ...headers, origin: 'null' } }), 403],
    ['by a link', ask({ method: 'GET', headers }), 405],
    ['as a session', fetch(url, { headers: { cookie: `${name}=${given.token.slice('fnc_'.length)}` } }), 401],
    ['the session as a token', fetch(`${api}/workspace`, { headers: { authorization: `Bearer fnc_${session}` } }), 401],
    ['one that is over', fetch(`${api}/workspace`, { headers: { authorization: 'Bearer fnc_1.a.b' } }), 401],
    ['for an admin’s work', fetch(`${api}/tokens`, { headers: { authorization } }), 403],
  ];
  for (const [what, asked, status] of refused) {
    const answer = await asked;
    assert.equal(answer.status, status, what);
    await answer.body?.cancel();
  }
});

test('who writes in the console is the colleague that its page names', async () => {
  const { token: own } = (await (
    await fetch(`${url}/session/token`, { method: 'POST', headers: await signedIn() })
  ).json()) as { token: string };
  const { items: agents } = await emulator.door(everyone)('agents.list', {});
  const { items: conversations } = await emulator.door(everyone)('conversations.list', {
    inbox: 'all',
    status: 'open',
  });
  const write = (authorization: string, agent: string) =>
    fetch(`${api}/conversations/${conversations[0]?.id}/messages`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json', 'fn-agent': agent },
      body: JSON.stringify({ text: 'Hello' }),
    });
  const sent = (await (await write(`Bearer ${own}`, agents[0]?.id ?? '')).json()) as { author: unknown };
  assert.deepEqual(sent.author, { type: 'agent', id: agents[0]?.id });
  assert.equal((await write(`Bearer ${own}`, 'agt_none')).status, 403);
});

test('what goes wrong with a page is told a person in a page, and a program as a problem', async () => {
  const headers = { ...(await signedIn()), accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
  const said: [path: string, status: number, text: RegExp][] = [
    ['/nope', 404, /There is nothing at \/nope/],
    ['/views/shop/views/none/start', 404, /none/],
    ['/views/shop/api/go/start', 422, /shop\/api\/go is of type server-side-method, not custom-view/],
    ['/tenants/dev/media/med_none', 404, /med_none/],
  ];
  for (const [path, status, text] of said) {
    const page = await fetch(`${url}${path}`, { headers });
    assert.equal(page.status, status, path);
    assert.match(page.headers.get('content-type') ?? '', /^text\/html/);
    assert.match(page.headers.get('content-security-policy') ?? '', /script-src '(?:none|nonce-[\w-]{22})'(?:;|$)/);
    assert.match(await page.text(), text);
    const program = await fetch(`${url}${path}`, { headers: { ...headers, accept: '*/*' } });
    assert.match(program.headers.get('content-type') ?? '', /^application\/problem\+json/);
    await program.body?.cancel();
  }
});

test('a view stands in a frame without an origin, and its page allows nothing but itself', async () => {
  const headers = await signedIn();
  const page = await fetch(`${url}/views/shop/views/panel`, { headers });
  assert.equal(page.status, 200);
  assert.match(page.headers.get('content-security-policy') ?? '', /frame-ancestors 'none'/);
  const frame = await fetch(`${url}/views/shop/views/panel/frame?nonce=0123456789abcdef`, { headers });
  const policy = frame.headers.get('content-security-policy') ?? '';
  assert.match(policy, /^sandbox allow-scripts/);
  assert.doesNotMatch(policy, /allow-same-origin/);
  assert.match(policy, new RegExp(`frame-ancestors ${url}`));
  assert.match(await frame.text(), /sdk\.view\.container\.append/);
  assert.equal((await fetch(`${url}/views/shop/views/panel/frame`, { headers })).status, 422);
});

test('a view asks for what stands on its face, and for nothing else', async () => {
  const headers = { ...(await signedIn()), 'content-type': 'application/json' };
  const call = async (operation: string, input: unknown) =>
    (
      await fetch(`${url}/views/shop/views/panel/call`, {
        method: 'POST',
        headers,
        body: JSON.stringify({ operation, input }),
      })
    ).json() as Promise<{ ok?: unknown; error?: { code: string } }>;
  assert.ok((await call('customers.list', { limit: 1 })).ok);
  assert.equal((await call('methods.call', { path: 'api/log', body: { lines: [] } })).ok, 1);
  for (const operation of ['tokens.create', 'messages.send', 'secrets.get', '__proto__'])
    assert.equal((await call(operation, {})).error?.code, 'operation_not_allowed');
});

test('a changed view is told to its page', async () => {
  const headers = await signedIn();
  const stream = await fetch(`${url}/views/shop/views/panel/events`, { headers });
  source.change({ 'views/panel': view('sdk.view.container.append("two")') });
  assert.deepEqual(
    (await events(stream, 1)).map(({ event }) => event),
    ['reload'],
  );
});

test('a busy port is an error where it was asked for, and the next one otherwise', async () => {
  const taken = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => taken.once('listening', resolve));
  const { port } = taken.address() as { port: number };
  after(() => taken.close());
  await assert.rejects(emulator.listen({ port, strict: true }), { code: 'port_busy', exitCode: 1 });
  const next = await emulator.listen({ port, strict: false });
  assert.ok(next.port > port && next.port < port + 50);
  assert.equal(
    (await fetch(`${next.url}/api/dev/workspace`, { headers: { authorization: `Bearer ${token}` } })).status,
    200,
  );
});

test('the same port answers on IPv4 and IPv6', async () => {
  const { port } = new URL(url);
  const answer = await fetch(`http://[::1]:${port}/api/dev/workspace`, {
    headers: { authorization: `Bearer ${token}` },
  }).catch(() => undefined);
  assert.ok(answer === undefined || answer.status === 200);
});

test('an invited origin may read answers, with a token', async () => {
  const { url: other } = await emulator.listen({ port: 0, strict: true, allowOrigins: ['https://app.example'] });
  const origin = { origin: 'https://app.example' };
  const preflight = await fetch(`${other}/api/dev/customers`, {
    method: 'OPTIONS',
    headers: {
      ...origin,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'content-type,x-shop-key',
    },
  });
  assert.equal(preflight.status, 204);
  assert.equal(preflight.headers.get('access-control-allow-origin'), 'https://app.example');
  // Headers of a method's own, in both directions.
  assert.equal(preflight.headers.get('access-control-allow-headers'), 'content-type,x-shop-key');
  assert.equal(preflight.headers.get('access-control-expose-headers'), '*');
  assert.equal((await fetch(`${other}/api/dev/customers`, { headers: origin })).status, 401);
  const foreign = await fetch(`${other}/api/dev/customers`, {
    headers: { origin: 'https://evil.example', authorization: `Bearer ${token}` },
  });
  assert.equal(foreign.status, 403);
  assert.equal(foreign.headers.get('access-control-allow-origin'), null);
});

test('200 clients at once lose nothing and double nothing', async () => {
  source.change({ 'api/add': method('return sdk.store.increment("all");') });
  const answers = await Promise.all(
    Array.from({ length: 200 }, async (_, i) => {
      const made = await post('/customers', { phone: `+49309018${String(i).padStart(3, '0')}` });
      const added = await post('/custom-functions/shop/api/add.js', {});
      return [made.status, added.status, await added.json()];
    }),
  );
  assert.ok(answers.every(([made, added]) => made === 200 && added === 200));
  assert.deepEqual(
    answers.map(([, , n]) => Number(n)).sort((a, b) => a - b),
    Array.from({ length: 200 }, (_, i) => i + 1),
  );
});

test('a picture that was sent is shown in the conversation, to whoever is signed in', async () => {
  const bytes = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
    'base64',
  );
  const shoe = {
    name: 'shoe',
    language: 'en',
    category: 'marketing',
    header: { format: 'image' },
    body: 'New shoes',
  } as const;
  await workspace.seed.apply({ version: 1, templates: [shoe] } as Parameters<typeof workspace.seed.apply>[0]);
  const functions = '/custom-functions/template-app/api/template';
  const order = { fileName: 'shoe.png', contentType: 'image/png', bytes: bytes.length };
  const credentials = (await (await post(`${functions}/upload-credentials.js`, order)).json()) as Record<
    string,
    string
  >;
  const { mediaId = '', uploadUrl = '' } = credentials;
  const put = await fetch(uploadUrl, { method: 'PUT', headers: { 'content-type': 'image/png' }, body: bytes });
  assert.equal(put.status, 200);
  const message = { to: '+4930901833', template: 'shoe', variables: { header: { mediaId } } };
  const { conversationId } = (await (await post(`${functions}/send.js`, message)).json()) as { conversationId: string };
  const headers = await signedIn();
  const { items } = await emulator.door(everyone)('messages.list', { conversationId });
  assert.match(JSON.stringify(items), new RegExp(mediaId));
  const source = `/tenants/dev/media/${mediaId}`;
  const picture = await fetch(`${url}${source}`, { headers });
  assert.equal(picture.headers.get('content-type'), 'image/png');
  assert.deepEqual(Buffer.from(await picture.arrayBuffer()), bytes);
  assert.equal((await fetch(`${url}${source}`)).status, 401);
  assert.equal((await fetch(`${url}/tenants/dev/media/med_none`, { headers })).status, 404);
});
