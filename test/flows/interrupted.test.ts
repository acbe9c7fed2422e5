import assert from 'node:assert/strict';
import { once } from 'node:events';
import { suite, test } from 'node:test';
import { until } from '../until.ts';
import { App, aMethod, type Dev, isAlive } from './app.ts';
import { childrenOf } from './processes.ts';

const slow = aMethod("(console.log('began'), new Promise(() => {}))");

/** Starts a command, stops it once it is under way, and says how it ended, and how long that took from the signal on. */
async function stopped(
  app: App,
  argv: readonly string[],
  underWay: (pid: number) => Promise<unknown>,
  signal: 'SIGINT' | 'SIGTERM' = 'SIGINT',
): Promise<{ exitCode: number | null; out: string; err: string; children: number[]; ms: number }> {
  const child = app.spawn(argv);
  const pid = child.pid ?? 0;
  const texts = [child.stdout, child.stderr].map(async (one) => (await one.setEncoding('utf8').toArray()).join(''));
  await underWay(pid);
  const children = process.platform === 'linux' ? childrenOf(pid).map((one) => one.pid) : [];
  const startedAt = performance.now();
  child.kill(signal);
  const [[exitCode], out = '', err = ''] = await Promise.all([once(child, 'close'), ...texts]);
  return { exitCode, out, err, children, ms: performance.now() - startedAt };
}

/** Nothing is printed before the end; a process of the sandbox tells that it is under way. */
const sandboxRuns = (pid: number) =>
  until('the sandbox runs', () => childrenOf(pid).some(({ command }) => command.includes('--permission')));

suite('Ctrl-C', { skip: process.platform !== 'linux' && 'looks for processes in /proc' }, () => {
  for (const [signal, code] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const) {
    test(`in the middle of fn invoke (${signal}) ends it with ${code} without waiting for the function`, async () => {
      const app = new App({ 'functions/slow.js': slow });
      const ended = await stopped(app, ['invoke', 'slow'], sandboxRuns, signal);
      assert.deepEqual([ended.exitCode, ended.out], [code, ''], ended.err);
      // If it waited for the function, it would be cut off 8 s after the signal.
      assert.ok(ended.ms < 7_500, 'it did not wait to be cut off');
      await until('no process is left', () => !ended.children.some(isAlive));
    });
  }

  test('in the middle of fn invoke through a running fn dev ends the command alone', async () => {
    const app = new App({ 'functions/slow.js': slow, 'functions/one.js': aMethod('1') });
    const dev: Dev = await app.dev();
    try {
      const since = dev.lines.length;
      const began = () => dev.event(({ type, text }) => type === 'log' && text === 'began', since);
      const ended = await stopped(app, ['invoke', 'slow'], began);
      assert.deepEqual([ended.exitCode, ended.out], [130, ''], ended.err);
      assert.equal((await dev.get('one')).body, 1);
    } finally {
      dev.child.kill('SIGKILL');
      await dev.ended;
    }
  });

  test('in the middle of fn test ends the tests as well, with 130', async () => {
    const app = new App({
      'test/slow.test.js': `import { writeFileSync } from 'node:fs';
import test from 'node:test';
test('slow', () => { writeFileSync('began', String(process.pid)); return new Promise((done) => setTimeout(done, 60_000)); });`,
    });
    const began = () => until('the test runs', () => readOr(app, 'began') !== '');
    const ended = await stopped(app, ['test'], began);
    assert.equal(ended.exitCode, 130, ended.err);
    await until('the test’s process is gone', () => !isAlive(Number(app.read('began'))));
  });
});

function readOr(app: App, path: string): string {
  try {
    return app.read(path);
  } catch {
    return '';
  }
}
