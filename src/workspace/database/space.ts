import type { Connection } from './connection.ts';
import type { Database } from './open.ts';

/** Less is used again soon enough. */
const worthwhileBytes = 1024 * 1024;

/** After much was deleted: makes the file as small as what is left in it, where at least a quarter of it is empty. */
export async function giveBackSpace({ file, writer, reader }: Database): Promise<void> {
  if (file === ':memory:') return;
  try {
    await writer.use(async (connection) => {
      // A log that somebody of ours reads could not be cut.
      if (isWorthwhile(connection)) await reader.useAll(() => compact(connection));
    });
  } catch {
    // No room for the copy, another program that reads, the end of this one: the file stays as large as it is, and as good.
  }
}

function isWorthwhile(connection: Connection): boolean {
  const empty = connection.pragma('freelist_count');
  return empty * connection.pragma('page_size') >= worthwhileBytes && empty * 4 >= connection.pragma('page_count');
}

function compact(connection: Connection): void {
  const waitMs = connection.pragma('busy_timeout');
  // Waiting would hold up everything else in this process.
  connection.db.exec('PRAGMA busy_timeout = 0');
  try {
    connection.db.exec('VACUUM; PRAGMA wal_checkpoint(TRUNCATE)');
  } finally {
    connection.db.exec(`PRAGMA busy_timeout = ${waitMs}`);
  }
}
