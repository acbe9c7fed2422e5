import assert from 'node:assert/strict';
import test from 'node:test';
import type { Isolate } from 'isolated-vm';
import { Guard } from '../../src/sandbox/child/watchdog.ts';

/** An isolate that has run for as long as it is told. */
function anIsolate() {
  const isolate = { cpuTime: 0n, wallTime: 0n, isDisposed: false };
  const run = (ms: number) => {
    isolate.cpuTime += BigInt(ms) * 1_000_000n;
    isolate.wallTime += BigInt(ms) * 1_000_000n;
  };
  return { isolate: isolate as unknown as Isolate, run };
}

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
