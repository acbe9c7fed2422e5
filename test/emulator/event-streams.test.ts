import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import test from 'node:test';
import { eventsOf } from '../../src/client/index.ts';
import { EventStreams } from '../../src/emulator/http/event-stream.ts';
import { Exchange } from '../../src/emulator/http/exchange.ts';
import { followLogs } from '../../src/emulator/http/log-events.ts';
import type { HttpParts } from '../../src/emulator/http/parts.ts';
import { LogStream } from '../../src/emulator/invoke/log-stream.ts';
import { closing, listening } from '../client/server.ts';
import { watchForCrashes } from '../hostile/crashes.ts';
import { anEmulator, everyone, token } from './an-emulator.ts';

const crashes = watchForCrashes();

const panel = (config: Record<string, unknown>) => ({ 'views/panel': { config, body: '' } });
const whole = { type: 'custom-view', title: 'Panel', placement: 'page' };

test('a page that comes back to a view which does not build is told so, and waits for it to be mended', async () => {
  const { url, source } = await anEmulator({ functions: panel({ type: 'custom-view' }) });
  const response = await fetch(`${url}/views/shop/views/panel/events`, {
    headers: { authorization: `Bearer ${token}` },
  });
  assert.equal(response.status, 200);
  const events = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  const hears = async (event: string) => {
    for (let said = ''; !said.includes(event); ) {
      const { value, done } = (await events?.read()) ?? { done: true };
      assert.equal(done, false, `the stream goes on until "${event}"`);
      said += value;
    }
  };
  await hears('"shop/views/panel: config.title is missing"');
  source.change(panel({ type: 'custom-view', title: 7 }));
  await hears('"shop/views/panel: config.title must be a text"');
  source.change(panel(whole));
  await hears('event: reload\n');
  await events?.cancel();
  assert.deepEqual(crashes, []);
});

test('a stream for somebody who has gone meanwhile ends at once', async () => {
  const ended = new Promise<void>((resolve) => {
    const server = createServer(async (request, response) => {
      const closed = once(response, 'close');
      request.socket.destroy();
      await closed;
      new EventStreams().open(new Exchange(request, response, false), resolve);
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

test('a follower that does not read is let go before it fills the memory, and nothing is written to it afterwards', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const streams = new EventStreams();
  let sent = 0;
  const ended = new Promise<void>((resolve) => {
    const server = createServer((request, response) => {
      const stream = streams.open(new Exchange(request, response, false), resolve);
      const feed = () => {
        if (response.destroyed) return void closing(server);
        stream.send('log', 'x'.repeat(1024 * 1024));
        sent++;
        t.mock.timers.tick(15_000);
        setImmediate(feed);
      };
      feed();
    });
    void listening(server).then((port) => {
      const socket = connect(port, '127.0.0.1', () => socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n'));
      socket.pause().on('error', () => {});
      t.after(() => socket.destroy());
    });
  });
  await ended;
  assert.ok(sent < 64, `${sent} MiB`);
  t.mock.timers.tick(60_000);
  assert.deepEqual(crashes, []);
});

test('the end of one workspace leaves the followers of another alone', async () => {
  const [one, other] = [await anEmulator(), await anEmulator()];
  const headers = { authorization: `Bearer ${token}`, accept: 'text/event-stream' };
  const response = await fetch(`${one.api}/apps/shop/logs`, { headers });
  const events = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  assert.equal((await events?.read())?.value, ': open\n\n');
  await other.emulator.close();
  const next = events?.read();
  await one.emulator.close();
  // Its own end is what it hears next; had it ended before, its server would have been told of a second request.
  assert.equal((await next)?.done, true);
  assert.deepEqual(crashes, []);
});

test('whoever asks for logs from nowhere is refused, and no longer told of new ones', async () => {
  const { emulator } = await anEmulator();
  const logStream = new LogStream(emulator.door(everyone));
  let following = 0;
  const follow = logStream.follow.bind(logStream);
  logStream.follow = (app, listener) => {
    following++;
    const unfollow = follow(app, listener);
    return () => {
      following--;
      unfollow();
    };
  };
  const parts = { logStream, apps: { requireSource: async () => ({}) } } as unknown as HttpParts;
  const exchange = { request: { headers: {} } } as unknown as Exchange;
  const asked = followLogs(parts, exchange, { app: 'shop', limit: 50, cursor: 'nowhere' });
  await assert.rejects(asked);
  assert.equal(following, 0);
});

const aLine = (text: string) =>
  ({ type: 'log', invocationId: 'inv_1', app: 'shop', function: 'a', level: 'info', text, atMs: 0 }) as const;

test('who comes back gets all that was missed, also when it is more than may lie unread', async (t) => {
  const { emulator } = await anEmulator();
  const logStream = new LogStream(emulator.door(everyone));
  const cursors: string[] = [];
  logStream.follow('shop', ({ cursor }) => cursors.push(cursor));
  for (let i = 0; i <= 64; i++) logStream.write(aLine(`${i} ${'x'.repeat(100 * 1024)}`));

  const parts = { logStream, streams: new EventStreams(), apps: { requireSource: async () => ({}) } };
  const server = createServer(async (request, response) => {
    const told = followLogs(parts as unknown as HttpParts, new Exchange(request, response, false), {
      app: 'shop',
      limit: 50,
    });
    // While the past is told, new lines come.
    setImmediate(() => logStream.write(aLine('65 the last one')));
    await told;
  });
  const port = await listening(server);
  t.after(() => closing(server));
  const response = await fetch(`http://127.0.0.1:${port}`, { headers: { 'last-event-id': cursors[0] ?? '' } });
  const heard: number[] = [];
  for await (const { data } of eventsOf(response.body as unknown as AsyncIterable<Uint8Array>)) {
    heard.push(Number.parseInt(JSON.parse(data).text, 10));
    if (heard.at(-1) === 65) break;
  }
  assert.deepEqual(
    heard,
    Array.from({ length: 65 }, (_, i) => i + 1),
  );
  assert.deepEqual(crashes, []);
});

test('a cursor of a moment that cannot be leads to a gap, not to a bug of ours', async () => {
  const { emulator } = await anEmulator();
  const logStream = new LogStream(emulator.door(everyone));
  for (const moment of ['1e300', '8640000000000001', '-1', '-1e15', 'NaN', 'x']) {
    const { missed } = await logStream.after('shop', `other.0.${moment}`);
    assert.equal(missed, null, moment);
  }
});

test('of long lines fewer are remembered than of short ones, and that some are gone is said', async () => {
  const { emulator } = await anEmulator();
  const logStream = new LogStream(emulator.door(everyone));
  const cursors: string[] = [];
  logStream.follow('shop', ({ cursor }) => cursors.push(cursor));
  const write = (text: string) => logStream.write(aLine(text));

  for (let i = 0; i < 100; i++) write('x'.repeat(1024 * 1024));
  const { lines, missed } = await logStream.after('shop', cursors[0] ?? '');
  assert.ok(lines.length >= 8 && lines.length <= 16, `${lines.length} MiB of lines`);
  assert.equal(missed, 99 - lines.length);
  assert.deepEqual(
    lines.map(({ cursor }) => cursor),
    cursors.slice(-lines.length),
  );

  for (let i = 0; i < 20_000; i++) write('short');
  assert.equal((await logStream.after('shop', cursors.at(-10_000) ?? '')).lines.length, 9_999);
});
