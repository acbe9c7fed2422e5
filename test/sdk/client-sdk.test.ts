import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clientSdk } from '../../src/sdk/client-sdk.ts';
import { frameHeight } from '../../src/sdk/frame-height.ts';
import { emptied } from '../../src/sdk/prelude/emptied.ts';
import { thrownIn } from '../../src/sdk/thrown.ts';

test('a refusal that a view does not expect is told at the line that called', async () => {
  const told = Promise.withResolvers<{ stack: string }>();
  const page = { postMessage: () => {} };
  let open: (event: object) => void = () => {};
  const frame = {
    parent: page,
    location: { origin: 'http://127.0.0.1' },
    document: { getElementById: () => null, body: null, activeElement: null, documentElement: { clientHeight: 0 } },
    innerHeight: 0,
    addEventListener: (name: string, listener: (event: object) => void) => {
      if (name === 'message') open = listener;
    },
    removeEventListener: () => {},
  };
  const port: { onmessage?: (event: object) => void; postMessage(message: { type: string; id: number }): void } = {
    postMessage(message) {
      const error = { code: 'conversation_not_found', message: 'There is no such conversation' };
      if (message.type === 'call') port.onmessage?.({ data: { type: 'answer', id: message.id, error } });
      if (message.type === 'error') told.resolve(message as never);
    },
  };
  async function main(sdk: { conversations: { get(input: object): Promise<unknown> } }) {
    await sdk.conversations.get({ id: 'cnv_none' });
  }
  const begin = clientSdk(
    { conversations: ['get'], methods: ['call'] } as never,
    frame as never,
    thrownIn,
    frameHeight,
    emptied,
  );
  begin('nonce', async (register) => register({ default: main }));
  open({ source: page, data: { type: 'fn-view-channel', nonce: 'nonce' }, ports: [port] });
  port.onmessage?.({ data: { type: 'start', context: {} } });
  const { stack } = await told.promise;
  assert.match(stack, /^SdkError: There is no such conversation\n\s+at /);
  assert.match(stack, /at main .*client-sdk\.test\.ts/);
});
