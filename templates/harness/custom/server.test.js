import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { after, test } from 'node:test';
import { openServer } from './server.js';

const key = Buffer.alloc(32, 1);
const server = openServer(`whsec_${key.toString('base64')}`).listen(0);
await once(server, 'listening');
after(() => server.close());

function post(content, sign = (text) => text) {
  const id = `run-${Math.random()}`;
  const messages = [{ id: '1', role: 'user', content }];
  const body = JSON.stringify({ runId: id, threadId: 't', messages });
  const at = `${Math.floor(Date.now() / 1000)}`;
  const digest = createHmac('sha256', key).update(`${id}.${at}.${body}`);
  return fetch(`http://127.0.0.1:${server.address().port}`, {
    method: 'POST',
    body,
    headers: {
      'webhook-id': id,
      'webhook-timestamp': at,
      'webhook-signature': sign(`v1,${digest.digest('base64')}`),
    },
  });
}

test('it answers', async () => {
  const reply = await (await post('Hello')).text();
  assert.match(reply, /TEXT_MESSAGE_CONTENT/);
  assert.match(reply, /RUN_FINISHED/);
});

test('it refuses a wrong signature', async () => {
  const { status } = await post('Hello', () => 'v1,d3Jvbmc=');
  assert.equal(status, 401);
});
