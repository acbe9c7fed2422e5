import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DevTerminal } from '../../../src/cli/dev/terminal.ts';
import { openIo } from '../../../src/cli/io.ts';
import type { Ready } from '../../../src/dev/index.ts';
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
  const ready = { functions, token: '', ms: 1 } as unknown as Ready;
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
