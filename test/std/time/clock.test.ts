import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TurnableClock, toTimestamp } from '../../../src/std/index.ts';

/** A machine on which every look at the clock takes a millisecond. */
function aBusyMachine(startMs: number) {
  let ms = startMs;
  return { now: () => ms++, monotonic: () => 5 };
}

test('a clock that nobody turned is not ahead of the machine, however often it ticks', () => {
  const clock = new TurnableClock(aBusyMachine(1000));
  clock.now();
  assert.equal(clock.offsetMs, 0);
});

test('a clock that was advanced is ahead by exactly that', () => {
  const clock = new TurnableClock(aBusyMachine(1000));
  clock.advance(500);
  clock.advance(-200);
  assert.equal(clock.offsetMs, 300);
  assert.equal(clock.now(), 1300);
});

test('a clock that was set goes on running from there', () => {
  const clock = new TurnableClock(aBusyMachine(1000));
  clock.set(9000);
  assert.equal(clock.offsetMs, 8000);
  assert.deepEqual([clock.now(), clock.now()], [9001, 9002]);
});

test('a clock that was stopped stands still, also after it is advanced, until it is set', () => {
  const clock = new TurnableClock(aBusyMachine(1000));
  clock.stop(5000);
  assert.deepEqual([clock.now(), clock.now()], [5000, 5000]);
  clock.advance(60);
  assert.deepEqual([clock.now(), clock.now()], [5060, 5060]);
  clock.set(7000);
  assert.equal(clock.now(), 7001);
});

test('turning a clock leaves the time of limits and retries alone', () => {
  const clock = new TurnableClock(aBusyMachine(1000));
  clock.advance(3_600_000);
  assert.equal(clock.monotonic(), 5);
});

test('a time on the wire is UTC with milliseconds', () => {
  assert.equal(toTimestamp(0), '1970-01-01T00:00:00.000Z');
});
