import assert from 'node:assert/strict';
import test from 'node:test';
import { insideRefusal, internalError, internalWords, reasonOf } from '../../../src/emulator/invoke/failure.ts';
import { withLoadHint } from '../../../src/emulator/sources/local/load-hint.ts';
import type { Failure } from '../../../src/sandbox/index.ts';
import { FunctionError, MachineError } from '../../../src/std/index.ts';

test('what the machine refuses is no bug: the console has its sentence, the caller hears where to look', () => {
  const full = new MachineError('disk_full', 'The disk is full: /there/workspace.db could not be written.');
  assert.equal(internalWords(full), full.message);
  assert.match(internalError(full).message, /^This machine could not do it/);
});

test('of a bug the console has everything, and the caller no word', () => {
  const bug = new TypeError('no such thing');
  assert.equal(internalWords(bug), bug.stack);
  assert.equal(internalError(bug).message, 'A bug in the workspace');
});

const failed = (message: string, callee: string, errors: Failure['errors'] = []): Failure => ({
  code: 'function_failed',
  name: 'Error',
  message,
  stack: `Error: ${message}\n    at shop.js:1:1`,
  callee,
  errors,
});

test('how a method failed is told once, however many errors say that it is theirs', () => {
  const told = new Map([['inv_1', 'TypeError: of the method']]);
  const stack = reasonOf(failed('all', 'inv_1', [failed('a', 'inv_1'), failed('b', 'inv_1')]), told).fullStack ?? '';
  assert.equal(stack.split('caused by TypeError: of the method').length, 2);
  assert.equal(told.size, 1);
});

test('the stack of a failure has an end, whatever its errors and methods say', () => {
  const told = new Map(Array.from({ length: 100 }, (_, i) => [`inv_${i}`, 'x'.repeat(100_000)]));
  const errors = Array.from({ length: 100 }, (_, i) => failed('one', `inv_${i}`));
  const { stack = '', fullStack = '' } = reasonOf(failed('all', 'inv_0', errors), told);
  assert.ok(stack.length < 200_000 && fullStack.length < 200_000, `${stack.length}, ${fullStack.length}`);
});

test('a global that functions do not have comes with what to use instead, in a call and while loading', () => {
  const called = (message: string) => {
    const reason = reasonOf({ code: 'function_failed', name: 'ReferenceError', message });
    return insideRefusal('function_failed', 'inv_1', reason).hint;
  };
  assert.match(called('WebAssembly is not defined') ?? '', /plain JavaScript package.* fn docs packages-and-node$/);
  assert.match(called('Aborted(ReferenceError: WebAssembly is not defined)') ?? '', /plain JavaScript/);
  assert.match(called('localStorage is not defined') ?? '', /sdk\.store/);
  assert.equal(called('orders is not defined'), undefined);

  const message = 'The module failed while it was loaded: ReferenceError: document is not defined';
  const error = withLoadHint(new FunctionError('function_load_failed', message), { code: '', warnings: [] });
  assert.match((error as FunctionError).hint ?? '', /Only a Custom View has a page/);
});

test('an import of a name that only the run knows comes with how to have the module in the bundle', () => {
  const message = 'Dynamic require of "./orders.js" is not supported';
  const reason = reasonOf({ code: 'function_failed', name: 'Error', message });
  assert.match(insideRefusal('function_failed', 'inv_1', reason).hint ?? '', /imported by a fixed name/);
});

test('array buffers that do not fit are told the limit that they do not fit into', () => {
  const message = 'Array buffer allocation failed';
  const reason = reasonOf({ code: 'function_failed', name: 'RangeError', message });
  assert.match(insideRefusal('function_failed', 'inv_1', reason).hint ?? '', /limits\.memoryMb/);
});
