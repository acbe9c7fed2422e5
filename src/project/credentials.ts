import { chmodSync, closeSync, fstatSync, openSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import {
  type Environment,
  isCi,
  isRecord,
  MachineError,
  makeFolders,
  messageOf,
  replaceFile,
  UsageError,
  withFileLock,
} from '../std/index.ts';
import { configFolder, isNotThere } from './user-folders.ts';

/** An API token, bound to the one workspace it opens. */
export interface Login {
  /** Scheme, host and port of the API. The token is never sent anywhere else. */
  readonly origin: string;
  readonly slug: string;
  readonly token: string;
  readonly tokenId?: string | undefined;
  readonly tokenName?: string | undefined;
  /** RFC 3339 in UTC. */
  readonly savedAt: string;
}

export interface Credentials {
  readonly logins: readonly Login[];
  /** Warnings for the user: the file was readable by others, which has been corrected. */
  readonly warnings: readonly string[];
}

/** Path of the file that holds the tokens of this user. */
export function credentialsFile(env: Environment = process.env): string {
  return join(configFolder(env), 'credentials.json');
}

/**
 * Reads the logins of this user. If others could read the file, its permissions are corrected at once, with a warning.
 * @throws MachineError credentials_foreign, credentials_broken, credentials_unreadable
 */
export function readCredentials(env: Environment = process.env): Credentials {
  const file = credentialsFile(env);
  let text: string;
  const warnings: string[] = [];
  try {
    const descriptor = openSync(file, 'r');
    try {
      const found = fstatSync(descriptor);
      if (process.getuid !== undefined && found.uid !== process.getuid()) {
        throw new MachineError('credentials_foreign', `${file} belongs to another user`, {
          hint: 'Delete it, or set XDG_CONFIG_HOME to a folder you own.',
        });
      }
      if (process.platform !== 'win32' && (found.mode & 0o077) !== 0) {
        chmodSync(file, 0o600);
        warnings.push(
          `${file} could be read by others and was closed (0600). Revoke its tokens if somebody may have read them.`,
        );
      }
      text = readFileSync(descriptor, 'utf8');
    } finally {
      closeSync(descriptor);
    }
  } catch (cause) {
    if (cause instanceof MachineError) throw cause;
    if (isNotThere(cause)) return { logins: [], warnings };
    throw new MachineError('credentials_unreadable', `${file} cannot be read: ${messageOf(cause)}`, {
      hint: 'Check its permissions, or set XDG_CONFIG_HOME to a folder you own. FN_BASE_URL, FN_WORKSPACE and FN_TOKEN need no file.',
      cause,
    });
  }
  return { logins: parse(text, file), warnings };
}

/** The login for a workspace; undefined when there is none for exactly this origin and slug. */
export function findLogin(logins: readonly Login[], baseUrl: string, slug: string): Login | undefined {
  const { origin } = new URL(baseUrl);
  return logins.find((login) => login.origin === origin && login.slug === slug);
}

/**
 * Saves a token. The file is only ever readable by this user and is replaced atomically; no write of another process is lost.
 * @throws UsageError ci_stores_nothing; MachineError when the file cannot be written
 */
export async function saveLogin(login: Login, env: Environment = process.env): Promise<void> {
  if (isCi(env)) {
    throw new UsageError('ci_stores_nothing', 'fn stores no token in CI (the variable CI is set)', {
      hint: 'Set FN_TOKEN, FN_BASE_URL and FN_WORKSPACE instead; see `fn docs ci`.',
    });
  }
  await change(env, (logins) => [...logins.filter((other) => !isSame(other, login)), login]);
}

/** Removes a token. @returns the removed login */
export async function removeLogin(
  workspace: { origin: string; slug: string },
  env: Environment = process.env,
): Promise<Login | undefined> {
  let removed: Login | undefined;
  await change(env, (logins) => {
    removed = logins.find((login) => isSame(login, workspace));
    return logins.filter((login) => !isSame(login, workspace));
  });
  return removed;
}

async function change(env: Environment, edit: (logins: readonly Login[]) => readonly Login[]): Promise<void> {
  const file = credentialsFile(env);
  closeFolder(configFolder(env));
  await withFileLock(`${file}.lock`, () => {
    const logins = edit(readCredentials(env).logins);
    replaceFile(file, `${JSON.stringify({ version: 1, logins }, null, 2)}\n`, 0o600);
  });
}

function closeFolder(folder: string): void {
  try {
    makeFolders(folder);
    if (process.platform !== 'win32' && (statSync(folder).mode & 0o077) !== 0) chmodSync(folder, 0o700);
  } catch (cause) {
    throw new MachineError('credentials_unwritable', `${folder} cannot be used: ${messageOf(cause)}`, {
      hint: 'Check its permissions, or set XDG_CONFIG_HOME to another folder.',
      cause,
    });
  }
}

function parse(text: string, file: string): Login[] {
  const broken = (why: string, cause?: unknown) =>
    new MachineError('credentials_broken', `${file} ${why}`, { hint: 'Move it away and log in again.', cause });
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw broken('is not JSON', cause);
  }
  if (!isRecord(value) || !Array.isArray(value['logins'])) throw broken('contains no logins');
  if (value['version'] !== 1) throw broken('was written by a newer version of fn');
  return value['logins'].map((entry: unknown) => {
    if (!isRecord(entry)) throw broken('contains a login that is not valid');
    const { origin, slug, token, tokenId, tokenName, savedAt } = entry;
    if (typeof origin !== 'string' || typeof slug !== 'string' || typeof token !== 'string') {
      throw broken('contains a login that is not valid');
    }
    return {
      origin,
      slug,
      token,
      ...(typeof tokenId === 'string' ? { tokenId } : {}),
      ...(typeof tokenName === 'string' ? { tokenName } : {}),
      savedAt: typeof savedAt === 'string' ? savedAt : '',
    };
  });
}

function isSame(a: { origin: string; slug: string }, b: { origin: string; slug: string }): boolean {
  return a.origin === b.origin && a.slug === b.slug;
}
