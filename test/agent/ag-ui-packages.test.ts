import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { Gate, runAgent } from './a-run.ts';
import { outlineOf } from './harnesses.ts';
import { openAgentServer } from './stand-ins/agent-server.ts';
import { openModelServer } from './stand-ins/model-server.ts';

interface Vendors {
  createAgUiServer(baseUrl: string): Server;
  HttpAgent: new (options: {
    url: string;
    threadId: string;
    initialMessages: unknown[];
  }) => {
    readonly messages: readonly { role: string; content?: string; toolCalls?: readonly { id: string }[] }[];
    addMessage(message: unknown): void;
    runAgent(options: { tools: unknown[]; forwardedProps: unknown }): Promise<unknown>;
  };
}

const folder = join(import.meta.dirname, '..', 'vendors');
const skip = existsSync(join(folder, 'node_modules', '@ag-ui'))
  ? false
  : 'npm run test:vendors installs AG-UI’s packages';
const vendors = async (): Promise<Vendors> => await import(pathToFileURL(join(folder, 'ag-ui-server.js')).href);

test('a server made of AG-UI’s own packages and the AI SDK works as it is', { skip }, async () => {
  const { createAgUiServer } = await vendors();
  await using model = await openModelServer('chat');
  const server = createAgUiServer(model.url).listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const secrets = [`whsec_${Buffer.alloc(32, 5).toString('base64')}`];
    const harness = { kind: 'custom', name: 'ag-ui', baseUrl, secrets } as const;
    const gate = new Gate();
    assert.deepEqual(outlineOf(await runAgent({ say: 'Where is order A17?', harness, gate })), [
      'say Let me look.',
      'call order_status {"orderId":"A17"}',
      'ok A17 shipped',
      'say Your order: A17 shipped',
      'completed',
    ]);
    assert.deepEqual(outlineOf(await runAgent({ say: 'both', harness, gate })), [
      'call order_status {"orderId":"A17"}',
      'call order_status {"orderId":"B18"}',
      'ok A17 shipped',
      'ok B18 shipped',
      'say Both: A17 shipped and B18 shipped',
      'completed',
    ]);
    assert.deepEqual(outlineOf(await runAgent({ say: 'I want a human', harness, gate })).slice(-2), [
      'hand over to support: asked',
      'handedOver',
    ]);
  } finally {
    server.closeAllConnections();
    server.close();
  }
});

test('AG-UI’s own client reads what the stand-in of a custom agent answers', { skip }, async () => {
  const { HttpAgent } = await vendors();
  await using server = await openAgentServer();
  const initialMessages = [{ id: '1', role: 'user', content: 'Where is order A17?' }];
  const agent = new HttpAgent({ url: server.url, threadId: 't', initialMessages });
  const options = { tools: [], forwardedProps: { agent: { models: { main: 'm' } } } };
  await agent.runAgent(options);
  const call = agent.messages.at(-1)?.toolCalls?.[0];
  agent.addMessage({ id: '2', role: 'tool', toolCallId: call?.id, content: 'A17 shipped' });
  await agent.runAgent(options);
  assert.equal(agent.messages.at(-1)?.content, 'Your order: A17 shipped');
});
