import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { runFn } from '../cli/context.ts';
import { selfSigned } from '../client/certificate.ts';
import { closing, deadPort, listening } from '../client/server.ts';
import { anApp, answering, shout } from '../deploy/elsewhere.ts';

// Peers as they are met, not errors made up: whatever answers, each command ends in one clear message and the code of docs/reference/exit-codes.md.

let folder = '';
const opened: (() => Promise<void>)[] = [];
before(() => {
  folder = anApp({ 'functions/api/greet.js': answering('one'), 'lib/shout.js': shout });
});
after(async () => {
  for (const close of opened) await close();
});

const token = 'fn_weather_token';
/** A read by the light transport, a deploy by the pooled one, a send that must not happen twice. */
const commands = {
  whoami: ['whoami'],
  deploy: ['deploy'],
  send: ['template', 'send', 'order_shipped', '--to', '+4930901820', '--body', 'Ann'],
};
type Name = keyof typeof commands;

async function answered(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  opened.push(() => closing(server));
  return `http://127.0.0.1:${await listening(server)}`;
}

async function secure(days: readonly [number, number]): Promise<{ url: string; cert: string; requests(): number }> {
  const { cert, key } = selfSigned(days);
  let requests = 0;
  const server = createSecureServer({ cert, key }, (_, response) => {
    requests++;
    response.writeHead(404).end();
  });
  opened.push(
    () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  );
  const port = await listening(server);
  const file = join(folder, `authority-${port}.pem`);
  writeFileSync(file, cert);
  return { url: `https://127.0.0.1:${port}`, cert: file, requests: () => requests };
}

async function run(name: Name, url: string, env: Record<string, string> = {}) {
  const ended = await runFn([...commands[name]], {
    cwd: folder,
    env: {
      XDG_CONFIG_HOME: join(folder, 'config'),
      XDG_STATE_HOME: join(folder, 'state'),
      FN_BASE_URL: url,
      FN_WORKSPACE: 'acme',
      FN_TOKEN: token,
      ...env,
    },
  });
  assert.equal(ended.out, '');
  assert.ok(!ended.err.includes(token));
  assert.doesNotMatch(ended.err, /^ {4}at /m, 'no stack');
  return ended;
}

for (const name of Object.keys(commands) as Name[]) {
  // At once: some wait between attempts.
  describe(`fn ${name}`, { concurrency: true }, () => {
    test('ends with 7 where the certificate has signed itself, and no request is made', async () => {
      const peer = await secure([-1, 10]);
      const { exitCode, err } = await run(name, peer.url);
      assert.match(err, /not trusted[\s\S]*FN_CA_FILE/);
      assert.equal(exitCode, 7);
      assert.equal(peer.requests(), 0);
    });

    test('ends with 7 where the certificate has expired', async () => {
      const peer = await secure([-10, -1]);
      const { exitCode, err } = await run(name, peer.url, { FN_CA_FILE: peer.cert });
      assert.match(err, /has expired/);
      assert.equal(exitCode, 7);
      assert.equal(peer.requests(), 0);
    });

    test('trusts an authority that FN_CA_FILE names', async () => {
      const peer = await secure([-1, 10]);
      await run(name, peer.url, { FN_CA_FILE: peer.cert });
      assert.ok(peer.requests() > 0);
    });

    test('ends with 7 where a proxy refuses the way', async () => {
      const server = createServer();
      server.on('connect', (_, socket) => socket.end('HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\n\r\n'));
      opened.push(() => closing(server));
      const proxy = `http://user:hunter2@127.0.0.1:${await listening(server)}`;
      const { exitCode, err } = await run(name, 'https://app.example.com', { HTTPS_PROXY: proxy });
      assert.match(err, /the proxy 127\.0\.0\.1:\d+ refused to connect to app\.example\.com/);
      assert.doesNotMatch(err, /hunter2/);
      assert.equal(exitCode, 7);
    });

    test('ends with 7 where the proxy does not answer', async () => {
      const proxy = `http://127.0.0.1:${deadPort}`;
      const { exitCode, err } = await run(name, 'https://other.example.com', { HTTPS_PROXY: proxy });
      assert.match(err, /the proxy 127\.0\.0\.1:\d+ does not answer[\s\S]*HTTPS_PROXY/);
      assert.equal(exitCode, 7);
    });

    test('ends with 7 where the name cannot be resolved', async () => {
      const { exitCode, err } = await run(name, 'https://workspace.invalid');
      assert.match(err, /workspace\.invalid cannot be resolved/);
      assert.equal(exitCode, 7);
    });

    test('ends with 7 where nothing listens', async () => {
      const { exitCode, err } = await run(name, `http://127.0.0.1:${deadPort}`);
      assert.match(err, /nothing is listening/);
      assert.equal(exitCode, 7);
    });

    test('tells a web page from a workspace', async () => {
      const url = await answered((_, response) =>
        response.writeHead(200, { 'content-type': 'text/html' }).end('<html>Welcome\u001b[31m</html>'),
      );
      const { exitCode, err } = await run(name, url);
      assert.match(err, /which no workspace does|nobody knows|unknown/);
      // Something took the message: what it did with it, nobody knows.
      assert.equal(exitCode, name === 'send' ? 8 : 7);
    });

    test('follows no redirect to another place', async () => {
      let led = 0;
      const other = await answered((_, response) => {
        led++;
        response.end();
      });
      const url = await answered((_, response) => response.writeHead(307, { location: `${other}/login` }).end());
      const { exitCode, err } = await run(name, url);
      assert.match(err, /redirects the request to/);
      assert.equal(exitCode, 7);
      assert.equal(led, 0);
    });

    test('says what is known when every answer is cut', async () => {
      const url = await answered((request, response) => {
        response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
        response.write('{"items": [');
        request.resume().on('end', () => setImmediate(() => response.destroy()));
      });
      const { exitCode, err } = await run(name, url);
      assert.match(err, /broke|middle|answer/);
      assert.equal(exitCode, name === 'send' ? 8 : 7);
    });
  });
}
