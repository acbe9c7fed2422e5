import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { test } from 'node:test';
import type { BatchAnswer, RunDoor } from '../../../src/agent/index.ts';
import { RunDoors } from '../../../src/emulator/runs/run-doors.ts';
import { serveRunDoors } from '../../../src/emulator/runs/serve-doors.ts';

const taken: BatchAnswer = { status: 200, body: { cancelRequested: false } };
const cancelled: BatchAnswer = { status: 200, body: { cancelRequested: true } };
const batch = { headers: {}, body: new Uint8Array() };

const aDoor = (answer = taken): RunDoor => ({
  tools: [],
  expiresAt: new Date(),
  callTool: async () => assert.fail('no tool is called here'),
  takeBatch: () => answer,
});
const someDoors = () => new RunDoors(() => 'http://127.0.0.1:4400');

test('a run takes events for as long as its door is open, however many others open', () => {
  const doors = someDoors();
  for (let i = 0; i < 250; i++) doors.open(`run_${i}`, aDoor());
  assert.equal(doors.takeBatch('run_0', batch).status, 200);
  assert.equal(doors.takeBatch('run_249', batch).status, 200);
});

test('a door that is closed asks nothing of its run: what was handed in answers once, then the run is over', () => {
  const doors = someDoors();
  doors.open('run_1', aDoor())?.close(() => cancelled);
  assert.deepEqual(doors.takeBatch('run_1', batch), cancelled);
  assert.equal(doors.takeBatch('run_1', batch).status, 410);
  doors.open('run_2', aDoor())?.close();
  assert.equal(doors.takeBatch('run_2', batch).status, 410);
});

test('a run that goes on has the door that was opened last', () => {
  const doors = someDoors();
  const first = doors.open('run_1', aDoor(cancelled));
  doors.open('run_1', aDoor());
  first?.close(() => cancelled);
  assert.deepEqual(doors.takeBatch('run_1', batch), taken);
});

test('doors that are served by themselves answer to no foreign host, origin or site', async () => {
  await using served = await serveRunDoors();
  const opened = served.doors.open('run_1', aDoor());
  assert.ok(opened);
  const { url } = opened.callback;
  const ask = async (headers: Record<string, string>) => {
    const asked = request(url, { method: 'POST', headers }).end();
    const [response] = (await once(asked, 'response')) as [IncomingMessage];
    response.resume();
    return response.statusCode;
  };
  for (const headers of [
    { host: 'evil.example' },
    { origin: 'http://evil.example' },
    { 'sec-fetch-site': 'cross-site' },
  ] as Record<string, string>[])
    assert.equal(await ask(headers), 403, JSON.stringify(headers));
  // Ours, but not signed.
  assert.equal(await ask({}), 401);
  assert.equal(await ask({ host: new URL(url).host.replace('127.0.0.1', 'localhost') }), 401);
});
