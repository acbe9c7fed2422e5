import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  fsyncSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  unlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { codeOf, MachineError, messageOf } from '../errors/errors.ts';
import { monotonicMs } from '../time/monotonic.ts';
import { wait } from '../time/wait.ts';
import { isRunning, startOf } from './is-running.ts';
import { makeFolders } from './make-folder.ts';

/**
 * Replaces a file atomically: readers see the old content or the new one, even after a power cut. A symbolic link is replaced, not
 * followed. A missing folder is created, for this user only.
 * @param mode permissions of the new file
 * @throws MachineError file_unwritable
 */
export function replaceFile(file: string, content: string | Uint8Array, mode = 0o600): void {
  const folder = dirname(file);
  const draft = `${file}.${process.pid}.${randomBytes(4).toString('hex')}.tmp`;
  try {
    makeFolders(folder);
    removeDrafts(folder);
    const descriptor = openSync(draft, 'wx', mode);
    try {
      // Unlike writeSync, this continues until everything is written.
      writeFileSync(descriptor, content);
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    chmodSync(draft, mode);
    renameWithPatience(draft, file);
    syncFolder(folder);
  } catch (cause) {
    rmSync(draft, { force: true });
    throw new MachineError('file_unwritable', `${file} cannot be written: ${messageOf(cause)}`, {
      hint: 'Check the permissions of its folder and the space on the disk.',
      cause,
    });
  }
}

/** Age from which a file that is needed for a moment only is taken for left behind. */
const staleMs = 30_000;

/** The name of a draft ends with the id of its process and a random part. */
const draftEnd = /\.(\d+)\.[0-9a-f]{8}\.tmp$/;
/** Folders whose drafts this process has looked through. */
const swept = new Set<string>();

/** Removes the drafts of killed processes, which may hold tokens. One with our own id is of an earlier process: we have none yet. */
function removeDrafts(folder: string): void {
  if (swept.has(folder)) return;
  swept.add(folder);
  try {
    for (const name of readdirSync(folder)) {
      const pid = Number(draftEnd.exec(name)?.[1] ?? 0);
      if (pid === 0 || (pid !== process.pid && isRunning(pid))) continue;
      const draft = join(folder, name);
      // A fresh one may be of a process that cannot be seen from here: in another container, or on another machine.
      if (Date.now() - statSync(draft).mtimeMs > staleMs) rmSync(draft, { force: true });
    }
  } catch {
    // They stay until next time.
  }
}

// On Windows a file cannot be replaced while another process reads it, which usually takes only moments.
function renameWithPatience(from: string, to: string): void {
  for (let attempt = 1; ; attempt++) {
    try {
      renameSync(from, to);
      return;
    } catch (error) {
      const busy = ['EPERM', 'EACCES', 'EBUSY'].includes(codeOf(error) ?? '');
      if (process.platform !== 'win32' || !busy || attempt >= 20) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10 * attempt);
    }
  }
}

/** Makes a rename in this folder outlast a power cut, where the system can. */
export function syncFolder(folder: string): void {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(folder, 'r');
    fsyncSync(descriptor);
  } catch {
    // Windows and some file systems cannot open or sync a folder; there the rename alone has to suffice.
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

const waitMs = 15_000;
/** The locks of this process, by their absolute paths. */
const held = new Set<string>();

/**
 * Runs work while no other process runs under the same lock. The work must be short: a lock that is older than 30 s, or whose process
 * is gone, is taken over.
 * @param lock path of a file that exists while the lock is held
 * @param forLong the lock is held for minutes: others do not wait, and take it over only when its process is gone
 * @throws MachineError file_locked after 15 s; and what `run` throws
 */
export async function withFileLock<T>(
  lock: string,
  run: () => T | Promise<T>,
  { forLong = false }: { forLong?: boolean } = {},
): Promise<T> {
  const until = monotonicMs() + (forLong ? 0 : waitMs);
  makeFolders(dirname(lock));
  while (!take(lock)) {
    const stale = isStale(lock, forLong);
    if (stale) breakLock(lock, forLong);
    else if (monotonicMs() > until) {
      throw new MachineError('file_locked', `${lock} is held by another process`, {
        hint: 'Try again. If no other fn is running, delete the file.',
      });
    }
    await wait(2 + Math.random() * 15);
  }
  const path = resolve(lock);
  held.add(path);
  try {
    return await run();
  } finally {
    held.delete(path);
    rmSync(lock, { force: true });
  }
}

function take(lock: string): boolean {
  let made = false;
  try {
    const descriptor = openSync(lock, 'wx', 0o600);
    made = true;
    try {
      writeSync(descriptor, `${process.pid} ${startOf(process.pid) ?? ''}`.trimEnd());
    } finally {
      closeSync(descriptor);
    }
    return true;
  } catch (error) {
    // On a full disk the file may be created without its content: left behind, it would block everybody after us.
    if (made) rmSync(lock, { force: true });
    else if (codeOf(error) === 'EEXIST') return false;
    throw new MachineError('file_unwritable', `${lock} cannot be created: ${messageOf(error)}`, {
      hint: 'Nothing was done. Check the permissions of its folder and the space on the disk.',
      cause: error,
    });
  }
}

function isStale(lock: string, forLong: boolean): boolean {
  try {
    const isOld = Date.now() - statSync(lock).mtimeMs > staleMs;
    const [id, start] = readFileSync(lock, 'utf8').split(' ');
    const pid = Number(id);
    // Without a process id: its process is, or ended, between creating the file and writing to it.
    if (!Number.isInteger(pid) || pid <= 0) return isOld;
    // In a container, each run may have the same process id as a killed earlier one.
    if (pid === process.pid) return !held.has(resolve(lock));
    return (isOld && !forLong) || !isRunning(pid, start);
  } catch {
    return false;
  }
}

// Only one process at a time may remove a stale lock, or it could remove the fresh lock of the one that was faster.
function breakLock(lock: string, forLong: boolean): void {
  const breaking = `${lock}.break`;
  if (!take(breaking)) {
    try {
      if (Date.now() - statSync(breaking).mtimeMs > staleMs) rmSync(breaking, { force: true });
    } catch {
      // It is gone already.
    }
    return;
  }
  try {
    if (isStale(lock, forLong)) unlinkSync(lock);
  } catch {
    // It is gone already.
  } finally {
    rmSync(breaking, { force: true });
  }
}
