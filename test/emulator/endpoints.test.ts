import assert from 'node:assert/strict';
import test from 'node:test';
import { gzipSync } from 'node:zlib';
import { until } from '../until.ts';
import { anEmulator, method, token } from './an-emulator.ts';

/** Looks different in every place that escapes. */
const oddSecret = 'p@ss/w+rd?="1"é more';

const { ask, post, api, url, workspace, events } = await anEmulator({
  secrets: { API_KEY: 'very-secret-value', ODD: oddSecret },
  functions: {
    'api/echo': method('return { got: await sdk.request.json() };'),
    'api/method': method('return { method: sdk.request.method, query: sdk.request.url.split("?")[1] ?? null };', [
      'GET',
      'PUT',
    ]),
    'api/customer': method('const { phone } = await sdk.request.json(); return sdk.customers.findOrCreate({ phone });'),
    'api/open': {
      config: { type: 'server-side-method', expose: { methods: ['POST'], auth: 'public' } },
      body: 'return { open: true };',
    },
    'api/hidden': { config: { type: 'server-side-method' }, body: 'return 1;' },
    'api/throws': method('throw new Error("the database password is hunter2");', ['GET']),
    'api/hangs': {
      config: { type: 'server-side-method', limits: { wallMs: 150 }, expose: { methods: ['GET'] } },
      body: 'await new Promise(() => {});',
    },
    'api/big': {
      config: { type: 'server-side-method', limits: { resultBytes: 1000 }, expose: { methods: ['GET'] } },
      body: 'return "x".repeat(2000);',
    },
    'api/big-response': {
      config: { type: 'server-side-method', limits: { resultBytes: 999 }, expose: { methods: ['GET'] } },
      body: `
        const query = new URL(sdk.request.url).searchParams;
        const bytes = Number(query.get('bytes'));
        const bodies = { ascii: () => 'x'.repeat(bytes), euro: () => '€'.repeat(bytes / 3), bytes: () => new Uint8Array(bytes) };
        return new Response(bodies[query.get('of')](), { headers: { 'x-own': 'x'.repeat(300) } });`,
    },
    'api/small-body': {
      config: { type: 'server-side-method', limits: { bodyBytes: 10 }, expose: { methods: ['POST'] } },
      body: 'return 1;',
    },
    'api/html': method(
      'return new Response("<script>1</script>", { status: 201, headers: { "content-type": "text/html", "set-cookie": "a=b", "access-control-allow-origin": "*", "x-frame-options": "ALLOWALL", "x-own": "kept" } });',
      ['GET'],
    ),
    'api/two-types': method(
      `Object.defineProperty(Response.prototype, 'headers', { get: () => ({ forEach(each) { each('text/html', 'content-type'); each('application/json', 'content-type'); } }) });
      return new Response('<script>1</script>');`,
      ['GET'],
    ),
    'api/umlauts': method('return new Response("a" + "ä".repeat(50_000));', ['GET']),
    'api/bytes': method(
      'return new Response(new Uint8Array([0, 255, 10]), { headers: { "content-type": "image/png" } });',
      ['GET'],
    ),
    'api/json-response': method('return Response.json({ a: 1 }, { status: 202 });', ['GET']),
    'api/status-text': method(
      'return new Response(null, { status: 409, statusText: sdk.request.url.split("?")[1] ?? "" });',
      ['GET', 'POST'],
    ),
    'api/nothing': method('', ['GET']),
    'api/cycle': method('const a = {}; a.a = a; return a;', ['GET']),
    'api/schema': method('return sdk.request.json();', ['POST'], {
      input: { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'], additionalProperties: false },
    }),
    'api/search': method('return [...new URL(sdk.request.url).searchParams.keys()];', ['GET', 'DELETE'], {
      input: {
        type: 'object',
        properties: {
          limit: { type: 'integer', maximum: 10 },
          tag: { type: 'array', items: { type: 'string' } },
          open: { type: 'boolean' },
          phone: { type: 'string' },
        },
        required: ['limit'],
        additionalProperties: false,
      },
    }),
    'api/count': method('return { count: await sdk.store.increment("n") };'),
    'api/secret': method('const key = await sdk.secrets.get("API_KEY"); console.log("key", key); return { key };'),
    'api/forms': method(`
      const odd = await sdk.secrets.get('ODD');
      const address = 'https://user.invalid/?key=';
      console.log(JSON.stringify({ odd }), address + encodeURIComponent(odd), String(new URLSearchParams({ odd })), new URL(address + odd).href);
      for (const user of ['', 'u:', 'us:', 'use:']) {
        const bytes = String.fromCharCode(...new TextEncoder().encode(user + odd));
        console.log('Basic ' + btoa(bytes), btoa(bytes).replaceAll('+', '-').replaceAll('/', '_'));
      }
      throw Object.assign(new Error('of ' + odd), { name: odd });
    `),
    'api/outer': method('return { inner: await sdk.methods.call("api/hidden") };'),
    'api/by-get': method(`
      const { fields } = await sdk.request.json();
      const input = { limit: 1, ...Object.fromEntries(Array.from({ length: fields }, (_, i) => ['k' + i, 'v'])) };
      return sdk.methods.call('api/search', input, { method: 'GET' }).catch(({ code, message }) => ({ code, message }));
    `),
    'api/misnames': method(
      'return Promise.all(["api/hiden", "hidden", "t"].map((name) => sdk.methods.call(name).catch(({ message }) => message)));',
    ),
    'api/loop': method('return sdk.methods.call("api/loop");'),
    'api/headers': method('return Object.fromEntries(sdk.request.headers);'),
    'api/raw': method('return [...new Uint8Array(await sdk.request.arrayBuffer())];'),
    'api/refused': method(
      'return sdk.customers.get({ id: "cus_none" }).catch((error) => ({ name: error.name, code: error.code, status: error.status }));',
    ),
    'tools/t': {
      config: { type: 'ai-tool', name: 't', description: 'A tool', input: { type: 'object' } },
      body: 'return 1;',
    },
  },
});
const at = (name: string) => `/custom-functions/shop/${name}.js`;

async function problem(response: Response, status: number, code: string): Promise<Record<string, unknown>> {
  const body = (await response.json()) as Record<string, unknown>;
  assert.equal(body['code'], code, JSON.stringify(body));
  assert.equal(response.status, status);
  assert.equal(body['status'], status);
  assert.match(response.headers.get('content-type') ?? '', /^application\/problem\+json/);
  assert.equal(response.headers.get('x-request-id'), body['requestId']);
  return body;
}

test('an exposed method answers at the documented path with what it returned', async () => {
  const response = await post(at('api/echo'), { a: ['ä', 1, null] });
  assert.equal(response.status, 200);
  assert.deepEqual(await response.json(), { got: { a: ['ä', 1, null] } });
  assert.match(response.headers.get('x-request-id') ?? '', /^req_/);
});

test('a method sees the method and the query it was called with', async () => {
  assert.deepEqual(await (await ask(`${at('api/method')}?a=1&b=%20`, { method: 'PUT' })).json(), {
    method: 'PUT',
    query: 'a=1&b=%20',
  });
});

test('HEAD is answered like GET, without a body', async () => {
  const response = await ask(at('api/nothing'), { method: 'HEAD' });
  assert.equal(response.status, 200);
  assert.equal(await response.text(), '');
});

test('a method acts on the workspace with the rights of its app', async () => {
  const made = (await (await post(at('api/customer'), { phone: '+49 30 901820' })).json()) as {
    id: string;
    phone: string;
  };
  assert.equal(made.phone, '+4930901820');
  assert.equal(
    (await workspace.call('customers.get', { id: made.id }, { type: 'local', id: null, scopes: ['read'] })).phone,
    '+4930901820',
  );
});

test('a public method asks for no token', async () => {
  const response = await fetch(`${api}${at('api/open')}`, { method: 'POST' });
  assert.deepEqual(await response.json(), { open: true });
});

test('a public method is not exempt from the guard against foreign pages', async () => {
  const response = await fetch(`${api}${at('api/open')}`, {
    method: 'POST',
    headers: { origin: 'https://evil.example' },
  });
  await problem(response, 403, 'request_foreign');
});

test('without a token nobody learns whether a function exists', async () => {
  for (const name of ['api/echo', 'api/hidden', 'api/no-such', 'tools/t']) {
    await problem(await fetch(`${api}${at(name)}`, { method: 'POST' }), 401, 'token_missing');
  }
});

test('a method that is not exposed says so to who has a token', async () => {
  await problem(await post(at('api/hidden'), {}), 404, 'function_not_exposed');
  const tool = await post(at('tools/t'), {});
  assert.match(((await tool.clone().json()) as { hint: string }).hint, /Only a Server Side Method .* ai-tool/);
  await problem(tool, 404, 'function_not_exposed');
  await problem(await post(at('api/no-such'), {}), 404, 'function_not_found');
  await problem(await post('/custom-functions/no-such-app/api/x.js', {}), 404, 'function_not_found');
});

test('its hint exposes the HTTP method that was asked for', async () => {
  for (const method of ['POST', 'GET', 'DELETE']) {
    const { hint } = (await (await ask(at('api/hidden'), { method })).json()) as { hint: string };
    assert.equal(hint, `Add to its config: expose: { methods: ['${method}'], auth: 'token' }`);
  }
});

const meant: Readonly<Record<string, string>> = { 'api/ehco': 'api/echo', echo: 'api/echo', t: 'tools/t' };
for (const [typed, name] of Object.entries(meant)) {
  test(`an address that ends in ${typed}.js suggests ${name}.js to who has a token`, async () => {
    const answer = await post(at(typed), {});
    assert.match(
      ((await answer.clone().json()) as { hint: string }).hint,
      new RegExp(`^Did you mean [^ ]+/${name}\\.js\\?$`),
    );
    await problem(answer, 404, 'function_not_found');
    await problem(await fetch(`${api}${at(typed)}`, { method: 'POST' }), 401, 'token_missing');
  });
}

test('a method not taken is answered with those that are', async () => {
  const response = await ask(at('api/echo'), { method: 'DELETE' });
  assert.equal(response.headers.get('allow'), 'POST, OPTIONS');
  await problem(response, 405, 'function_method_not_allowed');
  const readable = await ask(at('api/nothing'), { method: 'OPTIONS' });
  assert.equal(readable.headers.get('allow'), 'GET, HEAD, OPTIONS');
});

test('a token that may only read cannot call a method by POST', async () => {
  const made = (await (await post('/tokens', { name: 'reader', scopes: ['read'] })).json()) as { token: string };
  const headers = { authorization: `Bearer ${made.token}` };
  await problem(await post(at('api/echo'), {}, headers), 403, 'token_scope');
  assert.equal((await ask(at('api/nothing'), { headers })).status, 200);
});

test('a function that throws answers 500 without a word of its own, and the record has the stack', async () => {
  const body = await problem(await ask(at('api/throws')), 500, 'function_failed');
  assert.doesNotMatch(JSON.stringify(body), /hunter2/);
  const { invocationId } = body['details'] as { invocationId: string };
  const record = await until('the record', async () => {
    const response = await ask(`/invocations/${invocationId}`);
    return response.status === 200 && ((await response.json()) as { error: { message: string; stack: string } });
  });
  assert.match(record.error.message, /hunter2/);
  assert.match(record.error.stack, /api\/throws/);
});

test('a function that never returns answers 504', async () => {
  await problem(await ask(at('api/hangs')), 504, 'function_timeout');
});

test('a result over its limit answers 502', async () => {
  await problem(await ask(at('api/big')), 502, 'result_too_large');
});

test('of a Response the body counts: one of exactly the limit is served, and not one byte more', async () => {
  for (const kind of ['ascii', 'euro', 'bytes']) {
    const served = await ask(`${at('api/big-response')}?of=${kind}&bytes=999`);
    assert.equal((await served.arrayBuffer()).byteLength, 999, kind);
    const most = kind === 'euro' ? 1002 : 1000;
    await problem(await ask(`${at('api/big-response')}?of=${kind}&bytes=${most}`), 502, 'result_too_large');
  }
});

test('a result that is no JSON answers 502', async () => {
  await problem(await ask(at('api/cycle')), 502, 'result_invalid');
});

test('a body over the limit of the function answers 413', async () => {
  await problem(await post(at('api/small-body'), { long: 'x'.repeat(20) }), 413, 'body_too_large');
});

test('a Response keeps status and own headers, loses cookies, CORS and framing, and runs nothing as a page', async () => {
  const response = await ask(at('api/html'));
  assert.equal(response.status, 201);
  assert.equal(response.headers.get('x-own'), 'kept');
  assert.equal(response.headers.get('content-security-policy'), 'sandbox');
  assert.equal(response.headers.get('x-content-type-options'), 'nosniff');
  for (const name of ['set-cookie', 'access-control-allow-origin', 'x-frame-options'])
    assert.equal(response.headers.get(name), null);
  assert.equal(await response.text(), '<script>1</script>');
});

test('a Response that names two types is no page either', async () => {
  const response = await ask(at('api/two-types'));
  assert.equal(await response.text(), '<script>1</script>');
  assert.equal(response.headers.get('content-security-policy'), 'sandbox');
});

test('what one function asks another by GET fits an address, and holds nobody up where it does not', async () => {
  assert.deepEqual(await (await post(at('api/by-get'), { fields: 0 })).json(), ['limit']);
  const refused = (await (await post(at('api/by-get'), { fields: 60_000 })).json()) as Record<string, string>;
  assert.equal(refused['code'], 'input_invalid');
  assert.match(refused['message'] ?? '', /8192 bytes/);
});

test('a Response keeps its statusText, also in a replay; without one it has the usual words', async () => {
  const said = await ask(`${at('api/status-text')}?Out-of-stock`);
  assert.deepEqual([said.status, said.statusText], [409, 'Out-of-stock']);
  assert.equal((await ask(at('api/status-text'))).statusText, 'Conflict');
  const headers = { 'idempotency-key': '"status-text"' };
  for (const replayed of [null, 'true']) {
    const again = await post(`${at('api/status-text')}?Gone-fishing`, {}, headers);
    assert.deepEqual([again.statusText, again.headers.get('idempotent-replayed')], ['Gone-fishing', replayed]);
  }
});

test('bytes of a Response arrive unchanged', async () => {
  assert.deepEqual(new Uint8Array(await (await ask(at('api/bytes'))).arrayBuffer()), new Uint8Array([0, 255, 10]));
});

test('of a Response that is no text, who asks for a value gets every byte, and the record their number', async () => {
  const invoked = await post('/apps/shop/functions/api%2Fbytes/invoke', {});
  const { invocationId, result } = (await invoked.json()) as { invocationId: string; result: unknown };
  assert.deepEqual(result, { status: 200, headers: { 'content-type': 'image/png' }, bodyBase64: 'AP8K' });
  const recorded = (await (await ask(`/invocations/${invocationId}`)).json()) as { result: { body: string } };
  assert.equal(recorded.result.body, '<3 bytes>');
});

test('a long text is recorded up to the last whole sign', async () => {
  const response = await ask(at('api/umlauts'));
  const id = response.headers.get('x-invocation-id') ?? '';
  const { result } = (await (await ask(`/invocations/${id}`)).json()) as { result: { body: string } | string };
  assert.doesNotMatch(JSON.stringify(result), /bytes>|\ufffd/);
});

test('a Response of JSON is served as it is', async () => {
  const response = await ask(at('api/json-response'));
  assert.equal(response.status, 202);
  assert.equal(response.headers.get('content-security-policy'), null);
  assert.deepEqual(await response.json(), { a: 1 });
});

test('a method that returns nothing answers null', async () => {
  assert.equal(await (await ask(at('api/nothing'))).text(), 'null');
});

test('an input that does not fit the schema is refused before the function runs', async () => {
  const body = await problem(await post(at('api/schema'), { n: 1.5, x: 1 }), 422, 'function_input_invalid');
  assert.deepEqual((body['errors'] as { path: string }[]).map(({ path }) => path).sort(), ['n', 'x']);
  assert.deepEqual(await (await post(at('api/schema'), { n: 2 })).json(), { n: 2 });
});

test('a body that is no JSON by its own words is refused as such where a schema looks at it', async () => {
  const send = (body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string>) =>
    ask(at('api/schema'), { method: 'POST', headers, body });
  const json = { 'content-type': 'application/json' };
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  await problem(await send('n=2', form), 415, 'content_type_unsupported');
  const zipped = gzipSync('{"n":2}') as Uint8Array<ArrayBuffer>;
  await problem(await send(zipped, { ...json, 'content-encoding': 'gzip' }), 415, 'content_type_unsupported');
  await problem(await send('n=2', json), 400, 'body_invalid');
  // curl says that it is a form unless it is told otherwise.
  assert.deepEqual(await (await send('{"n":2}', form)).json(), { n: 2 });
});

test('a byte order mark in front of JSON is no part of it', async () => {
  const marked = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '\ufeff{"n":2}' };
  assert.deepEqual(await (await ask(at('api/schema'), marked)).json(), { n: 2 });
  const customer = await ask('/customers', { ...marked, body: '\ufeff{"phone":"+4930901820"}' });
  assert.equal(((await customer.json()) as { phone: string }).phone, '+4930901820');
});

test('a DELETE is looked at by its body where it has one', async () => {
  const remove = (body: string) =>
    ask(at('api/search'), { method: 'DELETE', headers: { 'content-type': 'application/json' }, body });
  assert.equal((await remove('{"limit":5}')).status, 200);
  await problem(await remove('{"limit":"5"}'), 422, 'function_input_invalid');
  assert.equal((await ask(`${at('api/search')}?limit=5`, { method: 'DELETE' })).status, 200);
});

test('a query fits the schema by what its texts read as', async () => {
  const fits = ['limit=5', 'limit=5&tag=a', 'limit=5&tag=a&tag=b&open=true&phone=4930'];
  for (const query of fits) assert.equal((await ask(`${at('api/search')}?${query}`)).status, 200, query);
  for (const query of ['limit=x', 'limit=50', 'limit=1.5', 'limit=5&open=yes', 'limit=1&limit=2', 'limit=5&x=1', '']) {
    await problem(await ask(`${at('api/search')}?${query}`), 422, 'function_input_invalid');
  }
});

test('the same idempotency key and request get the first answer again; another request is refused', async () => {
  const headers = { 'idempotency-key': '"k-1"' };
  const first = await post(at('api/count'), { a: 1 }, headers);
  const again = await post(at('api/count'), { a: 1 }, headers);
  assert.deepEqual(await again.json(), await first.json());
  assert.equal(again.headers.get('idempotent-replayed'), 'true');
  await problem(await post(at('api/count'), { a: 2 }, headers), 422, 'idempotency_key_reused');
  await problem(await post(at('api/count'), {}, { 'idempotency-key': 'not a key\t' }), 400, 'header_invalid');
});

test('a failure answers the same with an idempotency key and without', async () => {
  const parts = async (headers: Record<string, string>) => {
    const response = await post(at('api/forms'), {}, headers);
    const { requestId, ...body } = (await response.json()) as Record<string, unknown>;
    return { cache: response.headers.get('cache-control'), hasRequestId: typeof requestId === 'string', body };
  };
  const [without, withKey] = [await parts({}), await parts({ 'idempotency-key': '"failing"' })];
  const same = ({ body: { details: _, ...body }, ...rest }: Awaited<ReturnType<typeof parts>>) => ({ ...rest, body });
  assert.deepEqual(same(withKey), same(without));
});

test('a repeat of a failure says that it is one, however the function was asked for', async () => {
  const name = encodeURIComponent('api/throws');
  for (const path of [at('api/forms'), `/apps/shop/functions/${name}/invoke`]) {
    const headers = { 'idempotency-key': `fails-once${path.length}` };
    const answers = [await post(path, {}, headers), await post(path, {}, headers)];
    assert.deepEqual(
      answers.map(({ status, headers: of }) => [status, of.get('idempotent-replayed')]),
      [
        [500, null],
        [500, 'true'],
      ],
      path,
    );
  }
});

test('what the Template API may not be asked for at its path it may not be asked for by another spelling or name', async () => {
  const made = await post('/tokens', { name: 'writer', scopes: ['write'] });
  const { token: writer } = (await made.json()) as { token: string };
  const headers = { authorization: `Bearer ${writer}` };
  const message = { to: '+491709999999', template: 'appointment_reminder' };
  const code = async (path: string, body: unknown) => {
    const response = await fetch(`${api}${path}`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return ((await response.json()) as { code?: string }).code;
  };
  const functions = '/custom-functions/template-app';
  assert.equal(await code(`${functions}/api/template/send.js`, message), 'token_scope');
  for (const spelling of ['api%2Ftemplate%2Fsend.js', 'api/template%2Fsend.js', 'api/template%2Fupload-credentials.js'])
    assert.equal(await code(`${functions}/${spelling}`, message), 'function_not_found', spelling);
  const name = encodeURIComponent('api/template/send');
  assert.equal(await code(`/apps/template-app/functions/${name}/invoke`, { input: message }), 'token_scope');
});

test('a secret reaches the function and is in no log and no record', async () => {
  const response = await post(at('api/secret'), {});
  assert.deepEqual(await response.json(), { key: 'very-secret-value' });
  const id = response.headers.get('x-invocation-id');
  const record = await until('the record', async () => {
    const answer = await ask(`/invocations/${id}`);
    return answer.status === 200 && (await answer.text());
  });
  assert.doesNotMatch(record, /very-secret/);
  assert.match(record, /\[redacted\]/);
  assert.doesNotMatch(JSON.stringify(events), /very-secret/);
});

test('a secret is in no log and no record either as JSON, addresses and base64 write it', async () => {
  await problem(await post(at('api/forms'), {}), 500, 'function_failed');
  const told = await until('the event', () =>
    events.find((event) => event.type === 'invoked' && event.function === 'api/forms'),
  );
  const id = told.type === 'invoked' ? told.invocationId : '';
  const record = await until('the record', async () => {
    const answer = await ask(`/invocations/${id}`);
    return answer.status === 200 && (await answer.text());
  });
  const middleInBase64 = ['', 'u:', 'us:', 'use:'].map((user) =>
    Buffer.from(user + oddSecret)
      .toString('base64')
      .slice(8, 20),
  );
  const inside = ['p@ss', 'p%40ss', 'w+rd', 'w%2Brd', ...middleInBase64];
  for (const part of inside) assert.ok(!(record + JSON.stringify(events)).includes(part), `${part} in ${record}`);
});

test('a method calls another one of its app that is not exposed', async () => {
  assert.deepEqual(await (await post(at('api/outer'), {})).json(), { inner: 1 });
});

test('methods that call each other without end are stopped', async () => {
  await problem(await post(at('api/loop'), {}), 500, 'function_failed');
});

test('a function sees neither the token nor the cookies of its caller', async () => {
  const seen = (await (await post(at('api/headers'), {}, { cookie: 'a=b', 'x-mine': '1' })).json()) as Record<
    string,
    string
  >;
  assert.equal(seen['x-mine'], '1');
  assert.equal(seen['authorization'], undefined);
  assert.equal(seen['cookie'], undefined);
});

test('a function sees the headers of its own request, whatever was sent before it', async () => {
  const seen = async (mine: string) =>
    ((await (await post(at('api/headers'), {}, { 'x-mine': mine })).json()) as Record<string, string>)['x-mine'];
  for (const mine of ['1', '1', '2', '1']) assert.equal(await seen(mine), mine);
});

test('a body that is no text reaches the function byte by byte', async () => {
  const body = new Uint8Array([0xef, 0xbb, 0xbf, 0x7b, 0x7d, 0xff]);
  assert.deepEqual(await (await ask(at('api/raw'), { method: 'POST', body })).json(), [...body]);
});

test('a refusal of the workspace is an SdkError with the code of the API', async () => {
  assert.deepEqual(await (await post(at('api/refused'), {})).json(), {
    name: 'SdkError',
    code: 'customer_not_found',
    status: 404,
  });
});

test('the address of a foreign workspace is unknown here', async () => {
  const response = await fetch(`${url}/api/other/custom-functions/shop/api/echo.js`, {
    headers: { authorization: `Bearer ${token}` },
  });
  await problem(response, 404, 'workspace_unknown');
});

test('every invocation is told, with its request', async () => {
  await post(at('api/echo'), { told: true });
  const told = await until('the event', () =>
    events.find((event) => event.type === 'invoked' && event.function === 'api/echo'),
  );
  assert.deepEqual(told.type === 'invoked' && told.request, {
    method: 'POST',
    path: '/api/dev/custom-functions/shop/api/echo.js',
  });
});

test('a method that is called by a wrong name is told with the right one', async () => {
  const response = await post(at('api/misnames'), {});
  assert.deepEqual(await response.json(), [
    'There is no function "api/hiden" in shop; did you mean "api/hidden"?',
    'There is no function "hidden" in shop; did you mean "api/hidden"?',
    'There is no function "t" in shop',
  ]);
});
