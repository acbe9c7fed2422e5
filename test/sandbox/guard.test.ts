import assert from 'node:assert/strict';
import test from 'node:test';
import type { Isolate } from 'isolated-vm';
import { Guard } from '../../src/sandbox/child/watchdog.ts';
import { monotonicMs } from '../../src/std/index.ts';

/** An isolate that has run for as long as it is told. */
function anIsolate() {
  const isolate = { cpuTime: 0n, wallTime: 0n, isDisposed: false };
  const run = (ms: number) => {
    isolate.cpuTime += BigInt(ms) * 1_000_000n;
    isolate.wallTime += BigInt(ms) * 1_000_000n;
  };
  /** What its counter of processor time says from now on, right or wrong. */
  const claim = (ms: number) => {
    isolate.cpuTime = BigInt(ms) * 1_000_000n;
  };
  return { isolate: isolate as unknown as Isolate, run, claim };
}

test('a single reading above the limit of processor time ends nothing; a second one in a row does', (t) => {
  const { isolate, run, claim } = anIsolate();
  const broken: string[] = [];
  const guard = new Guard(isolate, { cpuMs: 100, wallMs: 60_000 }, (limit) => broken.push(limit));
  t.after(() => guard.stop());
  const check = () => guard.check(monotonicMs(), 0);
  run(50);
  check();
  claim(9_000);
  check();
  claim(50);
  check();
  assert.deepEqual([broken, guard.cpuMs], [[], 50]);
  claim(9_000);
  check();
  claim(60);
  check();
  assert.deepEqual(broken, [], 'two wrong readings that do not follow each other');
  run(80);
  check();
  assert.deepEqual(broken, []);
  check();
  assert.deepEqual(broken, ['cpu']);
  assert.ok(guard.cpuMs > 100, 'the record says what the message says');
});

test('a guard counts no processor time of what has the isolate while it is paused', () => {
  const { isolate, run } = anIsolate();
  const guard = new Guard(isolate, { cpuMs: 100, wallMs: 60_000 }, () => {});
  run(40);
  guard.pause();
  run(6_000);
  assert.equal(guard.cpuMs, 40);
  guard.resume();
  run(20);
  assert.equal(guard.cpuMs, 60);
  guard.stop();
});
