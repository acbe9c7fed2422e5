import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { until } from '../until.ts';
import { aBundler, anApp, evaluate } from './helpers.ts';

const linuxOnly = existsSync('/proc/self/stat') ? false : 'needs /proc';

/** Runs a process that builds once, tells the pids of its children, and then does as `then` says. */
async function aBuildingProcess(root: string, then: string) {
  const script = `
    import { readFileSync, readdirSync } from 'node:fs';
    const { Bundler } = await import(${JSON.stringify(new URL('../../src/bundle/index.ts', import.meta.url).href)});
    await new Bundler().build({ app: 'x', name: 'f', file: ${JSON.stringify(`${root}/functions/f.js`)}, root: ${JSON.stringify(root)}, kind: 'server' });
    const children = readdirSync('/proc/self/task').flatMap((id) => readFileSync('/proc/self/task/' + id + '/children', 'utf8').trim().split(' ')).filter(Boolean);
    console.log(children.join(' '));
    ${then}`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  const [output] = (await once(child.stdout, 'data')) as [Buffer];
  return { child, ended, compilers: output.toString().trim().split(' ').filter(Boolean).map(Number) };
}

function isAlive(pid: number): boolean {
  try {
    return !readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ');
  } catch {
    return false;
  }
}

const gone = (pid: number) => until('the compiler is gone', () => !isAlive(pid));

/** The compiler's process of this one. */
function ownCompiler(): number | undefined {
  const children = readdirSync('/proc/self/task').flatMap((id) =>
    readFileSync(`/proc/self/task/${id}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number),
  );
  return children.find((pid) => isAlive(pid) && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('esbuild'));
}

test('a process that has built ends by itself, and the compiler with it', { skip: linuxOnly }, async () => {
  const app = anApp({ 'functions/f.js': 'export default () => 1;' });
  const { ended, compilers } = await aBuildingProcess(app.root, '');
  const [code] = await ended;
  assert.equal(code, 0);
  assert.equal(compilers.length, 1);
  for (const pid of compilers) await gone(pid);
});

test('the compiler does not outlive a process that was killed', { skip: linuxOnly }, async () => {
  const app = anApp({ 'functions/f.js': 'export default () => 1;' });
  const { child, ended, compilers } = await aBuildingProcess(app.root, 'setInterval(() => {}, 1000);');
  assert.equal(compilers.length, 1);
  child.kill('SIGKILL');
  await ended;
  for (const pid of compilers) await gone(pid);
});

test('a compiler that was killed is started again', { skip: linuxOnly }, async (t) => {
  const app = anApp({ 'functions/f.js': 'export default () => 1;' });
  const bundler = aBundler(t);
  await bundler.build(app.source('f'));
  const compiler = ownCompiler();
  assert.ok(compiler);
  process.kill(compiler, 'SIGKILL');
  app.write({ 'functions/f.js': 'export default () => 2;' });
  assert.equal((await evaluate((await bundler.build(app.source('f'))).code)).default(), 2);
});

test('a compiler that may not be executed is a trouble of this machine, and says what to check', {
  skip: process.platform === 'win32' && 'files have no right to be executed there',
}, async () => {
  const app = anApp({ 'functions/f.js': 'export default () => 1;', esbuild: '' });
  const script = `
    const { Bundler } = await import(${JSON.stringify(new URL('../../src/bundle/index.ts', import.meta.url).href)});
    const root = ${JSON.stringify(app.root)};
    await new Bundler().build({ app: 'x', name: 'f', file: root + '/functions/f.js', root, kind: 'server' })
      .catch((error) => console.log(JSON.stringify({ ...error, name: error.name, message: error.message })));`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ESBUILD_BINARY_PATH: app.path('esbuild') },
  });
  const said = JSON.parse((await child.stdout.setEncoding('utf8').toArray()).join(''));
  assert.deepEqual([said.name, said.code, said.exitCode], ['MachineError', 'bundler_unavailable', 1]);
  assert.match(said.message, /esbuild, cannot be started: .*esbuild may not be executed$/);
  assert.match(said.hint, /permissions/);
});

/** A compiler that says what it says when it crashes, once its own process has ended. @param before what it does first */
function aCrashingCompiler(app: ReturnType<typeof anApp>, before: string): string {
  const dump =
    'runtime: failed to create new OS thread (have 5 already; errno=11)\\nfatal error: newosproc\\n\\ngoroutine 1 [running]:\\n';
  app.write({ esbuild: `#!/bin/sh\n${before}\nprintf '${dump}' >&2\nexit 2\n` });
  chmodSync(app.path('esbuild'), 0o755);
  return app.path('esbuild');
}

/** Builds in a process of its own. @returns everything that it and its children printed */
async function printedBy(root: string, program: string, then: string): Promise<{ out: string; err: string }> {
  const script = `
    const { Bundler } = await import(${JSON.stringify(new URL('../../src/bundle/index.ts', import.meta.url).href)});
    const root = ${JSON.stringify(root)};
    const building = new Bundler().build({ app: 'x', name: 'f', file: root + '/functions/f.js', root, kind: 'server' });
    building.catch(() => {});
    ${then}`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ESBUILD_BINARY_PATH: program },
  });
  const [out, err] = await Promise.all([child.stdout, child.stderr].map((one) => one.setEncoding('utf8').toArray()));
  return { out: (out ?? []).join(''), err: (err ?? []).join('') };
}

const scripts = { skip: process.platform === 'win32' && 'needs a shell' };

test('what the compiler says when its parent goes is printed nowhere', scripts, async () => {
  const app = anApp({ 'functions/f.js': 'export default () => 1;' });
  const program = aCrashingCompiler(app, 'cat > /dev/null');
  const { err } = await printedBy(app.root, program, 'setImmediate(() => process.exit(1));');
  assert.equal(err, '');
});

test('a compiler that crashes again and again is a trouble of this machine, in its own words', scripts, async () => {
  const app = anApp({ 'functions/f.js': 'export default () => 1;' });
  const program = aCrashingCompiler(app, '');
  const then = `await building.catch((error) => console.log(JSON.stringify({ ...error, name: error.name, message: error.message })));`;
  const { out, err } = await printedBy(app.root, program, then);
  assert.equal(err, '');
  const said = JSON.parse(out);
  assert.deepEqual([said.name, said.code], ['MachineError', 'bundler_stopped']);
  assert.equal(
    said.message,
    'The bundler, esbuild, stopped: runtime: failed to create new OS thread (have 5 already; errno=11)',
  );
  assert.match(said.hint, /again/);
});

test('after many first builds the compiler is renewed, and builds on', { skip: linuxOnly }, async (t) => {
  const names = Array.from({ length: 30 }, (_, n) => `f${n}`);
  const app = anApp(Object.fromEntries(names.map((name) => [`functions/${name}.js`, 'export default () => 1;'])));
  const bundler = aBundler(t);
  await Promise.all(names.map((name) => bundler.build(app.source(name))));
  const before = ownCompiler();
  assert.ok(before);
  await bundler.rest();
  await gone(before);
  const after = ownCompiler();
  assert.ok(after);
  app.write({ 'functions/f7.js': 'export default () => 2;' });
  assert.equal((await evaluate((await bundler.build(app.source('f7'))).code)).default(), 2);
  await bundler.rest();
  assert.equal(ownCompiler(), after, 'it keeps something for the next build of f7');
});

test('a bundler that rests has the compiler running for the next save', { skip: linuxOnly }, async (t) => {
  const app = anApp({ 'functions/f.js': 'export default () => 1;' });
  const first = aBundler(t, { cacheDir: app.path('cache') });
  await first.build(app.source('f'));
  await first.rest();
  const running = ownCompiler();
  assert.ok(running);
  const next = aBundler(t, { cacheDir: app.path('cache') });
  await next.rest();
  assert.equal(ownCompiler(), running, 'one for all');
});
