import type { Connection } from './connection.ts';
import type { Database } from './open.ts';

/** Smaller amounts of free space are soon reused. */
const worthwhileBytes = 1024 * 1024;

/** Shrinks the file to its contents if at least a quarter of it is empty. */
export async function giveBackSpace({ file, writer, reader }: Database): Promise<void> {
  if (file === ':memory:') return;
  try {
    await writer.use(async (connection) => {
      // The log cannot be truncated while one of our readers uses it.
      if (isWorthwhile(connection)) await reader.useAll(() => compact(connection));
    });
  } catch {
    // No room for the copy, another program reading, this process ending: the file stays as large as it is, and intact.
  }
}

function isWorthwhile(connection: Connection): boolean {
  const empty = connection.pragma('freelist_count');
  return empty * connection.pragma('page_size') >= worthwhileBytes && empty * 4 >= connection.pragma('page_count');
}

function compact(connection: Connection): void {
  const waitMs = connection.pragma('busy_timeout');
  // Waiting would block everything else in this process.
  connection.db.exec('PRAGMA busy_timeout = 0');
  try {
    connection.db.exec('VACUUM; PRAGMA wal_checkpoint(TRUNCATE)');
  } finally {
    connection.db.exec(`PRAGMA busy_timeout = ${waitMs}`);
  }
}
