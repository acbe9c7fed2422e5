import assert from 'node:assert/strict';
import { afterEach, describe, test } from 'node:test';
import { type Client, type ClientOptions, openClient, requestRefusal } from '../../src/client/index.ts';
import { addressOf } from '../../src/client/wire.ts';
import { UnknownOutcomeError, UnreachableError, UsageError, WorkspaceError } from '../../src/std/index.ts';
import fc from '../properties.ts';
import { until } from '../until.ts';
import { deadPort, json, type Script, type Weather, weather } from './server.ts';

const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const thing of opened.splice(0)) await thing.close();
});

async function served(script: Script): Promise<Weather> {
  const server = await weather(script);
  opened.push(server);
  return server;
}

function client(url: string, options: Partial<ClientOptions> = {}): Client {
  const made = openClient({ baseUrl: url, slug: 'acme', token: 'tok-secret', env: {}, ...options });
  opened.push(made);
  return made;
}

const send = { to: '+4930901820', template: 'order_shipped' };
const sent = {
  conversationId: 'cnv_1',
  conversationUrl: 'https://x/tenants/acme/conversations/cnv_1',
  messageId: 'msg_1',
  customerId: 'cus_1',
  created: { customer: true, conversation: true },
};

for (const transport of ['light', 'pooled'] as const) {
  describe(`over the ${transport} transport`, () => {
    test('an answer that drips for ever has an end, the sooner the less time there is', async () => {
      const server = await served((_, response) => {
        response.writeHead(200, { 'content-type': 'application/json' });
        const drip = setInterval(() => response.write(' '), 20);
        response.on('close', () => clearInterval(drip));
      });
      const asked = client(server.url, { transport, env: { FN_TIMEOUT: '100ms' } });
      await assert.rejects(asked('workspace.show', {}), { code: 'answer_timeout' });
    });

    test('an answer that only the end of its connection ends is not whole when we end it', async () => {
      let drips = 0;
      const server = await served((_, response) => {
        drips = 0;
        response.useChunkedEncodingByDefault = false;
        response.writeHead(200, { 'content-type': 'application/json', connection: 'close' });
        const drip = setInterval(() => response.write(' ', () => drips++), 20);
        response.on('close', () => clearInterval(drip));
      });
      const late = client(server.url, { transport, env: { FN_TIMEOUT: '100ms' } });
      await assert.rejects(late('workspace.show', {}), { code: 'answer_timeout' });
      const stop = new AbortController();
      const stopped = client(server.url, { transport })('workspace.show', {}, { signal: stop.signal });
      await until('it is being answered', () => server.arrived.length > 1 && drips > 2);
      stop.abort();
      await assert.rejects(stopped, { code: 'interrupted' });
    });

    test('an operation goes to the address of its row with the token, and its answer comes back', async () => {
      const server = await served((_, response) => json(response, 200, sent, { etag: '"7"' }));
      const answer = await client(server.url, { transport }).answer('templates.send', send, { idempotencyKey: 'k1' });
      assert.deepEqual(answer.output, sent);
      assert.equal(answer.etag, '"7"');
      assert.equal(answer.requestId, 'req_1');
      const [request] = server.arrived;
      assert.equal(request?.method, 'POST');
      assert.equal(request?.path, '/api/acme/custom-functions/template-app/api/template/send.js');
      assert.equal(request?.headers.authorization, 'Bearer tok-secret');
      assert.equal(request?.headers['idempotency-key'], '"k1"');
      assert.deepEqual(JSON.parse(request?.body ?? ''), send);
    });

    test('a read carries its input in the query and in the path', async () => {
      const server = await served((_, response) => json(response, 200, { items: [], nextCursor: null }));
      await client(server.url, { transport })('messages.list', { conversationId: 'cnv/ü?', limit: 5 });
      assert.equal(server.arrived[0]?.path, '/api/acme/conversations/cnv%2F%C3%BC%3F/messages?limit=5');
    });

    test('a refusal becomes the error that the door throws in the process', async () => {
      const problem = {
        code: 'variable_missing',
        title: 'T',
        detail: 'body 2 is missing',
        requestId: 'req_9',
        errors: [{ path: 'variables.body[1]', message: 'missing' }],
        hint: 'Give it:\n\u001b[31mtwo values.',
      };
      const server = await served((_, response) => json(response, 422, problem));
      await assert.rejects(client(server.url, { transport })('templates.send', send), (error) => {
        assert.ok(error instanceof WorkspaceError);
        assert.equal(error.code, 'variable_missing');
        assert.equal(error.status, 422);
        assert.equal(error.requestId, 'req_9');
        assert.deepEqual(error.errors, problem.errors);
        assert.equal(error.hint, 'Give it: [31mtwo values.');
        return true;
      });
      assert.equal(server.arrived.length, 1);
    });

    test('a send whose connection breaks after it was written is not repeated, and its outcome is unknown', async () => {
      const server = await served((_, __, socket) => void socket.destroy());
      await assert.rejects(
        client(server.url, { transport })('templates.send', send, { idempotencyKey: 'k7' }),
        (error) => {
          assert.ok(error instanceof UnknownOutcomeError);
          assert.equal(error.exitCode, 8);
          assert.match(error.hint ?? '', /k7/);
          return true;
        },
      );
      assert.equal(server.arrived.length, 1);
    });

    test('a send that is answered 500 has an unknown outcome and is not repeated', async () => {
      const server = await served((_, response) => json(response, 500, { code: 'internal_error', title: 'bug' }));
      await assert.rejects(client(server.url, { transport })('templates.send', send), UnknownOutcomeError);
      assert.equal(server.arrived.length, 1);
    });

    test('a send whose answer is cut in the middle has an unknown outcome', async () => {
      const server = await served((_, response, socket) => {
        response.writeHead(200, { 'content-type': 'application/json', 'content-length': '500' });
        response.write('{"conversationId":');
        setImmediate(() => socket.destroy());
      });
      await assert.rejects(client(server.url, { transport })('templates.send', send), UnknownOutcomeError);
      assert.equal(server.arrived.length, 1);
    });

    test('a send to a port where nothing listens was certainly not made', async () => {
      const clock = { now: () => 0, monotonic: () => 0 };
      await assert.rejects(
        client(`http://127.0.0.1:${deadPort}`, { transport, clock })('templates.send', send),
        (error) => {
          assert.ok(error instanceof UnreachableError);
          assert.equal(error.code, 'connection_refused');
          return true;
        },
      );
    });

    test('a read that is cut is repeated until it is whole', async () => {
      const server = await served((_, response, socket, count) => {
        if (count === 1) return void socket.destroy();
        json(response, 200, { items: [], nextCursor: null });
      });
      assert.deepEqual(await client(server.url, { transport })('agents.list', {}), { items: [], nextCursor: null });
      assert.equal(server.arrived.length, 2);
    });

    test('a send that is told to wait by 429 is made afterwards, once', async () => {
      const server = await served((_, response, __, count) => {
        if (count === 1)
          return json(response, 429, { code: 'rate_limited', title: 'slow down' }, { 'retry-after': '0' });
        json(response, 200, sent);
      });
      assert.equal((await client(server.url, { transport })('templates.send', send)).conversationId, 'cnv_1');
      assert.equal(server.arrived.length, 2);
    });

    test('a wait until a date is told by the clock of the server, which may differ by hours', async () => {
      const at = (ms: number) => new Date(Date.now() + 3 * 3_600_000 + ms).toUTCString();
      const server = await served((_, response, __, count) => {
        const headers = { date: at(0), 'retry-after': at(0) };
        if (count === 1) return json(response, 429, { code: 'rate_limited', title: 'slow down' }, headers);
        json(response, 200, { items: [], nextCursor: null });
      });
      assert.deepEqual(await client(server.url, { transport })('agents.list', {}), { items: [], nextCursor: null });
      assert.equal(server.arrived.length, 2);
    });

    test('a wait of more than a minute is refused at once, with the time', async () => {
      const server = await served((_, response) =>
        json(response, 429, { code: 'rate_limited' }, { 'retry-after': '3600' }),
      );
      await assert.rejects(client(server.url, { transport })('agents.list', {}), (error) => {
        assert.ok(error instanceof UnreachableError);
        assert.match(error.message, /before \d{4}-/);
        return true;
      });
      assert.equal(server.arrived.length, 1);
    });

    test('an answer that never comes ends at the deadline', async () => {
      const server = await served(() => {});
      const impatient = { transport, deadlines: { firstByteMs: 40 } };
      await assert.rejects(client(server.url, impatient)('templates.send', send), UnknownOutcomeError);
    });

    test('an answer that calls itself a stream of events has the deadlines of any other', async () => {
      const server = await served((_, response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.write('data: 1\n\n');
      });
      const impatient = { transport, deadlines: { firstByteMs: 40 } };
      await assert.rejects(client(server.url, impatient)('templates.send', send), UnknownOutcomeError);
    });

    test('a failure of the developer’s function is an answer, not bad weather', async () => {
      const server = await served((_, response) => json(response, 504, { code: 'function_timeout', title: 'slow' }));
      await assert.rejects(client(server.url, { transport })('functions.invoke', { app: 'a', name: 'b' }), (error) => {
        assert.ok(error instanceof WorkspaceError);
        assert.equal(error.code, 'function_timeout');
        return true;
      });
      assert.equal(server.arrived.length, 1);
    });

    for (const code of ['function_timeout', 'function_crashed', 'function_failed', 'function_memory']) {
      test(`a send by the platform’s own function that ends with ${code} may have been made, and is not made again`, async () => {
        const server = await served((_, response) => json(response, 504, { code, title: 'ended' }));
        await assert.rejects(client(server.url, { transport })('templates.send', send), UnknownOutcomeError);
        assert.equal(server.arrived.length, 1);
      });
    }

    test('bytes are sent as they are and read back as they are', async () => {
      const bytes = Uint8Array.from({ length: 256 }, (_, i) => i);
      const server = await served((request, response) => {
        if (request.method === 'PUT') return json(response, 200, { sha256: 'x', bytes: request.body.length });
        response.writeHead(200, { 'content-type': 'application/octet-stream' });
        response.end(bytes);
      });
      const door = client(server.url, { transport });
      const file = { app: 'a', id: 'dpl_1', sha256: 'f'.repeat(64) };
      await door.sendBytes('deployments.putFile', file, new TextEncoder().encode('héllo'));
      assert.equal(server.arrived[0]?.body, 'héllo');
      assert.deepEqual(new Uint8Array(await door.readBytes('deployments.getFile', file, 1000)), bytes);
    });
  });
}

describe('what is no workspace', () => {
  test('a web page is named as such', async () => {
    const server = await served((_, response) => {
      response.writeHead(200, { 'content-type': 'text/html' });
      response.end('<html>login</html>');
    });
    await assert.rejects(client(server.url)('workspace.show', {}), (error) => {
      assert.ok(error instanceof UnreachableError);
      assert.equal(error.code, 'not_a_workspace');
      assert.match(error.message, /web page/);
      return true;
    });
  });

  test('other JSON is not taken for the answer', async () => {
    const server = await served((_, response) => json(response, 200, { hello: 'world' }));
    await assert.rejects(client(server.url)('workspace.show', {}), /other JSON/);
  });

  for (const [name, input] of [
    ['channels.connect', { kind: 'sms' }],
    ['vars.set', { app: 'desk', name: 'CITY', value: 'Berlin' }],
    ['apps.install', { app: 'desk' }],
  ] as const) {
    test(`other JSON does not say that ${name} was done`, async () => {
      const server = await served((_, response) => json(response, 200, { hello: 'world' }));
      await assert.rejects(client(server.url)(name, input as never), UnknownOutcomeError);
    });
  }

  test('a web page in answer to a send leaves its outcome unknown', async () => {
    const server = await served((_, response) => {
      response.writeHead(200, { 'content-type': 'text/html' });
      response.end('<html></html>');
    });
    await assert.rejects(client(server.url)('templates.send', send), UnknownOutcomeError);
  });

  test('a redirect to another origin is not followed, and the token does not go there', async () => {
    const other = await served((_, response) => json(response, 200, { slug: 'acme' }));
    const server = await served((_, response) => {
      response.writeHead(302, { location: `${other.url}/api/acme/workspace` });
      response.end();
    });
    await assert.rejects(client(server.url)('workspace.show', {}), /redirects the request to/);
    assert.equal(other.arrived.length, 0);
  });

  test('a redirect of a send is not followed, not even within the origin', async () => {
    const server = await served((_, response) => {
      response.writeHead(307, { location: '/api/acme/elsewhere' });
      response.end();
    });
    await assert.rejects(client(server.url)('templates.send', send), UnreachableError);
    assert.equal(server.arrived.length, 1);
  });

  for (const status of [300, 302, 303, 304, 399]) {
    test(`a send that is answered ${status} may have been carried out`, async () => {
      const server = await served((_, response) => {
        response.writeHead(status, { location: '/api/acme/elsewhere' });
        response.end();
      });
      await assert.rejects(client(server.url)('templates.send', send), UnknownOutcomeError);
      assert.equal(server.arrived.length, 1);
    });
  }

  test('a read is redirected within the origin', async () => {
    const server = await served((request, response) => {
      if (request.path.endsWith('/workspace')) {
        response.writeHead(301, { location: '/api/acme/workspace2' });
        return void response.end();
      }
      json(response, 200, { slug: 'acme' });
    });
    assert.equal((await client(server.url)('workspace.show', {})).slug, 'acme');
  });

  test('404 on an assumed route says that it is assumed and how to override it', async () => {
    const server = await served((_, response) => {
      response.writeHead(404, { 'content-type': 'text/html' });
      response.end('not here');
    });
    await assert.rejects(client(server.url)('agents.list', {}), (error) => {
      assert.ok(error instanceof WorkspaceError);
      assert.match(error.hint ?? '', /assumed at "GET \/agents".*profile set NAME operations\.agents\.list\.route/);
      return true;
    });
  });

  test('control characters of the server do not come into the message', async () => {
    const detail = 'bad\u001b]0;owned\u0007 \u202egnp.exe';
    const server = await served((_, response) => json(response, 422, { code: 'input_invalid', detail }));
    await assert.rejects(client(server.url)('agents.list', {}), (error) => {
      assert.ok(error instanceof WorkspaceError);
      // biome-ignore lint/suspicious/noControlCharactersInRegex: their absence is the point
      assert.doesNotMatch(error.message, /[\u0000-\u001f\u202e]/);
      return true;
    });
  });
});

describe('an answer made to harm', () => {
  for (const code of ['toString', '__proto__', 'constructor']) {
    test(`the code ${code} is a text like any other`, async () => {
      const server = await served((_, response) => json(response, 422, JSON.parse(`{"code": "${code}"}`)));
      await assert.rejects(client(server.url)('agents.list', {}), { name: 'WorkspaceError', code, hint: undefined });
    });
  }

  test('problems of fields that are no texts say nothing', async () => {
    const odd = { toString: 1, valueOf: 1 };
    const errors = [{ path: odd, message: odd }, null, { path: 'a', message: 'b' }];
    const server = await served((_, response) => json(response, 422, { code: 'input_invalid', errors }));
    await assert.rejects(client(server.url)('agents.list', {}), {
      errors: [
        { path: '', message: '' },
        { path: 'a', message: 'b' },
      ],
    });
  });

  for (const [what, value] of [
    ['an answer', '{"items": [DEEP], "nextCursor": null}'],
    ['a refusal', '{"code": "input_invalid", "details": {"a": DEEP}}'],
  ] as const) {
    test(`${what} nested a hundred thousand levels deep is none`, async () => {
      const text = value.replace('DEEP', `${'['.repeat(100_000)}${']'.repeat(100_000)}`);
      const server = await served((_, response) => {
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end(text);
      });
      await assert.rejects(client(server.url)('agents.list', {}), {
        name: 'UnreachableError',
        code: 'not_a_workspace',
      });
    });
  }
});

describe('addresses', () => {
  const workspace = { baseUrl: 'https://app.example.com', slug: 'acme' };

  test('every path value survives the way to the server', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, unit: 'binary' }), (id) => {
        fc.pre(id !== '.' && id !== '..');
        const { url } = addressOf(workspace, 'customers.get', { id });
        const last = new URL(url).pathname.split('/').at(-1) ?? '';
        assert.equal(decodeURIComponent(last), id.toWellFormed());
      }),
    );
  });

  test('a dot segment is refused instead of climbing out of the path', () => {
    assert.throws(() => addressOf(workspace, 'customers.get', { id: '..' }), UsageError);
  });

  test('a profile moves an assumed operation, with slug and parameters', () => {
    const moved = { ...workspace, routes: { 'customers.get': 'GET /v2/{slug}/people/:id' } };
    assert.equal(
      addressOf(moved, 'customers.get', { id: 'cus_1' }).url,
      'https://app.example.com/v2/acme/people/cus_1',
    );
  });

  test('a documented operation stays where it is documented', () => {
    const moved = { ...workspace, routes: { 'templates.send': 'POST /elsewhere' } };
    assert.match(addressOf(moved, 'templates.send', send).url, /template-app\/api\/template\/send\.js$/);
  });

  test('plain http is for this machine only', () => {
    assert.throws(() => openClient({ baseUrl: 'http://app.example.com', slug: 'acme' }), /not encrypted/);
    assert.throws(() => openClient({ baseUrl: 'http://127.0.0.1.evil.example', slug: 'acme' }), /not encrypted/);
    openClient({ baseUrl: 'http://localhost:4400', slug: 'acme' });
  });

  test('FN_TIMEOUT is a duration of at most an hour', () => {
    for (const given of ['0s', '-1s', 'soon', '90', '2h'])
      assert.throws(() => openClient({ ...workspace, env: { FN_TIMEOUT: given } }), /FN_TIMEOUT cannot be/, given);
    openClient({ ...workspace, env: { FN_TIMEOUT: '3m' } });
  });

  test('a token with a line break is refused before it becomes a header', () => {
    assert.throws(() => openClient({ ...workspace, token: 'a\r\nX-Evil: 1' }), /not valid/);
  });

  test('an operation that exists only inside functions is not sent', async () => {
    await assert.rejects(client(workspace.baseUrl)('store.get', { key: 'a' }), /only inside functions/);
  });
});

describe('a request by its path that is refused', () => {
  const refusal = (status: number, body: string, headers: Record<string, string> = {}) =>
    requestRefusal({ status, headers, body: Buffer.from(body) }, 0, false) ?? assert.fail();
  const asProblem = { 'content-type': 'application/problem+json' };

  test('is what the problem document says, made plain', () => {
    const errors = [{ path: 'a\u001b[2J', message: { toString: 1 } }, 7];
    const body = { code: 'input\u202e_invalid', detail: 'no\u0007', errors, hint: 'try\u001b x', requestId: '\u0000r' };
    const error = refusal(422, JSON.stringify(body), asProblem);
    assert.deepEqual(
      { ...error, message: error.message },
      { ...error, code: 'input_invalid', message: 'no', hint: 'try x', requestId: 'r' },
    );
    assert.deepEqual(error.errors, [{ path: 'a[2J', message: '' }]);
  });

  test('is named by its code where it says nothing', () => {
    assert.equal(refusal(422, '{"code": "input_invalid", "detail": " \\u0007"}', asProblem).message, 'input_invalid');
  });

  test('is none where not even its code says anything', () => {
    const answer = { status: 422, headers: asProblem, body: Buffer.from('{"code": "\\u0007", "detail": ""}') };
    assert.equal(requestRefusal(answer, 0, false), undefined);
  });

  test('leaves open whether a server that broke has changed anything', () => {
    const error = refusal(500, '{"code": "internal_error"}', asProblem);
    assert.equal(error.exitCode, 1);
  });

  test('is for the caller to tell where it is no problem document', () => {
    assert.equal(
      requestRefusal({ status: 404, headers: {}, body: Buffer.from('{"code": "gone"}') }, 0, false),
      undefined,
    );
  });
});
