import assert from 'node:assert/strict';
import { globSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { after, before, test } from 'node:test';
import { type Spawned, spawnFn } from '../cli/fn-process.ts';
import { writeFiles } from '../deploy/elsewhere.ts';
import { install, type Packed, pack } from '../package/installed.ts';
import { aMethod, Dev } from './app.ts';

// Two machines in a box: each has the package from its tarball, an app and a home of its own; they share a port and nothing else.

let packed: Packed;
let here: { folder: string; fn: string };
let there: { folder: string; fn: string };
let dev: Dev;

before(async () => {
  packed = await pack();
  [here, there] = [install(packed), install(packed)];
  writeFiles(there.folder, { 'fn.config.json': '{"version": 1, "app": "elsewhere"}' });
  const { child } = spawnFn(['dev', '--json', '--port', '0'], { cwd: there.folder, bin: there.fn });
  dev = new Dev(child);
  await dev.event(({ type }) => type === 'ready');
});
after(async () => {
  await dev?.stop();
});

test('log in, deploy, ask from outside, change, deploy, roll back; a second run does nothing, and the token shows nowhere', async () => {
  const { url, token } = dev.ready;
  const watch = watchProcesses(token);
  const said: string[] = [];
  const fn = async (argv: string[], input?: string, env: Record<string, string> = {}) => {
    const running: Spawned = spawnFn(argv, { cwd: here.folder, bin: here.fn, env });
    running.child.stdin.end(input ?? '');
    const { exitCode, out, err } = await running.ended;
    said.push(out, err);
    assert.equal(exitCode, 0, `fn ${argv.join(' ')}: ${err}`);
    return out;
  };
  const deploy = async (env?: Record<string, string>) => JSON.parse(await fn(['deploy', '--json', '--debug'], '', env));
  const served = async () => {
    const answer = await fetch(`${url}/api/dev/custom-functions/shop/greet.js`);
    return answer.status === 200 ? await answer.json() : answer.status;
  };
  writeFiles(here.folder, {
    'fn.config.json': '{"version": 1, "app": "shop"}',
    'functions/greet.js': aMethod('({ text: "one" })'),
  });

  await fn(['login', `${url}/tenants/dev`, '--token-stdin', '--debug'], `${token}\n`);
  const first = await deploy();
  assert.equal(first.outcome, 'done');
  assert.deepEqual(await served(), { text: 'one' });

  writeFiles(here.folder, { 'functions/greet.js': aMethod('({ text: "two" })') });
  const second = await deploy();
  assert.deepEqual([second.outcome, second.previous], ['done', first.deployment]);
  assert.deepEqual(await served(), { text: 'two' });

  const again = await deploy({ FN_BASE_URL: url, FN_WORKSPACE: 'dev', FN_TOKEN: token });
  assert.deepEqual([again.outcome, again.deployment], ['unchanged', second.deployment]);

  assert.equal(JSON.parse(await fn(['rollback', '--yes', '--json'])).deployment, first.deployment);
  assert.deepEqual(await served(), { text: 'one' });
  assert.equal(JSON.parse(await fn(['invoke', 'greet', '--remote'])).text, 'one');

  // Everything else that may speak of where it goes.
  await fn(['whoami', '--json']);
  await fn(['whoami']);
  await fn(['versions']);
  await fn(['logs', '--debug']);
  await fn(['pull', '--force', '--debug']);

  assert.deepEqual(watch.seen(), [], 'no process had it among its arguments');
  assert.ok(!said.join('').includes(token), 'no output');
  const holding = filesHolding(here.folder, token);
  assert.deepEqual(holding, [join('.config', 'fn', 'credentials.json')], 'no file but the one for it');
  assert.equal(statSync(join(here.folder, holding[0] ?? '')).mode & 0o077, 0);
  // Where the bundles went: blobs, journal and logs of the workspace. Its own token lies beside them, in a file for it.
  const kept = filesHolding(join(there.folder, '.fn'), token);
  assert.deepEqual(kept, ['local-token'], 'no deployed bundle, no log');
});

/** Files that hold a text, whatever their names; what npm installed left aside. */
function filesHolding(folder: string, text: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.includes('node_modules'))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => readFileSync(file).includes(text))
    .map((file) => relative(folder, file));
}

/** Looks again and again at the arguments of every process on this machine. */
function watchProcesses(secret: string): { seen(): string[] } {
  const seen: string[] = [];
  const timer = setInterval(() => {
    for (const file of globSync('/proc/[0-9]*/cmdline')) {
      try {
        const line = readFileSync(file, 'utf8');
        if (line.includes(secret)) seen.push(line);
      } catch {} // it has just ended
    }
  }, 50);
  return {
    seen() {
      clearInterval(timer);
      return seen;
    },
  };
}
