import assert from 'node:assert/strict';
import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import test from 'node:test';
import { anEmulator, method } from './an-emulator.ts';

const { emulator } = await anEmulator({
  functions: { 'api/where': method('return sdk.request.url;', ['GET'], { auth: 'public' }) },
});
const { port } = await emulator.listen({ port: 0, strict: true, allowHosts: ['tunnel.example'] });
const path = '/api/dev/custom-functions/shop/api/where.js?a=1';

const get = (at: string, headers: Record<string, string>) =>
  new Promise<IncomingMessage>((resolve, reject) => {
    const asked = request({ port, host: '127.0.0.1', path: at, headers }, resolve);
    asked.on('error', reject).end();
  });

const whereBy = async (headers: Record<string, string>) => JSON.parse(await text(await get(path, headers)));

// Senders of webhooks sign the address that they were given.
test('a method sees the address that its caller used: https in front of a tunnel', async () => {
  const host = 'tunnel.example';
  assert.equal(await whereBy({ host, 'x-forwarded-proto': 'https' }), `https://${host}${path}`);
  assert.equal(await whereBy({ host, 'x-forwarded-proto': 'https, http' }), `https://${host}${path}`);
  assert.equal(await whereBy({ host, 'x-forwarded-proto': 'gopher' }), `http://${host}${path}`);
  assert.equal(await whereBy({ host }), `http://${host}${path}`);
});

test('what a header says of the scheme is not believed where no tunnel is', async () => {
  const host = `127.0.0.1:${port}`;
  assert.equal(await whereBy({ host, 'x-forwarded-proto': 'https' }), `http://${host}${path}`);
});

test('who signs in through a tunnel with https gets a cookie that the browser does not send over http', async () => {
  const cookieBy = async (headers: Record<string, string>) => {
    const { pathname, search } = new URL(emulator.openUrl());
    const answer = await get(pathname + search, headers);
    answer.resume();
    return answer.headers['set-cookie']?.join() ?? '';
  };
  assert.match(await cookieBy({ host: 'tunnel.example', 'x-forwarded-proto': 'https' }), /^fn_session_.*; Secure$/);
  assert.doesNotMatch(await cookieBy({ host: `127.0.0.1:${port}`, 'x-forwarded-proto': 'https' }), /Secure|^$/);
});
