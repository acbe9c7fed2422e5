import assert from 'node:assert/strict';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { readCredentials } from '../../src/project/credentials.ts';
import { configFolder, stateFolder } from '../../src/project/index.ts';
import { readPreferences } from '../../src/project/preferences.ts';

test('a relative HOME is nobody’s: logins never lie in the folder a command runs in', (t) => {
  const before = process.env['HOME'];
  t.after(() => {
    if (before === undefined) delete process.env['HOME'];
    else process.env['HOME'] = before;
  });
  process.env['HOME'] = 'ann';
  const { homedir } = userInfo();
  assert.equal(configFolder({ HOME: 'ann' }), join(homedir, '.config', 'fn'));
  assert.equal(stateFolder({ HOME: 'ann' }), join(homedir, '.local', 'state', 'fn'));
});

test('nothing is kept where the folder for it cannot be one', { skip: process.platform === 'win32' }, () => {
  const env = { XDG_CONFIG_HOME: '/dev/null' };
  assert.deepEqual(readPreferences(env), { profiles: {} });
  assert.deepEqual(readCredentials(env).logins, []);
});
