import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openAgentServer } from '../../agent/stand-ins/agent-server.ts';
import { signWith } from '../../agent/stand-ins/signature.ts';
import { runFn } from '../context.ts';
import { aFolder } from '../fn-process.ts';

const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

test('harness mock plays a conversation with a server, signed, and shows each step', async () => {
  await using server = await openAgentServer({ secret });
  const say = ['--say', 'Where is order A17?', '--say', 'I want a human'];
  const { exitCode, out } = await runFn(['harness', 'mock', server.url, ...say, '--secret-stdin'], {
    cwd: aFolder(),
    input: secret,
  });
  assert.equal(exitCode, 0);
  assert.deepEqual(out.trim().split('\n'), [
    '> Where is order A17?',
    '  leg 1',
    '  says Let me look.',
    '  calls order_status {"orderId":"A17"}',
    '  ok {"status":"shipped"}',
    '  leg 2',
    '  says Your order: {"status":"shipped"}',
    '  completed',
    '> I want a human',
    '  leg 1',
    '  says I hand you over.',
    '  calls handover_to_human {"reason":"asked","team":"support"}',
    '  ok A person takes over.',
    '  hands over: asked',
    '  handedOver',
  ]);
  const [first, , last] = server.requests.map(({ body }) => body);
  assert.equal(first.threadId, last.threadId, 'it is one conversation');
  assert.match(JSON.stringify(last.messages), /Your order: /);
});

test('harness mock lets a person allow what asks, with tools of a file', async () => {
  await using server = await openAgentServer();
  const cwd = aFolder();
  const input = { type: 'object', properties: { orderId: { type: 'string' } } };
  const tool = { name: 'cancel_order', description: 'Cancels', input, result: 'gone', confirm: 'human' };
  writeFileSync(join(cwd, 'tools.json'), JSON.stringify([tool]));
  const { exitCode, out } = await runFn(
    ['harness', 'mock', server.url, '--say', 'Please cancel the order', '--tools', 'tools.json'],
    { cwd },
  );
  assert.equal(exitCode, 0);
  assert.match(out, /a person allows it: May cancel_order be called\?/);
  assert.match(out, /says Done: "gone"/);
});

test('harness mock serves the tools of the run, and takes events that come later', async () => {
  await using server = await openAgentServer({
    secret,
    reply: async ({ body }) => {
      const { mcp, callback, run } = body.forwardedProps;
      const listed = await fetch(mcp.url, {
        method: 'POST',
        headers: { ...mcp.headers, 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
      });
      const ids = { runId: body.runId, threadId: body.threadId };
      const text = /order_status/.test(await listed.text()) ? 'It has tools.' : 'It has none.';
      const events = [
        { type: 'RUN_STARTED', ...ids },
        { type: 'TEXT_MESSAGE_CHUNK', messageId: 'm1', delta: text },
        { type: 'RUN_FINISHED', ...ids },
      ];
      const batch = JSON.stringify({ runId: body.runId, leg: run.leg, seq: 1, events });
      await fetch(callback.url, { method: 'POST', headers: signWith(secret, 'b_1', batch), body: batch });
      return { later: true };
    },
  });
  const { exitCode, out } = await runFn(['harness', 'mock', server.url, '--json', '--secret-stdin'], {
    cwd: aFolder(),
    input: secret,
  });
  assert.equal(exitCode, 0);
  const { ok, items } = JSON.parse(out);
  assert.deepEqual([ok, items.length, items[0].say, items[0].status], [true, 1, 'Hello!', 'completed']);
  assert.match(JSON.stringify(items[0].events), /It has tools\./);
});

test('harness mock ends with 3 when a run fails, and says why', async () => {
  await using server = await openAgentServer({ trouble: () => ({ status: 404 }) });
  const failed = await runFn(['harness', 'mock', server.url], { cwd: aFolder() });
  assert.equal(failed.exitCode, 3);
  assert.match(failed.out, /harness_endpoint: The agent’s server answers 404[\s\S]*→ Check the URL/);
});

test('harness mock refuses a file that holds no tools', async () => {
  const cwd = aFolder();
  writeFileSync(join(cwd, 'tools.json'), '[{"name":"x"}]');
  const { exitCode, err } = await runFn(['harness', 'mock', 'http://127.0.0.1:9', '--tools', 'tools.json'], { cwd });
  assert.equal(exitCode, 2);
  assert.match(err, /tools\.json: \[0\] has no name and description/);
});
