import { MachineError, wait } from '../../std/index.ts';
import { isBusy } from './failure.ts';

/**
 * Restricts the file to one process. The lock is the operating system's, on a small database beside the real one, so that it
 * ends with the process, however that ends; its one row names the holder.
 */
export interface Ownership {
  release(): void;
}

/**
 * @param waits asked while another process holds the file: whether to wait any longer
 * @throws MachineError workspace_in_use, naming the process
 */
export async function takeOwnership(file: string, waits: () => boolean): Promise<Ownership> {
  const { DatabaseSync } = process.getBuiltinModule('node:sqlite');
  const fs = process.getBuiltinModule('node:fs');
  fs.closeSync(fs.openSync(`${file}.lock`, 'a', 0o600));
  const lock = new DatabaseSync(`${file}.lock`);
  try {
    for (;;) {
      try {
        // Reads the file, too, so it fails while another process writes there.
        lock.exec('PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF');
        lock.exec('BEGIN IMMEDIATE');
        lock.exec('CREATE TABLE IF NOT EXISTS owner (pid INTEGER, since TEXT); DELETE FROM owner');
        lock.prepare('INSERT INTO owner VALUES (?, ?)').run(process.pid, new Date().toISOString());
        lock.exec('COMMIT');
        // From now on others can read the row, but nobody else can start to write.
        lock.exec('BEGIN IMMEDIATE');
        return { release: () => lock.close() };
      } catch (error) {
        if (!isBusy(error)) throw error;
        if (lock.isTransaction) lock.exec('ROLLBACK');
        if (!waits()) throw inUse(file, ownerIn(lock));
        await wait(25);
      }
    }
  } catch (error) {
    lock.close();
    throw error;
  }
}

function ownerIn(lock: import('node:sqlite').DatabaseSync): { pid: number; since: string } | undefined {
  try {
    const row = lock.prepare('SELECT pid, since FROM owner').get();
    return row === undefined ? undefined : { pid: Number(row['pid']), since: String(row['since']) };
  } catch {
    return undefined; // written this very moment
  }
}

function inUse(file: string, owner: { pid: number; since: string } | undefined): MachineError {
  const who = owner === undefined ? 'another process' : `process ${owner.pid} (since ${owner.since})`;
  return new MachineError('workspace_in_use', `The workspace ${file} is in use by ${who}.`, {
    hint: 'Wait until it ends, or stop it. If it is `fn dev`, try again when it has started: this command then uses it.',
  });
}
