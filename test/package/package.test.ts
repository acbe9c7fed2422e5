import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, globSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, matchesGlob, posix } from 'node:path';
import { before, test } from 'node:test';
import { packageFile } from '../../src/std/index.ts';
import { aFolder, runProcess } from '../cli/fn-process.ts';
import { targetsOf } from '../docs/markdown.ts';
import { bytesOf, install, installedBeside, type Packed, pack } from './installed.ts';

const mib = 1024 * 1024;
let packed: Packed;
let complete: { folder: string; fn: string };
let withoutSandbox: { folder: string; fn: string };

before(async () => {
  packed = await pack();
  complete = install(packed);
  withoutSandbox = install(packed, ['isolated-vm']);
});

const described: { files: string[]; scripts: Record<string, string> } = JSON.parse(
  readFileSync(packageFile('package.json'), 'utf8'),
);

test('the package holds what is listed, and nothing else', () => {
  const allowed = [...described.files, 'package.json'];
  const strange = packed.files.filter(
    ({ path }) => !allowed.some((name) => matchesGlob(path, name) || path.startsWith(`${name}/`)),
  );
  assert.deepEqual(strange, []);
});

test('nothing in it could give away more than it should: no source maps, environments, keys, sources or tests', () => {
  const suspicious = /\.map$|(^|\/)\.env|\.pem$|\.key$|(^|\/)(src|test|bench|node_modules|\.git|\.fn)\/|\.tgz$|\.log$/;
  const templates = packed.files.filter(({ path }) => !/^(templates|examples)\//.test(path));
  assert.deepEqual(
    templates.filter(({ path }) => suspicious.test(path)),
    [],
  );
});

test('no text in it names a place on the machine that built it', () => {
  const root = packageFile('');
  for (const { path } of packed.files) {
    assert.ok(!readFileSync(join(packed.folder, path), 'utf8').includes(root), path);
  }
});

test('each link and picture of a page in it leads to a file in it', () => {
  const there = new Set(packed.files.map(({ path }) => path));
  const folders = [...there].map((path) => `${dirname(path)}/`);
  const pages = [...there].filter((path) => /^(?:[A-Z]+\.md|docs\/.*\.md)$/.test(path));
  assert.ok(pages.includes('README.md') && pages.includes('docs/platform/README.md'));
  for (const page of pages) {
    for (const target of targetsOf(readFileSync(join(packed.folder, page), 'utf8'))) {
      const [to = ''] = target.split('#');
      if (/^https?:/.test(target) || to === '') continue;
      const path = posix.join(posix.dirname(page), to);
      const isThere = there.has(path) || folders.some((folder) => folder.startsWith(`${path.replace(/\/$/, '')}/`));
      assert.ok(isThere, `${page}: ${target}`);
    }
  }
});

test('installed, fn docs shows what is known about the platform', async () => {
  const { folder, fn } = complete;
  const { exitCode, out, err } = await runProcess(['docs', 'platform'], { cwd: folder, bin: fn });
  assert.equal(exitCode, 0, err);
  assert.match(out, /Server Side Method/);
  const contract = await runProcess(['docs', 'platform/contract', '--json'], { cwd: folder, bin: fn });
  assert.equal(JSON.parse(contract.out).name, 'contract');
});

test('installing it runs no script of ours', () => {
  for (const name of ['preinstall', 'install', 'postinstall', 'prepare'])
    assert.equal(described.scripts[name], undefined, name);
});

test('installed it stays within 45 MiB and 20 packages', () => {
  const beside = installedBeside();
  const bytes = bytesOf([packed.folder, ...beside.map((name) => packageFile(`node_modules/${name}`))]);
  assert.ok(bytes <= 45 * mib, `${(bytes / mib).toFixed(1)} MiB`);
  assert.ok(beside.length + 1 <= 20, `${beside.length + 1} packages`);
});

test('the licences of everything that is bundled are in it', () => {
  const text = readFileSync(join(packed.folder, 'THIRD-PARTY-LICENSES.txt'), 'utf8');
  for (const name of ['commander', 'zod', 'undici', 'kysely', 'libphonenumber-js', 'chokidar', 'buffer']) {
    assert.ok(new RegExp(`^${name} \\d+\\.`, 'm').test(text), name);
  }
});

test('installed with nothing but its dependencies, it makes a function and runs it', async () => {
  const { folder, fn } = complete;
  const made = await runProcess(['init', 'refund', '--type', 'ai-tool', '--yes', '--app', 'shop'], {
    cwd: folder,
    bin: fn,
  });
  assert.equal(made.exitCode, 0, made.err);
  const shop = join(folder, 'shop');
  const invoked = await runProcess(['invoke', 'refund', '--json'], { cwd: shop, bin: fn });
  assert.equal(invoked.exitCode, 0, invoked.err);
  assert.ok('result' in JSON.parse(invoked.out));
  const tested = await runProcess(['test'], { cwd: shop, bin: fn });
  assert.equal(tested.exitCode, 0, tested.out + tested.err);
});

test('right after fn init, npm ci finds the lockfile in order, for a package that no registry has', async () => {
  const { folder, fn } = complete;
  for (const flags of [[], ['--ts'], ['--example', 'order-desk']]) {
    const app = `locked${flags.join('')}`;
    const made = await runProcess(['init', '--yes', '--app', app, ...flags], { cwd: folder, bin: fn });
    assert.equal(made.exitCode, 0, made.err);
    const npm = spawnSync('npm', ['ci', '--dry-run', '--offline', '--ignore-scripts', '--no-audit'], {
      cwd: join(folder, app),
      encoding: 'utf8',
      // On Windows npm is a script.
      shell: process.platform === 'win32',
    });
    assert.equal(npm.status, 0, npm.stderr);
  }
});

test('every command can be loaded from the published bundle', async () => {
  const { commands }: { commands: { name: string }[] } = JSON.parse(
    (await runProcess(['help', '--json'], { cwd: complete.folder, bin: complete.fn })).out,
  );
  const { commandsInDist } = await import('./load-all.ts');
  assert.deepEqual(
    await commandsInDist(
      complete,
      commands.map(({ name }) => name),
    ),
    [],
  );
});

test('without isolated-vm, what runs no function works, and what does says plainly why not', async () => {
  const { folder, fn } = withoutSandbox;
  const made = await runProcess(['init', 'refund', '--type', 'ai-tool', '--yes', '--app', 'shop'], {
    cwd: folder,
    bin: fn,
  });
  assert.equal(made.exitCode, 0, made.err);
  const { exitCode, out, err } = await runProcess(['invoke', 'refund'], { cwd: join(folder, 'shop'), bin: fn });
  assert.equal(out, '');
  assert.notEqual(exitCode, 0);
  assert.notEqual(exitCode, 70);
  assert.match(err, /isolated-vm/);
  assert.match(err, /\n→ /);
});

test('under Yarn Plug’n’Play the setting that helps is named, not what could not be read', async () => {
  const { folder, fn } = withoutSandbox;
  const loader = join(folder, 'pnp.cjs');
  writeFileSync(loader, "Object.defineProperty(process.versions, 'pnp', { value: '3' });");
  const { exitCode, out } = await runProcess(['doctor', '--json'], {
    cwd: folder,
    bin: fn,
    env: { NODE_OPTIONS: `--require ${loader}` },
  });
  assert.equal(exitCode, 3);
  const { items }: { items: { name: string; message: string; hint?: string }[] } = JSON.parse(out);
  const sandbox = items.find(({ name }) => name === 'sandbox');
  assert.match(sandbox?.message ?? '', /Yarn Plug’n’Play/);
  assert.match(sandbox?.hint ?? '', /nodeLinker: node-modules/);
});

test('doctor finds that isolated-vm is missing', async () => {
  const { exitCode, out } = await runProcess(['doctor', '--json'], {
    cwd: withoutSandbox.folder,
    bin: withoutSandbox.fn,
  });
  assert.equal(exitCode, 3);
  const { items }: { items: { name: string; state: string; hint?: string }[] } = JSON.parse(out);
  const sandbox = items.find(({ name }) => name === 'sandbox');
  assert.equal(sandbox?.state, 'wrong');
  assert.ok(sandbox?.hint);
});

/** `fn help` with compiled code kept below a home of its own, as most users have it. */
function helpAt(home: string, env: Record<string, string | undefined> = {}) {
  const ownCode = { NODE_DISABLE_COMPILE_CACHE: undefined, XDG_CACHE_HOME: home, HOME: home };
  return runProcess(['help'], { cwd: complete.folder, bin: complete.fn, env: { ...ownCode, ...env } });
}

const codeIn = (home: string) =>
  globSync('convo-fn/compiled/*/*', { cwd: home })
    .map((name) => join(home, name))
    .sort();

test('compiled code is kept for the next start, for this user alone', async () => {
  const home = aFolder();
  const first = await helpAt(home);
  const files = codeIn(home);
  assert.ok(files.length > 0);
  assert.equal(statSync(join(home, 'convo-fn/compiled')).mode & 0o777, 0o700);
  const times = () => files.map((file) => statSync(file).mtimeMs);
  const before = times();
  assert.deepEqual(await helpAt(home), first);
  assert.deepEqual([codeIn(home), times()], [files, before]);
});

test('compiled code that is damaged is not used', async () => {
  const home = aFolder();
  const right = await helpAt(home);
  for (const file of codeIn(home)) {
    const bytes = readFileSync(file);
    writeFileSync(file, bytes.fill(0xff, bytes.length / 2));
  }
  assert.deepEqual(await helpAt(home), right);
});

test('compiled code that other users could have written is not used', async () => {
  const home = aFolder();
  mkdirSync(join(home, 'convo-fn/compiled'), { recursive: true });
  chmodSync(join(home, 'convo-fn/compiled'), 0o777);
  assert.equal((await helpAt(home)).exitCode, 0);
  assert.deepEqual(codeIn(home), []);
});

test('where no compiled code may or can be kept, everything works without', async () => {
  const home = aFolder();
  const right = await helpAt(home, { NODE_DISABLE_COMPILE_CACHE: '1' });
  assert.deepEqual(codeIn(home), []);
  for (const nowhere of ['/proc', join(packed.folder, 'package.json'), join(home, 'not', 'there')])
    assert.deepEqual(await helpAt(nowhere), right, nowhere);
  assert.deepEqual(await helpAt(home, { XDG_CACHE_HOME: undefined, HOME: undefined }), right);
});
