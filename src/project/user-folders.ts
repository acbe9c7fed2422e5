import { homedir, userInfo } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { codeOf, type Environment } from '../std/index.ts';

/** The folder of this user's settings and logins: `$XDG_CONFIG_HOME/fn`, `%APPDATA%\fn`. */
export function configFolder(env: Environment = process.env): string {
  return join(chosen(env['XDG_CONFIG_HOME']) ?? windows(env['APPDATA']) ?? join(home(env), '.config'), 'fn');
}

/** The folder for state that must outlast a command, such as the outbox: `$XDG_STATE_HOME/fn`, `%LOCALAPPDATA%\fn`. */
export function stateFolder(env: Environment = process.env): string {
  return join(
    chosen(env['XDG_STATE_HOME']) ?? windows(env['LOCALAPPDATA']) ?? join(home(env), '.local', 'state'),
    'fn',
  );
}

// The XDG specification requires relative paths to be ignored.
function chosen(folder: string | undefined): string | undefined {
  return folder !== undefined && isAbsolute(folder) ? folder : undefined;
}

function windows(folder: string | undefined): string | undefined {
  return process.platform === 'win32' ? chosen(folder) : undefined;
}

function home(env: Environment): string {
  // Node accepts a relative HOME as it is, which would put logins into whatever folder a command runs in.
  return chosen(env['HOME']) ?? chosen(homedir()) ?? userInfo().homedir;
}

/** Whether reading failed because nothing is stored: no file, or no folder for it, as with `XDG_CONFIG_HOME=/dev/null`. */
export function isNotThere(cause: unknown): boolean {
  return codeOf(cause) === 'ENOENT' || codeOf(cause) === 'ENOTDIR';
}
