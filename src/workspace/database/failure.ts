import { refusal } from '../../contract/index.ts';
import { type FnError, MachineError } from '../../std/index.ts';

const full = 13;
const corrupt = 11;
const notADatabase = 26;
const readOnly = 8;
const cannotOpen = 14;
const ioError = 10;

/** SQLite's primary result code of an error, if it is one of SQLite's. */
export function sqliteCode(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('errcode' in error) || typeof error.errcode !== 'number') return undefined;
  return error.errcode & 0xff;
}

export function isBusy(error: unknown): boolean {
  const code = sqliteCode(error);
  return code === 5 || code === 6;
}

export function damaged(file: string, cause?: unknown, found?: string): FnError {
  return new MachineError(
    'workspace_damaged',
    `The workspace’s database ${file} is damaged${found === undefined ? '' : ` (${found})`}. It was left unchanged.`,
    {
      cause,
      hint: `Move the file away to start over${backups(file)}.`,
    },
  );
}

/** The error for a replaced or deleted file. Only a restart helps: otherwise one workspace would have two databases. */
export function gone(file: string): FnError {
  return new MachineError(
    'workspace_gone',
    `The workspace’s database ${file} was deleted or replaced while it was in use.`,
    {
      hint: 'Stop the fn process that uses it, and start it again.',
    },
  );
}

/** Names the backups made before migrations, if there are any, and what would be applied to one in place of the file. */
function backups(file: string): string {
  const { existsSync, readdirSync } = process.getBuiltinModule('node:fs');
  const { basename, dirname } = process.getBuiltinModule('node:path');
  const begin = `${basename(file)}.backup-`;
  let names: string[] = [];
  try {
    names = readdirSync(dirname(file)).filter((name) => name.startsWith(begin));
  } catch {
    // The folder is unreadable, too.
  }
  if (names.length === 0) return '';
  const log = `${file}-wal`;
  const first = existsSync(log) ? `, after deleting ${basename(log)}` : '';
  return `, or put a backup in its place (${names.sort().join(', ')}, beside it)${first}`;
}

export function diskFull(file: string, cause: unknown): FnError {
  return new MachineError('disk_full', `The disk is full: ${file} could not be written. Nothing was changed.`, {
    cause,
    hint: 'Free some space and try again.',
  });
}

/** The minimum space that SQLite needs beside the database, for the index of its log. */
const leastRoom = 64 * 1024;

function hasNoRoom(file: string): boolean {
  const { statfsSync } = process.getBuiltinModule('node:fs');
  const { dirname } = process.getBuiltinModule('node:path');
  try {
    const { bavail, bsize } = statfsSync(dirname(file));
    return bavail * bsize < leastRoom;
  } catch {
    return false;
  }
}

/** SQLite allows 512 bytes on Unix, including the names that it derives from that of the lock. */
const longestPath = 499;

/** SQLite gives no reason, so the file is opened again for the system's: too many open files is not a matter of permissions. */
function whyNotOpened(file: string): unknown {
  const { closeSync, openSync } = process.getBuiltinModule('node:fs');
  try {
    closeSync(openSync(file, 'r+'));
    return undefined;
  } catch (error) {
    return error;
  }
}

/** Translates SQLite's errors about the machine for people; returns any other error unchanged. */
export function machineFailure(file: string, error: unknown): unknown {
  if (isBusy(error)) {
    return refusal('workspace_busy', `Another program holds the database ${file}. Nothing was changed.`, {
      cause: error,
      hint: 'Close the program that has it open, and try again.',
      retryAfterSeconds: 1,
    });
  }
  switch (sqliteCode(error)) {
    case full:
      return diskFull(file, error);
    case readOnly:
    case cannotOpen:
      if (Buffer.byteLength(file) > longestPath)
        return new MachineError(
          'workspace_path_too_long',
          `The path of the workspace’s database is too long: ${file}`,
          {
            cause: error,
            hint: `SQLite allows ${longestPath} bytes. Move the app to a folder with a shorter path.`,
          },
        );
      return new MachineError('workspace_not_writable', `The workspace’s database ${file} cannot be written.`, {
        cause: whyNotOpened(file) ?? error,
        hint: 'Check the permissions of the file and its folder.',
      });
    case ioError:
      // SQLite also reports this when there is no room for the files beside the database.
      if (hasNoRoom(file)) return diskFull(file, error);
      return new MachineError('workspace_io', `Reading or writing ${file} failed. Nothing was changed.`, {
        cause: error,
        hint: 'Check the disk, then try again.',
      });
    case corrupt:
    case notADatabase:
      return damaged(file, error);
    default:
      return error;
  }
}
