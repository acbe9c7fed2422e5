import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { runFn } from '../context.ts';
import { aFolder } from '../fn-process.ts';

const home = aFolder();
const app = aFolder();
writeFileSync(join(app, 'fn.config.json'), '{"version":1,"app":"shop"}');
const trust = async (argv: string[], cwd = app) => {
  const { exitCode, out, err } = await runFn(['trust', ...argv], { cwd, env: { HOME: home } });
  return { exitCode, out: out.trim(), err: err.trim() };
};

test('fn trust trusts the app around a folder, lists it and takes it back', async () => {
  assert.deepEqual(await trust([]), { exitCode: 0, out: `Trusted: ${app}`, err: '' });
  assert.equal((await trust(['--list'])).out, app);
  assert.deepEqual(JSON.parse((await trust(['--list', '--json'], home)).out), { items: [app] });
  assert.equal((await trust(['--remove', app], home)).out, `Trusted no more: ${app}`);
  assert.equal((await trust(['--remove'])).out, `It was not trusted: ${app}`);
  assert.match((await trust(['--list'])).out + (await trust(['--list'])).err, /No folder is trusted/);
});

test('fn trust refuses a folder without an app, and --list with a folder', async () => {
  const outside = await trust([], home);
  assert.equal(outside.exitCode, 2);
  assert.match(outside.err, /fn\.config\.json/);
  assert.match((await trust(['--list', app])).err, /--list lists all folders/);
});
