import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { afterEach, describe, test } from 'node:test';
import { createServer as createTlsServer } from 'node:tls';
import { openClient } from '../../src/client/index.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { selfSigned } from './certificate.ts';
import { listening } from './server.ts';

const opened: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0)) await close();
});

/** Answers whatever arrives with these bytes. */
async function saying(answer: string, make = (each: (socket: Socket) => void): Server => createServer(each)) {
  let arrived = 0;
  const server = make((socket) => {
    opened.push(() => socket.destroy());
    socket
      .on('error', () => {})
      .on('data', () => {
        arrived++;
        socket.write(answer);
      });
  });
  // Also what never came as far as a connection of ours.
  server.on('connection', (socket: Socket) => opened.push(() => socket.destroy()));
  opened.push(() => server.close());
  const port = await listening(server);
  return { host: `127.0.0.1:${port}`, arrived: () => arrived };
}

const send = { to: '+4930901820', template: 'order_shipped' };
const page = (status: number) =>
  `HTTP/1.1 ${status} X\r\ncontent-type: text/html\r\nretry-after: 0\r\nconnection: close\r\ncontent-length: 6\r\n\r\n<html>`;
const workspace = '{"slug":"acme"}';
const shown = `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${workspace.length}\r\n\r\n${workspace}`;

for (const transport of ['light', 'pooled'] as const) {
  describe(`over the ${transport} transport`, () => {
    function client(baseUrl: string, env: Record<string, string> = {}) {
      const made = openClient({ baseUrl, slug: 'acme', token: 'tok-of-this-test', transport, env });
      opened.push(() => made.close());
      return made;
    }

    for (const status of [408, 425]) {
      test(`a read that is answered ${status} may be tried again later`, async () => {
        const { host } = await saying(page(status));
        await assert.rejects(client(`http://${host}`)('workspace.show', {}), { code: 'workspace_busy', exitCode: 7 });
      });
    }

    test('a send that comes too early was not made, and is made again', async () => {
      const { host, arrived } = await saying(page(425));
      await assert.rejects(client(`http://${host}`)('templates.send', send), { exitCode: 7 });
      assert.equal(arrived(), 4);
    });

    test('a workspace whose disk is full has changed nothing, and is not asked again: waiting makes no room', async () => {
      const body = JSON.stringify({ title: 'Full', detail: 'The disk is full', code: 'disk_full' });
      const head = `HTTP/1.1 507 Full\r\ncontent-type: application/problem+json\r\ncontent-length: ${body.length}`;
      const { host, arrived } = await saying(`${head}\r\n\r\n${body}`);
      const refused = { code: 'disk_full', message: 'The disk is full', exitCode: 7, hint: /Free some space/ };
      await assert.rejects(client(`http://${host}`)('templates.send', send), refused);
      assert.equal(arrived(), 1);
    });

    test('a server may say "100 Continue" unasked', async () => {
      const { host } = await saying(`HTTP/1.1 100 Continue\r\n\r\n${shown}`);
      assert.equal((await client(`http://${host}`)('workspace.show', {})).slug, 'acme');
    });

    for (const [what, answer] of [
      ['another protocol', 'SSH-2.0-OpenSSH_9.6\r\n'],
      ['a header that is none', 'HTTP/1.1 200 OK\r\ncontent length 5\r\n\r\n'],
      ['a head without end', `HTTP/1.1 200 OK\r\na: ${'x'.repeat(100_000)}\r\n\r\n`],
      ['a change of the protocol', 'HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\nhi'],
    ] as const) {
      test(`${what} is told as what is not HTTP`, async () => {
        const { host } = await saying(answer);
        const asked = client(`http://${host}`)('templates.send', send);
        await assert.rejects(asked, (error: Error) => {
          assert.match(error.message, /something that is not HTTP|changed the protocol/);
          return true;
        });
      });
    }

    test('a server that requires a client certificate was sent nothing', async () => {
      const { cert, key } = selfSigned([-1, 1]);
      const folder = temporaryFolder('fn-client');
      const FN_CA_FILE = join(folder, 'ca.pem');
      writeFileSync(FN_CA_FILE, cert);
      const { host, arrived } = await saying(shown, (each) =>
        createTlsServer({ cert, key, requestCert: true, minVersion: 'TLSv1.3' }, each).on('tlsClientError', () => {}),
      );
      const asked = client(`https://${host}`, { FN_CA_FILE })('templates.send', send);
      await assert.rejects(asked, { code: 'tls_failed', exitCode: 7, message: /requires a client certificate/ });
      assert.equal(arrived(), 0);
    });
  });
}

describe('a request to a path', () => {
  const ask = (host: string, headers: Record<string, string> = {}) =>
    openClient({ baseUrl: `http://${host}`, slug: 'acme', token: 'tok-of-this-test', env: {} }).request({
      method: 'GET',
      path: '/a',
      headers,
    });

  test('is answered without the token, wherever the server repeats it', async () => {
    const body = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('Bearer tok-of-this-test')]).toString('latin1');
    const server = createServer((socket) => {
      socket.on('data', () => {
        socket.end(
          `HTTP/1.1 403 X\r\nx-saw: tok-of-this-test\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
          'latin1',
        );
      });
    });
    opened.push(() => server.close());
    server.unref().on('connection', (socket) => socket.unref());
    const answer = await ask(`127.0.0.1:${await listening(server)}`);
    assert.equal(answer.headers['x-saw'], '***');
    assert.equal(Buffer.from(answer.body).toString('latin1'), '\xff\xfeBearer ***');
  });

  for (const headers of [{ 'x y': 'a' }, { 'x-y': 'a → b' }, { 'x-y': 'a\r\nb: c' }] as const) {
    test(`is not sent with ${JSON.stringify(headers)}`, async () => {
      await assert.rejects(ask('127.0.0.1:9', { ...headers }), { code: 'header_invalid', exitCode: 2 });
    });
  }
});
