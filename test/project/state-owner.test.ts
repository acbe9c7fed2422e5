import assert from 'node:assert/strict';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  adoptable,
  adoptState,
  claimState,
  setAsideForeignState,
  standingOf,
  writeEditorFiles,
} from '../../src/project/index.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const onPosix = { skip: process.platform === 'win32' };

/** A user of some machine: an environment with a home of its own. */
const aUser = () => ({ HOME: temporaryFolder('fn-home'), XDG_STATE_HOME: '', APPDATA: '', LOCALAPPDATA: '' });

/** A folder of an app whose state a user has made. */
function anApp(user: ReturnType<typeof aUser>, root = temporaryFolder('fn-app')) {
  const stateDir = join(root, '.fn');
  mkdirSync(stateDir, { recursive: true });
  claimState(stateDir, user);
  writeFileSync(join(stateDir, 'local-token'), 'fn_local_secret\n');
  return { root, stateDir };
}

test('what a user has made is their own, and nobody else’s', () => {
  const user = aUser();
  const { stateDir } = anApp(user);
  assert.equal(standingOf(stateDir, user), 'own');
  assert.equal(standingOf(stateDir, aUser()), 'foreign');
  assert.equal(setAsideForeignState(stateDir, user), undefined);
});

test('state without a seal is foreign, but secrets and caches alone are not', () => {
  const user = aUser();
  const stateDir = join(temporaryFolder('fn-app'), '.fn');
  assert.equal(standingOf(stateDir, user), 'none');
  mkdirSync(stateDir);
  writeFileSync(join(stateDir, 'secrets.json'), '{}');
  mkdirSync(join(stateDir, 'cache'));
  assert.equal(standingOf(stateDir, user), 'none');
  for (const name of ['workspace.db', 'deploys.json', 'dev.json', 'session-key', 'local-token']) {
    const one = join(temporaryFolder('fn-app'), '.fn');
    mkdirSync(one);
    writeFileSync(join(one, name), '');
    assert.equal(standingOf(one, user), 'foreign', name);
  }
});

test('an app that was just made or cloned, whose state folder holds files for editors only, has no foreign state', () => {
  const user = aUser();
  const stateDir = join(temporaryFolder('fn-app'), '.fn');
  writeEditorFiles({ stateDir });
  assert.ok(existsSync(join(stateDir, 'types/index.d.ts')), 'the files are there');
  assert.equal(standingOf(stateDir, user), 'none');
  assert.equal(setAsideForeignState(stateDir, user), undefined);
  assert.ok(existsSync(join(stateDir, 'types/index.d.ts')), 'and stay there');
});

test('a seal is worth nothing in another folder, with another key, or made up', () => {
  const user = aUser();
  const { stateDir } = anApp(user);
  const copy = join(temporaryFolder('fn-app'), '.fn');
  cpSync(stateDir, copy, { recursive: true });
  assert.equal(standingOf(copy, user), 'foreign');
  writeFileSync(join(copy, 'owner'), `${'A'.repeat(43)}\n`);
  assert.equal(standingOf(copy, user), 'foreign');
});

test('a link to the state of another app is foreign', onPosix, () => {
  const user = aUser();
  const { stateDir } = anApp(user);
  const clone = temporaryFolder('fn-clone');
  symlinkSync(stateDir, join(clone, '.fn'));
  assert.equal(standingOf(join(clone, '.fn'), user), 'foreign');
  setAsideForeignState(join(clone, '.fn'), user);
  assert.ok(existsSync(join(stateDir, 'local-token')), 'the link was renamed, not what it leads to');
  assert.ok(!existsSync(join(clone, '.fn')));
});

test('foreign state is set aside whole, and adopted whole', () => {
  const [theirs, user] = [aUser(), aUser()];
  const app = anApp(theirs);
  const aside = setAsideForeignState(app.stateDir, user) ?? '';
  assert.match(aside, /^\.fn-set-aside-\d{14}$/);
  assert.deepEqual(readdirSync(app.root), [aside]);
  assert.equal(readFileSync(join(app.root, aside, 'local-token'), 'utf8'), 'fn_local_secret\n');
  // Meanwhile fn has made state of its own.
  anApp(user, app.root);
  assert.equal(adoptable(app, undefined, user), aside);
  const instead = adoptState(app, aside, user) ?? '';
  assert.equal(standingOf(app.stateDir, user), 'own');
  assert.deepEqual(readdirSync(app.root).sort(), ['.fn', instead].sort());
  assert.equal(adoptable(app, `${instead}/`, user), instead);
  assert.throws(() => adoptable(app, '../elsewhere', user), { code: 'nothing_to_adopt' });
});

test('state in place is adopted without being moved, and stays that of the other machine', () => {
  const [host, container] = [aUser(), aUser()];
  const app = anApp(host);
  assert.equal(adoptable(app, undefined, container), '.fn');
  assert.equal(adoptState(app, '.fn', container), undefined);
  assert.deepEqual([standingOf(app.stateDir, container), standingOf(app.stateDir, host)], ['own', 'own']);
  assert.throws(() => adoptable(app, undefined, host), { code: 'nothing_to_adopt', hint: /yours/ });
});

test('an app that was moved is adopted', () => {
  const user = aUser();
  const { root } = anApp(user);
  const moved = join(temporaryFolder('fn-moved'), 'app');
  renameSync(root, moved);
  const app = { root: moved, stateDir: join(moved, '.fn') };
  assert.equal(standingOf(app.stateDir, user), 'foreign');
  adoptState(app, adoptable(app, undefined, user), user);
  assert.equal(standingOf(app.stateDir, user), 'own');
});

test('foreign state that a running process seems to use is refused, not renamed', () => {
  const { stateDir } = anApp(aUser());
  writeFileSync(join(stateDir, 'dev.json'), JSON.stringify({ pid: process.pid }));
  assert.throws(() => setAsideForeignState(stateDir, aUser()), { code: 'state_foreign', hint: /HOME/ });
  assert.ok(existsSync(stateDir));
});

test('the key is this user’s only, and one that others could have written does not count', onPosix, () => {
  const user = aUser();
  const { stateDir } = anApp(user);
  const key = join(user.HOME, '.local/state/fn/state-key');
  assert.equal(statSync(key).mode & 0o777, 0o600);
  chmodSync(key, 0o622);
  assert.equal(standingOf(stateDir, user), 'foreign');
});

test('without a home that can be written, the key lies in a folder of this user for temporary files', onPosix, () => {
  const nobody = { ...aUser(), HOME: '/proc/nowhere' };
  const { stateDir } = anApp(nobody);
  assert.equal(standingOf(stateDir, nobody), 'own');
});
