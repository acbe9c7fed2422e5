import assert from 'node:assert/strict';
import { test } from 'node:test';
import { thrownIn } from '../../src/sdk/thrown.ts';

class Refusal {
  readonly message = 'User denied it';
}
const loop: Record<string, unknown> = {};
loop['self'] = loop;

test('what a view throws that is no error is told by what it holds', () => {
  const told = (value: unknown) => thrownIn(value).message;
  assert.equal(told({ code: 'x', detail: [1, 2] }), '{"code":"x","detail":[1,2]} was thrown (not an Error)');
  assert.equal(told([1]), '[1] was thrown (not an Error)');
  assert.equal(told('text'), 'text was thrown (not an Error)');
  assert.equal(told(undefined), 'undefined was thrown (not an Error)');
  assert.equal(told(null), 'null was thrown (not an Error)');
  assert.equal(told(Symbol('s')), 'Symbol(s) was thrown (not an Error)');
  assert.equal(told(new Refusal()), 'Refusal (User denied it) was thrown (not an Error)');
  assert.equal(told(new Event('abort')), 'Event (abort) was thrown (not an Error)');
  assert.equal(told(new Response('x')), 'A Response was thrown (not an Error)');
  assert.equal(told(Object.create(null)), '{} was thrown (not an Error)');
  assert.equal(told(loop), 'An object was thrown (not an Error)');
  assert.ok(told({ long: 'x'.repeat(100_000) }).length < 1_100);
});

test('an error is told with what it holds and what caused it, each with its own frames', () => {
  const cause = new TypeError('inner', { cause: { status: 500 } });
  const { name, message, stack } = thrownIn(new AggregateError([new Error('one'), 'two'], 'both', { cause }));
  assert.deepEqual([name, message], ['AggregateError', 'both']);
  assert.deepEqual(
    stack.split('\n').filter((line) => !line.startsWith('    at ')),
    [
      'AggregateError: both',
      'error 1: Error: one',
      'error 2: two',
      'caused by TypeError: inner',
      'caused by {"status":500}',
    ],
  );
  assert.match(stack, /caused by TypeError: inner\n {4}at /);
});

test('an error that caused itself has an end, and so has one without a stack', () => {
  const error = new Error('round');
  error.cause = error;
  assert.ok(thrownIn(error).stack.length < 20_000);
  assert.equal(thrownIn(new DOMException('nope', 'AbortError')).name, 'AbortError');
  const bare = Object.assign(new Error('bare'), { stack: undefined });
  assert.equal(thrownIn(bare).stack, 'Error: bare');
});
