import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { after, describe, test } from 'node:test';
import { spawnFn } from '../cli/fn-process.ts';
import { closing, deadPort, listening, weather } from '../client/server.ts';
import { anApp } from '../deploy/elsewhere.ts';

const folder = anApp({
  'functions/ask.js': `
export const config = { type: 'server-side-method', expose: { methods: ['POST'], auth: 'public' } };
export default async (sdk) => {
  const { url } = await sdk.request.json();
  return { said: await fetch(url).then((answer) => answer.text(), (error) => error.message) };
};
`,
});

/** A server on this machine, and a proxy that leads port 80 of any name to it and refuses all else. */
const server = await weather(({ headers }, response) => void response.end(`reached as ${headers.host}`));
const asked: string[] = [];
const proxy = createServer();
proxy.on('connect', ({ url = '' }, socket) => {
  asked.push(url);
  if (!url.endsWith(':80')) {
    socket.end('HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\n\r\n');
    return;
  }
  const there = connect(Number(new URL(server.url).port), '127.0.0.1', () => {
    socket.write('HTTP/1.1 200 OK\r\n\r\n');
    there.pipe(socket).pipe(there);
  });
});
const HTTP_PROXY = `http://127.0.0.1:${await listening(proxy)}`;
after(async () => {
  await Promise.all([server.close(), closing(proxy)]);
});

async function said(url: string, env: Record<string, string>): Promise<string> {
  const { ended } = spawnFn(['invoke', 'ask', '-d', JSON.stringify({ url })], { cwd: folder, env });
  const { exitCode, out, err } = await ended;
  assert.equal(exitCode, 0, err);
  return JSON.parse(out).said;
}

describe('the fetch of a function goes the way that this machine goes', () => {
  test('through the proxy that is named', async () => {
    assert.equal(await said('http://shop.invalid/a', { HTTP_PROXY }), 'reached as shop.invalid');
    assert.ok(asked.includes('shop.invalid:80'));
  });

  test('and says so where that proxy refuses', async () => {
    const words = await said('https://shop.invalid/a', { https_proxy: HTTP_PROXY });
    assert.match(words, /^fetch failed: the proxy of this machine refused to connect to shop\.invalid \(.*403.*\)$/);
  });

  test('directly to this machine, whatever is named', async () => {
    const dead = `http://127.0.0.1:${deadPort}`;
    const { host } = new URL(server.url);
    assert.equal(await said(server.url, { HTTP_PROXY: dead, HTTPS_PROXY: dead }), `reached as ${host}`);
  });

  test('nowhere through something that is no proxy', async () => {
    assert.match(await said('https://shop.invalid/a', { HTTPS_PROXY: 'proxy:3128' }), /not a usable proxy address/);
  });
});
