import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { type ErrorCode, type Output, refusal } from '../../src/contract/index.ts';
import { doorOf, type MachineHandlers } from '../../src/emulator/door.ts';
import { clockHandlers } from '../../src/emulator/handlers/clock.ts';
import { deploymentHandlers } from '../../src/emulator/handlers/deployments.ts';
import type { MachineParts } from '../../src/emulator/handlers/parts.ts';
import { Turns } from '../../src/emulator/handlers/turns.ts';
import { JobRunner } from '../../src/emulator/jobs/runner.ts';
import { MachineError, TurnableClock } from '../../src/std/index.ts';
import { openWorkspace, type Workspace } from '../../src/workspace/index.ts';
import { everyone } from './an-emulator.ts';

const workspace = await openWorkspace({
  file: ':memory:',
  slug: 'dev',
  baseUrl: () => 'http://127.0.0.1:1',
  clock: new TurnableClock(),
});
after(() => workspace.close());

const done: Output<'functions.invoke'> = { invocationId: 'inv_1', result: 1, logs: [], wallMs: 1, cpuMs: 1 };

/** A door whose function is refused with these codes, one a call, and works from then on. */
function aDoorThatFails(...codes: ErrorCode[]) {
  let runs = 0;
  const invoke = async () => {
    runs += 1;
    const code = codes.shift();
    if (code !== undefined) throw refusal(code);
    return done;
  };
  const handlers = { 'functions.invoke': invoke } as unknown as MachineHandlers;
  const door = doorOf({ workspace, handlers }, everyone);
  const ask = async (idempotencyKey: string) => {
    let replayed = false;
    const onReplay = () => {
      replayed = true;
    };
    const input = { app: 'shop', name: 'api/pay', input: {} };
    const answer = await door('functions.invoke', input, { idempotencyKey, onReplay }).then(
      () => 'ok',
      ({ code }: { code: string }) => code,
    );
    return { answer, replayed, runs };
  };
  return ask;
}

for (const code of ['function_busy', 'workspace_stopping'] as const) {
  test(`after ${code} the same key asks again: who is told to come back is not told the same for a day`, async () => {
    const ask = aDoorThatFails(code);
    assert.deepEqual(await ask(code), { answer: code, replayed: false, runs: 1 });
    assert.deepEqual(await ask(code), { answer: 'ok', replayed: false, runs: 2 });
    assert.deepEqual(await ask(code), { answer: 'ok', replayed: true, runs: 2 });
  });
}

test('a function that failed may have done something: its failure stays the answer to its key', async () => {
  const ask = aDoorThatFails('function_failed');
  assert.deepEqual(await ask('failed'), { answer: 'function_failed', replayed: false, runs: 1 });
  assert.deepEqual(await ask('failed'), { answer: 'function_failed', replayed: true, runs: 1 });
});

const full = async () => {
  throw new MachineError('disk_full', 'The disk is full', { hint: 'Make room.' });
};
const refusedAsFull = { name: 'WorkspaceError', code: 'disk_full', status: 507, exitCode: 1, hint: 'Make room.' };

test('what finds no room on the disk is refused as a whole, so that the caller knows that nothing was changed', async () => {
  const parts = { workspace: { call: full } as unknown as Workspace, handlers: {} as MachineHandlers };
  await assert.rejects(doorOf(parts, everyone)('packs.add', { days: 1 }), refusedAsFull);
});

test('what may have done something before it found no room on the disk is no such refusal', async () => {
  const handlers = { 'functions.invoke': full } as unknown as MachineHandlers;
  const door = doorOf({ workspace, handlers }, everyone);
  await assert.rejects(door('functions.invoke', { app: 'shop', name: 'api/pay', input: {} }), { name: 'MachineError' });
});

test('a release that the disk has no room to switch to is refused as a whole', async () => {
  const deployments = { planActivate: async () => {}, activate: full, planRollback: async () => {}, rollback: full };
  const parts = { workspace: { deployments } } as unknown as MachineParts;
  const handlers = deploymentHandlers(parts, new Turns()) as MachineHandlers;
  const door = doorOf({ workspace, handlers }, everyone);
  await assert.rejects(
    door('deployments.activate', { app: 'shop', id: 'dpl_01AAAAAAAAAAAAAAAAAAAAAAAA' }),
    refusedAsFull,
  );
  await assert.rejects(door('deployments.rollback', { app: 'shop' }), refusedAsFull);
});

test('a time that cannot be kept is not turned to either', async () => {
  const clock = new TurnableClock();
  const parts = {
    workspace: { clock: { keepOffset: full } },
    clock,
    scheduler: { look: async () => {}, prepareJump: async () => {}, fired: 0 },
    runner: new JobRunner({ workspace, clock, emit: () => {} }),
  };
  const door = doorOf(
    { workspace, handlers: clockHandlers(parts as unknown as MachineParts) as MachineHandlers },
    everyone,
  );
  await assert.rejects(door('clock.advance', { ms: 60_000 }), refusedAsFull);
  await assert.rejects(door('clock.set', { now: '2030-01-02T03:04:05Z' }), refusedAsFull);
  assert.equal(clock.offsetMs, 0);
});
