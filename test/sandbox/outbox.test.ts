import assert from 'node:assert/strict';
import test from 'node:test';
import { Outbox } from '../../src/sandbox/child/outbox.ts';
import type { FromChild, FromChildDone } from '../../src/sandbox/protocol.ts';

const end = (invocation: number): FromChildDone => ({
  t: 'done',
  invocation,
  status: 'ok',
  json: 'null',
  cpuMs: 0,
  wallMs: 0,
  heapBytes: 0,
});

function anOutbox() {
  const said: (number | string)[] = [];
  const outbox = new Outbox((message: FromChild) => said.push(message.t === 'done' ? message.invocation : message.t));
  return { outbox, said };
}

test('four ends are told together', () => {
  const { outbox, said } = anOutbox();
  for (const invocation of [1, 2, 3]) outbox.hold(end(invocation));
  assert.deepEqual(said, []);
  outbox.hold(end(4));
  assert.deepEqual(said, [1, 2, 3, 4]);
});

test('an end is told before whatever is said after it', () => {
  const { outbox, said } = anOutbox();
  outbox.hold(end(1));
  outbox.say({ t: 'ready' });
  assert.deepEqual(said, [1, 'ready']);
  outbox.say(end(2));
  assert.deepEqual(said, [1, 'ready', 2]);
});

test('an end without company is told soon', (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] });
  const { outbox, said } = anOutbox();
  outbox.hold(end(1));
  context.mock.timers.tick(4);
  assert.deepEqual(said, [1]);
  context.mock.timers.tick(100);
  assert.deepEqual(said, [1]);
});
