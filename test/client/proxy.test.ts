import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { openClient } from '../../src/client/index.ts';
import { lightTransport } from '../../src/client/light.ts';
import { pooledTransport } from '../../src/client/pooled.ts';
import { proxyFor } from '../../src/client/proxy.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { selfSigned } from './certificate.ts';
import { closing, deadPort, json, listening, weather } from './server.ts';

const proxy = 'http://proxy.example.com:3128';
const address = 'https://app.example.com/a';

describe('the proxy for an address', () => {
  test('is that of its scheme, in small letters first', () => {
    assert.equal(proxyFor(address, { HTTPS_PROXY: proxy }), proxy);
    assert.equal(proxyFor(address, { https_proxy: proxy, HTTPS_PROXY: 'http://other:1' }), proxy);
    assert.equal(proxyFor(address, { HTTP_PROXY: proxy }), undefined);
  });

  test('is none where the variable is empty', () => {
    assert.equal(proxyFor(address, { https_proxy: '', HTTPS_PROXY: proxy }), undefined);
  });

  for (const here of ['http://127.0.0.1:4400', 'http://localhost:4400', 'http://[::1]:4400', 'https://localhost']) {
    test(`is none for this machine: ${here}`, () => {
      assert.equal(proxyFor(here, { HTTP_PROXY: proxy, HTTPS_PROXY: proxy }), undefined);
    });
  }

  for (const NO_PROXY of [
    '*',
    'app.example.com',
    'APP.example.com',
    'example.com',
    '.example.com',
    '*.example.com',
    'localhost, example.com',
    'localhost example.com',
    'app.example.com:443',
  ]) {
    test(`is none with NO_PROXY=${NO_PROXY}`, () => {
      assert.equal(proxyFor(address, { HTTPS_PROXY: proxy, NO_PROXY }), undefined);
    });
  }

  for (const NO_PROXY of ['app.example.com:8443', 'ample.com', 'example.org', '.', ',', 'app.example.com.org']) {
    test(`is used in spite of NO_PROXY=${NO_PROXY}`, () => {
      assert.equal(proxyFor(address, { HTTPS_PROXY: proxy, NO_PROXY }), proxy);
    });
  }

  for (const [NO_PROXY, expected] of [
    ['2001:db8::1', undefined],
    ['[2001:db8::1]', undefined],
    ['[2001:db8::1]:8443', undefined],
    ['[2001:db8::1]:443', proxy],
    ['2001:db8::2', proxy],
  ] as const) {
    test(`to an IPv6 address is ${expected ? 'used in spite of' : 'none with'} NO_PROXY=${NO_PROXY}`, () => {
      assert.equal(proxyFor('https://[2001:db8::1]:8443/', { HTTPS_PROXY: proxy, NO_PROXY }), expected);
    });
  }

  for (const [given, used] of [
    ['http://user:50%25@proxy.example.com:3128', 'http://user:50%25@proxy.example.com:3128'],
    ['http://user:50%@proxy.example.com:3128', 'http://user:50%25@proxy.example.com:3128/'],
    ['http://us%er:a%ffb@proxy.example.com:3128', 'http://us%25er:a%25ffb@proxy.example.com:3128/'],
  ] as const) {
    test(`is asked with the login that is meant by ${given}`, () => {
      assert.equal(proxyFor(address, { HTTPS_PROXY: given }), used);
    });
  }

  test('is refused by the name of its variable where it cannot be used, not gone around', () => {
    for (const HTTPS_PROXY of ['socks5://127.0.0.1:1', 'proxy.example.com:3128', 'http://user:PASSWORD@[bad']) {
      const asked = () => proxyFor(address, { HTTPS_PROXY });
      assert.throws(asked, { code: 'proxy_invalid', message: 'HTTPS_PROXY is not a usable proxy address' });
      assert.equal(proxyFor(address, { HTTPS_PROXY, NO_PROXY: 'example.com' }), undefined);
    }
  });
});

for (const transport of ['light', 'pooled'] as const) {
  describe(`the ${transport} transport`, () => {
    const opened: (() => Promise<unknown>)[] = [];
    after(() => Promise.all(opened.map((close) => close())));
    function client(baseUrl: string, env: Record<string, string>) {
      const made = openClient({ baseUrl, slug: 'acme', token: 'tok-secret', transport, env });
      opened.push(() => made.close());
      return made;
    }

    test('asks the proxy for the way, and tells it no token', async () => {
      const asked: string[] = [];
      const server = createServer();
      server.on('connect', ({ url, headers }, socket) => {
        asked.push(`${url} ${headers.authorization}`);
        socket.end('HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\n\r\n');
      });
      opened.push(() => closing(server));
      const HTTPS_PROXY = `http://127.0.0.1:${await listening(server)}`;
      const show = client('https://app.example.com', { HTTPS_PROXY, NO_PROXY: 'app.example.com:8443' });
      await assert.rejects(show('workspace.show', {}), { code: 'proxy_refused' });
      assert.ok(asked.length > 0);
      assert.deepEqual([...new Set(asked)], ['app.example.com:443 undefined']);
    });

    test('asks a proxy that has a certificate of an authority of its own', async () => {
      const certificate = selfSigned([-1, 1]);
      const folder = temporaryFolder('fn-proxy');
      const FN_CA_FILE = join(folder, 'ca.pem');
      writeFileSync(FN_CA_FILE, certificate.cert);
      const logins = new Set<string | undefined>();
      const server = createTlsServer(certificate).on('connect', ({ headers }, socket) => {
        logins.add(headers['proxy-authorization']);
        socket.end('HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\n\r\n');
      });
      opened.push(() => closing(server));
      const HTTPS_PROXY = `https://user:50%@127.0.0.1:${await listening(server)}`;
      const show = client('https://app.example.com', { HTTPS_PROXY, FN_CA_FILE });
      await assert.rejects(show('workspace.show', {}), { code: 'proxy_refused' });
      assert.deepEqual([...logins], [`Basic ${Buffer.from('user:50%').toString('base64')}`]);
    });

    test('says so where the proxy does not answer', async () => {
      const HTTPS_PROXY = `http://127.0.0.1:${deadPort}`;
      const show = client('https://app.example.com', { HTTPS_PROXY });
      await assert.rejects(show('workspace.show', {}), { code: 'proxy_unreachable' });
    });

    describe('gives up a proxy that takes the connection and does not say whether there is a way', () => {
      const deadlines = { connectMs: 150, firstByteMs: 60_000, totalMs: 60_000 };
      const request = { method: 'POST', url: 'https://app.example.com/api/acme/a', headers: {}, body: '{}' };
      async function aSilentProxy(connectMs = deadlines.connectMs) {
        const asked = Promise.withResolvers<void>();
        const server = createServer().on('connect', (_, socket) => {
          opened.push(async () => socket.destroy());
          asked.resolve();
        });
        opened.push(() => closing(server));
        const env = { HTTPS_PROXY: `http://127.0.0.1:${await listening(server)}` };
        const made = transport === 'light' ? lightTransport(env) : pooledTransport({ ...deadlines, connectMs }, env);
        opened.push(() => made.close());
        return { made, asked: asked.promise };
      }

      test('when a connection should stand: nothing was sent', async () => {
        const { made } = await aSilentProxy();
        await assert.rejects(made.open(request, { deadlines }), { kind: 'connect_timeout', written: false });
      });

      test('at once when it is stopped', async () => {
        const patient = { ...deadlines, connectMs: 60_000 };
        const { made, asked } = await aSilentProxy(patient.connectMs);
        const stopping = new AbortController();
        const open = made.open(request, { deadlines: patient, signal: stopping.signal });
        await Promise.race([asked, open]);
        stopping.abort();
        await assert.rejects(open, { kind: 'aborted', written: false });
      });
    });

    test('reaches a workspace on this machine whatever proxy is set', async () => {
      const server = await weather((_, response) => json(response, 404, { code: 'route_unknown', title: 'nothing' }));
      opened.push(() => server.close());
      const HTTP_PROXY = `http://127.0.0.1:${deadPort}`;
      await assert.rejects(client(server.url, { HTTP_PROXY })('workspace.show', {}), { code: 'route_unknown' });
      assert.equal(server.arrived.length, 1);
    });
  });
}
