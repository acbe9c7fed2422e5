import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  linkSync,
  lstatSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import {
  codeOf,
  isRunning,
  MachineError,
  makeFolders,
  messageOf,
  readKeptFile,
  replaceFile,
} from '../../../std/index.ts';
import { provesToken } from './dev-proof.ts';

/** A running `fn dev`, described in `.fn/dev.json` for other commands of the same app. */
export interface RunningDev {
  readonly pid: number;
  readonly url: string;
  readonly port: number;
  readonly slug: string;
  readonly startedAt: string;
}

/** Path of the local workspace's database. */
export const databaseFile = (stateDir: string) => join(stateDir, 'workspace.db');

/** Creates the folder of the app's local state, accessible by this user only. @throws MachineError `state_unwritable` */
export function makeStateFolder(stateDir: string): void {
  try {
    makeFolders(stateDir);
    // A link may have come with the app: permissions of its target are not changed.
    if (lstatSync(stateDir).isSymbolicLink()) return;
    if (process.platform !== 'win32' && (statSync(stateDir).mode & 0o077) !== 0) chmodSync(stateDir, 0o700);
    ignoreInGit(stateDir);
  } catch (error) {
    throw unwritable(stateDir, error);
  }
}

/** The same for commands that only keep a cache there: if it cannot be written, they work without it. */
export function keepStatePrivate(stateDir: string): void {
  try {
    makeStateFolder(stateDir);
  } catch {
    // Ignored, as for the cache.
  }
}

/** Excludes the folder from Git, whatever the app's `.gitignore` says: tokens, secrets and customer data do not belong in a repository. */
function ignoreInGit(stateDir: string): void {
  const file = join(stateDir, '.gitignore');
  // An empty file is left by a full disk or a power cut, since the write is not synced.
  if (statSync(file, { throwIfNoEntry: false })?.size) return;
  const draft = `${file}.${process.pid}`;
  rmSync(draft, { force: true });
  writeFileSync(draft, '*\n', { flag: 'wx', mode: 0o644 });
  renameSync(draft, file);
}

/** Path of the file that has the token of the local workspace. */
export const localTokenFile = (stateDir: string) => join(stateDir, 'local-token');

/**
 * The token of the local workspace: created once, stable across restarts, readable by its owner only. Valid nowhere else.
 * @throws MachineError `state_unwritable`
 */
export function localToken(stateDir: string): string {
  const file = localTokenFile(stateDir);
  const kept = readKept(file);
  if (kept) return kept;
  const token = newLocalToken();
  const draft = `${file}.${process.pid}`;
  try {
    // A link with this name may have come with the app.
    rmSync(draft, { force: true });
    writeFileSync(draft, `${token}\n`, { flag: 'wx', mode: 0o600 });
    publish(draft, file);
    return token;
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw unwritable(file, error);
    return readKept(file) ?? renewLocalToken(stateDir);
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Publishes a draft by a hard link: unlike a rename it fails if another process was first, and the file is never incomplete. */
function publish(draft: string, file: string): void {
  try {
    linkSync(draft, file);
  } catch (error) {
    if (codeOf(error) === 'EEXIST') throw error;
    renameSync(draft, file); // a file system without links
  }
}

/** Replaces the token. @throws MachineError `file_unwritable` */
export function renewLocalToken(stateDir: string): string {
  const token = newLocalToken();
  replaceFile(localTokenFile(stateDir), `${token}\n`);
  return token;
}

export function newLocalToken(): string {
  return `fn_local_${randomBytes(24).toString('base64url')}`;
}

/** The existing token, if any. */
export const keptLocalToken = (stateDir: string): string | undefined => readKept(localTokenFile(stateDir));

function readKept(file: string): string | undefined {
  try {
    const found = lstatSync(file);
    if (!found.isFile()) return undefined;
    if ((found.mode & 0o077) !== 0) chmodSync(file, 0o600);
    const text = readKeptFile(file)?.toString().trim() ?? '';
    return /^fn_local_[\w-]{20,}$/.test(text) ? text : undefined;
  } catch {
    return undefined;
  }
}

const devFile = (stateDir: string) => join(stateDir, 'dev.json');

/**
 * The `fn dev` that serves this app; undefined if there is none. If one ended without cleaning up, its process id may belong to another
 * process by now, and another program may listen on its port. A suspended one cannot prove its identity.
 */
export async function findRunningDev(stateDir: string): Promise<RunningDev | undefined> {
  const noted = readRunningDev(stateDir);
  if (noted === undefined || isSuspended(noted.pid)) return noted;
  const token = keptLocalToken(stateDir);
  if (token === undefined) return undefined;
  return (await provesToken(noted.port, token)) ? noted : undefined;
}

/** Whether it was stopped with Ctrl-Z: it then accepts connections but never answers. Linux only. */
export function isSuspended(pid: number): boolean {
  try {
    return /\) T/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

function readRunningDev(stateDir: string): RunningDev | undefined {
  try {
    const noted: unknown = JSON.parse(readKeptFile(devFile(stateDir))?.toString() ?? 'null');
    if (!isRunningDev(noted) || !isRunning(noted.pid)) return undefined;
    const { place = placeOf(stateDir), ...running } = noted;
    // A copy of an app names the `fn dev` of the original, which has the same token.
    return place === placeOf(stateDir) ? running : undefined;
  } catch {
    return undefined;
  }
}

/** Whether a `fn dev` says that it serves the app. A quick look, without its proof. */
export const isDevNoted = (stateDir: string): boolean => readRunningDev(stateDir) !== undefined;

export function writeRunningDev(stateDir: string, running: RunningDev): void {
  try {
    rmSync(devFile(stateDir), { force: true });
    const noted: Noted = { ...running, place: placeOf(stateDir) };
    writeFileSync(devFile(stateDir), `${JSON.stringify(noted, null, 2)}\n`, { flag: 'wx' });
  } catch (error) {
    throw unwritable(devFile(stateDir), error);
  }
}

/** Removes the entry of the running `fn dev`, if it is this process. */
export function forgetRunningDev(stateDir: string): void {
  if (readRunningDev(stateDir)?.pid === process.pid) rmSync(devFile(stateDir), { force: true });
}

/** As it is in the file; without a place if an earlier version wrote it. */
type Noted = RunningDev & { readonly place?: string };

function isRunningDev(value: unknown): value is Noted {
  if (typeof value !== 'object' || value === null) return false;
  const { pid, url, port, slug } = value as Record<string, unknown>;
  return typeof pid === 'number' && typeof url === 'string' && isPort(port) && typeof slug === 'string';
}

const placeOf = (stateDir: string) => realpathSync.native(stateDir);

const isPort = (value: unknown) => Number.isInteger(value) && Number(value) > 0 && Number(value) < 65_536;

function unwritable(path: string, error: unknown): MachineError {
  return new MachineError('state_unwritable', `Cannot write ${path}: ${messageOf(error)}`, {
    hint: ['EEXIST', 'ENOTDIR'].includes(codeOf(error) ?? '')
      ? 'The local workspace keeps its state there, in a folder. Move away the file that has its name.'
      : 'The local workspace keeps its state there. Check the permissions of the folder and the space on the disk.',
    cause: error,
  });
}
