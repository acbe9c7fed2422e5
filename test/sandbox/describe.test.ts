import assert from 'node:assert/strict';
import test from 'node:test';
import { FunctionError, LimitError } from '../../src/std/index.ts';
import { aProgram, aRequest, aSandbox, echoHost, programOf } from './support/sandbox.ts';

const sandbox = aSandbox();

test('a description tells config, exports and what the module wrote', async () => {
  const program = programOf(
    '(async (register) => { console.log("loading"); register({ config: { type: "cron-job", schedule: "@hourly" }, helper: 1, default: () => {} }); })',
  );
  const { logs, ...description } = await sandbox.describe(program);
  assert.deepEqual(description, {
    config: { type: 'cron-job', schedule: '@hourly' },
    hasDefault: true,
    exports: ['config', 'helper', 'default'],
  });
  assert.deepEqual(
    logs.map(({ text }) => text),
    ['loading'],
  );
});

test('a module without config or default is described as such', async () => {
  assert.deepEqual(await sandbox.describe(programOf('(async (register) => { register({ a: 1 }); })')), {
    config: undefined,
    hasDefault: false,
    exports: ['a'],
    logs: [],
  });
});

test('describing twice gives the same, and an invocation between does not change it', async () => {
  const program = aProgram('return 1;', { config: '{ title: "x" }' });
  const first = await sandbox.describe(program);
  await sandbox.invoke(program, aRequest(), echoHost);
  assert.deepEqual(await sandbox.describe(program), first);
});

test('a module that throws is a FunctionError with its message', async () => {
  await assert.rejects(sandbox.describe(aProgram('return 1;', { top: 'JSON.parse("{");' })), (error: unknown) => {
    assert.ok(error instanceof FunctionError);
    assert.equal(error.code, 'function_load_failed');
    assert.match(error.message, /SyntaxError/);
    return true;
  });
});

test('a config with a cycle or a getter that throws is a FunctionError', async () => {
  for (const config of [
    '(() => { const a = {}; a.a = a; return a; })()',
    '{ get type() { throw new Error("no"); } }',
  ]) {
    await assert.rejects(sandbox.describe(aProgram('return 1;', { config })), FunctionError);
  }
});

test('a bundle that exports nothing is a FunctionError', async () => {
  await assert.rejects(sandbox.describe(programOf('(async () => {})')), FunctionError);
});

test('a bundle that is no JavaScript is a FunctionError', async () => {
  await assert.rejects(
    sandbox.describe(programOf('(async (register) => { let let; })')),
    (error: unknown) => error instanceof FunctionError && /SyntaxError/.test(error.message),
  );
});

test('a module that fills memory while it loads is a LimitError', async () => {
  await assert.rejects(
    sandbox.describe(aProgram('return 1;', { top: 'const list = []; for (;;) list.push(new Array(1000).fill({}));' })),
    LimitError,
  );
});
