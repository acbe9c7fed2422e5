import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseTime } from '../../../src/cli/values/parse-time.ts';
import { runFn } from '../context.ts';

test('a time is RFC 3339, also with a space, finer than a millisecond, or a day alone', () => {
  assert.equal(parseTime('2026-11-20T08:00:00Z'), '2026-11-20T08:00:00.000Z');
  assert.equal(parseTime('2026-11-20 08:00:00+02:00'), '2026-11-20T06:00:00.000Z');
  assert.equal(parseTime('2026-11-20T08:00:00.123456Z'), '2026-11-20T08:00:00.123Z');
  assert.equal(parseTime('2026-11-20'), '2026-11-20T00:00:00.000Z');
  assert.equal(parseTime('2028-02-29'), '2028-02-29T00:00:00.000Z');
});

test('what JavaScript would make a time of, and a person would not, is none', () => {
  for (const text of [
    '5',
    '',
    'yesterday 5',
    '2026-02-30',
    '2026-02-29T10:00:00Z',
    '2026-11-20T25:00:00Z',
    '20 Nov 2026',
  ])
    assert.equal(parseTime(text), undefined, text);
});

test('a number alone is told that it needs a unit', async () => {
  const { exitCode, err } = await runFn(['logs', '--of', 'shop', '--since', '5'], { env: {} });
  assert.equal(exitCode, 2);
  assert.match(err, /--since: "5" is not a time[\s\S]*--since 5m/);
});

test('a clock that is turned too far is refused as it was typed', async () => {
  const { exitCode, err } = await runFn(['clock', 'advance', '1000d']);
  assert.equal(exitCode, 2);
  assert.match(err, /cannot advance by 1000d at once: the most is 366d/);
});

test('an empty input is said to be empty', async () => {
  for (const stdin of ['@-', '-']) {
    const { exitCode, err } = await runFn(['app', 'install', 'shop', '--settings', stdin], { input: '' });
    assert.equal(exitCode, 2);
    assert.match(err, /Standard input is empty/);
  }
});
