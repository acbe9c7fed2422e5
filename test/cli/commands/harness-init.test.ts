import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { runFn } from '../context.ts';
import { aFolder } from '../fn-process.ts';

test('harness init writes a server named after its folder, overwrites nothing, and needs no app', async () => {
  const cwd = aFolder();
  const { exitCode, out } = await runFn(['harness', 'init', 'custom', 'support-bot'], { cwd });
  assert.equal(exitCode, 0);
  const files = ['agent.js', 'package.json', 'server.js', 'server.test.js'];
  assert.deepEqual(readdirSync(join(cwd, 'support-bot')).sort(), files);
  assert.deepEqual(
    out.trim().split('\n').sort(),
    files.map((file) => `support-bot/${file}`),
  );
  const manifest = join(cwd, 'support-bot/package.json');
  assert.equal(JSON.parse(readFileSync(manifest, 'utf8')).name, 'support-bot');
  writeFileSync(manifest, 'mine');
  const again = await runFn(['harness', 'init', 'custom', 'support-bot'], { cwd });
  assert.equal(again.exitCode, 2);
  assert.match(again.err, /already exist/);
  assert.equal(readFileSync(manifest, 'utf8'), 'mine');
  assert.equal((await runFn(['harness', 'init', 'custom', 'support-bot', '--force'], { cwd })).exitCode, 0);
  assert.notEqual(readFileSync(manifest, 'utf8'), 'mine');
});

test('harness init refuses other kinds, and makes a package name of any folder', async () => {
  const cwd = aFolder();
  assert.equal((await runFn(['harness', 'init', 'builtin'], { cwd })).exitCode, 2);
  assert.deepEqual(readdirSync(cwd), []);
  assert.equal((await runFn(['harness', 'init', 'custom', 'My Bot'], { cwd })).exitCode, 0);
  assert.equal(JSON.parse(readFileSync(join(cwd, 'My Bot/package.json'), 'utf8')).name, 'my-bot');
});
