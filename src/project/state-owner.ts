import {
  existsSync,
  linkSync,
  lstatSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { basename, dirname, join } from 'node:path';
import {
  codeOf,
  type Environment,
  isRunning,
  MachineError,
  makeFolders,
  messageOf,
  readKeptFile,
  replaceFile,
  UsageError,
} from '../std/index.ts';
import type { Project } from './project.ts';
import { stateFolder } from './user-folders.ts';

/*
 * The local state of an app – its database, its token – is only used on the machine, and by the user, that made it: what arrives in a
 * cloned repository may be anybody's. `.fn/owner` holds a seal for it, made with a key that lies outside of every app.
 */

/** What is trusted in `.fn`. A cache is bound to its folder by itself, and anybody may write secrets.json by hand. */
const trusted = ['workspace.db', 'local-token', 'session-key', 'dev.json', 'deploys.json'];

type Place = Pick<Project, 'root' | 'stateDir'>;

/** `none`: there is nothing in it that would have to be trusted. */
export type Standing = 'none' | 'own' | 'foreign';

/** Whether the state in a folder was made by this user on this machine, in this place. */
export function standingOf(stateDir: string, env: Environment = process.env): Standing {
  if (!trusted.some((name) => lstatSync(join(stateDir, name), { throwIfNoEntry: false }) !== undefined)) return 'none';
  return isSealed(stateDir, env) ? 'own' : 'foreign';
}

/**
 * Seals the state in a folder as this user's own, beside the seals of other machines that share it.
 * @throws MachineError `state_key_unwritable`, `file_unwritable`
 */
export function claimState(stateDir: string, env: Environment = process.env): void {
  if (isSealed(stateDir, env)) return;
  const seals = [...sealsIn(stateDir), sealOf(stateDir, ownKey(env))];
  replaceFile(ownerFile(stateDir), `${seals.slice(-maxSeals).join('\n')}\n`);
}

/**
 * Sets foreign state aside: it is renamed, neither read nor deleted.
 * @returns the name that it has now, beside the app's files; undefined if there was none
 * @throws MachineError `state_foreign` if it cannot be renamed, or a running process seems to use it
 */
export function setAsideForeignState(stateDir: string, env: Environment = process.env): string | undefined {
  if (standingOf(stateDir, env) !== 'foreign') return undefined;
  const pid = pidOfDev(stateDir);
  if (pid !== undefined) {
    throw foreign(stateDir, `process ${pid} may be using it`, {
      hint: 'Stop that process, or run fn as the same user, with the same HOME and XDG_STATE_HOME. If the state is yours: fn workspace adopt. If not, move it away.',
    });
  }
  return setAside(stateDir);
}

/** What a person is told of state that was set aside. */
export function setAsideWords(stateDir: string, name: string): string {
  return `${basename(stateDir)} was not made by you on this machine in this folder: it is set aside as ${name}, and not used. If it is yours: fn workspace adopt`;
}

/** Renames a state folder. @returns its name now @throws MachineError `state_foreign` */
function setAside(stateDir: string): string {
  const stamp = new Date().toISOString().replace(/\D/g, '').slice(0, 14);
  for (let n = 1; ; n++) {
    const name = `${setAsideMark}${stamp}${n === 1 ? '' : `-${n}`}`;
    const target = join(dirname(stateDir), name);
    if (existsSync(target)) continue;
    try {
      renameSync(stateDir, target);
      return name;
    } catch (cause) {
      throw foreign(stateDir, `it cannot be set aside (${messageOf(cause)})`, { hint: 'Move it away.', cause });
    }
  }
}

const setAsideMark = '.fn-set-aside-';

/**
 * The folder whose state `adoptState` would take back: `.fn` itself if it is foreign, otherwise the newest that was set aside.
 * @param named the one that a person has named
 * @throws UsageError `nothing_to_adopt`
 */
export function adoptable({ root, stateDir }: Place, named: string | undefined, env: Environment): string {
  const isForeign = standingOf(stateDir, env) === 'foreign';
  const aside = readdirSync(root)
    .filter((name) => name.startsWith(setAsideMark))
    .sort()
    .reverse();
  const all = [...(isForeign ? [basename(stateDir)] : []), ...aside];
  const wanted = named === undefined ? undefined : basename(named);
  const found = wanted === undefined ? all[0] : all.find((name) => name === wanted);
  if (found !== undefined) return found;
  throw new UsageError(
    'nothing_to_adopt',
    wanted === undefined ? 'No local state of this app was set aside' : `No local state was set aside as ${wanted}`,
    { hint: all.length === 0 ? 'There is nothing to do: the state in .fn is yours.' : `There is: ${all.join(', ')}.` },
  );
}

/**
 * Makes the state in a folder this user's own, as `.fn`.
 * @param found as `adoptable` returned it
 * @returns the name of what was in its way, which is set aside now
 * @throws MachineError `state_foreign`, `state_key_unwritable`
 */
export function adoptState({ root, stateDir }: Place, found: string, env: Environment): string | undefined {
  const isInPlace = found === basename(stateDir);
  const isTaken = !isInPlace && lstatSync(stateDir, { throwIfNoEntry: false }) !== undefined;
  const aside = isTaken ? setAside(stateDir) : undefined;
  if (!isInPlace) renameSync(join(root, found), stateDir);
  claimState(stateDir, env);
  return aside;
}

function foreign(stateDir: string, why: string, options: { hint: string; cause?: unknown }): MachineError {
  return new MachineError(
    'state_foreign',
    `${stateDir} was not made by this user on this machine, and ${why}`,
    options,
  );
}

/** The process that a `fn dev` has noted, as long as it runs. */
function pidOfDev(stateDir: string): number | undefined {
  try {
    const { pid } = JSON.parse(readKeptFile(join(stateDir, 'dev.json'))?.toString() ?? '{}');
    return Number.isInteger(pid) && pid > 0 && isRunning(pid) ? pid : undefined;
  } catch {
    return undefined;
  }
}

const ownerFile = (stateDir: string) => join(stateDir, 'owner');
/** Machines that take turns with one folder, such as containers. */
const maxSeals = 20;
const seal = /^[\w-]{43}$/;

function sealsIn(stateDir: string): string[] {
  const text = readSurely(ownerFile(stateDir))?.toString() ?? '';
  return text.split('\n').filter((line) => seal.test(line));
}

const maxFileBytes = 64 * 1024;
const isNotOurs = new Set(['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM', 'ELOOP']);

/** Reads a small file. With too many open files, say, own state must not be taken for foreign: that is an error. */
function readSurely(file: string): Buffer | undefined {
  const read = readKeptFile(file);
  const found = lstatSync(file, { throwIfNoEntry: false });
  if (read !== undefined || !found?.isFile() || found.size > maxFileBytes) return read;
  try {
    return readFileSync(file);
  } catch (error) {
    if (isNotOurs.has(codeOf(error) ?? '')) return undefined;
    throw error;
  }
}

function isSealed(stateDir: string, env: Environment): boolean {
  const seals = sealsIn(stateDir);
  return seals.length > 0 && keysOf(env).some((key) => seals.includes(sealOf(stateDir, key)));
}

/** Names the place, so that a seal that was published once is worth nothing elsewhere. A link at the end is not followed: it may have come with the app. */
function sealOf(stateDir: string, key: Buffer): string {
  const { createHmac } = process.getBuiltinModule('node:crypto');
  const place = join(realpathSync.native(dirname(stateDir)), basename(stateDir));
  return createHmac('sha256', key).update(`fn state ${place}`).digest('base64url');
}

const keyBytes = 32;

/** The folder for the key is that for state, not that for settings: people publish their settings. */
function keyFiles(env: Environment): string[] {
  const beside = temporaryKeyFolder();
  return [stateFolder(env), ...(beside === undefined ? [] : [beside])].map((folder) => join(folder, 'state-key'));
}

/** For users without a home that can be written, as in containers. */
function temporaryKeyFolder(): string | undefined {
  const uid = process.getuid?.();
  return uid === undefined ? undefined : join(tmpdir(), `fn-state-${uid}`);
}

function keysOf(env: Environment): Buffer[] {
  return keyFiles(env).flatMap((file) => readKey(file) ?? []);
}

/** Only a key that nobody else can have put there, or read, counts. */
function readKey(file: string): Buffer | undefined {
  for (const one of [dirname(file), file]) {
    const found = lstatSync(one, { throwIfNoEntry: false });
    if (found === undefined) return undefined;
    const uid = process.getuid?.();
    if (uid !== undefined && (found.uid !== uid || (found.mode & 0o022) !== 0)) return undefined;
  }
  const key = readSurely(file);
  return key?.length === keyBytes ? key : undefined;
}

/** The key of this user on this machine, made at its first use. @throws MachineError `state_key_unwritable` */
function ownKey(env: Environment): Buffer {
  let failure: unknown;
  for (const file of keyFiles(env)) {
    try {
      const key = readKey(file) ?? makeKey(file);
      if (key !== undefined) return key;
    } catch (error) {
      failure ??= error;
    }
  }
  throw new MachineError(
    'state_key_unwritable',
    `The key that marks local state as yours cannot be written to ${stateFolder(env)}${failure === undefined ? '' : `: ${messageOf(failure)}`}`,
    { hint: `Set XDG_STATE_HOME to a folder that ${userName()} can write.`, cause: failure },
  );
}

function makeKey(file: string): Buffer | undefined {
  const { randomBytes } = process.getBuiltinModule('node:crypto');
  makeFolders(dirname(file));
  const draft = `${file}.${process.pid}.${randomBytes(4).toString('hex')}.tmp`;
  try {
    writeFileSync(draft, randomBytes(keyBytes), { flag: 'wx', mode: 0o600 });
    // Fails if another process was first; then its key counts.
    linkSync(draft, file);
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') {
      if (!existsSync(draft)) throw error;
      renameSync(draft, file); // a file system without links
    }
  } finally {
    rmSync(draft, { force: true });
  }
  return readKey(file);
}

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return 'this user';
  }
}
