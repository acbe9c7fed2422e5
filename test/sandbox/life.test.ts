import assert from 'node:assert/strict';
import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { fileURLToPath } from 'node:url';
import { recycleResidentBytes } from '../../src/sandbox/limits.ts';
import { MachineError } from '../../src/std/index.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { until } from '../until.ts';
import { aProgram, aRequest, aSandbox, echoHost } from './support/sandbox.ts';

const parent = fileURLToPath(new URL('./support/parent.ts', import.meta.url));

/** A process of its own that opens a sandbox; it prints the pids of its children. */
function aParent(mode: string): ChildProcess {
  return spawn(process.execPath, [parent, mode], { stdio: ['ignore', 'pipe', 'inherit'] });
}

async function pidsOf(child: ChildProcess): Promise<number[]> {
  const [data] = await once(child.stdout ?? child, 'data');
  return String(data).trim().split(' ').map(Number);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    // A killed child that nobody has waited for yet is a zombie: it runs no more.
    return process.platform !== 'linux' || !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'latin1'));
  } catch {
    return false;
  }
}

async function gone(pids: readonly number[]): Promise<void> {
  await until('the children are gone', () => !pids.some(isAlive));
}

test('an idle sandbox does not keep its process alive', { timeout: 60_000 }, async () => {
  const child = aParent('idle');
  // It may have ended before its output is read.
  const [pids, [code]] = await Promise.all([pidsOf(child), once(child, 'exit')]);
  assert.equal(code, 0);
  await gone(pids);
});

test('a running invocation keeps it alive until its end', { timeout: 60_000 }, async () => {
  const child = aParent('run');
  const [out] = await once(child.stdout ?? child, 'data');
  assert.match(String(out), /finished/);
});

test('children end with a parent that is killed, even while they loop', { timeout: 60_000 }, async () => {
  const child = aParent('loop');
  const pids = await pidsOf(child);
  assert.ok(pids.length > 0 && pids.every(isAlive));
  child.kill('SIGKILL');
  await gone(pids);
});

test('a child started early is the one that runs the first invocation', { timeout: 60_000 }, async () => {
  const child = aParent('early');
  const [out] = await once(child.stdout ?? child, 'data');
  assert.match(String(out), /one child, same: true/);
});

test('Ctrl-C in the terminal is the parent’s business, not the children’s', async () => {
  const sandbox = aSandbox({ processes: 1 });
  await sandbox.ready;
  const pid = sandbox.stats().children[0]?.pid ?? 0;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.kill(pid, signal);
  assert.equal((await sandbox.invoke(aProgram('return 1;'), aRequest(), echoHost)).status, 'ok');
  assert.equal(sandbox.stats().children[0]?.pid, pid);
});

test('a child gets none of the descriptors that its parent was started with', {
  skip: process.platform !== 'linux',
  timeout: 60_000,
}, async () => {
  const file = join(temporaryFolder('descriptors'), 'log');
  const open = openSync(file, 'w');
  // Node closes the first ones by itself.
  const stdio: StdioOptions = ['ignore', 'pipe', 'inherit', ...Array<'ignore'>(37).fill('ignore'), open];
  const child = spawn(process.execPath, [parent, 'loop'], { stdio });
  const [pid = 0] = await pidsOf(child);
  const leads = (of: number, fd: string) => readlinkSync(`/proc/${of}/fd/${fd}`);
  assert.deepEqual([leads(child.pid ?? 0, '40'), leads(pid, '40')], [file, '/dev/null']);
  assert.ok(!readdirSync(`/proc/${pid}/fd`).some((fd) => leads(pid, fd) === file));
  closeSync(open);
  child.kill('SIGKILL');
  await gone([pid]);
});

test('the child has no environment', {
  skip: process.platform !== 'linux',
}, async () => {
  const sandbox = aSandbox({ processes: 1 });
  await sandbox.ready;
  const pid = sandbox.stats().children[0]?.pid ?? 0;
  const names = readFileSync(`/proc/${pid}/environ`, 'latin1')
    .split('\0')
    .map((entry) => entry.split('=')[0]);
  assert.deepEqual(
    names.filter((name) => name && !name.startsWith('NODE_CHANNEL')),
    [],
  );
});

test('closing ends what runs, and the sandbox refuses afterwards', async () => {
  const sandbox = aSandbox({ processes: 1 });
  const begun = Promise.withResolvers<void>();
  const running = sandbox.invoke(aProgram('await sdk.call("x"); await new Promise(() => {});'), aRequest(), {
    ...echoHost,
    call: async () => {
      begun.resolve();
      return { ok: 1 };
    },
  });
  await begun.promise;
  const pids = sandbox.stats().children.map(({ pid }) => pid);
  await sandbox.close();
  assert.equal((await running).status, 'crashed');
  assert.equal((await sandbox.invoke(aProgram('return 1;'), aRequest(), echoHost)).status, 'crashed');
  await gone(pids);
});

test('without isolated-vm every use is refused with what to do, and nothing runs in plain Node', async () => {
  const hook = `import { registerHooks } from 'node:module'; registerHooks({ resolve(name, context, next) { if (name === 'isolated-vm') throw new Error('Cannot find package isolated-vm'); return next(name, context); } });`;
  const sandbox = aSandbox({ childFlags: [`--import=data:text/javascript,${encodeURIComponent(hook)}`] });
  const isRefusal = (error: unknown) =>
    error instanceof MachineError && error.code === 'sandbox_unavailable' && /isolated-vm/.test(error.hint ?? '');
  await assert.rejects(sandbox.ready, isRefusal);
  await assert.rejects(sandbox.invoke(aProgram('return 1;'), aRequest(), echoHost), isRefusal);
  await assert.rejects(sandbox.describe(aProgram('return 1;')), isRefusal);
});

test('a package that is missing beyond what a child may read is called missing, not restricted', async () => {
  const denied = 'Access to this API has been restricted. Use --allow-fs-read to manage permissions.';
  const hook = `import { registerHooks } from 'node:module'; registerHooks({ resolve(name, context, next) { if (name === 'isolated-vm') throw new Error('${denied}'); return next(name, context); } });`;
  const sandbox = aSandbox({ childFlags: [`--import=data:text/javascript,${encodeURIComponent(hook)}`] });
  await assert.rejects(sandbox.ready, {
    message: 'Functions cannot be run here: isolated-vm, or a package that it needs, is not installed',
  });
});

test('an idle child that keeps too much memory is replaced, without a function being blamed', {
  timeout: 60_000,
}, async () => {
  const sandbox = aSandbox({ processes: 1 });
  const program = aProgram('for (let i = 0; i < 20; i++) kept.push(new Uint8Array(10_000_000).fill(i)); return 1;', {
    top: 'const kept = [];',
  });
  assert.equal(
    (await sandbox.invoke(program, aRequest({ isolation: 'warm', limits: { memoryMb: 500 } }), echoHost)).status,
    'ok',
  );
  const before = sandbox.stats().children[0];
  assert.ok((before?.residentBytes ?? 0) > 200_000_000);
  await until('the child is replaced', () => sandbox.stats().children[0]?.pid !== before?.pid);
  assert.equal((await sandbox.invoke(aProgram('return 1;'), aRequest(), echoHost)).status, 'ok');
  assert.deepEqual([sandbox.stats().killed, sandbox.stats().quarantined], [0, []]);
});

test('after a long pause one small child is left, and everything still runs', async () => {
  const sandbox = aSandbox({ restMs: 50 });
  const top = 'const table = Array.from({ length: 60_000 }, (_, i) => ({ i, text: "row " + i }));';
  const programs = Array.from({ length: 20 }, (_, i) => aProgram(`return table.length + ${i};`, { top }));
  const call = () =>
    Promise.all(
      programs.map(async (program) => {
        const outcome = await sandbox.invoke(program, aRequest(), echoHost);
        return outcome.status === 'ok' ? outcome.result : outcome.error.message;
      }),
    );
  const expected = programs.map((_, i) => 60_000 + i);
  assert.deepEqual(await call(), expected);
  await until('the memory is returned', () => {
    const { children } = sandbox.stats();
    return children.length === 1 && children.every(({ residentBytes }) => residentBytes < recycleResidentBytes);
  });
  assert.deepEqual(await call(), expected);
  assert.deepEqual([sandbox.stats().killed, sandbox.stats().quarantined], [0, []]);
});

test('the program for which a second child is started does not wait for it', async () => {
  const sandbox = aSandbox({ processes: 2 });
  const isolates = () => sandbox.stats().children.map((child) => child.isolates);
  for (let i = 1; i <= 16; i++) await sandbox.invoke(aProgram(`return ${i};`), aRequest(), echoHost);
  assert.equal(isolates()[0], 16);
  await until('there is a second child', () => isolates().length === 2);
  // Those that come when it is there share it.
  for (let i = 17; isolates()[1] === 0; i++) await sandbox.invoke(aProgram(`return ${i};`), aRequest(), echoHost);
});

test('a program that is replaced while its process starts anew keeps no isolate', async () => {
  const sandbox = aSandbox({ processes: 1 });
  const children = () => sandbox.stats().children;
  const program = aProgram('return 1;');
  const running = sandbox.invoke(program, aRequest(), echoHost);
  sandbox.retire(program.id);
  const [starting] = children();
  assert.ok(starting);
  process.kill(starting.pid, 'SIGKILL');
  assert.equal((await running).status, 'ok');
  assert.deepEqual(
    children().map(({ isolates }) => isolates),
    [0],
  );
});

test('a process that does not get ready is ended, another one tried, and the second time it is said what to look at', async () => {
  const problems: string[] = [];
  const sandbox = aSandbox({
    childStartMs: 200,
    childFlags: [
      `--import=data:text/javascript,${encodeURIComponent('Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)')}`,
    ],
    onProblem: ({ message }) => problems.push(message),
  });
  const pids = sandbox.stats().children.map(({ pid }) => pid);
  await assert.rejects(
    sandbox.invoke(aProgram('return 1;'), aRequest(), echoHost),
    (error: unknown) =>
      error instanceof MachineError &&
      /the sandbox process \d+ was not ready within 0 seconds.*as was the one before/.test(error.message) &&
      /ulimit/.test(error.hint ?? ''),
  );
  assert.match(problems.join('\n'), /was not ready within 0 seconds and is ended; another one is started/);
  await gone(pids);
});

test('a process that is stopped before it is ready is replaced, and the function runs in the next one', {
  skip: process.platform === 'win32',
}, async () => {
  const sandbox = aSandbox({ processes: 1, childStartMs: 6_000 });
  const [first] = sandbox.stats().children;
  process.kill(first?.pid ?? 0, 'SIGSTOP');
  assert.equal((await sandbox.invoke(aProgram('return 1;'), aRequest(), echoHost)).status, 'ok');
  assert.notEqual(sandbox.stats().children[0]?.pid, first?.pid);
});

test('where no more files may be opened it is said, not thrown', { skip: process.platform === 'win32' }, async () => {
  const script = `ulimit -n 24; exec "${process.execPath}" "${parent}" early`;
  const child = spawn('/bin/sh', ['-c', script], { stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  await once(child, 'close');
  assert.match(said, /EMFILE|too many open files/);
  assert.doesNotMatch(said, /Unhandled 'error' event/);
});
