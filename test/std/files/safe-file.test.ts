import assert from 'node:assert/strict';
import { once } from 'node:events';
import { chmod, readdir, readFile, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { MachineError, makeFolders, replaceFile, withFileLock } from '../../../src/std/index.ts';
import { temporaryFolder } from '../../temporary-folder.ts';

const aFolder = (): string => temporaryFolder('fn-std');

/** No process has this number: Linux gives out none above 4194304. */
const nobody = '99999999';

test('folders are made with their parents, and where none can be made that is said', async () => {
  const folder = aFolder();
  makeFolders(join(folder, 'a/b'));
  makeFolders(join(folder, 'a/b'));
  assert.equal((await stat(join(folder, 'a'))).mode & 0o777, 0o700);
  await writeFile(join(folder, 'file'), '');
  assert.throws(() => makeFolders(join(folder, 'file')), { code: 'EEXIST' });
  assert.throws(() => makeFolders(join(folder, 'file/below')), { code: 'ENOTDIR' });
  if (process.platform === 'linux') assert.throws(() => makeFolders('/proc/none/below'), { code: 'ENOENT' });
});

test('a file is replaced whole, for its owner alone, and nothing is left beside it', async () => {
  const folder = aFolder();
  const file = join(folder, 'deep', 'token');
  replaceFile(file, 'old');
  replaceFile(file, 'new');
  assert.equal(await readFile(file, 'utf8'), 'new');
  assert.deepEqual(await readdir(join(folder, 'deep')), ['token']);
  if (process.platform !== 'win32') assert.equal((await stat(file)).mode & 0o777, 0o600);
});

test('a symbolic link is replaced, and what it pointed to stays as it was', async () => {
  const folder = aFolder();
  await writeFile(join(folder, 'target'), 'untouched');
  await symlink(join(folder, 'target'), join(folder, 'link'));
  replaceFile(join(folder, 'link'), 'new');
  assert.equal(await readFile(join(folder, 'target'), 'utf8'), 'untouched');
  assert.equal(await readFile(join(folder, 'link'), 'utf8'), 'new');
});

test('a folder in the place of the file is refused with a hint, and no draft is left', async () => {
  const folder = aFolder();
  replaceFile(join(folder, 'taken', 'inner'), 'x');
  assert.throws(
    () => replaceFile(join(folder, 'taken'), 'y'),
    (error) => error instanceof MachineError && error.code === 'file_unwritable' && error.hint !== undefined,
  );
  assert.deepEqual(await readdir(folder), ['taken']);
});

test('whoever reads while a file is replaced sees one text or the other, never a part', async () => {
  const file = join(aFolder(), 'state');
  const texts = ['a'.repeat(100_000), 'b'.repeat(50_000)];
  replaceFile(file, texts[0] ?? '');
  const writer = new Worker(
    `const { workerData } = require('node:worker_threads');
     import(workerData.module).then(({ replaceFile }) => {
       for (let i = 0; i < 40; i++) replaceFile(workerData.file, workerData.texts[i % 2]);
     });`,
    { eval: true, workerData: { module: new URL('../../../src/std/index.ts', import.meta.url).href, file, texts } },
  );
  let ended = false;
  const exited = once(writer, 'exit').then(() => {
    ended = true;
  });
  while (!ended) assert.ok(texts.includes(await readFile(file, 'utf8')));
  await exited;
});

test('what runs under one lock runs one after another', async () => {
  const lock = join(aFolder(), 'lock');
  let inside = 0;
  const seen = await Promise.all(
    Array.from({ length: 5 }, () =>
      withFileLock(lock, async () => {
        inside += 1;
        await new Promise(setImmediate);
        const together = inside;
        inside -= 1;
        return together;
      }),
    ),
  );
  assert.deepEqual(seen, [1, 1, 1, 1, 1]);
});

test('a lock is given back when what ran under it fails', async () => {
  const folder = aFolder();
  const lock = join(folder, 'lock');
  await assert.rejects(
    withFileLock(lock, () => {
      throw new Error('failed');
    }),
    /failed/,
  );
  assert.deepEqual(await readdir(folder), []);
});

test('drafts of processes that were killed are removed, which may hold tokens; nothing else is', async () => {
  const folder = aFolder();
  const file = join(folder, 'credentials.json');
  const draftBy = (pid: number | string) => `credentials.json.${pid}.0123abcd.tmp`;
  const fresh = 'profile.json.4194303.0123abcd.tmp';
  const old = [draftBy(process.ppid), 'credentials.json.7.tmp', 'mine.tmp'];
  for (const name of [...old, fresh, draftBy(nobody)]) {
    await writeFile(join(folder, name), 'token');
    if (name !== fresh) await utimes(join(folder, name), 1, 1);
  }
  replaceFile(file, '{}');
  assert.deepEqual((await readdir(folder)).sort(), ['credentials.json', fresh, ...old].sort());
});

test('the lock of a process that is gone is taken over', async () => {
  const lock = join(aFolder(), 'lock');
  await writeFile(lock, nobody);
  assert.equal(await withFileLock(lock, () => 'done'), 'done');
});

test('a lock that was left empty is taken over once it is old', async () => {
  const lock = join(aFolder(), 'lock');
  await writeFile(lock, '');
  const minuteAgo = Date.now() / 1000 - 60;
  await utimes(lock, minuteAgo, minuteAgo);
  assert.equal(await withFileLock(lock, () => 'done'), 'done');
});

test('a lock held for long by a living process is refused at once, however old it is', async () => {
  const lock = join(aFolder(), 'lock');
  await writeFile(lock, String(process.ppid));
  await utimes(lock, 1, 1);
  await assert.rejects(
    withFileLock(lock, () => 'done', { forLong: true }),
    (error) => error instanceof MachineError && error.code === 'file_locked',
  );
});

test('a lock held for long is taken over when another process has the number of the one that took it', {
  skip: process.platform !== 'linux' && 'only Linux tells when a process started',
}, async () => {
  const lock = join(aFolder(), 'lock');
  const noted = await withFileLock(lock, () => readFile(lock, 'utf8'), { forLong: true });
  await writeFile(lock, noted.replace(String(process.pid), String(process.ppid)));
  assert.equal(await withFileLock(lock, () => 'done', { forLong: true }), 'done');
});

test('a lock that names this process, which does not hold it, is of one that had its number: in a container it is the same each time', async () => {
  const lock = join(aFolder(), 'lock');
  await writeFile(lock, String(process.pid));
  assert.equal(await withFileLock(lock, () => 'done', { forLong: true }), 'done');
});

test('a lock that this process holds for long is refused to itself, too', async () => {
  const lock = join(aFolder(), 'lock');
  const again = () => withFileLock(lock, () => 'done', { forLong: true });
  await withFileLock(lock, () => assert.rejects(again(), { code: 'file_locked' }), { forLong: true });
  assert.equal(await again(), 'done');
});

test('a lock in a folder that cannot be written is the machine’s refusal', async (t) => {
  if (process.getuid?.() === 0 || process.platform === 'win32') return t.skip('root writes everywhere');
  const folder = aFolder();
  await chmod(folder, 0o500);
  await assert.rejects(
    withFileLock(join(folder, 'lock'), () => 'done'),
    (error) => error instanceof MachineError && error.code === 'file_unwritable',
  );
});
