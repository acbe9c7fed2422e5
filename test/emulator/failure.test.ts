import assert from 'node:assert/strict';
import test from 'node:test';
import { internalError, internalWords } from '../../src/emulator/failure.ts';
import { MachineError } from '../../src/std/index.ts';

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
