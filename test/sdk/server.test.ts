import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import test, { after } from 'node:test';
import { defaultLimits, type Host, type Outcome, openSandbox } from '../../src/sandbox/index.ts';
import { preludeSource, readResult, type SdkArgument } from '../../src/sdk/index.ts';
import { sdkTable } from '../../src/sdk/table.ts';

const sandbox = openSandbox({ prelude: await preludeSource() });
after(() => sandbox.close());

const argument: SdkArgument = {
  type: 'server-side-method',
  context: {
    workspace: { slug: 'dev', url: 'http://x/tenants/dev' },
    app: 'shop',
    function: 'api/x',
    version: 'local',
    invocationId: 'inv_1',
    environment: 'local',
  },
  request: {
    method: 'POST',
    url: 'http://127.0.0.1:1/api/x.js?n=7',
    headers: [
      ['content-type', 'application/json'],
      ['x-a', 'b'],
    ],
    text: '{"phone":"1"}',
  },
};

/** Answers every call with itself; refuses what has the key `bad`. */
const calls: [string, unknown][] = [];
const host: Host = {
  async call(operation, input) {
    calls.push([operation, input]);
    const key = typeof input === 'object' && input !== null && 'key' in input ? input.key : undefined;
    if (key === 'bad')
      return { error: { code: 'store_full', message: 'The store is full', status: 507, details: { most: 1 } } };
    if (operation === 'vars.get') return { error: { code: 'var_not_found', message: 'There is none', status: 404 } };
    return { ok: operation.startsWith('store.') ? { value: 5, deleted: true } : { operation, input } };
  },
  fetch: async (request) => ({
    status: 200,
    headers: [['content-type', 'text/plain']],
    url: request.url,
    body: Buffer.from(`${request.method} ${Buffer.from(request.body ?? '')}`),
  }),
};

function run(body: string, given: Partial<SdkArgument> = {}, bytes?: Uint8Array): Promise<Outcome> {
  const code = `(async (register) => { "use strict";\nregister({ default: async (sdk) => {\n${body}\n} });\n})`;
  const id = createHash('sha256').update(code).digest('hex');
  calls.length = 0;
  return sandbox.invoke(
    { id, app: 'shop', name: 'api/x', code },
    { argument: { ...argument, ...given }, limits: defaultLimits, isolation: 'fresh', ...(bytes && { body: bytes }) },
    host,
  );
}

async function value(body: string, given?: Partial<SdkArgument>, bytes?: Uint8Array): Promise<unknown> {
  const outcome = await run(body, given, bytes);
  assert.equal(outcome.status, 'ok', outcome.status === 'ok' ? '' : outcome.error.message);
  if (outcome.status !== 'ok') return undefined;
  const result = readResult(outcome.resultJson, outcome.body);
  assert.ok(result.kind !== 'invalid');
  return result.kind === 'json' ? JSON.parse(result.json) : result.response;
}

async function failure(body: string) {
  const outcome = await run(body);
  assert.notEqual(outcome.status, 'ok');
  return outcome.status === 'ok' ? assert.fail() : outcome.error;
}

test('every operation of the table that stands on the face sdk is a member', async () => {
  const members = await value(
    'return Object.fromEntries(Object.entries(sdk).filter(([, area]) => typeof area === "object" && area !== null).map(([name, area]) => [name, Object.keys(area)]));',
  );
  for (const [area, verbs] of Object.entries(sdkTable('sdk'))) {
    for (const verb of verbs) assert.ok((members as Record<string, string[]>)[area]?.includes(verb), `${area}.${verb}`);
  }
});

test('a call hands over a copy of its input', async () => {
  await value(
    'const input = { phone: "1" }; const call = sdk.customers.findOrCreate(input); input.phone = "2"; await call;',
  );
  assert.deepEqual(calls, [['customers.findOrCreate', { phone: '1' }]]);
});

test('a refusal is an SdkError with the facts, and with the place of the call', async () => {
  assert.deepEqual(
    await value(
      'try { await sdk.store.set("bad", 1) } catch (error) { return { name: error.name, isError: error instanceof Error, ...error, message: error.message } }',
    ),
    {
      name: 'SdkError',
      isError: true,
      code: 'store_full',
      status: 507,
      details: { most: 1 },
      message: 'The store is full',
    },
  );
  const { stack, errorCode } = await failure('\n\nawait sdk.store.set("bad", 1);');
  assert.equal(errorCode, 'store_full');
  assert.match(stack ?? '', /api\/x\.js:5:/);
});

test('the short forms take a key and give a value', async () => {
  assert.deepEqual(
    await value(
      'return [await sdk.store.get("k"), await sdk.store.set("k", 1, { ttlSeconds: 9 }), await sdk.store.delete("k"), await sdk.store.increment("n", 2), await sdk.vars.get("V"), await sdk.store.get({ key: "k" })];',
    ),
    [5, { value: 5, deleted: true }, true, 5, null, { value: 5, deleted: true }],
  );
  assert.deepEqual(calls.slice(0, 5), [
    ['store.get', { key: 'k' }],
    ['store.set', { key: 'k', value: 1, ttlSeconds: 9 }],
    ['store.delete', { key: 'k' }],
    ['store.increment', { key: 'n', by: 2 }],
    ['vars.get', { app: 'shop', name: 'V' }],
  ]);
});

test('all keys are listed with options of the list', async () => {
  await run('await sdk.store.list(undefined, { limit: 1 });');
  assert.deepEqual(calls, [['store.list', { prefix: '', limit: 1 }]]);
});

test('another method is called by path and body', async () => {
  await value(
    'await sdk.methods.call("api/other", { a: 1 }); await sdk.methods.call("api/none", undefined, { method: "GET" });',
  );
  assert.deepEqual(calls, [
    ['methods.call', { path: 'api/other', body: { a: 1 } }],
    ['methods.call', { path: 'api/none', method: 'GET' }],
  ]);
});

test('options travel beside the input', async () => {
  await value('await sdk.customers.update({ id: "c" }, { ifMatch: "1" });');
  assert.deepEqual(calls, [['customers.update', { $options: { ifMatch: '1' }, input: { id: 'c' } }]]);
});

test('an input that is no JSON is refused with the name of the call', async () => {
  assert.match(
    (await failure('const a = {}; a.a = a; await sdk.customers.list(a);')).message,
    /sdk\.customers\.list: the input cannot be sent/,
  );
  assert.match((await failure('await sdk.customers.list(() => 1);')).message, /sdk\.customers\.list/);
});

test('what JSON would empty is refused where it is given, before anything is called', async () => {
  const cases: [string, RegExp][] = [
    [
      'sdk.store.set("a", new Map())',
      /^sdk\.store\.set: the input cannot be sent: value is a Map, .* Give Object\.fromEntries/,
    ],
    [
      'sdk.store.set("a", sdk.store.get("b"))',
      /value is a Promise, which is not JSON\. Give what it resolves to: await it\.$/,
    ],
    [
      'sdk.methods.call("a", new FormData())',
      /body is a FormData, which is not JSON\. Give Object\.fromEntries\(form\)\.$/,
    ],
    ['sdk.methods.call("a", new Uint8Array(2))', /body is bytes, .* in base64\.$/],
    ['sdk.vars.set("a", new Set())', /value is a Set/],
    ['sdk.customers.update({ id: "c", fields: new Headers() })', /fields is a Headers object/],
    ['sdk.customers.list(Promise.resolve({}))', /it is a Promise/],
  ];
  for (const [call, message] of cases) assert.match((await failure(`await ${call};`)).message, message);
  await value('await sdk.store.set("a", sdk.store.get("b")).catch(() => {});');
  assert.deepEqual(calls, [['store.get', { key: 'b' }]]);
  const own = 'class Price { constructor() { this.cents = 1; } }';
  await value(`${own} await sdk.store.set("a", new Price()); await sdk.store.set("b", new Date(0));`);
  assert.deepEqual(calls, [
    ['store.set', { key: 'a', value: { cents: 1 } }],
    ['store.set', { key: 'b', value: '1970-01-01T00:00:00.000Z' }],
  ]);
});

test('a promise or a file anywhere in an input is refused with its place', async () => {
  const cases: [string, RegExp][] = [
    ['sdk.methods.call("a", { items: [1, Promise.resolve(2)] })', /: body\.items\[1\] is a Promise, .* await it\.$/],
    ['sdk.methods.call("a", [async () => 1].map((one) => one()))', /: body\[0\] is a Promise/],
    ['sdk.methods.call("a", { file: { of: new Blob(["x"]) } })', /: body\.file\.of is a Blob, .* in base64\.$/],
    ['sdk.store.set("a", { deep: { deeper: Promise.resolve(1) } })', /: value\.deep\.deeper is a Promise/],
    ['sdk.store.set("a", new (class { late = Promise.resolve(1); })())', /: value\.late is a Promise/],
  ];
  for (const [call, message] of cases) assert.match((await failure(`await ${call};`)).message, message);
  assert.deepEqual(calls, []);
  await value(
    'await sdk.store.set("a", { of: { library: new Map() }, own: { then: Promise.resolve(), toJSON: () => 1 } });',
  );
  assert.deepEqual(calls, [['store.set', { key: 'a', value: { of: { library: {} }, own: 1 } }]]);
});

test('the request answers what methods ask most by itself', async () => {
  assert.deepEqual(
    await value(
      'const { method, url, bodyUsed } = sdk.request; return { method, url, bodyUsed, body: await sdk.request.json(), used: sdk.request.bodyUsed };',
    ),
    { method: 'POST', url: 'http://127.0.0.1:1/api/x.js?n=7', bodyUsed: false, body: { phone: '1' }, used: true },
  );
  assert.match((await failure('await sdk.request.json(); await sdk.request.json();')).message, /unusable|read|used/i);
  assert.equal((await failure('await sdk.request.text(); await sdk.request.arrayBuffer();')).name, 'TypeError');
});

test('the request is a web-standard Request in every respect', async () => {
  assert.deepEqual(
    await value(`const r = sdk.request; const copy = r.clone(); const other = new Request(r, { headers: { a: 'b' } });
      return [r instanceof Request, Object.prototype.toString.call(r), r.constructor === Request, r.headers.get('x-a'), [...r.headers.keys()], await copy.text(), other.method, other.headers.get('a'), await other.json(), r.bodyUsed, r.signal.aborted, r.redirect];`),
    [
      true,
      '[object Request]',
      true,
      'b',
      ['content-type', 'x-a'],
      '{"phone":"1"}',
      'POST',
      'b',
      { phone: '1' },
      true,
      false,
      'follow',
    ],
  );
});

test('the headers of the request are web-standard Headers in every respect', async () => {
  const request = {
    method: 'GET',
    url: 'http://127.0.0.1:1/x',
    headers: [
      ['Content-Type', 'text/plain'],
      ['x-twice', 'a'],
      ['x-twice', 'b'],
      ['x-blank', ' c '],
      ['x-empty', ''],
    ] as const,
  };
  const told = `const h = sdk.request.headers; const first = [h.get('content-type'), h.get('X-TWICE'), h.get('x-blank'), h.get('x-empty'), h.get('x-none'), h.has('x-none'), h.has('X-Empty'), h === sdk.request.headers];`;
  const seen = ['text/plain', 'a, b', 'c', '', null, false, true, true];
  assert.deepEqual(await value(`${told} return first;`, { request }), seen);
  assert.deepEqual(
    await value(
      `${told} return [h instanceof Headers, Object.prototype.toString.call(h), [...h].length, new Headers(h).get('x-twice'), Object.fromEntries(h)['x-blank'], h.forEach.length, ...first];`,
      { request },
    ),
    [true, '[object Headers]', 4, 'a, b', 'c', 0, ...seen],
  );
  assert.deepEqual(
    await value(
      `const h = sdk.request.headers; const before = h.get('x-a'); h.set('x-a', 'changed'); h.append('x-new', '1'); h.delete('content-type');
      return [before, h.get('X-A'), h.has('x-new'), h.get('content-type'), sdk.request.clone().headers.has('x-new'), new Request(sdk.request).headers.get('x-a')];`,
    ),
    ['b', 'changed', true, null, true, 'changed'],
  );
});

test('what is not the name of a header is refused as by the platform', async () => {
  for (const name of ['""', '"a b"', '"a\\r"', '"\\u212a"', '{ toString: () => "b c" }', '']) {
    assert.equal((await failure(`sdk.request.headers.get(${name});`)).name, 'TypeError', name);
    assert.equal((await failure(`sdk.request.headers.has(${name});`)).name, 'TypeError', name);
  }
  assert.equal(await value('return sdk.request.headers.get({ toString: () => "x-a" });'), 'b');
});

test('the request can be handed on to fetch', async () => {
  assert.equal(await value('return (await fetch(sdk.request)).text();'), 'POST {"phone":"1"}');
});

test('a body of bytes is there byte by byte', async () => {
  const request = { method: 'PUT', url: 'http://127.0.0.1:1/x', headers: [] };
  assert.deepEqual(
    await value('return [...await sdk.request.bytes()];', { request }, Uint8Array.of(0, 255, 7)),
    [0, 255, 7],
  );
});

test('a request without a body has an empty text, and no body', async () => {
  const request = { method: 'GET', url: 'http://127.0.0.1:1/x', headers: [] };
  assert.deepEqual(
    await value('return [await sdk.request.text(), await sdk.request.text(), sdk.request.body];', { request }),
    ['', '', null],
  );
});

test('a Response comes back in parts', async () => {
  const response = (await value('return new Response("hé", { status: 201, headers: { "x-a": "b" } });')) as {
    status: number;
    headers: string[][];
    body: Uint8Array;
  };
  assert.equal(response.status, 201);
  assert.deepEqual(Object.fromEntries(response.headers)['x-a'], 'b');
  assert.equal(Buffer.from(response.body).toString(), 'hé');
});

test('a Response whose statusText is more than one line of an answer is refused', () => {
  const read = (statusText: string) =>
    readResult(` ${JSON.stringify({ status: 200, statusText, headers: [] })}`, undefined).kind;
  assert.deepEqual(['Très bien', 'OK\r\nx-a: 1', 'x'.repeat(9000)].map(read), ['response', 'invalid', 'invalid']);
});

test('no result can be mistaken for a Response', async () => {
  assert.deepEqual(await value('return { status: 500, headers: [], body: "x" };'), {
    status: 500,
    headers: [],
    body: 'x',
  });
  assert.equal(await value('return " {}";'), ' {}');
});

test('results that are no JSON say where and what to do', async () => {
  const cases: [string, RegExp][] = [
    ['return () => 1;', /returned a function/],
    ['return Symbol("x");', /returned a symbol/],
    ['return 1n;', /result is a BigInt/],
    ['return { a: [{ b: 1n }] };', /result\.a\[0\]\.b is a BigInt/],
    ['const a = { b: {} }; a.b.c = a; return a;', /result\.b\.c leads back/],
    ['return new Map([[1, 2]]);', /Object\.fromEntries/],
    ['return new Set([1]);', /\[\.\.\.set\]/],
    ['return new Uint8Array(3);', /new Response\(bytes\)/],
    ['return new Blob(["x"]);', /a Blob.*new Response\(blob\)/],
    ['return sdk.request.headers;', /Object\.fromEntries\(headers\)/],
    ['return sdk.request;', /returned a Request/],
    ['return (function* () { yield 1; })();', /a generator/],
    ['return new RangeError("x");', /an Error.*or throw it/],
    ['const r = new Response("x"); await r.text(); return r;', /read already/],
    [
      'const r = new Response("x"); const reader = r.body.getReader(); await reader.read(); reader.releaseLock(); return r;',
      /read already/,
    ],
  ];
  for (const [body, said] of cases) {
    const { message, errorCode } = await failure(body);
    assert.match(message, said);
    assert.equal(errorCode, 'result_invalid', body);
  }
});

test('what becomes {} further down is told in the log, with its place; the result is what JSON makes of it', async () => {
  const cases: [body: string, result: unknown, said?: RegExp][] = [
    ['return { a: [1, 2].map(async (n) => n) };', { a: [{}, {}] }, /^result\.a\[0\] is a Promise, .*await it\.$/],
    ['return [{ m: new Map([[1, 2]]) }];', [{ m: {} }], /^result\[0\]\.m is a Map, .*Object\.fromEntries\(map\)\.$/],
    ['return { none: {}, text: "{}" };', { none: {}, text: '{}' }],
    ['return { own: { map: new Map(), toJSON: () => ({}) } };', { own: {} }],
  ];
  for (const [body, result, said] of cases) {
    const outcome = await run(body);
    assert.deepEqual(outcome.status === 'ok' && outcome.result, result, body);
    assert.deepEqual(
      outcome.logs.map(({ level }) => level),
      said ? ['warn'] : [],
    );
    if (said) assert.match(outcome.logs[0]?.text ?? '', said);
  }
});

test('a function that replaces what the platform made replaces it for itself only', async () => {
  assert.equal(
    await value(
      'globalThis.Request = globalThis.Response = null; JSON.stringify = () => "0"; const c = await sdk.request.clone().json(); return c.phone;',
    ),
    '1',
  );
});

test('the time of the context is that of the workspace', async () => {
  const now = (await value(
    'return [sdk.context.now() instanceof Date, sdk.context.app, Object.isFrozen(sdk.context)];',
  )) as unknown[];
  assert.deepEqual(now, [true, 'shop', true]);
});

test('log lines keep their level and order', async () => {
  const { logs } = await run('sdk.log.warn("a", 1); console.log("b"); sdk.log.debug({ c: 1 }); sdk.log.error("d");');
  assert.deepEqual(
    logs.map(({ level, text }) => [level, text]),
    [
      ['warn', 'a 1'],
      ['info', 'b'],
      ['debug', '{ c: 1 }'],
      ['error', 'd'],
    ],
  );
});

test('neither stack frames nor callers show a function of the sdk', async () => {
  const outcome = await run(`
    const found = [];
    const probe = new Function('found', 'return function probe() { if (probe.caller) found.push(String(probe.caller)); return "x"; }')(found);
    Error.prepareStackTrace = (_, frames) => {
      for (const frame of frames)
        for (const get of ['getFunction', 'getThis']) if (frame[get]() !== undefined) found.push(get + ' ' + frame.getFunctionName());
      return '';
    };
    const look = (error) => void error.stack;
    await sdk.store.get('bad').catch(look);
    await sdk.vars.get('none').catch(look);
    await sdk.customers.list({ get limit() { return probe(); }, toJSON: probe });
    await sdk.customers.find(new Map()).catch(look);
    sdk.request.headers.forEach(probe);
    try { sdk.customers.list.call(null, () => {}); } catch (error) { look(error); }
    try { sdk.store.nothing(); } catch (error) { look(error); }
    try { sdk.log = 1; } catch (error) { look(error); }
    Error.prepareStackTrace = undefined;
    return { found, last: { toJSON: probe } };
  `);
  assert.deepEqual(outcome.status === 'ok' && outcome.result, { found: [], last: 'x' });
});
