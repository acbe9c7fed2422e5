import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { packageFile } from '../../src/std/index.ts';
import { runFn } from './context.ts';
import { aFolder, bin, readsInput, runProcess, spawnFn } from './fn-process.ts';

test('the result stands on standard output and nothing else does', async () => {
  const { exitCode, out, err } = await runProcess(['help', '--json']);
  assert.equal(exitCode, 0);
  assert.equal(err, '');
  assert.ok(JSON.parse(out).commands.length > 50);
});

test('the version is JSON where that is asked', async () => {
  const { exitCode, out } = await runFn(['--version', '--json']);
  assert.equal(exitCode, 0);
  assert.match(JSON.parse(out).version, /^\d+\.\d+\.\d+/);
});

test('a home in which nothing can be made holds up nothing', { skip: process.platform !== 'linux' }, async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [bin, 'list', '--help'], { env: { HOME: '/proc' } });
  assert.match(stdout, /fn list/);
});

test('an error stands on standard error, with what to do, and ends with its code', async () => {
  const { exitCode, out, err } = await runProcess(['inovke', 'x']);
  assert.deepEqual({ exitCode, out }, { exitCode: 2, out: '' });
  assert.equal(err, 'error fn has no command "inovke"\n→ Did you mean: fn invoke\n');
});

test('with --json an error is one JSON document on standard error', async () => {
  const { exitCode, out, err } = await runFn(['pack', 'add', 'ten', '--json']);
  assert.deepEqual({ exitCode, out }, { exitCode: 2, out: '' });
  const { error } = JSON.parse(err);
  assert.equal(error.code, 'value_not_a_number');
  assert.equal(error.exitCode, 2);
  assert.equal(typeof error.hint, 'string');
});

test('with --json an unknown command or flag is JSON as well', async () => {
  assert.equal(JSON.parse((await runFn(['xyzzy', '--json'])).err).error.code, 'command_unknown');
  assert.equal(JSON.parse((await runFn(['pack', 'list', '--json', '--colour'])).err).error.code, 'flag_unknown');
});

test('--json behind -- belongs to somebody else', async () => {
  const { err } = await runFn(['xyzzy', '--', '--json']);
  assert.match(err, /^error /);
});

test('outside of an app, a command that needs one says where it looked and what to do', async () => {
  const cwd = aFolder();
  const { exitCode, err } = await runFn(['clock', 'show'], { cwd, env: { HOME: cwd } });
  assert.equal(exitCode, 2);
  assert.match(err, /no app/);
  assert.ok(err.includes(cwd));
  assert.match(err, /fn init/);
});

test('-C with a folder that is not there is refused', async () => {
  const { exitCode, err } = await runFn(['clock', 'show', '-C', join(aFolder(), 'nowhere')]);
  assert.equal(exitCode, 2);
  assert.match(err, /There is no folder/);
});

test('a current folder that is gone is told, not a bug', { skip: process.platform === 'win32' }, async () => {
  const cwd = aFolder();
  const script = `mkdir gone && cd gone && rmdir ../gone && "$0" "${bin}" clock show`;
  const run = promisify(execFile)('bash', ['-c', script, process.execPath], { cwd, env: { HOME: cwd } });
  await assert.rejects(
    run,
    (error: Error & { code?: number; stderr?: string }) =>
      error.code === 2 && /The current folder no longer exists/.test(error.stderr ?? ''),
  );
});

test('without a terminal a question is a usage error that names the flag', async () => {
  const { context, end } = (await import('./context.ts')).aContext({ terminal: {} });
  await assert.rejects(context.ask.confirm({ message: 'Really?', flag: '--yes' }), {
    code: 'value_missing',
    hint: 'Pass --yes.',
  });
  const choices = [
    { value: 'js', name: 'JavaScript' },
    { value: 'ts', name: 'TypeScript' },
  ] as const;
  await assert.rejects(context.ask.choose({ message: 'Language:', flag: '--lang <language>', choices }), {
    message: '--lang <language> is missing (Language), and fn cannot ask because there is no terminal',
    hint: 'Pass --lang <language>. It is one of: js, ts',
  });
  await end();
});

for (const [reason, around] of [
  ['CI is set', { env: { CI: 'true' } }],
  ['this terminal cannot show prompts (TERM=dumb)', { env: { TERM: 'dumb' } }],
  ['--no-input was given', { flags: { input: false } }],
  ['--json was given', { flags: { json: true } }],
] as const) {
  test(`on a terminal nobody is asked when ${reason}, and the error says so`, async () => {
    const { aContext } = await import('./context.ts');
    const { context } = aContext({ terminal: { in: true, out: true, err: true }, ...around });
    assert.equal(context.ask.possible, false);
    await assert.rejects(
      context.ask.text({ message: 'Name?', flag: 'NAME', variable: 'FN_NAME' }),
      (error: Error & { hint?: string }) =>
        error.message.includes(reason) && error.hint === 'Pass NAME or set FN_NAME.',
    );
  });
}

test('CI=false is no CI, for questions as for logins', async () => {
  const { aContext } = await import('./context.ts');
  for (const CI of ['false', '0', ''])
    assert.ok(aContext({ terminal: { in: true, out: true, err: true }, env: { CI } }).context.ask.possible, CI);
});

const colourful: [name: string, env: Record<string, string>, terminal: boolean, colours: boolean][] = [
  ['a terminal', {}, true, true],
  ['a pipe', {}, false, false],
  ['NO_COLOR on a terminal', { NO_COLOR: '1' }, true, false],
  ['an empty NO_COLOR on a terminal', { NO_COLOR: '' }, true, true],
  ['TERM=dumb', { TERM: 'dumb' }, true, false],
  ['FORCE_COLOR in a pipe', { FORCE_COLOR: '1' }, false, true],
  ['FORCE_COLOR=0 on a terminal', { FORCE_COLOR: '0' }, true, false],
  ['NO_COLOR against FORCE_COLOR', { NO_COLOR: '1', FORCE_COLOR: '1' }, true, false],
];
for (const [name, env, terminal, colours] of colourful) {
  test(`${name}: ${colours ? 'colours' : 'no colours'}`, async () => {
    const { out } = await runFn(['help'], { env, terminal: { out: terminal } });
    assert.equal(out.includes('\u001b['), colours);
  });
}

test('each stream is judged for itself', async () => {
  const { out, err } = await runFn(['xyzzy'], { terminal: { out: true } });
  assert.equal(out, '');
  assert.ok(!err.includes('\u001b['));
});

test('a reader that has gone is no error: | head', async () => {
  const cwd = aFolder();
  const script = `"$0" "${bin}" api --list | true; echo "\${PIPESTATUS[0]}"`;
  const { stdout, stderr } = await promisify(execFile)('bash', ['-c', script, process.execPath], {
    cwd,
    env: { HOME: cwd },
  });
  assert.deepEqual({ stdout, stderr }, { stdout: '0\n', stderr: '' });
});

test('the test runner ends without a stack when its reader has gone', async () => {
  const cwd = aFolder();
  const env = { HOME: cwd, PATH: process.env['PATH'] ?? '' };
  const made = await runFn(['init', 'refund', '--type', 'tool', '--yes'], { cwd, env });
  assert.equal(made.exitCode, 0, made.err);
  for (const flags of ['', '--json']) {
    const script = `"$0" "${bin}" test ${flags} | head -n 1 > /dev/null; echo "\${PIPESTATUS[0]}"`;
    const { stdout, stderr } = await promisify(execFile)('bash', ['-c', script, process.execPath], { cwd, env });
    assert.deepEqual({ stdout, stderr }, { stdout: '0\n', stderr: '' });
  }
});

for (const command of ['help', '--version']) {
  test(`a result of ${command} that cannot be written is not taken for written`, {
    skip: process.platform === 'linux' ? false : 'needs /dev/full',
  }, async () => {
    const cwd = aFolder();
    const run = promisify(execFile)('bash', ['-c', `"$0" "${bin}" ${command} > /dev/full`, process.execPath], {
      cwd,
      env: { HOME: cwd },
    });
    await assert.rejects(
      run,
      (error: Error & { code?: number; stderr?: string }) =>
        error.code === 1 && /cannot be written: ENOSPC/.test(error.stderr ?? ''),
    );
  });
}

test('the first Ctrl-C stops a command that waits, with 130', async () => {
  const spawned = spawnFn(['workspace', 'import', '-'], { cwd: aFolder() });
  await readsInput(spawned);
  spawned.child.kill('SIGINT');
  const { exitCode, signal, out } = await spawned.ended;
  assert.deepEqual({ exitCode, signal, out }, { exitCode: 130, signal: null, out: '' });
});

test('SIGTERM stops a command that waits, with 143', async () => {
  const spawned = spawnFn(['workspace', 'import', '-'], { cwd: aFolder() });
  await readsInput(spawned);
  spawned.child.kill('SIGTERM');
  const { exitCode, signal } = await spawned.ended;
  assert.deepEqual({ exitCode, signal }, { exitCode: 143, signal: null });
});

test('--version prints the version of the package, and only that', async () => {
  const { version }: { version: string } = (await import('../../package.json', { with: { type: 'json' } })).default;
  for (const word of ['--version', '-V', '-v', 'version']) {
    const { exitCode, out, err } = await runProcess([word]);
    assert.deepEqual({ exitCode, out, err }, { exitCode: 0, out: `${version}\n`, err: '' }, word);
  }
  assert.equal((await runFn(['version', '--json'])).out, '{"version":"0.0.0-test"}\n');
});

test('send-template has the version of the package, too', async () => {
  const [ours, both] = await Promise.all([
    runProcess(['--version'], { bin: packageFile('bin/send-template.js') }),
    runProcess(['--version']),
  ]);
  assert.deepEqual(ours, both);
});

// An old Node is played by telling this one that it is old: what matters is what the launcher makes of it.
const pretendOld = `data:text/javascript,Object.defineProperty(process,'versions',{value:{...process.versions,node:'20.20.2'}})`;

/** The executables alone, away from every node_modules. */
function aCheckoutWithoutNode(): string {
  const folder = aFolder();
  cpSync(packageFile('bin'), join(folder, 'bin'), { recursive: true });
  cpSync(packageFile('package.json'), join(folder, 'package.json'));
  return folder;
}

test('a Node that is too old is told in plain words, with 2', async () => {
  const folder = aCheckoutWithoutNode();
  const { exitCode, out, err } = await runProcess(['help'], {
    cwd: folder,
    bin: join(folder, 'bin/fn.js'),
    nodeArgs: ['--import', pretendOld],
  });
  assert.deepEqual({ exitCode, out }, { exitCode: 2, out: '' });
  assert.match(err, /needs Node 24\.15 or later \(not 25\); this is Node 20\.20\.2\n→ Install Node 24/);
  // Without the first, npm 12 installs the package and no program.
  assert.match(err, /npm pkg set --json allowScripts\.node=true, then npm install --save-dev node@24\n$/);
});

test('under a Node that is too old it runs once more under the Node installed with it', async () => {
  const folder = aCheckoutWithoutNode();
  mkdirSync(join(folder, 'node_modules/node/bin'), { recursive: true });
  symlinkSync(process.execPath, join(folder, 'node_modules/node/bin/node'));
  const { exitCode, out, err } = await runProcess(['--version'], {
    cwd: folder,
    bin: join(folder, 'bin/fn.js'),
    nodeArgs: ['--import', pretendOld],
  });
  assert.deepEqual({ exitCode, err }, { exitCode: 0, err: '' });
  assert.match(out, /^\d+\.\d+\.\d+\n$/);
});

test('a node in the current folder is never run: an unknown repository does not choose the program', async () => {
  const folder = aCheckoutWithoutNode();
  const repository = aFolder();
  mkdirSync(join(repository, 'node_modules/.bin'), { recursive: true });
  symlinkSync(process.execPath, join(repository, 'node_modules/.bin/node'));
  const { exitCode } = await runProcess(['--version'], {
    cwd: repository,
    bin: join(folder, 'bin/fn.js'),
    nodeArgs: ['--import', pretendOld],
  });
  assert.equal(exitCode, 2);
});

for (const [version, accepted] of [
  ['24.14.1', false],
  ['24.15.0', true],
  ['25.3.0', false],
  ['26.0.0', true],
  ['18.0.0', false],
] as const) {
  test(`Node ${version} is ${accepted ? 'new enough' : 'refused'}`, async () => {
    const folder = aCheckoutWithoutNode();
    const pretend = pretendOld.replace('20.20.2', version);
    const { exitCode } = await runProcess(['--version'], {
      cwd: folder,
      bin: join(folder, 'bin/fn.js'),
      nodeArgs: ['--import', pretend],
    });
    assert.equal(exitCode, accepted ? 0 : 2);
  });
}
