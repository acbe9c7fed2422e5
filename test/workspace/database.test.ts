import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { MachineError } from '../../src/std/index.ts';
import type { Connection } from '../../src/workspace/database/connection.ts';
import { migrations } from '../../src/workspace/database/migrations.ts';
import { type Database, makeBlankDatabase, openDatabase } from '../../src/workspace/database/open.ts';
import type { Facts } from '../../src/workspace/door/tx.ts';
import { liveFlows } from '../../src/workspace/flows/live-flows.ts';
import type { Workspace } from '../../src/workspace/index.ts';
import { Tokens } from '../../src/workspace/tokens/tokens.ts';
import { Subscriptions } from '../../src/workspace/webhooks/subscriptions.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { admin, aWorkspace, codeOf } from './support.ts';

test('what was written is there after closing and opening again', async (t) => {
  const first = await aWorkspace(t, { onDisk: true });
  const customer = await first.call('customers.findOrCreate', { phone: '+4930901820', name: 'Ann' });
  const second = await first.reopened();
  assert.equal((await second.call('customers.get', { id: customer.id })).name, 'Ann');
});

test('the database and its side files can be read by nobody else', async (t) => {
  const { file, call } = await aWorkspace(t, { onDisk: true });
  await call('customers.findOrCreate', { phone: '+4930901820' });
  for (const name of readdirSync(dirname(file))) {
    assert.equal(statSync(join(dirname(file), name)).mode & 0o077, 0, name);
  }
});

test('a second opening is refused and told which process holds the workspace', async (t) => {
  const { file } = await aWorkspace(t, { onDisk: true });
  await assert.rejects(openDatabase({ file }), (error) => {
    assert.ok(error instanceof MachineError);
    assert.equal(error.code, 'workspace_in_use');
    assert.match(error.message, new RegExp(`process ${process.pid} `));
    return true;
  });
});

test('another process cannot open it either, until the first lets go', async (t) => {
  const { file, workspace } = await aWorkspace(t, { onDisk: true });
  const script = `
    import { openDatabase } from ${JSON.stringify(join(import.meta.dirname, '../../src/workspace/database/open.ts'))};
    const until = Date.now() + Number(process.argv[1]);
    const waitForOwner = () => Date.now() < until;
    openDatabase({ file: ${JSON.stringify(file)}, waitForOwner }).then(
      async (database) => { await database.close(); console.log('opened'); },
      (error) => console.log(error.code),
    );`;
  const run = async (waitMs: number) => {
    const child = spawn(process.execPath, ['--input-type=module', '-e', script, String(waitMs)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let text = '';
    child.stdout.on('data', (chunk) => {
      text += chunk;
    });
    await once(child, 'close');
    return text.trim();
  };
  assert.equal(await run(0), 'workspace_in_use');
  const waiting = run(30_000);
  await workspace.close();
  assert.equal(await waiting, 'opened');
});

test('a database whose lock another process takes at that very moment is waited for', async (t) => {
  const { file, workspace } = await aWorkspace(t, { onDisk: true });
  await workspace.close();
  const other = new DatabaseSync(`${file}.lock`);
  // As while a process writes that the workspace is its own: nobody else can even read.
  other.exec('BEGIN EXCLUSIVE');
  let asked = 0;
  const waitForOwner = () => {
    asked++;
    if (asked === 2) other.close();
    return true;
  };
  const database = await openDatabase({ file, waitForOwner });
  await database.close();
  assert.equal(asked, 2);
});

test('a database from a newer fn is refused and left as it was', async (t) => {
  const { file, workspace } = await aWorkspace(t, { onDisk: true });
  await workspace.close();
  const db = new DatabaseSync(file);
  db.exec('PRAGMA user_version = 999');
  db.close();
  await unchanged(file, async () => assert.equal(await codeOf(openDatabase({ file })), 'workspace_newer'));
});

test('a file that is no database is refused and left as it was', async () => {
  const file = join(temporaryFolder('fn-workspace'), 'workspace.db');
  writeFileSync(file, 'this is a shopping list\n'.repeat(100));
  await unchanged(file, async () => assert.equal(await codeOf(openDatabase({ file })), 'workspace_damaged'));
});

for (const [what, statements] of [
  ['a view', 'ALTER TABLE setting RENAME TO hidden; CREATE VIEW setting AS SELECT key, value FROM hidden'],
  ['a trigger', 'CREATE TRIGGER planted AFTER INSERT ON journal BEGIN DELETE FROM customer; END'],
] as const) {
  test(`a workspace into which somebody has put ${what} is refused and left as it was`, async () => {
    const file = join(temporaryFolder('fn-workspace'), 'workspace.db');
    await (await openDatabase({ file })).close();
    const db = new DatabaseSync(file);
    db.exec(statements);
    db.close();
    await unchanged(file, async () => assert.equal(await codeOf(openDatabase({ file })), 'workspace_foreign'));
  });
}

test('a database of something else is refused and left as it was', async () => {
  const file = join(temporaryFolder('fn-workspace'), 'workspace.db');
  const db = new DatabaseSync(file);
  db.exec('CREATE TABLE photos (name TEXT)');
  db.close();
  await unchanged(file, async () => assert.equal(await codeOf(openDatabase({ file })), 'workspace_foreign'));
});

test('a database that was cut short is refused and left as it was', async (t) => {
  const { file, workspace } = await aWorkspace(t, { onDisk: true, seed: 'default' });
  await workspace.close();
  writeFileSync(file, readFileSync(file).subarray(0, 40_000));
  await unchanged(file, async () => assert.equal(await codeOf(openDatabase({ file })), 'workspace_damaged'));
});

test('a database with pages overwritten is refused and left as it was', async (t) => {
  const { file, workspace } = await aWorkspace(t, { onDisk: true, seed: 'default' });
  await workspace.close();
  const bytes = readFileSync(file);
  bytes.fill(0xab, 8192, 8192 + 3 * 4096);
  writeFileSync(file, bytes);
  await unchanged(file, async () => assert.equal(await codeOf(openDatabase({ file })), 'workspace_damaged'));
});

test('a database of a format that there is not is refused and left as it was', async (t) => {
  const { file, workspace } = await aWorkspace(t, { onDisk: true });
  await workspace.close();
  const bytes = readFileSync(file);
  bytes.writeUInt32BE(9, 44);
  writeFileSync(file, bytes);
  await unchanged(file, async () => assert.equal(await codeOf(openDatabase({ file })), 'workspace_damaged'));
});

test('whatever is asked first of a large database tells that its pages are overwritten', async (t) => {
  const { file, workspace, clock } = await aWorkspace(t, { onDisk: true, seed: 'default' });
  await workspace.close();
  const db = new DatabaseSync(file);
  db.exec(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1200)
    INSERT INTO store_entry SELECT 'desk', 'key' || i, hex(zeroblob(2000)), NULL FROM n`);
  const roots = db.prepare(`SELECT name, rootpage FROM sqlite_schema WHERE name IN ('idempotency', 'token')`).all();
  db.close();
  const good = readFileSync(file);
  const asked = {
    idempotency: (opened: Workspace) => opened.seed.isEmpty(),
    token: (opened: Workspace) => opened.installLocalToken('fn_local_x'),
  };
  for (const { name, rootpage } of roots) {
    const at = (Number(rootpage) - 1) * 4096;
    writeFileSync(file, Buffer.from(good).fill(0xab, at, at + 4096));
    const told = async () => {
      const { workspace: opened } = await aWorkspace(t, { file, clock });
      await asked[name as keyof typeof asked](opened).finally(() => opened.close());
    };
    await assert.rejects(told, { code: 'workspace_damaged' }, String(name));
  }
});

/** As `git clean` does under a running workspace, with another command coming after it. */
async function replaced(database: Database): Promise<void> {
  for (const name of readdirSync(dirname(database.file)))
    rmSync(join(dirname(database.file), name), { recursive: true });
  await (await openDatabase({ file: database.file })).close();
}

const settings = (connection: Connection) => connection.get('SELECT count(*) AS n FROM setting')?.['n'];

test('a database that is deleted in use is read on where it is open, not from the one that has its name now', async (t) => {
  const database = await openDatabase({ file: join(temporaryFolder('fn-workspace'), 'workspace.db') });
  t.after(() => database.close());
  await database.writer.use((connection) => connection.run(`INSERT INTO setting (key, value) VALUES ('a', '1')`));
  assert.equal(await database.reader.use(settings), 2);
  await replaced(database);
  assert.deepEqual(await Promise.all([database.reader.use(settings), database.reader.use(settings)]), [2, 2]);
});

test('a database that is deleted before it was read says so', async (t) => {
  const database = await openDatabase({ file: join(temporaryFolder('fn-workspace'), 'workspace.db') });
  t.after(() => database.close());
  await replaced(database);
  assert.equal(await codeOf(database.reader.use(settings)), 'workspace_gone');
});

test('a damaged database comes with its backups, and with what would be applied to one in its place', async () => {
  const file = join(temporaryFolder('fn-workspace'), 'workspace.db');
  writeFileSync(file, 'no database '.repeat(500));
  writeFileSync(`${file}.backup-v1`, '');
  const refusal = () =>
    openDatabase({ file }).then(
      () => assert.fail(),
      (error: MachineError) => error,
    );
  assert.match(String((await refusal()).hint), /put a backup in its place \(workspace\.db\.backup-v1, beside it\)\.$/);
  writeFileSync(`${file}-wal`, 'what was written last');
  assert.match(String((await refusal()).hint), /beside it\), after deleting workspace\.db-wal\.$/);
});

test('an empty file becomes a new workspace', async (t) => {
  const file = join(temporaryFolder('fn-workspace'), 'workspace.db');
  writeFileSync(file, '');
  const { call } = await aWorkspace(t, { file });
  assert.deepEqual((await call('customers.list', {})).items, []);
});

test('the tables that the package brings are those that the steps make, and hold nothing but the harness of every workspace', async () => {
  const folder = temporaryFolder('fn-workspace');
  const [blank, made] = [join(folder, 'blank.db'), join(folder, 'made.db')];
  makeBlankDatabase(blank);
  await (await openDatabase({ file: made })).close();
  const look = (file: string, sql: string) => {
    const db = new DatabaseSync(file, { readOnly: true });
    try {
      return db.prepare(sql).all();
    } finally {
      db.close();
    }
  };
  for (const sql of ['SELECT type, name, sql FROM sqlite_schema', 'PRAGMA user_version', 'PRAGMA application_id'])
    assert.deepEqual(look(blank, sql), look(made, sql), sql);
  const [builtIn] = look(blank, 'SELECT name, kind FROM harness');
  assert.deepEqual({ ...builtIn }, { name: 'builtin', kind: 'builtin' });
  for (const { name } of look(blank, `SELECT name FROM sqlite_schema WHERE type = 'table'`))
    assert.equal(look(blank, `SELECT * FROM "${name}"`).length, name === 'harness' ? 1 : 0, String(name));
});

test('each workspace that begins as a copy has a secret of its own', async () => {
  const folder = temporaryFolder('fn-workspace');
  const secrets = await Promise.all(
    ['one.db', 'other.db'].map(async (name) => {
      const file = join(folder, name);
      makeBlankDatabase(file);
      const database = await openDatabase({ file });
      const row = await database.writer.use((c) => c.get(`SELECT value FROM setting WHERE key = 'secret'`));
      await database.close();
      return String(row?.['value']);
    }),
  );
  for (const secret of secrets) assert.match(secret, /^[\w-]{43}$/);
  assert.notEqual(secrets[0], secrets[1]);
});

test('a folder that cannot be made is told as what it is', async () => {
  const folder = temporaryFolder('fn-workspace');
  writeFileSync(join(folder, 'state'), 'a file, not a folder');
  assert.equal(await codeOf(openDatabase({ file: join(folder, 'state', 'workspace.db') })), 'workspace_not_writable');
});

test('a step forward keeps a whole copy of the database as it was before', async (t) => {
  const { file, workspace, call } = await aWorkspace(t, { onDisk: true });
  await call('customers.findOrCreate', { phone: '+4930901820' });
  await workspace.close();
  const version = (migrations.at(-1)?.version ?? 0) + 1;
  const further = [...migrations, { version, statements: ['CREATE TABLE later (id TEXT PRIMARY KEY) STRICT'] }];
  const database = await openDatabase({ file, migrations: further });
  t.after(() => database.close());
  assert.equal(await database.reader.use((c) => c.get('SELECT count(*) AS n FROM customer')?.['n']), 1);
  assert.equal(await database.reader.use((c) => c.get('SELECT count(*) AS n FROM later')?.['n']), 0);

  const copy = new DatabaseSync(`${file}.backup-v${version - 1}`, { readOnly: true });
  assert.equal(copy.prepare('SELECT count(*) AS n FROM customer').get()?.['n'], 1);
  assert.equal(copy.prepare('PRAGMA user_version').get()?.['user_version'], version - 1);
  copy.close();
  assert.equal(statSync(`${file}.backup-v${version - 1}`).mode & 0o077, 0);
});

test('a step forward that fails changes nothing, and the next opening works as before', async (t) => {
  const { file, workspace, call } = await aWorkspace(t, { onDisk: true });
  await call('customers.findOrCreate', { phone: '+4930901820' });
  await workspace.close();
  const version = (migrations.at(-1)?.version ?? 0) + 1;
  const broken = [...migrations, { version, statements: ['CREATE TABLE half (id TEXT) STRICT', 'this is no SQL'] }];
  await assert.rejects(openDatabase({ file, migrations: broken }));
  const again = await aWorkspace(t, { file });
  assert.equal((await again.call('customers.list', {})).items.length, 1);
  const tables = new DatabaseSync(file, { readOnly: true });
  t.after(() => tables.close());
  assert.equal(tables.prepare(`SELECT 1 FROM sqlite_schema WHERE name = 'half'`).get(), undefined);
});

test('a copy that a killed process began is no obstacle, and does not count as one', async (t) => {
  const { file, workspace } = await aWorkspace(t, { onDisk: true });
  await workspace.close();
  const version = migrations.at(-1)?.version ?? 0;
  const copy = `${file}.backup-v${version}`;
  writeFileSync(`${copy}.draft`, 'half a copy');
  const further = [...migrations, { version: version + 1, statements: ['CREATE TABLE later (id TEXT) STRICT'] }];
  await (await openDatabase({ file, migrations: further })).close();
  assert.ok(!existsSync(`${copy}.draft`));
  const whole = new DatabaseSync(copy, { readOnly: true });
  t.after(() => whole.close());
  assert.equal(whole.prepare('PRAGMA integrity_check').get()?.['integrity_check'], 'ok');
});

test('an older copy is never overwritten by a newer one', async (t) => {
  const { file, workspace } = await aWorkspace(t, { onDisk: true });
  await workspace.close();
  const version = migrations.at(-1)?.version ?? 0;
  writeFileSync(`${file}.backup-v${version}`, 'an older copy');
  const further = [...migrations, { version: version + 1, statements: ['CREATE TABLE later (id TEXT) STRICT'] }];
  await (await openDatabase({ file, migrations: further })).close();
  assert.equal(readFileSync(`${file}.backup-v${version}`, 'utf8'), 'an older copy');
  assert.ok(existsSync(`${file}.backup-v${version}-2`));
});

test('on a full disk a change is refused as a whole, and what was there can still be read', async (t) => {
  const { file, workspace, call } = await aWorkspace(t, { onDisk: true });
  const { id } = await call('customers.findOrCreate', { phone: '+4930901820' });
  await workspace.close();

  const { makeEngine } = await import('../../src/workspace/engine.ts');
  const database = await openDatabase({ file });
  t.after(() => database.close());
  await database.writer.use((c) => c.get(`PRAGMA max_page_count = ${c.get('PRAGMA page_count')?.['page_count']}`));
  const { door } = makeEngine({
    database,
    facts: factsOf(database),
    now: () => 0,
    namedSecrets: async () => ({}),
    published: () => assert.fail('announced'),
  });
  const long = { phone: '+4930901821', fields: { text: 'x'.repeat(250_000) } };
  await assert.rejects(door.call('customers.findOrCreate', long, admin), { code: 'disk_full', exitCode: 1 });
  assert.equal((await door.call('customers.list', {}, admin)).items[0]?.id, id);
  assert.equal((await door.call('customers.list', {}, admin)).items.length, 1);
});

test('a request whose answer found no room on the disk is running no longer: its key is free for the repeat', async (t) => {
  const database = await openDatabase({ file: join(temporaryFolder('fn-workspace'), 'workspace.db') });
  t.after(() => database.close());
  const { makeEngine } = await import('../../src/workspace/engine.ts');
  const { idempotency } = makeEngine({
    database,
    facts: factsOf(database),
    now: () => 0,
    namedSecrets: async () => ({}),
    published: () => {},
  });
  await idempotency.begin('k', admin, 'POST /x');
  await database.writer.use((c) => c.get(`PRAGMA max_page_count = ${c.get('PRAGMA page_count')?.['page_count']}`));
  const answer = { status: 200, headers: {}, body: 'x'.repeat(250_000) };
  await assert.rejects(idempotency.finish('k', admin, answer), { code: 'disk_full' });
  assert.deepEqual(await idempotency.begin('k', admin, 'POST /x'), {});
  assert.equal(await codeOf(idempotency.begin('k', admin, 'POST /x')), 'idempotency_key_running');
  assert.equal(await codeOf(idempotency.begin('k', admin, 'POST /y')), 'idempotency_key_reused');
});

test('a failure of the disk is called full where there is no room, whatever SQLite calls it', async (t) => {
  const { machineFailure } = await import('../../src/workspace/database/failure.ts');
  const failure = Object.assign(new Error('disk I/O error'), { errcode: 10 });
  const codes = [0, 100].map((bavail) => {
    const mocked = t.mock.method(process.getBuiltinModule('node:fs'), 'statfsSync', () => ({ bavail, bsize: 4_096 }));
    const { code } = machineFailure('/there/workspace.db', failure) as { code: string };
    mocked.mock.restore();
    return code;
  });
  assert.deepEqual(codes, ['disk_full', 'workspace_io']);
});

test('a path that is too long for SQLite is told as that, not as a matter of rights', {
  skip: process.platform === 'win32' && 'it takes longer ones there',
}, async () => {
  const folder = join(temporaryFolder('fn-workspace'), 'd'.repeat(200), 'd'.repeat(200), 'd'.repeat(100));
  await assert.rejects(openDatabase({ file: join(folder, 'workspace.db') }), {
    code: 'workspace_path_too_long',
    hint: /shorter path/,
  });
});

test('a database that another program holds is busy, and a later change is made', async (t) => {
  const { file, call } = await aWorkspace(t, { onDisk: true });
  const other = new DatabaseSync(file);
  t.after(() => other.close());
  other.exec('BEGIN IMMEDIATE');
  const busy = { code: 'workspace_busy', status: 503, retryAfterSeconds: 1 };
  await assert.rejects(call('customers.findOrCreate', { phone: '+4930901820' }), busy);
  other.exec('ROLLBACK');
  assert.ok((await call('customers.findOrCreate', { phone: '+4930901820' })).created);
});

test('a reader is answered while a change is under way, with what was there before', async (t) => {
  const { file, workspace, call } = await aWorkspace(t, { onDisk: true });
  const { id } = await call('customers.findOrCreate', { phone: '+4930901820', name: 'Before' });
  await workspace.close();
  const { makeEngine } = await import('../../src/workspace/engine.ts');
  const database = await openDatabase({ file });
  t.after(() => database.close());
  const { door } = makeEngine({
    database,
    facts: factsOf(database),
    now: () => 0,
    namedSecrets: async () => ({}),
    published: () => {},
  });
  const nameNow = async () => (await door.call('customers.get', { id }, admin)).name;
  await door.perform('customers.update', { id }, admin, {}, async ({ db }) => {
    await db.updateTable('customer').set({ name: 'After' }).where('id', '=', id).execute();
    assert.equal(await nameNow(), 'Before');
  });
  assert.equal(await nameNow(), 'After');
});

test('changes made at once happen one after another, each seeing the one before as a whole', async (t) => {
  const database = await openDatabase({ file: join(temporaryFolder('fn-workspace'), 'workspace.db') });
  t.after(() => database.close());
  const { makeEngine } = await import('../../src/workspace/engine.ts');
  const { door } = makeEngine({
    database,
    facts: factsOf(database),
    now: () => 0,
    namedSecrets: async () => ({}),
    published: () => {},
  });
  let inside = 0;
  await Promise.all(
    Array.from({ length: 20 }, (_, n) =>
      door.perform('vars.set', { n }, admin, {}, async ({ db }) => {
        assert.equal(inside++, 0);
        await new Promise((resolve) => setImmediate(resolve));
        const before = await db.selectFrom('setting').select('value').where('key', '=', 'n').executeTakeFirst();
        const value = String(Number(before?.value ?? 0) + 1);
        await db
          .insertInto('setting')
          .values({ key: 'n', value })
          .onConflict((c) => c.column('key').doUpdateSet({ value }))
          .execute();
        inside--;
      }),
    ),
  );
  assert.equal(await database.reader.use((c) => c.get(`SELECT value FROM setting WHERE key = 'n'`)?.['value']), '20');
});

test('a copy of the file is a workspace as well', async (t) => {
  const { file, call, workspace } = await aWorkspace(t, { onDisk: true });
  await call('customers.findOrCreate', { phone: '+4930901820' });
  await workspace.close();
  const copy = join(temporaryFolder('fn-workspace'), 'copy.db');
  copyFileSync(file, copy);
  chmodSync(copy, 0o600);
  const other = await aWorkspace(t, { file: copy });
  assert.equal((await other.call('customers.list', {})).items.length, 1);
});

test('after closing a call is told that the workspace stops', async (t) => {
  const { workspace } = await aWorkspace(t, { onDisk: true });
  await workspace.warm();
  const before = workspace.call('customers.findOrCreate', { phone: '+4930901820' }, admin);
  const closing = workspace.close();
  const after = codeOf(workspace.call('customers.list', {}, admin));
  assert.equal(await after, 'workspace_stopping');
  await closing;
  // What came before the close either happened or was refused; it is never lost in between.
  await before.catch((error) => assert.equal(error.code, 'workspace_stopping'));
});

function factsOf(database: Database): Facts {
  const tokens = new Tokens(database, 'acme', () => 0);
  return {
    slug: 'acme',
    name: 'Acme',
    baseUrl: () => '',
    secret: 's',
    tokens,
    jobsChanged: () => {},
    secretKept: () => {},
    listenersChanged: () => {},
    runCancelled: () => {},
    subscriptions: new Subscriptions(),
    flows: liveFlows(),
    clockOffsetMs: () => 0,
  };
}

/** Fails if `work` changes a byte of the file. */
async function unchanged(file: string, work: () => Promise<void>): Promise<void> {
  const before = readFileSync(file);
  await work();
  assert.ok(before.equals(readFileSync(file)), 'the file was changed');
}
