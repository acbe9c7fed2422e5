import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { json } from 'node:stream/consumers';
import test, { type TestContext } from 'node:test';
import { Exchange } from '../../src/emulator/http/exchange.ts';

/** Asks for a body of that size, and reads nothing of it. */
async function unread(t: TestContext, bytes: number): Promise<ServerResponse> {
  const server = createServer((request, response) =>
    new Exchange(request, response, false).send(200, [], Buffer.alloc(bytes)),
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  client.on('error', () => {});
  client.pause();
  client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  t.after(() => {
    client.destroy();
    server.close();
  });
  const [, response] = (await once(server, 'request')) as [IncomingMessage, ServerResponse];
  return response;
}

test('a large answer that nobody reads is let go with its connection', async (t) => {
  const response = await unread(t, 10 * 1024 * 1024);
  assert.equal(response.socket?.timeout, 60_000);
  assert.equal(response.writableFinished, false);
  // What Node does when no byte could be sent for that long.
  response.socket?.emit('timeout');
  await once(response, 'close');
  assert.equal(response.destroyed, true);
});

test('a small answer needs no watching', async (t) => {
  const { socket } = await unread(t, 10);
  assert.notEqual(socket?.timeout, 60_000);
});

const bodies: Record<string, readonly string[]> = {
  'in one part': ['whole'],
  'in three parts': ['a', 'bc', 'd'.repeat(70_000)],
};
for (const [how, parts] of Object.entries(bodies)) {
  for (const framing of ['content-length', 'transfer-encoding']) {
    test(`a body with ${framing} that arrives ${how} is whole`, async (t) => {
      const server = createServer(async (arrived, response) => {
        const body = await new Exchange(arrived, response, false).body(100_000);
        response.end(JSON.stringify([body?.byteLength, Buffer.from(body ?? []).toString()]));
      }).listen(0, '127.0.0.1');
      t.after(() => server.close());
      await once(server, 'listening');
      const { port } = server.address() as AddressInfo;
      const length = framing === 'content-length' ? { 'content-length': parts.join('').length } : {};
      const asked = request({ port, host: '127.0.0.1', method: 'POST', headers: length, agent: false });
      for (const part of parts) await new Promise((written) => asked.write(part, written));
      asked.end();
      const [answer] = (await once(asked, 'response')) as [IncomingMessage];
      assert.deepEqual(await json(answer), [parts.join('').length, parts.join('')]);
    });
  }
}
