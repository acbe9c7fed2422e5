/**
 * What the workspace costs beside bare node:sqlite doing the same statements, in turn: opening, authenticating, a read, a write with
 * its event, a send of a template, records of invocations. Prints ratios; absolute figures depend on the machine.
 * Run: `node bench/workspace.ts [rounds]`
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { build } from 'esbuild';
import type { Caller } from '../src/contract/index.ts';
import { newId, systemClock } from '../src/std/index.ts';
import { openWorkspace } from '../src/workspace/index.ts';
import { temporaryFolder } from './lib/temporary-folder.ts';

const rounds = Number(process.argv[2] ?? 5);
const folder = temporaryFolder('workspace');

const admin: Caller = { type: 'token', id: 'tok_bench', scopes: ['admin'] };
const templateApp: Caller = { type: 'function', id: 'send', app: 'template-app', scopes: ['read', 'write', 'send'] };
const deskApp: Caller = { type: 'function', id: 'count', app: 'desk', scopes: ['read', 'write'] };

const median = (values: readonly number[]) =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

/** Microseconds for one of `count`. */
async function each(count: number, work: (n: number) => unknown): Promise<number> {
  const start = performance.now();
  for (let n = 0; n < count; n++) await work(n);
  return ((performance.now() - start) * 1000) / count;
}

function print(name: string, ours: readonly number[], bare: readonly number[], unit: string): void {
  const [a, b] = [median(ours), median(bare)];
  process.stdout.write(
    `${name.padEnd(34)} ${a.toFixed(1).padStart(8)} ${unit}  bare ${b.toFixed(1).padStart(8)}  ${(a / b).toFixed(1)}×\n`,
  );
}

await opening();
await working();

/** In a process of its own, bundled with the compile cache on, as it is published. */
async function opening(): Promise<void> {
  const open = join(import.meta.dirname, '../src/workspace/index.ts');
  const clock = join(import.meta.dirname, '../src/std/index.ts');
  const programs = {
    ours: `
      import { openWorkspace } from ${JSON.stringify(open)};
      import { systemClock } from ${JSON.stringify(clock)};
      const start = performance.now();
      const workspace = await openWorkspace({ file: process.argv[2], slug: 'acme', baseUrl: () => '', clock: systemClock });
      await workspace.installLocalToken('local-token');
      const opened = performance.now();
      await workspace.clock.keptOffset();
      await workspace.seed.isEmpty();
      const asked = performance.now();
      await workspace.warm();
      console.log(JSON.stringify([opened - start, asked - opened, performance.now() - asked]));
      await workspace.close();`,
    bare: `
      const start = performance.now();
      const { DatabaseSync } = process.getBuiltinModule('node:sqlite');
      const db = new DatabaseSync(process.argv[2]);
      db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL');
      db.prepare('SELECT value FROM setting').all();
      console.log(JSON.stringify([performance.now() - start]));
      db.close();`,
  };
  const file = join(folder, 'opening', 'workspace.db');
  const seeded = await openWorkspace({ file, slug: 'acme', baseUrl: () => '', clock: systemClock });
  await seeded.seed.apply(seeded.seed.default());
  await seeded.close();
  for (const [name, contents] of Object.entries(programs)) {
    await build({
      stdin: {
        contents: `import m from 'node:module'; m.enableCompileCache(${JSON.stringify(join(folder, 'compiled'))});\n${contents}`,
        resolveDir: folder,
        loader: 'ts',
      },
      outdir: join(folder, name),
      bundle: true,
      splitting: true,
      minify: true,
      format: 'esm',
      platform: 'node',
      outExtension: { '.js': '.mjs' },
      logLevel: 'silent',
    });
  }
  const run = (name: string): number[] => {
    const { stdout } = spawnSync(process.execPath, [join(folder, name, 'stdin.mjs'), file], { encoding: 'utf8' });
    return JSON.parse(stdout) as number[];
  };
  const [ours, bare]: number[][][] = [[], []];
  for (let round = 0; round < 2 * rounds + 1; round++) {
    bare?.push(run('bare'));
    ours?.push(run('ours'));
  }
  const column = (samples: number[][] | undefined, n: number) =>
    (samples ?? []).slice(1).map((sample) => sample[n] ?? 0);
  print('open, with the local token', column(ours, 0), column(bare, 0), 'ms');
  print('first question (loads Kysely)', column(ours, 1), column(bare, 0), 'ms');
  print('the rest of warming (shapes)', column(ours, 2), column(bare, 0), 'ms');
}

async function working(): Promise<void> {
  const workspace = await openWorkspace({
    file: join(folder, 'ours.db'),
    slug: 'acme',
    baseUrl: () => '',
    clock: systemClock,
  });
  await workspace.seed.apply(workspace.seed.default());
  const { token } = await workspace.call('tokens.create', { name: 'bench' }, admin);
  const db = new DatabaseSync(join(folder, 'bare.db'));
  db.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;
    CREATE TABLE customer (id TEXT PRIMARY KEY, phone TEXT UNIQUE, at INTEGER) STRICT;
    CREATE TABLE journal (seq INTEGER PRIMARY KEY AUTOINCREMENT, data TEXT) STRICT;
    CREATE TABLE entry (key TEXT PRIMARY KEY, value INTEGER) STRICT; INSERT INTO entry VALUES ('n', 0);
    CREATE TABLE invocation (id TEXT PRIMARY KEY, at INTEGER, data TEXT) STRICT`);
  const get = db.prepare('SELECT * FROM customer WHERE id = ?');
  const find = db.prepare('SELECT * FROM customer WHERE phone = ?');
  const insert = db.prepare('INSERT INTO customer VALUES (?, ?, ?)');
  const note = db.prepare('INSERT INTO journal (data) VALUES (?)');
  const count = db.prepare(`UPDATE entry SET value = value + 1 WHERE key = 'n'`);
  const keep = db.prepare('INSERT INTO invocation VALUES (?, ?, ?)');
  const transaction = (work: () => void) => {
    db.exec('BEGIN');
    work();
    db.exec('COMMIT');
  };
  const { id } = await workspace.call('customers.findOrCreate', { phone: '+4930901820' }, admin);
  insert.run(id, '+4930901820', 0);

  const samples = new Map<string, [number[], number[]]>();
  const sample = async (name: string, times: number, ours: (n: number) => unknown, bare: (n: number) => unknown) => {
    const known = samples.get(name) ?? [[], []];
    samples.set(name, known);
    known[1].push(await each(times, bare));
    known[0].push(await each(times, ours));
  };
  for (let round = 0; round < rounds; round++) {
    const phone = (n: number) => `+4930${2_000_000 + round * 10_000 + n}`;
    await sample(
      'authenticate',
      2000,
      () => workspace.authenticate(`Bearer ${token}`),
      () => get.get(id),
    );
    await sample(
      'read (customers.get)',
      1000,
      () => workspace.call('customers.get', { id }, admin),
      () => get.get(id),
    );
    await sample(
      'write (customers.findOrCreate)',
      300,
      (n) => workspace.call('customers.findOrCreate', { phone: phone(n) }, admin),
      (n) =>
        transaction(() => {
          find.get(phone(n));
          insert.run(newId('cus'), phone(n), n);
          note.run(JSON.stringify({ customer: { id: 'cus', phone: phone(n) } }));
        }),
    );
    await sample(
      'write (store.increment)',
      500,
      () => workspace.call('store.increment', { key: 'n' }, deskApp),
      () => transaction(() => count.run()),
    );
    const template = { template: 'order_shipped', variables: { body: ['Ann', 'A-17'] } };
    await sample(
      'messages.sendTemplate, new number',
      200,
      (n) => workspace.call('messages.sendTemplate', { to: phone(5000 + n), ...template }, templateApp),
      (n) =>
        transaction(() => {
          insert.run(newId('cus'), phone(5000 + n), n);
          for (let events = 0; events < 4; events++) note.run(JSON.stringify({ n, events }));
        }),
    );
    const record = {
      id: '',
      app: 'desk',
      function: `f${round}`,
      type: 'server-side-method',
      version: 'local',
      trigger: 'http',
    } as const;
    const rest = {
      caller: { type: 'token', id: null },
      status: 'ok',
      startedAt: Date.now(),
      wallMs: 1,
      cpuMs: 1,
      peakMemoryBytes: 1,
      error: null,
      inputJson: '{}',
      resultJson: '{}',
      logs: [],
      calls: [],
      trace: { traceId: '0'.repeat(32), causeId: null, depth: 0 },
    } as const;
    await sample(
      'invocation record, 10,000 in a second',
      10_000,
      (n) => {
        workspace.invocations.record({ ...record, ...rest, id: newId('inv') });
        return n === 9999 ? workspace.invocations.flush() : undefined;
      },
      (n) => {
        if (n === 0) db.exec('BEGIN');
        keep.run(newId('inv'), n, JSON.stringify(rest));
        if (n === 9999) db.exec('COMMIT');
      },
    );
  }
  for (const [name, [ours, bare]] of samples) print(name, ours, bare, 'µs');
  await workspace.close();
  db.close();
}
