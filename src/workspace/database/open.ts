import type { DatabaseSync } from 'node:sqlite';
import { assetPath, isBuilt, MachineError, makeFolders, replaceFile } from '../../std/index.ts';
import { Connection, Pool } from './connection.ts';
import { damaged, gone, machineFailure, sqliteCode } from './failure.ts';
import { folded } from './folded.ts';
import { type Migration, migrations as ours } from './migrations.ts';
import { type Ownership, takeOwnership } from './owner.ts';

/** "fnws": distinguishes a workspace from any other database. */
const applicationId = 0x66_6e_77_73;
/** Up to this size every page is checked when opening; larger files are checked only after an unclean end. */
const checkedBytes = 4 * 1024 * 1024;
const readers = 2;
/** SQLite's code for errors without a code of their own. */
const generic = 1;

/** An open database: writes run one after another, reads in parallel. */
export interface Database {
  /** The path as given, for messages. */
  readonly file: string;
  /** Folder for uploaded files; null in memory. */
  readonly filesFolder: string | null;
  readonly writer: Pool;
  readonly reader: Pool;
  /** Waits for running work, then closes the database. */
  close(): Promise<void>;
}

export interface OpenDatabaseOptions {
  readonly file: string;
  readonly waitForOwner?: (() => boolean) | undefined;
  /** Replaces our migrations, for tests of the migration mechanism. */
  readonly migrations?: readonly Migration[];
}

/**
 * Opens the database, creating or migrating it as needed.
 * @throws MachineError workspace_in_use, workspace_newer, workspace_damaged, workspace_foreign, workspace_not_writable, workspace_path_too_long, disk_full
 */
export async function openDatabase(options: OpenDatabaseOptions): Promise<Database> {
  const { file } = options;
  const steps = options.migrations ?? ours;
  if (file === ':memory:') return openInMemory(steps);

  const path = process.getBuiltinModule('node:path');
  const folder = path.dirname(path.resolve(file));
  makeReady(folder, file);
  const ownership = await own(file, options.waitForOwner ?? (() => false));
  try {
    inspect(file, steps);
    if (steps === ours) beginAsBuilt(file);
    const connection = openFile(file);
    try {
      migrate(connection, file, steps);
    } catch (error) {
      connection.close();
      throw error;
    }
    return assembled(file, path.join(folder, 'files'), connection, ownership);
  } catch (error) {
    ownership.release();
    throw machineFailure(file, error);
  }
}

function assembled(file: string, filesFolder: string, connection: Connection, ownership: Ownership): Database {
  const writer = new Pool(file, () => connection, 1, [connection]);
  const reader = new Pool(file, readerOf(file), readers);
  const close = async () => {
    await reader.close();
    await writer.close();
    ownership.release();
  };
  return { file, filesFolder, writer, reader, close };
}

/** Opens readers lazily, and checks that the path still names the same file by then. */
function readerOf(file: string): () => Connection {
  const { statSync } = process.getBuiltinModule('node:fs');
  const own = statSync(file, { bigint: true });
  return () => {
    const found = statSync(file, { bigint: true, throwIfNoEntry: false });
    if (found?.ino !== own.ino || found.dev !== own.dev) throw gone(file);
    return openFile(file, { readOnly: true });
  };
}

function openInMemory(steps: readonly Migration[]): Database {
  const { DatabaseSync } = process.getBuiltinModule('node:sqlite');
  const connection = connectionTo(new DatabaseSync(':memory:'));
  connection.db.exec('PRAGMA foreign_keys = ON');
  migrate(connection, ':memory:', steps);
  // An in-memory database has only one connection, so reads wait their turn as well.
  const pool = new Pool(':memory:', () => connection, 1, [connection]);
  return { file: ':memory:', filesFolder: null, writer: pool, reader: pool, close: () => pool.close() };
}

function makeReady(folder: string, file: string): void {
  const fs = process.getBuiltinModule('node:fs');
  try {
    makeFolders(folder);
    requireFile(file);
    requireFile(`${file}.lock`);
    // SQLite would open a pipe there and block for ever, even for signals.
    requireFile(`${file}-journal`);
    // The file contains secrets, so nobody else may read it. SQLite gives its side files the same permissions.
    fs.closeSync(fs.openSync(file, 'a', 0o600));
  } catch (error) {
    if (error instanceof MachineError) throw error;
    throw new MachineError('workspace_not_writable', `The workspace’s database ${file} cannot be written.`, {
      cause: error,
      hint: 'Check the permissions of the file and its folder.',
    });
  }
}

async function own(file: string, waits: () => boolean): Promise<Ownership> {
  try {
    return await takeOwnership(file, waits);
  } catch (error) {
    throw machineFailure(file, error);
  }
}

function openFile(file: string, options: { readOnly?: boolean } = {}): Connection {
  const { DatabaseSync } = process.getBuiltinModule('node:sqlite');
  const db = new DatabaseSync(file, { readOnly: options.readOnly ?? false, timeout: 5000 });
  if (options.readOnly !== true)
    db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON');
  return connectionTo(db);
}

function connectionTo(db: DatabaseSync): Connection {
  db.function('folded', { deterministic: true }, (text) => (typeof text === 'string' ? folded(text) : text));
  return new Connection(db);
}

/** Refuses anything but a regular file before it is opened: a pipe would block the process, even for signals. */
function requireFile(file: string): void {
  const found = process.getBuiltinModule('node:fs').statSync(file, { throwIfNoEntry: false });
  if (found === undefined || found.isFile()) return;
  throw new MachineError('workspace_foreign', `${file} is not a file. It was left unchanged.`, {
    hint: 'Move it away, or name another folder.',
  });
}

/** Checks that a workspace's file could be opened, without taking ownership. @throws MachineError as `openDatabase` */
export function checkDatabase(file: string): void {
  inspect(file, ours);
}

/** Inspects an existing file through a read-only connection, so that a refused file stays unchanged. */
function inspect(file: string, steps: readonly Migration[]): void {
  const fs = process.getBuiltinModule('node:fs');
  const { size } = fs.statSync(file);
  if (size === 0) return;
  const endedBadly = (fs.statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0;
  let connection: Connection | undefined;
  try {
    connection = openFile(file, { readOnly: true });
    const id = connection.pragma('application_id');
    const version = connection.pragma('user_version');
    if (id !== applicationId && !(id === 0 && isBlank(connection))) throw foreign(file);
    if (version > latest(steps)) throw newer(file, version, latest(steps));
    if (hasCodeOfItsOwn(connection)) throw foreign(file);
    if (!endedBadly && connection.pragma('page_count') * connection.pragma('page_size') > size) {
      throw damaged(file, undefined, 'it is shorter than it should be');
    }
    if (endedBadly || size <= checkedBytes) {
      const found = String(Object.values(connection.get('PRAGMA quick_check(1)') ?? {})[0]);
      if (found !== 'ok') throw damaged(file, undefined, whatIsWrong(found));
    }
  } catch (error) {
    // These statements are correct: if one fails generically, the file is damaged.
    if (sqliteCode(error) === generic) throw damaged(file, error);
    throw machineFailure(file, error);
  } finally {
    connection?.close();
  }
}

/** The first informative line: SQLite begins with "*** in database main ***". */
function whatIsWrong(found: string): string | undefined {
  return found.split('\n').find((line) => line !== '' && !line.startsWith('***'));
}

function migrate(connection: Connection, file: string, steps: readonly Migration[]): void {
  const from = connection.pragma('user_version');
  const due = steps.filter((step) => step.version > from);
  if (due.length > 0) {
    if (from > 0 && file !== ':memory:') backUp(connection, file, from);
    connection.transaction(() => {
      makeTables(connection.db, due);
    });
  }
  if (connection.get(`SELECT 1 AS found FROM setting WHERE key = 'secret'`) !== undefined) return;
  const secret = process.getBuiltinModule('node:crypto').randomBytes(32).toString('base64url');
  connection.run(`INSERT INTO setting (key, value) VALUES ('secret', ?)`, secret);
}

function makeTables(db: DatabaseSync, steps: readonly Migration[]): void {
  for (const step of steps) for (const statement of step.statements) db.exec(statement);
  db.exec(`PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${latest(steps)}`);
}

/**
 * Makes the database that new workspaces start from, for the build: all tables, empty, and without a secret.
 * @param file path of the new file
 */
export function makeBlankDatabase(file: string): void {
  const { db } = openFile(file);
  makeTables(db, ours);
  db.close();
}

/** Copies the blank database of the published package: creating the tables would cost a first start 5 ms and four disk syncs. */
function beginAsBuilt(file: string): void {
  const fs = process.getBuiltinModule('node:fs');
  if (!isBuilt || fs.statSync(file).size > 0) return;
  try {
    // SQLite deletes these beside an empty file. Beside a copy it would apply them, although they belong to a database that was moved away.
    for (const side of ['-wal', '-shm', '-journal']) fs.rmSync(`${file}${side}`, { force: true });
    replaceFile(file, fs.readFileSync(assetPath('blank-workspace.db')));
  } catch {
    // Then the tables are created, and SQLite reports any obstacle.
  }
}

/** Makes a full copy beside the file, named after its version; never overwrites an older copy. */
function backUp(connection: Connection, file: string, version: number): void {
  const fs = process.getBuiltinModule('node:fs');
  for (let n = 1; ; n++) {
    const copy = `${file}.backup-v${version}${n === 1 ? '' : `-${n}`}`;
    if (fs.existsSync(copy)) continue;
    // Under another name until it is complete: this process may be killed in between. Empty and private first: SQLite fills it.
    const draft = `${copy}.draft`;
    fs.rmSync(draft, { force: true });
    fs.writeFileSync(draft, '', { mode: 0o600 });
    connection.run('VACUUM INTO ?', draft);
    fs.renameSync(draft, copy);
    return;
  }
}

function isBlank(connection: Connection): boolean {
  return connection.get('SELECT 1 AS found FROM sqlite_schema LIMIT 1') === undefined;
}

/** Whether a database has triggers or views. Ours has neither: a view in place of a table can compute for ever, even ignoring signals. */
function hasCodeOfItsOwn(connection: Connection): boolean {
  return connection.get(`SELECT 1 AS found FROM sqlite_schema WHERE type IN ('view', 'trigger') LIMIT 1`) !== undefined;
}

function latest(steps: readonly Migration[]): number {
  return steps.at(-1)?.version ?? 0;
}

function newer(file: string, version: number, known: number): MachineError {
  return new MachineError(
    'workspace_newer',
    `The workspace’s database ${file} was written by a newer fn (version ${version}; this one knows ${known}). It was left unchanged.`,
    { hint: 'Install the newer fn, or move the file away to start over.' },
  );
}

function foreign(file: string): MachineError {
  return new MachineError(
    'workspace_foreign',
    `${file} is a database, but not of a workspace. It was left unchanged.`,
    {
      hint: 'Move the file away, or name another folder.',
    },
  );
}
