import assert from 'node:assert/strict';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { before, suite, test } from 'node:test';
import { claimState } from '../../src/project/index.ts';
import { packageFile } from '../../src/std/index.ts';
import { deadPort } from '../client/server.ts';
import { until } from '../until.ts';
import { App, aMethod } from './app.ts';

const nobody = 65_534;
const isRoot = process.getuid?.() === 0;

suite('the state of the local workspace', () => {
  let app: App;
  const database = () => app.path('.fn/workspace.db');
  before(() => {
    app = new App({ 'functions/count.js': aMethod("sdk.store.increment('count')") });
  });

  /** An empty state folder of the app's user. */
  function makeState(): void {
    mkdirSync(app.path('.fn'));
    claimState(app.path('.fn'), { HOME: app.root });
  }

  /** Runs with a database made unusable; checks that it was refused and kept, byte for byte. */
  async function isRefusedAndKept(bytes: Buffer | string, says: RegExp): Promise<void> {
    rmSync(app.path('.fn'), { recursive: true, force: true, maxRetries: 5 });
    makeState();
    writeFileSync(database(), bytes);
    const before = readFileSync(database());
    for (const argv of [
      ['invoke', 'count'],
      ['dev', '--once', '--port', '0'],
      ['workspace', 'reset', '--yes'],
    ]) {
      const { exitCode, out, err } = await app.fn(argv);
      assert.deepEqual([exitCode, out], [1, ''], `${argv.join(' ')}: ${err}`);
      assert.match(err, says);
      assert.match(err, /^→ .*[Mm]ove the file away/m);
      assert.doesNotMatch(err, /node:internal|\/src\/|fn has a bug/);
    }
    assert.ok(readFileSync(database()).equals(before), 'it was left as it is');
  }

  test('a damaged database is refused and kept, not overwritten', async () => {
    await isRefusedAndKept('this is no database\n'.repeat(500), /is damaged/);
  });

  test('commands that use the workspace at the same time wait for each other', async () => {
    const busy = new App({ 'functions/count.js': aMethod("sdk.store.increment('count')") });
    const answers = await Promise.all([1, 2, 3].map(() => busy.fn(['invoke', 'count'])));
    assert.deepEqual(answers.map(({ exitCode, out }) => `${exitCode} ${out}`).sort(), ['0 1\n', '0 2\n', '0 3\n']);
  });

  test('fn dev waits for a command that uses the workspace, and the next command goes to fn dev', async () => {
    const busy = new App({ 'functions/count.js': aMethod("sdk.store.increment('count')") });
    const invoked = busy.fn(['invoke', 'count']);
    const dev = await busy.dev();
    const { exitCode, err } = await invoked;
    assert.equal(exitCode, 0, err);
    assert.equal((await busy.fn(['invoke', 'count'])).out, '2\n');
    await dev.stop();
  });

  test('a database that was moved away leaves nothing behind in the next one, not even after a kill', async () => {
    rmSync(app.path('.fn'), { recursive: true, force: true, maxRetries: 5 });
    const dev = await app.dev();
    assert.equal((await app.fn(['invoke', 'count'])).out, '1\n');
    dev.child.kill('SIGKILL');
    await dev.ended;
    assert.ok(statSync(`${database()}-wal`).size > 0, 'what was written last is in the log beside it');
    rmSync(database());
    const { out, err } = await app.fn(['invoke', 'count']);
    assert.equal(out, '1\n', err);
  });

  test('a database of a newer fn is refused and kept', async () => {
    rmSync(app.path('.fn'), { recursive: true, force: true, maxRetries: 5 });
    assert.equal((await app.fn(['invoke', 'count'])).out, '1\n');
    const newer = new DatabaseSync(database());
    newer.exec('PRAGMA journal_mode = DELETE; PRAGMA user_version = 999');
    newer.close();
    await isRefusedAndKept(readFileSync(database()), /newer fn \(version 999/);
  });

  test('a database that is none of ours is refused and kept', async () => {
    rmSync(app.path('.fn'), { recursive: true, force: true, maxRetries: 5 });
    makeState();
    const foreign = new DatabaseSync(database());
    foreign.exec('CREATE TABLE theirs (a)');
    foreign.close();
    await isRefusedAndKept(readFileSync(database()), /not of a workspace/);
  });

  test('a file where the state folder should be is named, and left', async () => {
    rmSync(app.path('.fn'), { recursive: true, force: true, maxRetries: 5 });
    app.write('.fn', 'mine');
    const { exitCode, err } = await app.fn(['invoke', 'count']);
    assert.equal(exitCode, 1);
    assert.match(err, /\.fn/);
    assert.match(err, /^→ /m);
    assert.equal(app.read('.fn'), 'mine');
    rmSync(app.path('.fn'));
  });

  test('a broken seed.json is told as that by whatever looks at the data first, and nothing is planted', async () => {
    rmSync(app.path('.fn'), { recursive: true, force: true, maxRetries: 5 });
    app.write('seed.json', '{"customers": [}');
    for (const argv of [
      ['invoke', 'count'],
      ['api', 'customers.list'],
      ['dev', '--once', '--port', '0', '--json'],
    ]) {
      const { exitCode, err, out } = await app.fn(argv);
      assert.equal(exitCode, 2, `${argv.join(' ')}: ${err}`);
      assert.match(`${err}${out}`, /seed\.json/);
      assert.doesNotMatch(err, /SdkError/);
    }
    rmSync(app.path('seed.json'));
    assert.equal((await app.fn(['api', 'customers.list'])).exitCode, 0);
  });

  test('a seed that names what is not there is told once, with its line, and planted once it is mended', async () => {
    rmSync(app.path('.fn'), { recursive: true, force: true, maxRetries: 5 });
    app.write('seed.json', '{\n  "customers": [\n    { "name": "Ann", "phone": "123" }\n  ]\n}\n');
    const { exitCode, err } = await app.fn(['dev', '--once', '--port', '0']);
    assert.equal(exitCode, 2);
    assert.match(err, /seed\.json: customers\[0\]\.phone is not a phone number: 123\n {2}seed\.json:3:22\n/);
    assert.match(err, /^→ /m);
    assert.equal(err.split('is not a phone number').length, 2, err);
    const dev = await app.dev();
    try {
      const since = dev.lines.length;
      app.write('seed.json', '{"customers": [{ "name": "Ann", "phone": "+4930901820" }]}');
      await dev.event(({ type, what }) => type === 'reloaded' && what === 'seed', since);
      const counts = await app.fn(['api', 'customers.list', '--json']);
      assert.match(counts.out, /"Ann"/, counts.err);
      assert.match((await app.fn(['channel', 'list'])).out, /\w/);
      const installed = async () => /"app":"flow","installed":true/.test((await app.fn(['app', 'list', '--json'])).out);
      await until('the app is installed in what was planted', installed);
    } finally {
      await dev.stop();
      rmSync(app.path('seed.json'));
    }
  });

  test('what was exported can be read again, however large it is', async () => {
    rmSync(app.path('.fn'), { recursive: true, force: true, maxRetries: 5 });
    const notes = 'x'.repeat(240_000);
    const customers = Array.from({ length: 80 }, (_, i) => ({ phone: `+49309018${1_000 + i}`, fields: { notes } }));
    app.write('large.json', JSON.stringify({ version: 1, customers }));
    for (const argv of [
      ['workspace', 'reset', '--yes', '--seed', 'large.json'],
      ['workspace', 'export', 'all.json'],
      ['workspace', 'reset', '--yes'],
      ['workspace', 'import', 'all.json'],
    ]) {
      const { exitCode, err } = await app.fn(argv);
      assert.equal(exitCode, 0, `${argv.join(' ')}: ${err}`);
    }
    const { out } = await app.fn(['api', 'customers.find', '-f', 'phone=+493090181079']);
    assert.equal(JSON.parse(out).fields.notes, notes);
  });

  test('who revokes the token of this machine is not locked out: another one takes its place', async () => {
    rmSync(app.path('.fn'), { recursive: true, force: true, maxRetries: 5 });
    const revoked = async () => {
      const before = app.read('.fn/local-token');
      const { exitCode, err } = await app.fn(['token', 'revoke', 'This machine', '--yes']);
      assert.equal(exitCode, 0, err);
      assert.notEqual(app.read('.fn/local-token'), before);
      return before.trim();
    };
    assert.equal((await app.fn(['invoke', 'count'])).out, '1\n');
    await revoked();
    const dev = await app.dev();
    try {
      const old = await revoked();
      const { out, err } = await app.fn(['invoke', 'count']);
      assert.equal(out, '2\n', err);
      const url = `${dev.lines.find(({ type }) => type === 'ready')?.['url']}/api/dev/customers`;
      const statusWith = async (token: string) =>
        (await fetch(url, { headers: { authorization: `Bearer ${token}` } })).status;
      assert.deepEqual([await statusWith(old), await statusWith(app.read('.fn/local-token').trim())], [401, 200]);
    } finally {
      await dev.stop();
    }
    // As an earlier version left it behind.
    const kept = new DatabaseSync(database());
    kept.exec(`UPDATE token SET revoked_at = 1 WHERE revoked_at IS NULL`);
    kept.close();
    const again = await app.dev();
    try {
      const { out, err } = await app.fn(['invoke', 'count']);
      assert.equal(out, '3\n', err);
    } finally {
      await again.stop();
    }
  });

  test('state left by a killed process does not hold the next one up', async () => {
    rmSync(app.path('.fn'), { recursive: true, force: true, maxRetries: 5 });
    makeState();
    const gone = {
      pid: 2 ** 22 - 1,
      url: 'http://127.0.0.1:1',
      port: 1,
      slug: 'dev',
      startedAt: '2026-01-01T00:00:00Z',
    };
    app.write('.fn/dev.json', JSON.stringify(gone));
    const { exitCode, out, err } = await app.fn(['invoke', 'count']);
    assert.deepEqual([exitCode, out], [0, '1\n'], err);
  });

  test('doctor finds a database that no command could open', async () => {
    rmSync(app.path('.fn'), { recursive: true, force: true, maxRetries: 5 });
    await app.fn(['invoke', 'count']);
    app.write('.fn/workspace.db', 'no database '.repeat(500));
    const { exitCode, out } = await app.fn(['doctor']);
    assert.equal(exitCode, 3, out);
    assert.match(out, /wrong +state +.*workspace\.db/);
    rmSync(app.path('.fn'), { recursive: true, force: true, maxRetries: 5 });
  });

  test('doctor asks for no line in .gitignore where the state ignores itself, and for one where it does not', async () => {
    rmSync(app.path('.fn'), { recursive: true, force: true, maxRetries: 5 });
    mkdirSync(app.path('.git'), { recursive: true });
    const state = async () => /^.*\bstate .*$/m.exec((await app.fn(['doctor'])).out)?.[0];
    assert.match(String(await state()), /^ok/);
    await app.fn(['invoke', 'count']);
    assert.match(String(await state()), /^ok/);
    rmSync(app.path('.fn/.gitignore'));
    assert.match(String(await state()), /^warning +state +git does not ignore \.fn/);
    app.write('.gitignore', '.fn/\n');
    assert.match(String(await state()), /^ok/);
    for (const path of ['.git', '.gitignore', '.fn'])
      rmSync(app.path(path), { recursive: true, force: true, maxRetries: 5 });
  });

  test('where too few files may be open, that is named, not rights or the disk', {
    skip: process.platform === 'win32',
  }, async () => {
    await app.fn(['invoke', 'count']);
    for (const most of [24, 27])
      for (const argv of [['list'], ['template', 'list']]) {
        const few = `ulimit -n ${most}; exec "$0" "$@"`;
        const { status, stderr } = spawnSync('sh', ['-c', few, process.execPath, packageFile('bin/fn.js'), ...argv], {
          cwd: app.root,
          encoding: 'utf8',
          env: { ...process.env, HOME: app.root },
        });
        if (status === 0) continue;
        assert.match(stderr, /too many (open )?files|files are open/);
        assert.doesNotMatch(stderr, /rights|who may read|fn has a bug/);
      }
  });

  test('a umask that takes rights from the user themselves locks no command out', {
    skip: process.platform === 'win32',
  }, () => {
    rmSync(app.path('.fn'), { recursive: true, force: true, maxRetries: 5 });
    const argv = [process.execPath, packageFile('bin/fn.js'), 'invoke', 'count'];
    const options = { cwd: app.root, encoding: 'utf8', env: { ...process.env, HOME: app.root } } as const;
    assert.equal(spawnSync('sh', ['-c', 'umask 777; exec "$0" "$@"', ...argv], options).stdout, '1\n');
    assert.equal(statSync(app.path('.fn')).mode & 0o777, 0o700);
    assert.equal(statSync(database()).mode & 0o777, 0o600);
  });

  test('a token file that a full disk left empty is made anew', async () => {
    rmSync(app.path('.fn'), { recursive: true, force: true, maxRetries: 5 });
    makeState();
    app.write('.fn/local-token', '');
    const { exitCode, out, err } = await app.fn(['invoke', 'count']);
    assert.deepEqual([exitCode, out], [0, '1\n'], err);
    assert.match(app.read('.fn/local-token'), /^fn_local_[\w-]{20,}\n$/);
  });

  for (const [name, expected] of [
    ['dev.json', 0],
    ['session-key', 0],
    ['local-token', 0],
    ['workspace.db', 1],
    ['workspace.db.lock', 1],
    ['workspace.db-journal', 1],
  ] as const) {
    test(`a pipe in the place of ${name} is not waited for`, { skip: process.platform === 'win32' }, async () => {
      rmSync(app.path('.fn'), { recursive: true, force: true, maxRetries: 5 });
      makeState();
      execFileSync('mkfifo', [app.path('.fn', name)]);
      const { exitCode, err } = await app.fn(['dev', '--once', '--port', '0']);
      assert.equal(exitCode, expected, err);
      assert.doesNotMatch(err, /node:internal|\/src\/|fn has a bug/);
    });
  }

  test('its number may be that of another process by now: nothing listens where it did', async () => {
    rmSync(app.path('.fn'), { recursive: true, force: true, maxRetries: 5 });
    const another = {
      pid: process.pid,
      url: `http://127.0.0.1:${deadPort}`,
      port: deadPort,
      slug: 'dev',
      startedAt: '',
    };
    makeState();
    app.write('.fn/dev.json', JSON.stringify(another));
    const { exitCode, out, err } = await app.fn(['invoke', 'count']);
    assert.deepEqual([exitCode, out], [0, '1\n'], err);
    assert.match((await app.fn(['doctor'])).out, /not running for this app/);
    const dev = await app.dev();
    await dev.stop();
  });

  test('a suspended fn dev is told, and answers again when it goes on', {
    skip: process.platform !== 'linux',
  }, async () => {
    rmSync(app.path('.fn'), { recursive: true, force: true, maxRetries: 5 });
    const dev = await app.dev();
    try {
      dev.child.kill('SIGSTOP');
      await until('it is suspended', () => /\) T/.test(readFileSync(`/proc/${dev.child.pid}/stat`, 'utf8')));
      const { exitCode, err } = await app.fn(['invoke', 'count']);
      assert.equal(exitCode, 7);
      assert.match(err, /is suspended[\s\S]*fg/);
      dev.child.kill('SIGCONT');
      assert.equal((await app.fn(['invoke', 'count'])).out, '1\n');
    } finally {
      dev.child.kill('SIGCONT');
      await dev.stop();
    }
  });
});

suite('a folder that may not be written to', { skip: process.platform === 'win32' }, () => {
  /** What cannot be written is tried by somebody else when these tests run as root, whom nothing stops. */
  const as = isRoot ? { uid: nobody } : {};
  let app: App;
  before(() => {
    app = new App({ 'functions/one.js': aMethod('1') });
    chmodSync(app.root, isRoot ? 0o755 : 0o555);
    if (!isRoot) process.on('exit', () => chmodSync(app.root, 0o755));
  });

  test('fn list and fn build work all the same', async () => {
    const [list, build] = await Promise.all([app.fn(['list'], as), app.fn(['build'], as)]);
    assert.equal(list.exitCode, 0, list.err);
    assert.equal(build.exitCode, 0, build.err);
  });

  for (const argv of [
    ['invoke', 'one'],
    ['dev', '--once', '--port', '0'],
    ['build', '--out', 'out'],
    ['init', 'two', '--type', 'ai-tool', '--yes'],
  ]) {
    test(`fn ${argv.join(' ')} says what cannot be written, with 1, and leaves nothing behind`, async () => {
      const { exitCode, out, err } = await app.fn(argv, as);
      assert.equal(exitCode, 1, err);
      assert.equal(out, '');
      assert.match(err, /^error .*(permission|cannot write)/im);
      assert.match(err, /^→ .*(permission|who may write)/im);
      assert.doesNotMatch(err, /node:internal|\/src\/|fn has a bug/);
      assert.deepEqual(readdirSync(app.root).sort(), ['fn.config.json', 'functions']);
    });
  }

  test('a function that may not be read is named', {
    skip: !isRoot && 'only root can take a file away from itself',
  }, async () => {
    chmodSync(app.path('functions/one.js'), 0o600);
    chownSync(app.path('functions/one.js'), 0, 0);
    const { exitCode, err } = await app.fn(['list'], as);
    assert.equal(exitCode, 2);
    assert.match(err, /functions\/one\.js cannot be read: no permission/);
  });
});

suite('a full disk', { skip: !existsSync('/dev/full') && 'there is no /dev/full here' }, () => {
  test('a result that cannot be written is not taken for written', async () => {
    const app = new App({ 'functions/one.js': aMethod('1') });
    const full = openSync('/dev/full', 'w');
    const child = spawn(process.execPath, [packageFile('bin/fn.js'), 'list'], {
      cwd: app.root,
      env: { PATH: process.env['PATH'], HOME: app.root },
      stdio: ['ignore', full, 'pipe'],
    });
    closeSync(full);
    const err = child.stderr?.setEncoding('utf8').toArray() ?? Promise.resolve([]);
    const [[exitCode], lines] = await Promise.all([once(child, 'close'), err]);
    assert.equal(exitCode, 1);
    assert.match(lines.join(''), /^error .*cannot be written/);
  });
});
