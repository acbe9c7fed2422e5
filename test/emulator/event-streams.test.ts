import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import test from 'node:test';
import { openEventStream } from '../../src/emulator/http/event-stream.ts';
import { Exchange } from '../../src/emulator/http/exchange.ts';
import { closing, listening } from '../client/server.ts';
import { watchForCrashes } from '../hostile/crashes.ts';
import { anEmulator, token } from './an-emulator.ts';

const crashes = watchForCrashes();

const panel = (config: Record<string, unknown>) => ({ 'views/panel': { config, body: '' } });
const whole = { type: 'custom-view', title: 'Panel', placement: 'page' };

test('a page that comes back to a view which does not build waits for it to be mended', async () => {
  const { url, source } = await anEmulator({ functions: panel({ type: 'custom-view' }) });
  const response = await fetch(`${url}/views/shop/views/panel/events`, {
    headers: { authorization: `Bearer ${token}` },
  });
  assert.equal(response.status, 200);
  const events = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  const next = async () => (await events?.read())?.value ?? '';
  assert.equal(await next(), ': open\n\n');
  source.change(panel({ type: 'custom-view', title: 7 }));
  assert.match(await next(), /^event: problem\n/);
  source.change(panel(whole));
  assert.match(await next(), /^event: reload\n/);
  await events?.cancel();
  assert.deepEqual(crashes, []);
});

test('a stream for somebody who has gone meanwhile ends at once', async () => {
  const ended = new Promise<void>((resolve) => {
    const server = createServer(async (request, response) => {
      const closed = once(response, 'close');
      request.socket.destroy();
      await closed;
      openEventStream(new Exchange(request, response, false), resolve);
      await closing(server);
    });
    void listening(server).then((port) => {
      const socket = connect(port, '127.0.0.1', () => socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n'));
      socket.on('error', () => {});
    });
  });
  await ended;
  assert.deepEqual(crashes, []);
});
