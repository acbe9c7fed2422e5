import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  codeOf,
  decodeSigningSecret,
  type Environment,
  isRecord,
  MachineError,
  messageOf,
  newSigningSecret,
  replaceFile,
  withFileLock,
} from '../std/index.ts';
import { isNotThere, stateFolder } from './user-folders.ts';

/**
 * The signing secret of a listener: made when it is first needed, the same ever after, readable only by this user. It never leaves this machine.
 * @param place which workspace: its address, or for a local one the folder of its state
 * @throws MachineError listener_secrets_unreadable, listener_secrets_unwritable
 */
export async function listenerSecret(place: string, name: string, env: Environment = process.env): Promise<string> {
  const file = join(stateFolder(env), 'listeners.json');
  const known = find(read(file), place, name);
  if (known !== undefined) return known;
  try {
    return await withFileLock(`${file}.lock`, () => {
      const listeners = read(file);
      const found = find(listeners, place, name);
      if (found !== undefined) return found;
      const secret = newSigningSecret();
      const all = [...listeners, { place, name, secret }];
      replaceFile(file, `${JSON.stringify({ version: 1, listeners: all }, null, 2)}\n`, 0o600);
      return secret;
    });
  } catch (cause) {
    if (cause instanceof MachineError) throw cause;
    throw new MachineError('listener_secrets_unwritable', `${file} cannot be written: ${messageOf(cause)}`, {
      hint: 'Check the permissions of the folder and the space on the disk.',
      cause,
    });
  }
}

interface Listener {
  readonly place: string;
  readonly name: string;
  readonly secret: string;
}

function find(listeners: readonly Listener[], place: string, name: string): string | undefined {
  return listeners.find((one) => one.place === place && one.name === name)?.secret;
}

/** @throws MachineError listener_secrets_unreadable; it never shows what the file holds */
function read(file: string): Listener[] {
  try {
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'));
    if (isRecord(value) && Array.isArray(value['listeners'])) return value['listeners'].filter(isListener);
  } catch (error) {
    if (isNotThere(error)) return [];
    if (codeOf(error) !== undefined) throw unreadable(file, messageOf(error));
  }
  throw unreadable(file, 'it does not hold the secrets of listeners');
}

function unreadable(file: string, why: string): MachineError {
  return new MachineError('listener_secrets_unreadable', `${file} cannot be read: ${why}`, {
    hint: 'Correct its permissions, or move it away: listeners get new signing secrets then.',
  });
}

function isListener(value: unknown): value is Listener {
  if (!isRecord(value)) return false;
  const { place, name, secret } = value;
  return typeof place === 'string' && typeof name === 'string' && typeof secret === 'string' && isSecret(secret);
}

function isSecret(text: string): boolean {
  try {
    return decodeSigningSecret(text).length > 0;
  } catch {
    return false;
  }
}
