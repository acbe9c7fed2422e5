import assert from 'node:assert/strict';
import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import test from 'node:test';
import { anEmulator, method } from './an-emulator.ts';

const { emulator } = await anEmulator({
  functions: { 'api/where': method('return sdk.request.url;', ['GET'], { auth: 'public' }) },
});
const { port } = await emulator.listen({ port: 0, strict: true, allowHosts: ['tunnel.example'] });
const path = '/api/dev/custom-functions/shop/api/where.js?a=1';

const whereBy = (headers: Record<string, string>) =>
  new Promise((resolve, reject) => {
    const asked = request({ port, host: '127.0.0.1', path, headers }, (answer) =>
      text(answer).then((json) => resolve(JSON.parse(json)), reject),
    );
    asked.on('error', reject).end();
  });

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
