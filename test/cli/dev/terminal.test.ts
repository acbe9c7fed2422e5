import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DevTerminal } from '../../../src/cli/dev/terminal.ts';
import { openIo } from '../../../src/cli/io.ts';
import type { Listening, Ready } from '../../../src/dev/index.ts';
import { WorkspaceError } from '../../../src/std/index.ts';
import { aHost } from '../context.ts';

const functions = [
  {
    name: 'api/orders/find',
    type: 'server-side-method',
    methods: ['POST'],
    url: 'http://127.0.0.1:4400/api/dev/find.js',
  },
  { name: 'tools/refund', type: 'ai-tool' },
];

function shown(columns: number, terminal: boolean): string[] {
  const { host, out } = aHost({ columns, terminal: { out: terminal }, env: { NO_COLOR: '1' } });
  const ready = { functions, flows: [], agents: [], token: '', ms: 1 } as unknown as Ready;
  new DevTerminal(openIo(host, false), { version: '', debug: false }).ready(ready, false);
  return out().split('\n').filter(Boolean);
}

const whole = [
  '  Server Side Method  api/orders/find  POST http://127.0.0.1:4400/api/dev/find.js',
  '  AI Tool             tools/refund     fn invoke tools/refund',
];

test('functions stand in columns where the terminal has room, and in a pipe', () => {
  assert.deepEqual(shown(82, true), whole);
  assert.deepEqual(shown(40, false), whole);
});

test('an address that does not fit the terminal stands below its function, and the others as before', () => {
  assert.deepEqual(shown(80, true), [
    '  Server Side Method  api/orders/find',
    '      POST http://127.0.0.1:4400/api/dev/find.js',
    '  AI Tool             tools/refund     fn invoke tools/refund',
  ]);
});

test('nothing that a function logs can look like a line of fn dev', async () => {
  const { host, err } = aHost({ env: { NO_COLOR: '1' } });
  const terminal = new DevTerminal(openIo(host, false), { version: '', debug: false });
  terminal.log('api/pay', 'info', 'paid\r12:00:00 deployed\n12:00:00 deployed');
  terminal.flush();
  assert.match(err(), /^\S+ api\/pay paid\n {2}12:00:00 deployed\n {2}12:00:00 deployed\n$/);
});

function told(tell: (terminal: DevTerminal) => void): string {
  const { host, err } = aHost({ env: { NO_COLOR: '1' } });
  const terminal = new DevTerminal(openIo(host, false), { version: '', debug: false });
  tell(terminal);
  terminal.flush();
  return err();
}

test('a server that other machines can reach says so, with its addresses', () => {
  const listening = { url: '', openUrl: '', app: 'shop', token: '', workspace: { slug: 'dev' } };
  const say = (beyond?: string[]) =>
    told((terminal) => terminal.listening({ ...listening, beyond } as unknown as Listening));
  assert.equal(say(), '');
  assert.match(say(['http://192.0.2.7:4400']), /anyone who can reach http:\/\/192\.0\.2\.7:4400 and has the token/);
  assert.match(say([]), /anyone who can reach this machine and has the token/);
});

test('a request that reached no function is shown with the reason and what to do', () => {
  const error = new WorkspaceError('function_not_found', 404, 'There is no function at desk/api/refnd.js', {
    hint: 'Did you mean desk/api/refund.js?',
  });
  const request = { method: 'POST', path: '/api/dev/custom-functions/desk/api/refnd.js' };
  assert.match(
    told((terminal) => terminal.refused({ type: 'refused', request, error })),
    /^\S+ http POST \/api\/dev\/custom-functions\/desk\/api\/refnd\.js refused 404\n {2}error There is no function at desk\/api\/refnd\.js\n {2}→ Did you mean desk\/api\/refund\.js\?\n$/,
  );
});

test('an address cannot fill the terminal or change it', () => {
  const error = new WorkspaceError('token_missing', 401, 'No API token was sent');
  const request = { method: 'GET', path: `/custom-functions/${'a'.repeat(8000)}` };
  assert.ok(told((terminal) => terminal.refused({ type: 'refused', request, error })).length < 400);
  const hostile = { method: 'GET', path: '/custom-functions/\u001b[2J\u009b2J' };
  const text = told((terminal) => terminal.refused({ type: 'refused', request: hostile, error }));
  assert.ok(!text.includes('\u001b') && !text.includes('\u009b'));
});

const hook = {
  type: 'invoked',
  invocationId: 'inv_1',
  app: 'desk',
  function: 'api/hook',
  functionType: 'server-side-method',
  trigger: 'http',
  ms: 8,
  cpuMs: 1,
} as const;

test('an invocation is shown with the HTTP status of the Response that it returned', () => {
  const invoked = { ...hook, status: 'ok', request: { method: 'POST', path: '/' } } as const;
  assert.match(
    told((terminal) => terminal.invoked(invoked)),
    / http POST api\/hook ok 8 ms\n$/,
  );
  assert.match(
    told((terminal) => terminal.invoked({ ...invoked, httpStatus: 401 })),
    / http POST api\/hook 401 8 ms\n$/,
  );
});

test('a failure is shown with its stack, and with what to do if that is known', () => {
  const stack = 'TypeError: sdk.a is not a function\n    at default (functions/api/hook.ts:3:9)';
  const error = { code: 'function_failed', name: 'TypeError', message: 'sdk.a is not a function', stack };
  const invoked = { ...hook, status: 'error' } as const;
  const shown = told((terminal) => terminal.invoked({ ...invoked, error: { ...error, hint: 'Did you mean sdk.b?' } }));
  assert.match(shown, /\n {2}TypeError: sdk\.a is not a function\n {6}at default .*\n {2}→ Did you mean sdk\.b\?\n$/);
});

test('a warning of a build is shown with its place in the source', () => {
  const message = 'sdk.request.json(…) returns a promise. Is an "await" missing?';
  const location = { file: 'functions/api/hook.ts', line: 3, column: 16, text: '  const body = sdk.request.json();' };
  const warnings = [{ code: 'await_missing' as const, message, location }];
  const built = {
    type: 'built',
    name: 'api/hook',
    ms: 5,
    bytes: 9,
    again: false,
    mended: false,
    inputs: [],
    logs: [],
  } as const;
  assert.match(
    told((terminal) => terminal.built({ ...built, warnings })),
    /^\S+ warning api\/hook: sdk\.request\.json\(…\) .*\n {2}functions\/api\/hook\.ts:3:16\n {2}3 \| {3}const body = .*\n {4}\| {15} {1}\^\n$/,
  );
});

test('secrets without a value are named, with the command that sets one', () => {
  assert.equal(
    told((terminal) => terminal.secretsMissing(['SHOP_KEY', 'HOOK_KEY'])),
    'warning SHOP_KEY, HOOK_KEY have no value in this workspace\n→ fn secret set SHOP_KEY\n',
  );
});

test('agents that need trust ask for it, with the key where keys are read and the command', () => {
  assert.equal(
    told((terminal) => terminal.trustMissing(['nora', 'ada'], true)),
    'question nora, ada run with packages of this app, outside the sandbox, with all that you may do. Do you trust the code in this folder?\n→ press t, or: fn trust\n',
  );
  assert.match(
    told((terminal) => terminal.trustMissing(['nora'], false)),
    /^question nora runs with .*\n→ fn trust\n$/,
  );
});

test('the token is shown once; the example reads it from its file', () => {
  const { host, out } = aHost({ env: { NO_COLOR: '1' } });
  const terminal = new DevTerminal(openIo(host, false), { version: '', debug: false });
  const listening = {
    ...{ type: 'listening', url: 'http://127.0.0.1:4400', openUrl: 'http://127.0.0.1:4400/?code=x', port: 4400 },
    ...{ app: 'shop', workspace: { slug: 'dev', url: 'x' }, token: 'fn_local_SECRET' },
  } as const satisfies Listening;
  terminal.listening(listening);
  const example = { method: 'POST', url: 'http://127.0.0.1:4400/find.js', auth: 'token', body: {} } as const;
  terminal.ready({ ...listening, type: 'ready', functions: [], flows: [], agents: [], example, ms: 1 }, false);
  assert.equal(out().match(/fn_local_SECRET/g)?.length, 1);
  assert.match(out(), /curl .* -H "Authorization: Bearer \$\(cat \.fn\/local-token\)"/);
});

test('flows and AI agents stand below the functions, with the command that tries each', () => {
  const { host, out } = aHost({ columns: 100, env: { NO_COLOR: '1' } });
  const flows = [
    { name: 'support', trigger: 'message.received' },
    { name: 'nightly', trigger: 'schedule' },
  ];
  const ready = { functions: [], flows, agents: [{ name: 'nora' }], token: '', ms: 1 } as unknown as Ready;
  new DevTerminal(openIo(host, false), { version: '', debug: false }).ready(ready, false);
  assert.deepEqual(out().split('\n').filter(Boolean), [
    '  Flow      support  fn chat',
    '  Flow      nightly  fn flow run nightly',
    '  AI agent  nora     fn agent-run create --agent nora --follow',
  ]);
});
