import assert from 'node:assert/strict';
import { test } from 'node:test';
import { logText } from '../../../src/cli/terminal/log-text.ts';
import { aContext } from '../context.ts';

const io = (terminal: boolean) => aContext({ terminal: { err: terminal }, env: { NO_COLOR: '1' } }).context.io;

test('a terminal is shown the beginning of a long line, and how much is left out', () => {
  const text = logText(io(true), 'info', 'x'.repeat(1_000_000));
  assert.equal(text, `${'x'.repeat(10_000)}… and 990000 more characters (piped or with --json: all)`);
  assert.equal(logText(io(true), 'warn', 'short'), 'warn short');
});

test('a program that reads the stream gets the line whole', () => {
  assert.equal(logText(io(false), 'info', 'x'.repeat(1_000_000)).length, 1_000_000);
});
