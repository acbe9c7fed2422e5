import assert from 'node:assert/strict';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { distrustFolder, isTrusted, trustedFolders, trustFolder } from '../../src/project/index.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const aUser = () => ({ HOME: temporaryFolder('fn-home'), XDG_STATE_HOME: temporaryFolder('fn-state') });

test('a folder is trusted after it was named, by its real path, and by this user alone', () => {
  const [user, other, folder] = [aUser(), aUser(), temporaryFolder('fn-app')];
  assert.equal(isTrusted(folder, user), false);
  assert.equal(trustFolder(folder, user), folder);
  assert.equal(trustFolder(folder, user), folder);
  assert.deepEqual(trustedFolders(user), [folder]);
  assert.equal(isTrusted(folder, user), true);
  assert.equal(isTrusted(folder, other), false);
  assert.equal(isTrusted(join(folder, 'inside'), user), false, 'a folder inside is another one');
  const link = join(temporaryFolder('fn-link'), 'app');
  symlinkSync(folder, link, 'junction');
  assert.equal(isTrusted(link, user), true);
});

test('a folder that is removed from the list is trusted no more, also when it is gone', () => {
  const [user, folder] = [aUser(), temporaryFolder('fn-app')];
  trustFolder(folder, user);
  rmSync(folder, { recursive: true });
  assert.equal(distrustFolder(folder, user), true);
  assert.equal(distrustFolder(folder, user), false);
  assert.deepEqual(trustedFolders(user), []);
});

test('FN_TRUST=1 trusts any folder, and other values none', () => {
  const folder = temporaryFolder('fn-app');
  assert.equal(isTrusted(folder, { ...aUser(), FN_TRUST: '1' }), true);
  for (const value of ['', '0', 'true']) assert.equal(isTrusted(folder, { ...aUser(), FN_TRUST: value }), false, value);
});

test('a list that cannot be read trusts nothing', () => {
  const [user, folder] = [aUser(), temporaryFolder('fn-app')];
  mkdirSync(join(user.XDG_STATE_HOME, 'fn'), { recursive: true });
  for (const text of ['', '{', '[]', '{"folders":"all"}', `{"folders":[1,null]}`]) {
    writeFileSync(join(user.XDG_STATE_HOME, 'fn', 'trusted.json'), text);
    assert.equal(isTrusted(folder, user), false, text);
  }
  trustFolder(folder, user);
  assert.equal(isTrusted(folder, user), true);
});
