import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';
import { networkInterfaces } from 'node:os';
import test from 'node:test';
import { limits } from '../../src/contract/index.ts';
import { ownHosts } from '../../src/emulator/http/listen.ts';
import { anEmulator, method, token } from '../emulator/an-emulator.ts';
import fc from '../properties.ts';
import { until } from '../until.ts';
import { watchForCrashes } from './crashes.ts';

const { url, api, post, ask, emulator, events } = await anEmulator({
  functions: {
    'api/ok': {
      config: { type: 'server-side-method', expose: { methods: ['GET', 'POST'], auth: 'public' } },
      body: 'return { ok: true };',
    },
    'api/token': method('return 1;', ['GET']),
  },
});
const { port } = new URL(url);
const host = `127.0.0.1:${port}`;
const open = '/api/dev/custom-functions/shop/api/ok.js';

const crashes = watchForCrashes();

/**
 * Sends bytes as they are, and gives everything that comes back until the other side closes or falls silent for a moment.
 * @param silentMs how long an answer is waited for, where none has to come
 */
function raw(bytes: string | Uint8Array, silentMs = 0): Promise<string> {
  return new Promise((resolve) => {
    let answer = '';
    const socket = connect(Number(port), '127.0.0.1');
    socket.setTimeout(silentMs);
    socket.on('timeout', () => socket.destroy());
    socket.on('data', (chunk) => {
      answer += chunk.toString('latin1');
      socket.setTimeout(300);
    });
    socket.on('error', () => {});
    socket.on('close', () => resolve(answer));
    socket.on('connect', () => socket.write(bytes));
  });
}

const statusOf = (answer: string) => Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1]);

async function stillWell(): Promise<void> {
  const response = await fetch(`${url}${open}`);
  assert.deepEqual(await response.json(), { ok: true });
  assert.deepEqual(crashes, []);
}

const request = (lines: readonly string[], body = '') => `${lines.join('\r\n')}\r\n\r\n${body}`;

const foreign: Record<string, readonly string[]> = {
  'a name that is rebound to this machine': [`GET ${open} HTTP/1.1`, 'Host: evil.example'],
  'the right name with another port': [`GET ${open} HTTP/1.1`, 'Host: 127.0.0.1:1'],
  'a name that only begins like ours': [`GET ${open} HTTP/1.1`, `Host: ${host}.evil.example`],
  'another loopback address': [`GET ${open} HTTP/1.1`, `Host: 127.0.0.2:${port}`],
  'an address written as a number': [`GET ${open} HTTP/1.1`, `Host: 2130706433:${port}`],
  'no Host': [`GET ${open} HTTP/1.1`],
  'an empty Host': [`GET ${open} HTTP/1.1`, 'Host:'],
  'two Hosts': [`GET ${open} HTTP/1.1`, `Host: ${host}`, 'Host: evil.example'],
  'the same Host twice': [`GET ${open} HTTP/1.1`, `Host: ${host}`, `Host: ${host}`],
  'a Host with a user': [`GET ${open} HTTP/1.1`, `Host: me@${host}`],
  'a foreign Origin': [`GET ${open} HTTP/1.1`, `Host: ${host}`, 'Origin: https://evil.example'],
  'Origin null': [`GET ${open} HTTP/1.1`, `Host: ${host}`, 'Origin: null'],
  'an Origin on another port of this machine': [`GET ${open} HTTP/1.1`, `Host: ${host}`, 'Origin: http://127.0.0.1:1'],
  'our name under https': [`GET ${open} HTTP/1.1`, `Host: ${host}`, `Origin: https://${host}`],
  'an Origin that is an address with us in its path': [
    `GET ${open} HTTP/1.1`,
    `Host: ${host}`,
    `Origin: http://evil.example/${host}`,
  ],
  'two Origins': [`GET ${open} HTTP/1.1`, `Host: ${host}`, `Origin: http://${host}`, 'Origin: https://evil.example'],
  'an empty Origin': [`GET ${open} HTTP/1.1`, `Host: ${host}`, 'Origin:'],
  'a fetch from another site': [`GET ${open} HTTP/1.1`, `Host: ${host}`, 'Sec-Fetch-Site: cross-site'],
  'a fetch from another port of this machine': [`GET ${open} HTTP/1.1`, `Host: ${host}`, 'Sec-Fetch-Site: same-site'],
  'a Sec-Fetch-Site of no known kind': [
    `GET ${open} HTTP/1.1`,
    `Host: ${host}`,
    'Sec-Fetch-Site: same-origin, cross-site',
  ],
};

for (const [what, lines] of Object.entries(foreign)) {
  test(`${what} is refused before any routing`, async () => {
    const answer = await raw(request([...lines, 'Connection: close']));
    assert.equal(statusOf(answer), 403, answer);
    assert.match(answer, /request_foreign/);
    assert.doesNotMatch(answer, /"ok":true/);
    assert.doesNotMatch(answer, /access-control-allow/i);
  });
}

for (const name of ['127.0.0.1', 'localhost', 'LOCALHOST', '[::1]']) {
  test(`${name} is one of our names`, async () => {
    assert.equal(
      statusOf(await raw(request([`GET ${open} HTTP/1.1`, `Host: ${name}:${port}`, 'Connection: close']))),
      200,
    );
  });
}

test('a page of ours may ask', async () => {
  const lines = [
    `GET ${open} HTTP/1.1`,
    `Host: ${host}`,
    `Origin: http://localhost:${port}`,
    'Sec-Fetch-Site: same-origin',
    'Connection: close',
  ];
  assert.equal(statusOf(await raw(request(lines))), 200);
});

test('a link on another site leads to a page without data, not into the workspace', async () => {
  const lines = [
    'GET /tenants/dev HTTP/1.1',
    `Host: ${host}`,
    'Sec-Fetch-Site: cross-site',
    'Sec-Fetch-Mode: navigate',
    'Sec-Fetch-Dest: document',
    'Connection: close',
  ];
  const answer = await raw(request(lines));
  assert.equal(statusOf(answer), 403);
  assert.match(answer, /Another site sent you here/);
});

for (const target of [
  `http://${'evil.example'}/`,
  `http://127.0.0.1/`,
  '*',
  '//evil.example/api/dev/customers',
  'api/dev/customers',
]) {
  test(`the request target ${target} is refused`, async () => {
    const answer = await raw(request([`GET ${target} HTTP/1.1`, `Host: ${host}`, 'Connection: close']));
    assert.equal(statusOf(answer), 400, answer);
  });
}

test('CONNECT is refused', async () => {
  assert.equal(statusOf(await raw(request(['CONNECT evil.example:443 HTTP/1.1', 'Host: evil.example:443']))), 405);
});

test('an upgrade passes the same guard, and is refused either way', async () => {
  const upgrade = [
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
  ];
  assert.equal(
    statusOf(await raw(request(['GET / HTTP/1.1', `Host: ${host}`, 'Origin: https://evil.example', ...upgrade]))),
    403,
  );
  assert.equal(statusOf(await raw(request([`GET http://127.0.0.1:1/ HTTP/1.1`, `Host: ${host}`, ...upgrade]))), 400);
  assert.equal(statusOf(await raw(request(['GET / HTTP/1.1', `Host: ${host}`, ...upgrade]))), 426);
  await stillWell();
});

test('what never reaches a route is refused in the same form as everything else', async () => {
  const upgrade = ['Connection: Upgrade', 'Upgrade: websocket'];
  for (const [sent, status, code] of [
    ['no HTTP at all\r\n\r\n', 400, 'request_invalid'],
    [request([`GET ${open} HTTP/1.1`, `Host: ${host}`, `X-Long: ${'a'.repeat(40_000)}`]), 431, 'headers_too_large'],
    [request([`GET ${open} HTTP/1.1`, `Host: ${host}`, ...upgrade]), 426, 'upgrade_refused'],
    [request([`GET ${open} HTTP/1.1`, 'Host: evil.example', ...upgrade]), 403, 'request_foreign'],
    [request([`POST ${open} HTTP/1.1`, `Host: ${host}`, 'Expect: tea']), 417, 'expectation_unknown'],
    [request(['CONNECT evil.example:443 HTTP/1.1', 'Host: evil.example:443']), 405, 'method_not_allowed'],
  ] as const) {
    const answer = await raw(sent);
    assert.equal(statusOf(answer), status, answer);
    const [head = '', body = ''] = answer.split('\r\n\r\n');
    assert.match(head, /content-type: application\/problem\+json/i);
    assert.match(head, /x-content-type-options: nosniff/i);
    const problem = JSON.parse(body) as { status: number; code: string; requestId: string };
    assert.deepEqual([problem.status, problem.code], [status, code]);
    assert.ok(head.toLowerCase().includes(`x-request-id: ${problem.requestId}`));
  }
});

test('garbage behind a request is not answered in place of it', async () => {
  const answer = await raw(`${request([`GET ${open} HTTP/1.1`, `Host: ${host}`])}no HTTP at all\r\n\r\n`);
  assert.doesNotMatch(answer, / 400 /);
});

test('two lengths, or a length and chunks, are no request', async () => {
  const smuggled = 'GET /tenants/dev HTTP/1.1\r\nHost: evil.example\r\n\r\n';
  const lengths = ['Content-Length: 3', 'Content-Length: 4'];
  const both = [`Content-Length: ${smuggled.length}`, 'Transfer-Encoding: chunked'];
  for (const headers of [
    lengths,
    both,
    ['Transfer-Encoding: chunked, identity'],
    ['Transfer-Encoding : chunked'],
    ['Content-Length: +3'],
    ['Content-Length: 3, 3'],
  ]) {
    const answer = await raw(request([`POST ${open} HTTP/1.1`, `Host: ${host}`, ...headers], `0\r\n\r\n${smuggled}`));
    assert.equal(statusOf(answer), 400, `${headers}\n${answer}`);
    assert.equal(answer.match(/HTTP\/1\.1 /g)?.length, 1, answer);
  }
});

test('a body that nobody reads is not taken for the next request', async () => {
  const smuggled = `GET ${open} HTTP/1.1\r\nHost: ${host}\r\n\r\n`;
  const answer = await raw(
    request([`POST /nothing/here HTTP/1.1`, `Host: ${host}`, `Content-Length: ${smuggled.length}`], smuggled),
  );
  assert.equal(answer.match(/HTTP\/1\.1 /g)?.length, 1, answer);
  assert.doesNotMatch(answer, /"ok":true/);
});

/** Sends everything first and only then reads, as most HTTP clients do. */
function sendsThenReads(head: readonly string[], body: Uint8Array): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = '';
    const socket = connect(Number(port), '127.0.0.1').pause();
    socket.on('data', (chunk) => {
      answer += chunk.toString('latin1');
    });
    socket.on('error', reject);
    socket.on('close', () => resolve(answer));
    socket.write(request([...head, `Host: ${host}`, `Content-Length: ${body.length}`]));
    socket.write(body, () => socket.resume());
  });
}

const large = Buffer.alloc(20 * 1024 * 1024, 'x');
const bearer = `Authorization: Bearer ${token}`;
const refusedEarly: Record<string, { head: readonly string[]; status: number }> = {
  'a body that is too large for the API': {
    head: ['POST /api/dev/customers HTTP/1.1', bearer, 'Content-Type: application/json'],
    status: 413,
  },
  'a body that is too large for a function': { head: [`POST ${open} HTTP/1.1`], status: 413 },
  'a large body without a token': { head: ['POST /api/dev/customers HTTP/1.1'], status: 401 },
  'a large body for no route': { head: ['POST /api/dev/nothing HTTP/1.1', bearer], status: 404 },
  'a large body from a foreign page': {
    head: [`POST ${open} HTTP/1.1`, 'Origin: https://evil.example'],
    status: 403,
  },
};

for (const [what, { head, status }] of Object.entries(refusedEarly)) {
  test(`${what} is refused to a client that reads only after it has sent everything`, async () => {
    assert.equal(statusOf(await sendsThenReads(head, large)), status);
  });
}

test('an upload of the wrong type is refused to a client that reads only after it has sent everything', async () => {
  const answer = await post('/custom-functions/template-app/api/template/upload-credentials.js', {
    fileName: 'a.mp4',
    contentType: 'video/mp4',
    bytes: 16 * 1024 * 1024,
  });
  const { uploadUrl } = (await answer.json()) as { uploadUrl: string };
  const head = [`PUT ${uploadUrl.slice(url.length)} HTTP/1.1`, 'Content-Type: video/mp4'];
  const refused = await sendsThenReads(head, large.subarray(0, 16 * 1024 * 1024));
  assert.equal(statusOf(refused), 422);
  assert.match(refused, /"media_type_mismatch"/);
});

test('what follows a refused body on its connection is not processed', async () => {
  const customers = async () =>
    ((await (await ask('/customers?limit=200')).json()) as { items: unknown[] }).items.length;
  const before = await customers();
  const body = JSON.stringify({ phone: '+4930901829' });
  const second = request(
    [
      'POST /api/dev/customers HTTP/1.1',
      `Host: ${host}`,
      bearer,
      'Content-Type: application/json',
      `Content-Length: ${body.length}`,
    ],
    body,
  );
  const answer = await raw(
    request(['POST /nothing/here HTTP/1.1', `Host: ${host}`, 'Content-Length: 3'], `abc${second}`),
  );
  assert.equal(answer.match(/HTTP\/1\.1 /g)?.length, 1, answer);
  assert.equal(await customers(), before);
});

test('headers without end are refused', async () => {
  assert.equal(
    statusOf(await raw(request([`GET ${open} HTTP/1.1`, `Host: ${host}`, `X-Long: ${'a'.repeat(40_000)}`]))),
    431,
  );
});

test('an address without end is refused', async () => {
  assert.equal(
    statusOf(await raw(request([`GET ${open}?${'a'.repeat(9_000)} HTTP/1.1`, `Host: ${host}`, 'Connection: close']))),
    414,
  );
});

test('a client that waits for permission to send gets none from a foreign page', async () => {
  const lines = [
    `POST ${open} HTTP/1.1`,
    `Host: ${host}`,
    'Origin: https://evil.example',
    'Content-Length: 5',
    'Expect: 100-continue',
  ];
  const answer = await raw(request(lines));
  assert.doesNotMatch(answer, /100 Continue/);
  assert.equal(statusOf(answer), 403);
});

test('a client that waits for permission gets it where it may send', async () => {
  const lines = [`POST ${open} HTTP/1.1`, `Host: ${host}`, 'Content-Length: 2', 'Expect: 100-continue'];
  assert.match(await raw(request(lines)), /^HTTP\/1\.1 100 Continue/);
});

test('bodies that are sent at once are bounded together, and what is refused is refused with a time', async () => {
  const piece = Buffer.alloc(5 * 1024 * 1024, 'x');
  const most = Math.ceil(limits.request.heldBytes / piece.length);
  const head = request([`POST ${open} HTTP/1.1`, `Host: ${host}`, `Content-Length: ${limits.request.bodyBytes}`]);
  const sockets: Socket[] = [];
  const refused = new Promise<string>((resolve) => {
    const next = () => {
      const socket = connect(Number(port), '127.0.0.1');
      sockets.push(socket);
      socket.on('error', () => {});
      socket.on('data', (chunk) => resolve(chunk.toString('latin1')));
      // One after the other: what one sends is there before the next begins.
      socket.write(head);
      socket.write(piece, () => sockets.length <= most && next());
    };
    next();
  });
  const answer = await refused;
  assert.equal(statusOf(answer), 503);
  assert.match(answer, /Retry-After: 1\r\n[\s\S]*"workspace_busy"/);
  for (const socket of sockets) socket.destroy();
  await until('room again', async () => {
    const response = await fetch(`${url}${open}`, { method: 'POST', body: new Uint8Array(piece) });
    await response.text();
    return response.status === 200;
  });
  await stillWell();
});

test('an upload that stops half-way is the affair of its sender', async () => {
  const answer = await post('/custom-functions/template-app/api/template/upload-credentials.js', {
    fileName: 'a.png',
    contentType: 'image/png',
    bytes: 1000,
  });
  const { uploadUrl } = (await answer.json()) as { uploadUrl: string };
  const lines = [`PUT ${uploadUrl.slice(url.length)} HTTP/1.1`, `Host: ${host}`, 'Content-Type: image/png'];
  await raw(request([...lines, 'Content-Length: 1000'], 'only this'), 100);
  await stillWell();
  assert.deepEqual(
    events.filter(({ type }) => type === 'problem'),
    [],
  );
});

test('a body that stops half-way harms nobody', async () => {
  await raw(request([`POST ${open} HTTP/1.1`, `Host: ${host}`, 'Content-Length: 1000'], 'only this'), 100);
  await raw(
    request(
      [
        `POST /api/dev/customers HTTP/1.1`,
        `Host: ${host}`,
        `Authorization: Bearer ${token}`,
        'Content-Type: application/json',
        'Transfer-Encoding: chunked',
      ],
      '5\r\n{"pho',
    ),
    100,
  );
  await stillWell();
});

test('bodies are refused by what they are', async () => {
  const json = { 'content-type': 'application/json' };
  const send = (body: string | Uint8Array, headers: Record<string, string> = json) =>
    ask('/customers', { method: 'POST', headers, body });
  const cases: [Promise<Response>, number, string][] = [
    [send('{"phone":'), 400, 'body_invalid'],
    [send(new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])), 400, 'body_invalid'],
    [send('[]'), 422, 'input_invalid'],
    [send('"text"'), 422, 'input_invalid'],
    [send('{"phone":"+4930901820","__proto__":{"x":1}}'), 400, 'body_invalid'],
    [send('{"phone":"+4930901820","\\u005f_proto__":{"x":1}}'), 400, 'body_invalid'],
    [send('{"phone":"+4930901820","constructor":1}'), 422, 'input_invalid'],
    [send(`${'['.repeat(100_000)}${']'.repeat(100_000)}`), 400, 'body_too_deep'],
    [send(`{"phone":"+4930901820","fields":{"a":${'['.repeat(500)}${']'.repeat(500)}}}`), 400, 'body_too_deep'],
    [send(`{${Array.from({ length: 100_002 }, (_, i) => `"${i}":1`).join()}}`), 400, 'body_invalid'],
    [send('phone=1', { 'content-type': 'application/x-www-form-urlencoded' }), 415, 'content_type_unsupported'],
    [send('{}', { 'content-type': 'text/plain' }), 415, 'content_type_unsupported'],
    [send('{}', { 'content-type': 'application/json; charset=utf-16' }), 415, 'content_type_unsupported'],
    [send('{}', { ...json, 'content-encoding': 'gzip' }), 415, 'content_type_unsupported'],
    [send(`{"phone":"${'1'.repeat(7 * 1024 * 1024)}"}`), 413, 'body_too_large'],
    [send('{"phone":"+4930901820"}', { ...json, 'idempotency-key': '"a"b"' }), 400, 'header_invalid'],
  ];
  for (const [asked, status, code] of cases) {
    const response = await asked;
    const body = (await response.json()) as { code: string };
    assert.deepEqual([response.status, body.code], [status, code]);
  }
  assert.equal(({} as Record<string, unknown>)['x'], undefined);
  await stillWell();
});

test('a fields name of __proto__ changes no prototype, wherever it stands', async () => {
  const response = await ask('/customers', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"phone":"+4930901820","fields":{"a":[{"__proto__":{"polluted":true}}]}}',
  });
  assert.equal(response.status, 400);
  assert.equal(({} as Record<string, unknown>)['polluted'], undefined);
});

test('queries are refused by what they are', async () => {
  for (const query of [
    'limit=0',
    'limit=201',
    'limit=x',
    'limit=1&limit=2',
    'no=1',
    '__proto__=1',
    'cursor=%00',
    'cursor=bm9uZQ',
  ]) {
    const response = await ask(`/customers?${query}`);
    assert.equal(response.status, 422, query);
  }
});

test('paths that climb, in every spelling, lead nowhere', async () => {
  const up = [
    '/../../etc/passwd',
    '/..%2f..%2fetc%2fpasswd',
    '/%2e%2e/%2e%2e/etc/passwd',
    '/..\\..\\windows',
    '/%5c..%5c',
    '/custom-functions/shop/../../tokens',
    '/custom-functions/shop/%2e%2e%2fsecret.js',
    '/custom-functions/..%2f..%2f/x.js',
    '/customers/%ff',
    '/customers/%',
    '//customers',
    '/customers/',
    '/custom-functions/__proto__/constructor.js',
    '/custom-functions/shop/api/ok.js%00',
    '/apps/__proto__/functions',
  ];
  for (const path of up) {
    const answer = await raw(
      request([`GET /api/dev${path} HTTP/1.1`, `Host: ${host}`, `Authorization: Bearer ${token}`, 'Connection: close']),
    );
    assert.ok([400, 404, 405, 422].includes(statusOf(answer)), `${path}: ${answer.slice(0, 300)}`);
    assert.doesNotMatch(answer, /root:|"ok":true/);
  }
  await stillWell();
});

test('every kind of wrong token has its own answer', async () => {
  const cases: [string | undefined, string][] = [
    [undefined, 'token_missing'],
    ['', 'token_missing'],
    ['Basic YTpi', 'token_malformed'],
    ['Bearer', 'token_malformed'],
    [`Bearer ${token} ${token}`, 'token_malformed'],
    [`Bearer ${token.slice(0, -1)}x`, 'token_invalid'],
  ];
  for (const [authorization, code] of cases) {
    const response = await fetch(`${api}/customers`, authorization === undefined ? {} : { headers: { authorization } });
    assert.equal(response.status, 401);
    assert.equal(((await response.json()) as { code: string }).code, code, String(authorization));
    assert.equal(response.headers.get('www-authenticate'), 'Bearer');
  }
});

test('every route of the table refuses who has no token', async () => {
  const { operationNames, operationOf } = await import('../../src/contract/index.ts');
  for (const name of operationNames) {
    const { route } = operationOf(name);
    if (route === null || name === 'media.upload') continue;
    const [verb = 'GET', path = ''] = route.split(' ');
    const response = await fetch(`${api}${path.replace(/:\w+/g, 'x')}`, { method: verb });
    assert.equal(response.status, 401, name);
    await response.body?.cancel();
  }
});

test('pages show nothing to who is not signed in', async () => {
  for (const path of [
    '/',
    '/tenants/dev',
    '/tenants/dev/conversations/cnv_x',
    '/views/shop/views/x',
    '/views/shop/views/x/start',
    '/views/shop/views/x/events',
  ]) {
    const response = await fetch(`${url}${path}`, { redirect: 'manual' });
    assert.equal(response.status, 401, path);
    assert.doesNotMatch(await response.text(), /Elbe|cus_|cnv_01/);
  }
  assert.equal((await fetch(`${url}/?code=wrong`, { redirect: 'manual' })).headers.get('set-cookie'), null);
  assert.equal(
    (await fetch(`${url}/`, { headers: { cookie: `fn_session_${port}=9999999999.aaaa.bbbb` } })).status,
    401,
  );
});

test('a code signs in once', async () => {
  const address = emulator.openUrl('/');
  const first = await fetch(address, { redirect: 'manual' });
  const cookie = first.headers.get('set-cookie') ?? '';
  assert.match(cookie, /HttpOnly; SameSite=Strict; Path=\//);
  assert.doesNotMatch(cookie, new RegExp(token));
  assert.equal((await fetch(address, { redirect: 'manual' })).headers.get('set-cookie'), null);
  const page = await fetch(url, { headers: { cookie: cookie.split(';')[0] ?? '' } });
  assert.equal(page.status, 200);
  assert.doesNotMatch(await page.text(), new RegExp(token));
});

test('signing in leads to places of ours only', async () => {
  for (const next of ['//evil.example/', 'https://evil.example/', '/\\evil.example', '/a\r\nSet-Cookie: x=y']) {
    const response = await fetch(`${url}/session`, {
      method: 'POST',
      body: new URLSearchParams({ token, next }),
      redirect: 'manual',
    });
    assert.equal(response.status, 303);
    assert.equal(response.headers.get('location'), '/');
  }
});

test('no bytes at all end the server', async () => {
  const line = fc.constantFrom('GET', 'POST', 'OPTIONS', 'TRACE', '\u0000', 'A'.repeat(300));
  const piece = fc.oneof(
    fc.string({ maxLength: 40 }),
    fc.constantFrom(
      host,
      'null',
      '\u0000',
      '[::1',
      '::',
      'http://[',
      '%',
      '\ud800',
      '[::1]:99999',
      'localhost:0x50',
      ' ',
      '127.0.0.1:',
      'http://',
      'file://',
      '"',
      ';;;=;',
    ),
  );
  const header = fc.tuple(
    fc.constantFrom(
      'Host',
      'Origin',
      'Cookie',
      'Authorization',
      'Content-Type',
      'Content-Length',
      'Sec-Fetch-Site',
      'If-Match',
      'If-None-Match',
      'Idempotency-Key',
      'Accept',
      'Last-Event-ID',
      'X-Request-Id',
      'Expect',
      'Upgrade',
      'Transfer-Encoding',
    ),
    piece,
  );
  await fc.assert(
    fc.asyncProperty(
      line,
      piece,
      fc.array(header, { maxLength: 6 }),
      fc.string({ maxLength: 60 }),
      async (verb, path, headers, body) => {
        const text = request(
          [`${verb} /${path} HTTP/1.1`, `Host: ${host}`, ...headers.map(([name, value]) => `${name}: ${value}`)],
          body,
        );
        await raw(Buffer.from(text, 'latin1'), 40);
      },
    ),
    { numRuns: 60 },
  );
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 400 }), async (bytes) => {
      await raw(bytes, 20);
    }),
    { numRuns: 40 },
  );
  await stillWell();
});

test('the guard itself never throws, whatever the headers hold', async () => {
  const { guard } = await import('../../src/emulator/http/guard.ts');
  const options = {
    hosts: new Set([host]),
    allowedHosts: new Set(['tunnel.example']),
    allowedOrigins: new Set(['https://app.example']),
    beyondLoopback: false,
  };
  fc.assert(
    fc.property(
      fc.string(),
      fc.dictionary(
        fc.constantFrom('host', 'origin', 'sec-fetch-site'),
        fc.oneof(fc.string(), fc.constantFrom('tunnel.example', 'tunnel.example:1', 'https://app.example')),
      ),
      (target, headers) => {
        const rawHeaders = Object.entries(headers).flat();
        guard({ url: target, headers, rawHeaders } as never, options);
      },
    ),
  );
  const allowed = (headers: Record<string, string>) =>
    guard({ url: '/', headers, rawHeaders: Object.entries(headers).flat() } as never, options) === undefined;
  assert.ok(allowed({ host: 'tunnel.example', origin: 'https://tunnel.example' }));
  assert.ok(allowed({ host, origin: 'https://app.example', 'sec-fetch-site': 'cross-site' }));
  assert.ok(!allowed({ host: 'tunnel.example.evil.example' }));
  assert.ok(!allowed({ host: 'tunnel.example', origin: 'https://evil.example' }));
  assert.ok(!allowed({ host, origin: 'https://app.example.evil.example' }));
});

test('beyond loopback a public method asks other machines for a token, whatever Host they name', async () => {
  const { demandsToken } = await import('../../src/emulator/http/guard.ts');
  const asked = (remoteAddress: string | undefined, name: string, beyondLoopback = true) =>
    demandsToken(
      { headers: { host: name }, socket: { remoteAddress } },
      {
        hosts: new Set([host]),
        allowedHosts: new Set(['hooks.example']),
        allowedOrigins: new Set<string>(),
        beyondLoopback,
      },
    );
  for (const here of ['127.0.0.1', '127.8.9.1', '::1', '::ffff:127.0.0.1']) assert.equal(asked(here, host), false);
  for (const other of ['192.168.1.7', 'fe80::1', '::ffff:10.0.0.1', '127.0.0.1.evil', undefined]) {
    assert.equal(asked(other, host), true, other);
    assert.equal(asked(other, 'hooks.example:80'), false, other);
    assert.equal(asked(other, host, false), false, other);
  }
});

const otherName = Object.values(networkInterfaces())
  .flatMap((one) => one ?? [])
  .find(({ internal, family }) => !internal && family === 'IPv4')?.address;

test('with --host another machine calls a public method with a token only', {
  skip: otherName === undefined,
}, async () => {
  const { port: wide, beyond = [] } = await emulator.listen({ port: 0, strict: true, host: true });
  assert.ok(beyond.includes(`http://${otherName}:${wide}`), beyond.join());
  const at = (name: string, headers: Record<string, string> = {}) =>
    fetch(`http://${name}:${wide}${open}`, { headers }).then(({ status }) => status);
  assert.equal(await at('127.0.0.1'), 200);
  assert.equal(await at(otherName ?? ''), 401);
  assert.equal(await at(otherName ?? '', { authorization: `Bearer ${token}` }), 200);
});

test('a write by GET does not exist', async () => {
  for (const path of [
    '/workspace/reset',
    '/_local/workspace/reset',
    '/_local/clock/advance',
    '/apps/shop/install',
    '/conversations/x/close',
  ]) {
    assert.ok([404, 405].includes((await ask(path)).status), path);
  }
  assert.equal((await post('/customers', { phone: '+4930901820' })).status, 200);
});

test('on the port that belongs to http its own names are known without a port, elsewhere not', () => {
  assert.deepEqual(ownHosts(8080), ['127.0.0.1:8080', 'localhost:8080', '[::1]:8080']);
  assert.deepEqual(ownHosts(80).slice(-3), ['127.0.0.1', 'localhost', '[::1]']);
});
