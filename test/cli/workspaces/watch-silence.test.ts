import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { watchSilence } from '../../../src/cli/workspaces/watch-silence.ts';

test('a stream from which nothing comes for 45 s is silent; one whose reader is busy is not', async (t) => {
  mock.timers.enable({ apis: ['setInterval', 'Date'] });
  t.after(() => mock.timers.reset());
  const gates = [Promise.withResolvers<Uint8Array>(), Promise.withResolvers<Uint8Array>()];
  async function* source() {
    for (const gate of gates) yield await gate.promise;
  }
  let silences = 0;
  const watched = watchSilence(source(), () => {
    silences++;
  });
  const first = watched.next();
  mock.timers.tick(44_000);
  assert.equal(silences, 0);
  gates[0]?.resolve(new Uint8Array([1]));
  assert.deepEqual((await first).value, new Uint8Array([1]));
  mock.timers.tick(600_000);
  assert.equal(silences, 0, 'the reader is busy');
  const second = watched.next();
  await Promise.resolve();
  mock.timers.tick(50_000);
  assert.ok(silences > 0);
  gates[1]?.resolve(new Uint8Array([2]));
  await second;
  assert.equal((await watched.next()).done, true);
  const before = silences;
  mock.timers.tick(600_000);
  assert.equal(silences, before, 'nothing is watched any more');
});
