import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Reconnecting } from '../../../src/cli/workspaces/reconnecting.ts';

describe('connecting again', () => {
  test('is tried ever later, at most every 8 s, and given up after thirty times', () => {
    const again = new Reconnecting();
    const pauses = Array.from({ length: 30 }, () => {
      again.broke(undefined);
      return again.pauseMs;
    });
    assert.deepEqual(pauses.slice(0, 6), [500, 1_000, 2_000, 4_000, 8_000, 8_000]);
    assert.equal(again.isHopeless, false);
    again.broke(undefined);
    assert.equal(again.isHopeless, true);
  });

  test('is never given up while each connection stood, as behind a proxy that ends what is silent', () => {
    const again = new Reconnecting();
    for (let minutes = 0; minutes < 100; minutes++) again.broke(60_000);
    assert.equal(again.isHopeless, false);
    assert.equal(again.pauseMs, 500);
  });

  test('to what breaks at once is given up, too', () => {
    const again = new Reconnecting();
    for (let i = 0; i < 31; i++) again.broke(5);
    assert.equal(again.isHopeless, true);
  });

  test('begins anew after anything has come', () => {
    const again = new Reconnecting();
    for (let i = 0; i < 30; i++) again.broke(5);
    again.came();
    again.broke(5);
    assert.equal(again.pauseMs, 500);
  });
});
