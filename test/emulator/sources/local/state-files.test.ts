import assert from 'node:assert/strict';
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { localToken } from '../../../../src/emulator/sources/local/index.ts';
import { makeStateFolder } from '../../../../src/emulator/sources/local/state-files.ts';
import { temporaryFolder } from '../../../temporary-folder.ts';

const folder = temporaryFolder('fn-state-files');
const onPosix = { skip: process.platform === 'win32' };

const modeOf = (path: string) => statSync(path).mode & 0o777;

test('a state folder is closed to others, and left out of git', onPosix, () => {
  const own = join(folder, 'own');
  mkdirSync(own, { mode: 0o755 });
  makeStateFolder(own);
  assert.equal(modeOf(own), 0o700);
  assert.deepEqual(readdirSync(own), ['.gitignore']);
});

test('a file in the place of the state folder is to be moved away', () => {
  const file = join(folder, 'a-file');
  writeFileSync(file, '');
  assert.throws(() => makeStateFolder(file), { code: 'state_unwritable', hint: /Move away the file/ });
});

test('the note for Git that a full disk left empty is written anew, and not where a link leads', onPosix, () => {
  const own = join(folder, 'own-note');
  const note = join(own, '.gitignore');
  mkdirSync(own);
  writeFileSync(note, '');
  makeStateFolder(own);
  assert.equal(readFileSync(note, 'utf8'), '*\n');

  const elsewhere = join(folder, 'empty-file');
  writeFileSync(elsewhere, '');
  rmSync(note);
  symlinkSync(elsewhere, note);
  makeStateFolder(own);
  assert.equal(readFileSync(note, 'utf8'), '*\n');
  assert.equal(readFileSync(elsewhere, 'utf8'), '');
  assert.deepEqual(readdirSync(own), ['.gitignore']);
});

test('a state folder that is a link changes nothing where it leads', onPosix, () => {
  const elsewhere = join(folder, 'elsewhere');
  mkdirSync(elsewhere);
  chmodSync(elsewhere, 0o755);
  symlinkSync(elsewhere, join(folder, 'link'));
  makeStateFolder(join(folder, 'link'));
  assert.equal(modeOf(elsewhere), 0o755);
  assert.deepEqual(readdirSync(elsewhere), []);
});

test('a token that is a link is replaced by one of its own; what it leads to stays as it is', onPosix, () => {
  const state = join(folder, 'state');
  makeStateFolder(state);
  const elsewhere = join(folder, 'page.html');
  writeFileSync(elsewhere, `fn_local_${'x'.repeat(32)}\n`);
  chmodSync(elsewhere, 0o644);
  symlinkSync(elsewhere, join(state, 'local-token'));
  const token = localToken(state);
  assert.notEqual(token, `fn_local_${'x'.repeat(32)}`);
  assert.equal(localToken(state), token);
  assert.ok(lstatSync(join(state, 'local-token')).isFile());
  assert.equal(modeOf(elsewhere), 0o644);
});

test('where a token is written, nothing is written through a link that was there', onPosix, () => {
  const state = join(folder, 'linked');
  makeStateFolder(state);
  const elsewhere = join(folder, 'notes.txt');
  writeFileSync(elsewhere, 'mine');
  symlinkSync(elsewhere, join(state, `local-token.${process.pid}`));
  assert.match(localToken(state), /^fn_local_/);
  assert.equal(readFileSync(elsewhere, 'utf8'), 'mine');
});
