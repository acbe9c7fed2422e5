import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import { runFn } from '../cli/context.ts';
import { temporaryFolder } from '../temporary-folder.ts';

async function aFolder(name = 'order-desk'): Promise<string> {
  const parent = temporaryFolder('convo-fn-init');
  const folder = join(parent, name);
  await mkdir(folder);
  return folder;
}

test('without any question: a function of the type, the app around it, and the next two commands at the end', async () => {
  const cwd = await aFolder();
  const { exitCode, out, err } = await runFn(['init', 'refund', '--type', 'ai-tool', '--yes'], { cwd });
  assert.equal(exitCode, 0);
  assert.equal(err, '');
  assert.match(out, /Created the app order-desk/);
  assert.deepEqual(out.trimEnd().split('\n').slice(-2), ['  fn dev', '  fn invoke tools/refund']);
  assert.match(await readFile(join(cwd, 'functions/tools/refund.js'), 'utf8'), /name: 'refund'/);
  assert.equal(JSON.parse(await readFile(join(cwd, 'fn.config.json'), 'utf8')).app, 'order-desk');
});

test('no two tools of an app get the same name, whatever folders they are in', async () => {
  const cwd = await aFolder();
  const nameOf = async (name: string) => {
    const { exitCode, err } = await runFn(['init', name, '--type', 'tool', '--yes', '--force'], { cwd });
    assert.equal(exitCode, 0, err);
    const text = await readFile(join(cwd, `functions/${name.includes('/') ? name : `tools/${name}`}.js`), 'utf8');
    return /^ {2}name: '(.*)',$/m.exec(text)?.[1];
  };
  assert.equal(await nameOf('refund'), 'refund');
  assert.equal(await nameOf('orders/refund'), 'orders_refund');
  assert.equal(await nameOf('orders-refund'), 'orders_refund_2');
  assert.equal(await nameOf('orders/refund'), 'orders_refund');
  const long = await nameOf(`deep/${'a'.repeat(60)}/${'b'.repeat(60)}`);
  assert.match(long ?? '', /^[a-z_]{1,64}$/);
});

test('an app needs no package of fn: its editor takes the types from files that git ignores', async () => {
  const cwd = await aFolder();
  for (const more of [[], ['--ts', '--app', 'typed'], ['--example', 'order-desk', '--app', 'desk']]) {
    const { exitCode, err } = await runFn(['init', '--yes', ...more], { cwd });
    assert.equal(exitCode, 0, err);
    const root = join(cwd, more.at(-1) ?? '');
    assert.doesNotMatch(await readFile(join(root, 'package.json'), 'utf8'), /convo-fn|optionalDependencies/);
    const config = await readFile(join(root, more.length === 0 ? 'jsconfig.json' : 'tsconfig.json'), 'utf8');
    for (const path of Object.values(JSON.parse(config).compilerOptions.paths as Record<string, string[]>).flat())
      assert.ok(existsSync(join(root, path)), path);
    for (const file of ['fn.config.json', 'seed.json']) {
      const { $schema } = JSON.parse(await readFile(join(root, file), 'utf8'));
      assert.ok(existsSync(join(root, $schema)), $schema);
    }
    assert.equal(await readFile(join(root, '.fn/.gitignore'), 'utf8'), '*\n');
  }
});

test('the types in an app are replaced when they are of another version, and a link that would lead out of the app is, too', async () => {
  const cwd = await aFolder();
  const elsewhere = await aFolder('elsewhere');
  await runFn(['init', '--yes'], { cwd });
  await writeFile(join(cwd, '.fn/types/index.d.ts'), 'old');
  await rm(join(cwd, '.fn/schema'), { recursive: true });
  await symlink(elsewhere, join(cwd, '.fn/schema'));
  const state = async () => {
    const { out } = await runFn(['doctor', '--json'], { cwd, env: { HOME: cwd } });
    const { items }: { items: { name: string; state: string; message: string }[] } = JSON.parse(out);
    return items.find(({ name }) => name === 'types');
  };
  assert.match((await state())?.message ?? '', /another version of fn/);
  await runFn(['init', 'second', '--type', 'tool', '--yes'], { cwd });
  assert.match(await readFile(join(cwd, '.fn/types/index.d.ts'), 'utf8'), /ServerSideMethod/);
  assert.deepEqual(await readdir(elsewhere), []);
  assert.match((await state())?.message ?? '', /asks for the types of Node, which are not installed/);
  await mkdir(join(cwd, 'node_modules/@types/node'), { recursive: true });
  await writeFile(join(cwd, 'node_modules/@types/node/package.json'), '{}');
  assert.equal((await state())?.state, 'ok');
  await writeFile(join(cwd, 'jsconfig.json'), '{"compilerOptions":{"types":["node"]}}');
  assert.match((await state())?.message ?? '', /does not say where the types of convo-fn are/);
  await writeFile(join(cwd, 'base.json'), '{"compilerOptions":{"paths":{"convo-fn":["./.fn/types/index.d.ts"]}}}');
  await writeFile(join(cwd, 'jsconfig.json'), '{"extends":"./base"}');
  assert.equal((await state())?.state, 'ok');
});

test('beside a package.json that knows nothing of fn, what gives the editor its types comes first', async () => {
  const cwd = await aFolder();
  await writeFile(join(cwd, 'package.json'), '{}');
  const { out } = await runFn(['init', 'refund', '--type', 'ai-tool', '--yes', '--json'], { cwd });
  assert.deepEqual(JSON.parse(out).next, ['npm install --save-dev @types/node', 'fn dev', 'fn invoke tools/refund']);

  const typed = await aFolder();
  await writeFile(join(typed, 'package.json'), '{"devDependencies":{"@types/node":"24"}}');
  const { out: ts } = await runFn(['init', '--yes', '--ts', '--json'], { cwd: typed });
  assert.equal(JSON.parse(ts).next[0], 'npm install --save-dev typescript');
});

test('packages are installed with the package manager whose lockfile is there', async () => {
  for (const [lockfile, first] of [
    ['pnpm-lock.yaml', 'pnpm add --save-dev @types/node'],
    ['yarn.lock', 'yarn add --dev @types/node'],
  ] as const) {
    const cwd = await aFolder();
    await writeFile(join(cwd, 'package.json'), '{}');
    await writeFile(join(cwd, lockfile), '');
    const { out } = await runFn(['init', 'refund', '--type', 'ai-tool', '--yes', '--json'], { cwd });
    assert.equal(JSON.parse(out).next[0], first);
  }
});

test('--app makes the folder, and the next command goes there', async () => {
  const cwd = await aFolder();
  const { exitCode, out } = await runFn(['init', '--yes', '--app', 'desk two', '--ts'], { cwd });
  assert.equal(exitCode, 0);
  assert.match(out, /cd 'desk two' && fn dev/);
  assert.ok((await readdir(join(cwd, 'desk two'))).includes('tsconfig.json'));
});

test('a folder that is named and not there yet becomes an app of its own, also inside of another', async () => {
  const cwd = await aFolder();
  await runFn(['init', '--yes'], { cwd });
  const { out } = await runFn(['init', '--yes', '--app', 'second'], { cwd });
  assert.match(out, /Created the app second in second/);
  assert.ok((await readdir(join(cwd, 'second'))).includes('fn.config.json'));
});

test('the example is made whole, with its own lockfile only where there is none above', async () => {
  const cwd = await aFolder();
  assert.equal((await runFn(['init', '--example', 'order-desk', '--app', 'desk'], { cwd })).exitCode, 0);
  const made = await readdir(join(cwd, 'desk'));
  for (const name of ['.gitignore', 'fn.config.json', 'package-lock.json', 'seed.json'])
    assert.ok(made.includes(name), name);
  await writeFile(join(cwd, 'package-lock.json'), '{}');
  await runFn(['init', '--example', 'order-desk', '--app', 'other'], { cwd });
  assert.ok(!(await readdir(join(cwd, 'other'))).includes('package-lock.json'));
});

test('in an app it adds, wherever in it one stands', async () => {
  const cwd = await aFolder();
  await runFn(['init', '--yes'], { cwd });
  const { out } = await runFn(['init', 'nightly', '-t', 'cron', '--yes'], { cwd: join(cwd, 'functions/api') });
  assert.match(out, /Added to the app order-desk/);
  assert.ok((await readdir(join(cwd, 'functions/cron'))).includes('nightly.js'));
});

test('an app in TypeScript brings the compiler, and a script that checks its types', async () => {
  const cwd = await aFolder();
  await runFn(['init', '--yes', '--ts'], { cwd });
  const { devDependencies, scripts } = JSON.parse(await readFile(join(cwd, 'package.json'), 'utf8'));
  assert.deepEqual(Object.keys(devDependencies), ['@types/node', 'typescript']);
  assert.equal(scripts.typecheck, 'tsc');
});

test('an app in TypeScript stays one', async () => {
  const cwd = await aFolder();
  await runFn(['init', '--yes', '--ts'], { cwd });
  await runFn(['init', 'nightly', '-t', 'cron', '--yes'], { cwd });
  assert.deepEqual(await readdir(join(cwd, 'functions/cron')), ['nightly.ts']);
});

test('--json says what was made, and nothing else', async () => {
  const cwd = await aFolder();
  const { out } = await runFn(['init', 'refund', '-t', 'tool', '--json'], { cwd });
  const made = JSON.parse(out);
  assert.equal(made.app, basename(cwd));
  assert.equal(made.created, true);
  assert.deepEqual(made.functions, [{ name: 'tools/refund', type: 'ai-tool', file: 'functions/tools/refund.js' }]);
  assert.ok(made.files.some((file: { path: string; written: boolean }) => file.path === 'seed.json' && file.written));
  assert.equal(made.next.length, 2);
});

test('--list shows the six types and makes nothing', async () => {
  const cwd = await aFolder();
  const { exitCode, out } = await runFn(['init', '--list', '--json'], { cwd });
  assert.equal(exitCode, 0);
  assert.equal(JSON.parse(out).items.length, 6);
  assert.deepEqual(await readdir(cwd), []);
});

test('where nobody can be asked, what is missing is named by its flag', async () => {
  const cwd = await aFolder();
  const type = await runFn(['init'], { cwd });
  assert.equal(type.exitCode, 2);
  assert.match(type.err, /--type/);
  const name = await runFn(['init', '--type', 'cron-job'], { cwd });
  assert.equal(name.exitCode, 2);
  assert.match(name.err, /NAME/);
  assert.deepEqual(await readdir(cwd), []);
});

for (const [args, message] of [
  [['x', '-t', 'ai-tol', '--yes'], /Did you mean ai-tool/],
  [['../x', '-t', 'tool', '--yes'], /would leave the folder/],
  [['a b', '-t', 'tool', '--yes'], /as tools\/a-b/],
  [['.', '-t', 'tool', '--yes'], /fn init \S+ -C \./],
  [['./desk', '-t', 'tool', '--yes'], /fn init \S+ -C \.\/desk/],
  [['/tmp/refund', '--yes'], /-C \/tmp\/refund/],
  [['🎉', '-t', 'tool', '--yes'], /cannot be the name/],
  [['nul', '-t', 'method', '--yes'], /device on Windows/],
  [['--example', 'order-dsk'], /Did you mean order-desk/],
] as const)
  test(`fn init ${args.join(' ')} is refused, and makes nothing`, async () => {
    const cwd = await aFolder();
    const { exitCode, err } = await runFn(['init', ...args], { cwd });
    assert.equal(exitCode, 2);
    assert.match(err, message);
    assert.deepEqual(await readdir(cwd), []);
  });

test('a second setup is refused, because an app can have only one', async () => {
  const cwd = await aFolder();
  await runFn(['init', 'setup', '--type', 'setup', '--yes'], { cwd });
  const { exitCode, err } = await runFn(['init', 'prepare', '--type', 'setup', '--yes'], { cwd });
  assert.equal(exitCode, 2);
  assert.match(err, /has a Custom App Setup already: functions\/setup\.js/);
  assert.deepEqual(await readdir(join(cwd, 'functions')), ['setup.js']);
  const again = await runFn(['init', 'setup', '--type', 'setup', '--yes', '--force'], { cwd });
  assert.equal(again.exitCode, 0, again.err);
});

test('a setup that is only spoken of in a comment is none', async () => {
  const cwd = await aFolder();
  await runFn(['init', 'refund', '--type', 'tool', '--yes'], { cwd });
  await writeFile(join(cwd, 'functions/tools/refund.js'), "// type: 'custom-app-setup'\nexport default () => 1;\n");
  assert.equal((await runFn(['init', 'setup', '--type', 'setup', '--yes'], { cwd })).exitCode, 0);
});

test('a folder that holds other things must be named', async () => {
  const cwd = await aFolder();
  await writeFile(join(cwd, 'thesis.tex'), '');
  const refused = await runFn(['init', '--yes'], { cwd });
  assert.equal(refused.exitCode, 2);
  assert.match(refused.err, /--app/);
  assert.deepEqual(await readdir(cwd), ['thesis.tex']);
  assert.equal((await runFn(['init', '--yes', '--app', '.'], { cwd })).exitCode, 0);
});

test('so must one for an example', async () => {
  const cwd = await aFolder();
  await writeFile(join(cwd, 'thesis.tex'), '');
  const init = ['init', '--example', 'order-desk'];
  assert.match((await runFn(init, { cwd })).err, /To use this one: --app \./);
  assert.equal((await runFn([...init, '--app', '.'], { cwd })).exitCode, 0);
});

for (const [manager, files] of Object.entries({
  pnpm: ['pnpm-lock.yaml', 'pnpm-workspace.yaml'],
  yarn: ['yarn.lock', '.yarnrc.yml', '.pnp.cjs'],
  bun: ['bun.lock', 'bunfig.toml'],
}))
  test(`what ${manager} leaves in a new folder is in nobody’s way, as what npm leaves`, async () => {
    const cwd = await aFolder();
    for (const name of files) await writeFile(join(cwd, name), '');
    const { exitCode, err } = await runFn(['init', '--yes'], { cwd });
    assert.equal(exitCode, 0, err);
  });

test('the example has no lockfile of npm where another package manager installs, above it or beside', async () => {
  const cwd = await aFolder();
  await writeFile(join(cwd, 'pnpm-lock.yaml'), '');
  await runFn(['init', '--example', 'order-desk', '--app', 'packages/desk'], { cwd });
  assert.ok(!(await readdir(join(cwd, 'packages/desk'))).includes('package-lock.json'));
  await runFn(['init', '--example', 'order-desk', '--app', '.'], { cwd });
  assert.ok((await readdir(cwd)).includes('fn.config.json'));
  assert.ok(!(await readdir(cwd)).includes('package-lock.json'));
});

test('a file that is there stops it, until --force', async () => {
  const cwd = await aFolder();
  await runFn(['init', 'refund', '-t', 'tool', '--yes'], { cwd });
  await writeFile(join(cwd, 'functions/tools/refund.js'), 'mine');
  const again = await runFn(['init', 'refund', '-t', 'tool', '--yes'], { cwd });
  assert.equal(again.exitCode, 2);
  assert.match(again.err, /--force/);
  assert.equal(await readFile(join(cwd, 'functions/tools/refund.js'), 'utf8'), 'mine');
  assert.equal((await runFn(['init', 'refund', '-t', 'tool', '--yes', '--force'], { cwd })).exitCode, 0);
});

test('a broken fn.config.json is shown with its line, and nothing is made', async () => {
  const cwd = await aFolder();
  await writeFile(join(cwd, 'fn.config.json'), '{\n  "app": "x",\n}');
  const { exitCode, err } = await runFn(['init', '--yes'], { cwd });
  assert.equal(exitCode, 2);
  assert.match(err, /fn\.config\.json:2:13/);
  assert.deepEqual(await readdir(cwd), ['fn.config.json']);
});
