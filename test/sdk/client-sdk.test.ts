import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clientSdk } from '../../src/sdk/client-sdk.ts';
import { frameHeight } from '../../src/sdk/frame-height.ts';
import { emptied } from '../../src/sdk/prelude/emptied.ts';
import { thrownIn } from '../../src/sdk/thrown.ts';
import { viewArguments } from '../../src/sdk/view-arguments.ts';

type Message = { type: string; id: number } & Record<string, unknown>;

/** A view whose page refuses every call. */
function aView(main: (sdk: never) => unknown) {
  const told: Message[] = [];
  const waiting: { types: string[]; resolve(message: Message): void }[] = [];
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
  const port: { onmessage?: (event: object) => void; postMessage(message: Message): void } = {
    postMessage(message) {
      const error = { code: 'conversation_not_found', message: 'There is no such conversation' };
      if (message.type === 'call') port.onmessage?.({ data: { type: 'answer', id: message.id, error } });
      told.push(message);
      for (const { types, resolve } of waiting) if (types.includes(message.type)) resolve(message);
    },
  };
  const begin = clientSdk(
    { conversations: ['get'], methods: ['call'] } as never,
    frame as never,
    thrownIn,
    frameHeight,
    emptied,
    viewArguments(),
  );
  begin('nonce', async (register) => register({ default: main }));
  open({ source: page, data: { type: 'fn-view-channel', nonce: 'nonce' }, ports: [port] });
  const say = (data: object) => port.onmessage?.({ data });
  say({ type: 'start', context: {} });
  return {
    say,
    types: () => told.map(({ type }) => type),
    errors: () => told.flatMap(({ type, message }) => (type === 'error' ? [message] : [])),
    /** The first message of one of these types. */
    async hears(...types: string[]): Promise<Message> {
      const known = told.find(({ type }) => types.includes(type));
      return known ?? (await new Promise((resolve) => waiting.push({ types, resolve })));
    },
  };
}

test('a refusal that a view does not expect is told at the line that called', async () => {
  async function main(sdk: { conversations: { get(input: object): Promise<unknown> } }) {
    await sdk.conversations.get({ id: 'cnv_none' });
  }
  const { stack } = await aView(main).hears('error');
  assert.match(String(stack), /^SdkError: There is no such conversation\n\s+at /);
  assert.match(String(stack), /at main .*client-sdk\.test\.ts/);
  assert.doesNotMatch(String(stack), /new Promise/);
});

test('a view is refused a promise or a file anywhere in an input, with its place', async () => {
  async function main(sdk: { methods: { call(path: string, body: object): Promise<unknown> } }) {
    await sdk.methods.call('a', { files: [{ of: new Blob(['x']) }] });
  }
  const view = aView(main);
  await view.hears('error');
  assert.match(String(view.errors()[0]), /^sdk\.methods\.call: .*: body\.files\[0\]\.of is a Blob, which is not JSON/);
});

test('a view that is closed is said to be when all that cleans up has ended, whatever of it fails', async () => {
  const gate = Promise.withResolvers<void>();
  const steps: string[] = [];
  const view = aView(async (sdk: Sdk) => {
    sdk.view.on('dispose', () => {
      throw new Error('one listener');
    });
    sdk.view.on('dispose', async () => {
      await gate.promise;
      steps.push('another listener');
    });
    void sdk.ui.toast('begun');
    await gate.promise;
    return async () => {
      steps.push('cleanup');
      await Promise.reject(new Error('the cleanup'));
    };
  });
  await view.hears('ui');
  view.say({ type: 'dispose' });
  await view.hears('error');
  assert.deepEqual(view.types(), ['ui', 'closing', 'error']);
  gate.resolve();
  await view.hears('disposed');
  assert.deepEqual(steps.sort(), ['another listener', 'cleanup']);
  assert.deepEqual(view.errors(), ['one listener', 'the cleanup']);
  assert.equal(view.types().at(-1), 'disposed');
});

test('a view that is closed before it has begun cleans up, too', async () => {
  const steps: string[] = [];
  const view = aView((sdk: Sdk) => {
    sdk.view.on('dispose', () => steps.push('listener'));
    return () => steps.push('cleanup');
  });
  view.say({ type: 'dispose' });
  await view.hears('disposed');
  assert.deepEqual(steps, ['listener', 'cleanup']);
});

type Sdk = {
  view: { on(name: unknown, listener: unknown): () => void; resize(height?: unknown): void };
  ui: { toast(text: unknown, options?: object): unknown; openConversation(id: unknown): unknown };
};

const refusals: [what: string, ask: (sdk: Sdk) => unknown, message: string][] = [
  [
    'an event that there is not',
    (sdk) => sdk.view.on('nope', () => {}),
    'sdk.view.on: the event must be one of context, dispose, not "nope"',
  ],
  [
    'a listener that is none',
    (sdk) => sdk.view.on('context', undefined),
    'sdk.view.on: the listener must be a function, not undefined',
  ],
  [
    'a height that is no number',
    (sdk) => sdk.view.resize('x'),
    'sdk.view.resize: the height must be a number of pixels, not "x"',
  ],
  [
    'a height below zero',
    (sdk) => sdk.view.resize(-1),
    'sdk.view.resize: the height must be a number of pixels, not -1',
  ],
  [
    'a kind of toast that there is not',
    (sdk) => sdk.ui.toast('Saved', { kind: 'warn' }),
    'sdk.ui.toast: kind must be one of info, success, error, not "warn"',
  ],
  [
    'a conversation without an id',
    (sdk) => sdk.ui.openConversation(undefined),
    'sdk.ui.openConversation: the id of a conversation must be given, not undefined',
  ],
];
for (const [what, ask, refused] of refusals) {
  test(`${what} is refused`, async () => {
    const { name, message } = await aView(ask).hears('error', 'running');
    assert.deepEqual([name, message], ['TypeError', refused]);
  });
}

test('what a view may say is not refused', async () => {
  const view = aView((sdk: Sdk) => {
    sdk.view.on('context', () => {})();
    for (const height of [undefined, 0, 400.5]) sdk.view.resize(height);
    for (const kind of [undefined, 'info', 'success', 'error']) void sdk.ui.toast('Saved', { kind });
  });
  await view.hears('running', 'error');
  assert.deepEqual(new Set(view.types()), new Set(['ui', 'running']));
});
