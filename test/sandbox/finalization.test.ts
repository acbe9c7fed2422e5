import assert from 'node:assert/strict';
import test from 'node:test';
import { aProgram, aRequest, aSandbox, echoHost } from './support/sandbox.ts';

const loops = `
  if (sdk.argument === "arm") {
    globalThis.kept = new FinalizationRegistry(() => { for (;;); });
    for (let i = 0; i < 2_000; i++) globalThis.kept.register({}, i);
    let junk = [];
    for (let i = 0; i < 200_000; i++) junk.push({ i });
  }
  return "answered";`;

for (const isolation of ['fresh', 'warm'] as const) {
  test(`what a function wants called when its garbage goes holds up no later invocation (${isolation})`, async () => {
    const sandbox = aSandbox({ processes: 1 });
    const program = aProgram(loops);
    for (const argument of ['arm', 'then', 'arm', 'arm', 'then', 'then']) {
      const outcome = await sandbox.invoke(program, aRequest({ argument, isolation }), echoHost);
      assert.deepEqual([outcome.status, outcome.status === 'ok' && outcome.result], ['ok', 'answered']);
    }
  });
}

test('a FinalizationRegistry takes and forgets what it is given, as one that never calls back may', async () => {
  const sandbox = aSandbox();
  const program = aProgram(`
    const refused = (f) => { try { f(); return ''; } catch (error) { return error.name; } };
    const registry = new FinalizationRegistry(() => {}), token = {};
    registry.register({}, 1, token);
    return [Object.prototype.toString.call(registry), FinalizationRegistry.name, FinalizationRegistry.length,
      registry.unregister(token), registry.unregister(token), registry.register({}, 2),
      refused(() => new FinalizationRegistry()), refused(() => FinalizationRegistry(() => {})),
      refused(() => registry.register(1)), refused(() => registry.register(token, token)), refused(() => registry.unregister(1)),
      new WeakRef(token).deref() === token];`);
  const outcome = await sandbox.invoke(program, aRequest(), echoHost);
  assert.deepEqual(outcome.status === 'ok' && outcome.result, [
    '[object FinalizationRegistry]',
    'FinalizationRegistry',
    1,
    true,
    false,
    null,
    'TypeError',
    'TypeError',
    'TypeError',
    'TypeError',
    'TypeError',
    true,
  ]);
});
