import assert from 'node:assert/strict';
import { test } from 'node:test';
import { millisecondsOf, UsageError } from '../../../src/std/index.ts';

for (const [written, ms] of [
  [250, 250],
  ['250ms', 250],
  ['30s', 30_000],
  ['1.5m', 90_000],
  ['2h', 7_200_000],
  ['1d', 86_400_000],
] as const) {
  test(`${JSON.stringify(written)} is ${ms} ms`, () => {
    assert.equal(millisecondsOf(written), ms);
  });
}

for (const written of ['', '5', '5 m', '-5m', '5w', '1h30m', Number.NaN, Number.POSITIVE_INFINITY]) {
  test(`${JSON.stringify(String(written))} is refused as a duration`, () => {
    assert.throws(
      () => millisecondsOf(written),
      (error) => error instanceof UsageError && error.code === 'duration_invalid' && error.hint !== undefined,
    );
  });
}
