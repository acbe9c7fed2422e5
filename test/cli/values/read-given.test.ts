import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { readGiven } from '../../../src/cli/values/read-given.ts';
import { aFolder } from '../fn-process.ts';

const never = new AbortController().signal;
const mib = 1024 * 1024;

test('a file is read from the current folder', async () => {
  const cwd = aFolder();
  writeFileSync(join(cwd, 'a.csv'), 'to\n+4930901820\n');
  assert.equal(String(await readGiven({ cwd, signal: never }, 'a.csv')), 'to\n+4930901820\n');
});

test('what has no end is refused before it fills the memory', { skip: !existsSync('/dev/zero') }, async () => {
  const read = readGiven({ cwd: '/', signal: never }, '/dev/zero', 2 * mib);
  await assert.rejects(read, { code: 'input_too_large', message: '/dev/zero is larger than 2 MiB' });
});

test('a limit below one MiB is told in KiB', { skip: !existsSync('/dev/zero') }, async () => {
  const read = readGiven({ cwd: '/', signal: never }, '/dev/zero', 64 * 1024);
  await assert.rejects(read, { code: 'input_too_large', message: '/dev/zero is larger than 64 KiB' });
});

test('a file that is not there, or is a folder, is refused in words, with the folder that the path counts from', async () => {
  const cwd = aFolder();
  const hint = `The path is relative to the current folder: ${cwd}`;
  const read = (path: string) => readGiven({ cwd, signal: never }, path);
  await assert.rejects(read('nowhere.json'), { message: 'There is no file nowhere.json', hint });
  await assert.rejects(read('.'), { message: 'Cannot read .: it is a folder', hint });
});

test('reading that is interrupted is not reported as an unreadable file', async () => {
  const cwd = aFolder();
  writeFileSync(join(cwd, 'a.csv'), 'to\n');
  await assert.rejects(readGiven({ cwd, signal: AbortSignal.abort() }, 'a.csv'), { name: 'AbortError' });
});
