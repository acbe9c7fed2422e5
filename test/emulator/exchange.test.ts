import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
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
