import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
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

const noPipes = process.platform === 'win32' && 'there are no named pipes';

test('reading a named pipe that nobody opens is interrupted', { skip: noPipes }, async () => {
  const cwd = aFolder();
  execFileSync('mkfifo', [join(cwd, 'pipe')]);
  const stopping = new AbortController();
  const read = readGiven({ cwd, signal: stopping.signal }, 'pipe');
  setImmediate(() => stopping.abort());
  await assert.rejects(read, { name: 'AbortError' });
  await assert.rejects(readGiven({ cwd, signal: AbortSignal.abort() }, 'pipe'), { name: 'AbortError' });
});

test('a named pipe is read to its end, also if it is opened later', { skip: noPipes }, async () => {
  const cwd = aFolder();
  execFileSync('mkfifo', [join(cwd, 'pipe')]);
  const text = 'x'.repeat(200_000);
  const [read] = await Promise.all([readGiven({ cwd, signal: never }, 'pipe'), writeFile(join(cwd, 'pipe'), text)]);
  assert.equal(String(read), text);
});
