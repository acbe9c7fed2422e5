import assert from 'node:assert/strict';
import { availableParallelism } from 'node:os';
import test from 'node:test';
import { type Lane, newLane } from '../../src/sandbox/pool/lane.ts';
import { isolatesFor, learn } from '../../src/sandbox/pool/sizing.ts';

const usual = 2 * availableParallelism();
const MiB = 1024 * 1024;

/** A program of which so many invocations took the same. */
function aLane(count: number, used: { wallMs: number; cpuMs: number; heapBytes?: number }): Lane {
  const lane = newLane({ id: 'a', url: 'fn:///a', code: '' });
  for (let i = 0; i < count; i++) learn(lane, { heapBytes: 4 * MiB, ...used }, true);
  return lane;
}

test('a program of which nothing has run yet may have two isolates for each core', () => {
  assert.equal(isolatesFor(aLane(0, { wallMs: 0, cpuMs: 0 })), usual);
});

test('one that computes may have the same, however long it takes', () => {
  for (const ms of [40, 4_000]) assert.equal(isolatesFor(aLane(10, { wallMs: ms, cpuMs: ms })), usual);
});

test('one whose invocations wait may have sixteen, as long as their heaps are small', () => {
  assert.equal(isolatesFor(aLane(1, { wallMs: 150, cpuMs: 5 })), 16);
  assert.equal(isolatesFor(aLane(1, { wallMs: 150, cpuMs: 5, heapBytes: 32 * MiB })), 5);
});

test('what keeps much may have only as many as a child may keep together, and one in any case', () => {
  assert.equal(isolatesFor(aLane(1, { wallMs: 40, cpuMs: 40, heapBytes: 64 * MiB })), 2);
  assert.equal(isolatesFor(aLane(1, { wallMs: 40, cpuMs: 40, heapBytes: 512 * MiB })), 1);
});

test('a program that no longer waits is soon taken for one that computes', () => {
  const lane = aLane(1, { wallMs: 150, cpuMs: 5 });
  for (let i = 0; i < 10; i++) learn(lane, { wallMs: 5, cpuMs: 5, heapBytes: 4 * MiB }, true);
  assert.equal(isolatesFor(lane), usual);
});
