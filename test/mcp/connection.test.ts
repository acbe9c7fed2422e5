import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { type McpConnection, type McpConnectOptions, McpError, openConnection } from '../../src/mcp/index.ts';
import { aFakeServer, echoTool, type FakeOptions, type FakeServer } from './fake-server.ts';

const secret = 'Bearer s3cret-of-this-test';

async function connect(
  t: TestContext,
  server: FakeServer,
  options: Partial<McpConnectOptions> = {},
): Promise<McpConnection> {
  const connection = await openConnection(
    { url: server.url, authorization: secret },
    { fetch, version: '0.0.0', ...options },
  );
  t.after(() => connection.close());
  return connection;
}

/** Connects to a fake server with these habits. */
async function aConnection(t: TestContext, habits: FakeOptions = {}, options: Partial<McpConnectOptions> = {}) {
  const server = await aFakeServer(t, habits);
  return { server, connection: await connect(t, server, options) };
}

const fast = { endpointMs: 60, connectMs: 300, listMs: 300, callMs: 100 };

/** A refusal with this code, whose message says this and shows no secret. */
function failsWith(code: string, message: RegExp) {
  return (error: unknown) => {
    assert.ok(error instanceof McpError, String(error));
    assert.equal(error.code, code, error.message);
    assert.match(error.message, message);
    assert.doesNotMatch(error.message, /s3cret/);
    return true;
  };
}

test('a server over SSE is listed and called; every request carries the authentication', async (t) => {
  const { server, connection } = await aConnection(t);
  assert.equal(connection.transport, 'sse');
  assert.deepEqual(connection.server, { name: 'fake', version: '1.0.0' });
  const [tool] = await connection.listTools();
  assert.ok(tool);
  assert.equal(tool.name, 'echo');
  assert.equal(tool.problem, null);
  assert.equal(tool.annotations.readOnly, true);
  const result = await connection.call(tool, { text: 'hi' });
  assert.deepEqual(result, { isError: false, text: 'hi', structured: undefined, isCut: false, bytes: result.bytes });
  assert.ok(server.headers.every(({ authorization }) => authorization === secret));
});

for (const status of [401, 403]) {
  test(`a server that answers ${status} is not asked another way`, async (t) => {
    const server = await aFakeServer(t, { intercept: (_, response) => !!response.writeHead(status).end() });
    await assert.rejects(connect(t, server), failsWith('mcp_unauthorized', new RegExp(`answered ${status}`)));
    assert.equal(server.headers.length, 1);
  });
}

for (const status of [429, 503]) {
  test(`a server that answers ${status} is unavailable, and is not asked another way`, async (t) => {
    const server = await aFakeServer(t, { intercept: (_, response) => !!response.writeHead(status).end() });
    await assert.rejects(connect(t, server), failsWith('mcp_unavailable', new RegExp(`answered ${status}`)));
    assert.equal(server.headers.length, 1);
  });
}

for (const status of [400, 404, 405, 410]) {
  test(`a server that answers every request with ${status} is not an MCP server`, async (t) => {
    const server = await aFakeServer(t, { intercept: (_, response) => !!response.writeHead(status).end() });
    await assert.rejects(
      connect(t, server),
      failsWith('mcp_endpoint_invalid', new RegExp(`SSE: The server answered GET with ${status}`)),
    );
  });
}

test('an endless GET without an endpoint is given up, and the server is asked over streamable HTTP', async (t) => {
  const server = await aFakeServer(t, {
    intercept(request, response) {
      if (request.method === 'POST') return !!response.writeHead(404).end();
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write(': hello\n\n');
      return true;
    },
  });
  await assert.rejects(
    connect(t, server, { limits: fast }),
    failsWith('mcp_endpoint_invalid', /no "endpoint" within 60 ms/),
  );
});

test('a server that accepts the connection and says nothing at all has a limit', async (t) => {
  const server = await aFakeServer(t, { intercept: () => true });
  await assert.rejects(connect(t, server, { limits: fast }), failsWith('mcp_timeout', /within 300 ms/));
});

test('a wrong content type is not read as a stream', async (t) => {
  const server = await aFakeServer(t, {
    intercept: (_, response) => !!response.writeHead(200, { 'content-type': 'text/html' }).end('<p>event: endpoint'),
  });
  await assert.rejects(connect(t, server), failsWith('mcp_endpoint_invalid', /GET with text\/html/));
});

test('a redirect is not followed, and its target gets no secret', async (t) => {
  const target = await aFakeServer(t);
  const server = await aFakeServer(t, {
    intercept: (_, response) => !!response.writeHead(307, { location: target.url }).end(),
  });
  await assert.rejects(connect(t, server), failsWith('mcp_redirected', /redirects to http:\/\/127/));
  assert.equal(target.headers.length, 0);
});

test('an endpoint on another origin is refused, and nothing is sent there', async (t) => {
  const other = await aFakeServer(t);
  const server = await aFakeServer(t, { endpoint: `${other.origin}/message?session=0` });
  await assert.rejects(connect(t, server), failsWith('mcp_protocol_error', /another origin/));
  assert.equal(other.headers.length, 0);
});

test('a host where nothing listens is unavailable', async (t) => {
  const server = await aFakeServer(t);
  await server.close();
  await assert.rejects(connect(t, server), failsWith('mcp_unavailable', /Nothing listens at 127/));
});

test('connecting can be cancelled', async (t) => {
  const server = await aFakeServer(t, { intercept: () => true });
  const controller = new AbortController();
  const connecting = connect(t, server, { signal: controller.signal });
  controller.abort();
  await assert.rejects(connecting, failsWith('mcp_cancelled', /cancelled/));
});

test('all pages of 300 tools are listed', async (t) => {
  const tools = Array.from({ length: 300 }, (_, index) => ({ ...echoTool, name: `tool_${index}` }));
  const { connection } = await aConnection(t, { tools, pageSize: 50 });
  const listed = await connection.listTools();
  assert.equal(listed.length, 300);
  assert.ok(listed.every(({ problem }) => problem === null));
});

test('a list that never ends is given up', async (t) => {
  const tools = Array.from({ length: 100 }, (_, index) => ({ ...echoTool, name: `tool_${index}` }));
  const { connection } = await aConnection(t, { tools, pageSize: 1 });
  await assert.rejects(connection.listTools(), failsWith('mcp_protocol_error', /does not end/));
});

test('two tools with one name are both unusable', async (t) => {
  const { connection } = await aConnection(t, { tools: [echoTool, { ...echoTool, description: 'Another' }] });
  const listed = await connection.listTools();
  assert.deepEqual(
    listed.map(({ name, problem }) => [name, problem]),
    [['echo', 'the server lists 2 tools of this name']],
  );
});

test('a tool whose description changes by one letter has another hash; in a changed order it has the same', async (t) => {
  let tool: object = echoTool;
  const { connection } = await aConnection(t, { tools: () => [tool] });
  const hash = async () => (await connection.listTools())[0]?.hash;
  const first = await hash();
  const { name, ...rest } = echoTool;
  tool = { ...rest, name };
  assert.equal(await hash(), first);
  tool = { ...echoTool, description: 'Repeats a texT' };
  assert.notEqual(await hash(), first);
});

test('a schema with a remote reference is unusable, and nobody asks for it', async (t) => {
  const other = await aFakeServer(t);
  const inputSchema = { type: 'object', properties: { a: { $ref: `${other.origin}/schema.json` } } };
  const { connection } = await aConnection(t, { tools: [{ ...echoTool, inputSchema }] });
  const [tool] = await connection.listTools();
  assert.match(tool?.problem ?? '', /refers to http:.*which is not loaded/);
  assert.equal(other.headers.length, 0);
});

test('a catastrophic pattern is checked in linear time, and a pattern that cannot be is a problem', async (t) => {
  const withPattern = (pattern: string) => ({
    ...echoTool,
    name: `p${pattern.length}`,
    inputSchema: { type: 'object', properties: { text: { type: 'string', pattern } } },
    outputSchema: { type: 'object', properties: { text: { type: 'string', pattern } } },
  });
  const { connection } = await aConnection(t, {
    tools: [withPattern('^(a+)+$'), withPattern('(?=a)b')],
    call: () => ({ content: [], structuredContent: { text: `${'a'.repeat(40)}!` } }),
  });
  const [linear, refused] = await connection.listTools();
  assert.equal(linear?.problem, null);
  assert.match(refused?.problem ?? '', /not a usable JSON Schema/);
  assert.ok(linear);
  assert.deepEqual((await connection.call(linear, {})).structured, { text: `${'a'.repeat(40)}!` });
});

test('a message of 5 MiB ends the connection', async (t) => {
  const { connection } = await aConnection(t, {
    call: () => ({ content: [{ type: 'text', text: 'x'.repeat(5 * 1024 * 1024) }] }),
  });
  await assert.rejects(connection.call(echoTool, { text: '' }), failsWith('mcp_message_too_large', /more than 4 MiB/));
});

test('a result over 32 KiB is cut, and says so', async (t) => {
  const { connection } = await aConnection(t, {
    call: () => ({ content: [{ type: 'text', text: 'ä'.repeat(50_000) }] }),
  });
  const { text, isCut, bytes } = await connection.call(echoTool, { text: '' });
  assert.ok(isCut);
  assert.ok(bytes > 100_000);
  assert.match(text, /ä\n\[cut: 32768 of 100000 bytes\]$/);
});

test('invalid UTF-8 on the stream ends the call', async (t) => {
  const { connection } = await aConnection(t, {
    call: (_, session) => session.raw(Buffer.from([0x64, 0xff, 0xfe, 0x0a, 0x0a])) as undefined,
  });
  await assert.rejects(connection.call(echoTool, { text: '' }), failsWith('mcp_protocol_error', /not UTF-8/));
});

test('broken JSON on the stream ends the call', async (t) => {
  const { connection } = await aConnection(t, {
    call: (_, session) => session.raw('data: {"jsonrpc": \n\n') as undefined,
  });
  await assert.rejects(connection.call(echoTool, { text: '' }), failsWith('mcp_protocol_error', /not JSON-RPC/));
});

test('a call that is never answered ends at its limit, and the server is told', async (t) => {
  const { connection, server } = await aConnection(t, { call: () => undefined }, { limits: { callMs: 100 } });
  await assert.rejects(connection.call(echoTool, { text: '' }), failsWith('mcp_timeout', /longer than 100 ms/));
  await connection.listTools();
  assert.ok(server.received.includes('notifications/cancelled'));
});

test('a call can be cancelled, and the server is told', async (t) => {
  const controller = new AbortController();
  const { connection, server } = await aConnection(t, { call: () => controller.abort() as undefined });
  await assert.rejects(
    connection.call(echoTool, { text: '' }, { signal: controller.signal }),
    failsWith('mcp_cancelled', /cancelled/),
  );
  await connection.listTools();
  assert.ok(server.received.includes('notifications/cancelled'));
});

test('of two answers to one call the first counts', async (t) => {
  const { connection } = await aConnection(t, {
    call(message, session) {
      for (const text of ['first', 'second'])
        session.send({ jsonrpc: '2.0', id: message.id, result: { content: [{ type: 'text', text }] } });
      return undefined;
    },
  });
  assert.equal((await connection.call(echoTool, { text: '' })).text, 'first');
  assert.equal((await connection.call(echoTool, { text: '' })).text, 'first');
});

test('a cut stream fails the call under way at once, and the connection is over', async (t) => {
  const ends: string[] = [];
  const { connection, server } = await aConnection(
    t,
    { call: (_, session) => session.cut() },
    { onEnd: ({ code }) => ends.push(code) },
  );
  await assert.rejects(connection.call(echoTool, { text: '' }), failsWith('mcp_connection_lost', /cut/));
  await assert.rejects(connection.listTools(), failsWith('mcp_connection_lost', /cut/));
  assert.deepEqual(ends, ['mcp_connection_lost']);
  assert.equal(server.received.filter((method) => method === 'tools/call').length, 1);
});

test('a tool that fails is a result, a refusal of the server an error', async (t) => {
  const { connection } = await aConnection(t, {
    call(message, session) {
      if (message.params?.['name'] === 'echo')
        return { isError: true, content: [{ type: 'text', text: 'no such order' }] };
      session.send({ jsonrpc: '2.0', id: message.id, error: { code: -32602, message: 'Unknown tool: x' } });
      return undefined;
    },
  });
  const failed = await connection.call(echoTool, { text: '' });
  assert.deepEqual([failed.isError, failed.text], [true, 'no such order']);
  await assert.rejects(
    connection.call({ ...echoTool, name: 'x' }, {}),
    failsWith('mcp_call_refused', /Unknown tool: x/),
  );
});

test('an answer that is not a result of a tool breaks the protocol', async (t) => {
  const { connection } = await aConnection(t, { call: () => ({ content: 'text' }) });
  await assert.rejects(connection.call(echoTool, { text: '' }), failsWith('mcp_protocol_error', /protocol/));
});

test('what is not text becomes a note', async (t) => {
  const { connection } = await aConnection(t, {
    call: () => ({
      content: [
        { type: 'text', text: 'see:' },
        { type: 'image', data: 'AAAA', mimeType: 'image/png' },
        { type: 'resource_link', name: 'invoice', uri: 'file:///invoice.pdf' },
        { type: 'resource', resource: { uri: 'note://1', text: 'a note' } },
        { type: 'resource', resource: { uri: 'blob://1', blob: 'AAAA' } },
      ],
    }),
  });
  assert.equal(
    (await connection.call(echoTool, { text: '' })).text,
    'see:\n[image image/png, 1 KB]\nlink: invoice file:///invoice.pdf\nnote://1\na note\n[resource blob://1, 1 KB]',
  );
});

test('a changed list is announced', async (t) => {
  const changed = Promise.withResolvers<void>();
  const { connection, server } = await aConnection(t, {}, { onToolsChanged: () => changed.resolve() });
  await connection.listTools();
  server.sessions[0]?.send({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' });
  await changed.promise;
});
