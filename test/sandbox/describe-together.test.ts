import assert from 'node:assert/strict';
import test from 'node:test';
import { describerRestMs } from '../../src/sandbox/limits.ts';
import { FunctionError, LimitError } from '../../src/std/index.ts';
import { until } from '../until.ts';
import { aProgram, aRequest, aSandbox, echoHost, programOf } from './support/sandbox.ts';

const sandbox = aSandbox();

const named = (n: number, top = '') => aProgram('return 1;', { top, config: `{ title: "f${n}" }` });

test('a hundred programs described together tell each its own config, in no more isolates than processors', async () => {
  let most = 0;
  const descriptions = await Promise.all(
    Array.from({ length: 100 }, async (_, n) => {
      const description = await sandbox.describe(named(n), 'list');
      most = Math.max(most, ...sandbox.stats().children.map(({ isolates }) => isolates));
      return description;
    }),
  );
  assert.deepEqual(
    descriptions.map(({ config }) => config),
    Array.from({ length: 100 }, (_, n) => ({ title: `f${n}` })),
  );
  assert.ok(most >= 1 && most <= 4, `${most} isolates`);
});

test('what one program leaves behind is not there for the next', async () => {
  const leaves = 'globalThis.left = 1; Array.prototype.left = 1; Object.prototype.left = 1; JSON.left = 1;';
  await sandbox.describe(named(1, leaves), 'list');
  const finds = aProgram('', {
    config: '{ found: [typeof left, typeof [].left, typeof ({}).left, typeof JSON.left] }',
  });
  for (let round = 0; round < 4; round++) {
    const { config } = await sandbox.describe({ ...finds, id: `${finds.id}${round}` }, 'list');
    assert.deepEqual(config, { found: ['undefined', 'undefined', 'undefined', 'undefined'] });
  }
});

test('what the module wrote is told, and its description is the one that an isolate of its own gives', async () => {
  const program = aProgram('', { top: 'console.log("loading");', config: '{ type: "x" }' });
  const { logs, ...together } = await sandbox.describe(program, 'list');
  const { logs: aloneLogs, ...alone } = await sandbox.describe(program);
  assert.deepEqual(together, alone);
  assert.deepEqual(
    [logs, aloneLogs].flat().map(({ text }) => text),
    ['loading', 'loading'],
  );
});

test('each program that does not load fails by its own fault; those beside it are described', async () => {
  const bad: [string, typeof FunctionError | typeof LimitError, RegExp][] = [
    // Collecting garbage counts as well: on a slow machine, that limit may be reached first.
    ['const kept = []; for (;;) kept.push(new Array(1_000_000).fill(0));', LimitError, /memory|CPU time/],
    ['throw new TypeError("mine");', FunctionError, /TypeError: mine/],
    ['let let;', FunctionError, /SyntaxError/],
  ];
  const asked = Array.from({ length: 40 }, (_, n) => named(200 + n, n % 8 === 0 ? (bad[n / 8]?.[0] ?? '') : ''));
  const settled = await Promise.allSettled(asked.map((program) => sandbox.describe(program, 'list')));
  for (const [n, outcome] of settled.entries()) {
    const expected = n % 8 === 0 ? bad[n / 8] : undefined;
    if (expected && outcome.status === 'rejected') {
      assert.ok(outcome.reason instanceof expected[1], `${n}: ${outcome.reason}`);
      assert.match(outcome.reason.message, expected[2]);
    } else {
      assert.equal(outcome.status, expected ? 'rejected' : 'fulfilled', `${n}`);
      if (outcome.status === 'fulfilled') assert.deepEqual(outcome.value.config, { title: `f${200 + n}` });
    }
  }
});

test('a child that has to be killed because of one program costs the others nothing', async () => {
  const own = aSandbox();
  // Nothing stops isolated-vm while it copies this out: the process has to go.
  const unstoppable = named(
    1,
    'Promise.reject({ get message() { for (;;) {} }, get stack() { for (;;) {} } }); await new Promise(() => {});',
  );
  const [killer, ...others] = await Promise.allSettled([
    own.describe(unstoppable, 'list'),
    ...Array.from({ length: 20 }, (_, n) => own.describe(named(300 + n), 'list')),
  ]);
  assert.ok(killer?.status === 'rejected' && killer.reason instanceof LimitError);
  assert.match(killer.reason.message, /^The module did not stop at its time limit while it was loaded/);
  assert.deepEqual(
    others.map(({ status }) => status),
    others.map(() => 'fulfilled'),
  );
});

test('the isolate goes when nothing was described for a while, and the program can be invoked all the same', async () => {
  const own = aSandbox();
  const program = programOf('(async (register) => { register({ default: () => 7 }); })');
  await own.describe(program, 'list');
  const isolates = () => own.stats().children.reduce((sum, child) => sum + child.isolates, 0);
  await until('no isolate is left', () => isolates() === 0);
  const outcome = await own.invoke(program, aRequest(), echoHost);
  assert.equal(outcome.status === 'ok' && outcome.result, 7);
});

test('after many descriptions the child is replaced, and what was invoked in it goes on in the other', async () => {
  const own = aSandbox();
  const program = programOf('(async (register) => { register({ default: () => 7 }); })');
  assert.equal((await own.invoke(program, aRequest(), echoHost)).status, 'ok');
  const before = own.stats().children.map(({ pid }) => pid);
  await Promise.all(Array.from({ length: 50 }, (_, n) => own.describe(named(400 + n), 'list')));
  const now = () => own.stats().children.map(({ pid }) => pid);
  await until('the child is replaced', () => !now().some((pid) => before.includes(pid)));
  assert.equal(now().length, 1);
  const outcome = await own.invoke(program, aRequest(), echoHost);
  assert.equal(outcome.status === 'ok' && outcome.result, 7);
  assert.equal(own.stats().killed, 0);
});

test('no child is replaced while its functions are invoked one after another', async () => {
  const own = aSandbox();
  const program = programOf('(async (register) => { register({ default: () => 7 }); })');
  const pids = () => own.stats().children.map(({ pid }) => pid);
  await Promise.all(Array.from({ length: 50 }, (_, n) => own.describe(named(500 + n), 'list')));
  const before = pids();
  for (const end = performance.now() + describerRestMs + 300; performance.now() < end; ) {
    assert.equal((await own.invoke(program, aRequest(), echoHost)).status, 'ok');
    assert.deepEqual(pids(), before);
    await new Promise((resolve) => setTimeout(resolve, 10)); // nothing runs in it for a moment
  }
});

test('isolates made ready for a list that nobody asks for are given up', async () => {
  const unasked = aSandbox({ processes: 1 });
  const isolates = () => unasked.stats().children[0]?.isolates ?? 0;
  unasked.expectList();
  assert.ok(isolates() > 0);
  await until('they are closed', () => isolates() === 0);
});
