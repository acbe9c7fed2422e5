import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmod, mkdir, symlink, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { functionNameProblem, listFunctionFiles, resolveFunctionName } from '../../src/project/index.ts';
import { tidyName } from '../../src/project/names.ts';
import { aFolder, anApp, refusalOf, write } from './an-app.ts';

test('a function is named by its path below functions/, whatever its ending', async () => {
  const project = await anApp({
    'functions/api/orders/find.ts': '',
    'functions/views/order-panel.jsx': '',
    'functions/tools/refund.js': '',
    'functions/setup.mjs': '',
  });
  assert.deepEqual(await listFunctionFiles(project), [
    {
      name: 'api/orders/find',
      path: 'api/orders/find.js',
      file: join(project.root, 'functions/api/orders/find.ts'),
      relative: 'functions/api/orders/find.ts',
    },
    ...['setup.mjs', 'tools/refund.js', 'views/order-panel.jsx'].map((file) => ({
      name: file.replace(/\.\w+$/, ''),
      path: file.replace(/\.\w+$/, '.js'),
      file: join(project.root, 'functions', file),
      relative: `functions/${file}`,
    })),
  ]);
});

test('shared files, tests, types, styles and hidden files are no functions', async () => {
  const project = await anApp({
    'functions/a.js': '',
    'functions/_shared/money.ts': '',
    'functions/_util.js': '',
    'functions/a.test.js': '',
    'functions/a.d.ts': '',
    'functions/a.css': '',
    'functions/data.json': '',
    'functions/.hidden/x.js': '',
    'functions/node_modules/x/index.js': '',
    'functions/README.md': '',
  });
  assert.deepEqual(
    (await listFunctionFiles(project)).map(({ name }) => name),
    ['a'],
  );
});

test('an app without a folder for functions has none', async () => {
  assert.deepEqual(await listFunctionFiles(await anApp()), []);
});

test('two functions of one path are refused by the names of both', async () => {
  const project = await anApp({ 'functions/api/find.js': '', 'functions/api/find.ts': '' });
  const error = await refusalOf(listFunctionFiles(project));
  assert.equal(error.code, 'function_path_taken');
  assert.equal(error.message, 'functions/api/find.js and functions/api/find.ts are both the function api/find.js');
});

test('names that differ in capitals only are refused', { skip: process.platform !== 'linux' }, async () => {
  const project = await anApp({ 'functions/Find.js': '', 'functions/find.js': '' });
  assert.match((await refusalOf(listFunctionFiles(project))).message, /differ in capitals only/);
});

for (const [name, code] of [
  ['send offer.js', 'name_invalid'],
  ['🎉.js', 'name_invalid'],
  ['Ünïcode.js', 'name_invalid'],
  ['-x.js', 'name_invalid'],
  ['a..js', 'name_invalid'],
  ['con.js', 'name_reserved'],
  ['COM1.ts', 'name_reserved'],
  ['aux.backup.js', 'name_reserved'],
  ['__proto__.js', undefined],
  ['constructor.js', 'name_reserved'],
  ['tab\there.js', 'name_invalid'],
  [`${'x'.repeat(201)}.js`, 'name_too_long'],
] as const) {
  test(`a file called ${JSON.stringify(name.slice(0, 20))} is ${code ?? 'no function'}`, async () => {
    const project = await anApp({ [`functions/${name}`]: '' });
    if (code === undefined) assert.deepEqual(await listFunctionFiles(project), []);
    else {
      const error = await refusalOf(listFunctionFiles(project));
      assert.equal(error.code, code);
      assert.ok(error.hint);
    }
  });
}

test('a line feed in the name of a file does not break the line that names it', async () => {
  const project = await anApp({ 'functions/a\nb.js': '' });
  const { message } = await refusalOf(listFunctionFiles(project));
  assert.equal(message, String.raw`functions/a\nb.js: "a\nb" cannot be the name of a function`);
});

test('a link that points outside the app is refused, one inside of it is followed', async () => {
  const elsewhere = aFolder();
  await write(elsewhere, { 'evil.js': '' });
  const project = await anApp({ 'shared/real.js': '', 'functions/a.js': '' });
  await symlink(join(project.root, 'shared/real.js'), join(project.root, 'functions/linked.js'));
  await symlink(join(project.root, 'functions'), join(project.root, 'functions/round'));
  assert.deepEqual(
    (await listFunctionFiles(project)).map(({ name }) => name),
    ['a', 'linked'],
  );
  await symlink(join(elsewhere, 'evil.js'), join(project.root, 'functions/evil.js'));
  assert.equal((await refusalOf(listFunctionFiles(project))).code, 'function_outside_app');
});

test('a folder of functions that is a link out of the app is refused', async () => {
  const elsewhere = aFolder();
  await write(elsewhere, { 'x.js': '' });
  const project = await anApp();
  await symlink(elsewhere, join(project.root, 'functions'));
  assert.equal((await refusalOf(listFunctionFiles(project))).code, 'function_outside_app');
});

test('a link to nothing, a folder with the ending of a function, a pipe: each is named', async () => {
  const dangling = await anApp({ 'functions/a.js': '' });
  await symlink('nowhere.js', join(dangling.root, 'functions/b.js'));
  assert.match((await refusalOf(listFunctionFiles(dangling))).message, /b\.js is a broken link/);

  const circle = await anApp({ 'functions/a.js': '' });
  await symlink('b', join(circle.root, 'functions/b'));
  assert.match((await refusalOf(listFunctionFiles(circle))).message, /functions\/b is a broken link/);

  const folder = await anApp({ 'functions/a.js': '' });
  await mkdir(join(folder.root, 'functions/dir.js'));
  assert.deepEqual(
    (await listFunctionFiles(folder)).map(({ name }) => name),
    ['a'],
  );

  if (process.platform === 'win32') return;
  const pipe = await anApp({ 'functions/a.js': '' });
  execFileSync('mkfifo', [join(pipe.root, 'functions/pipe.js')]);
  assert.match((await refusalOf(listFunctionFiles(pipe))).message, /pipe\.js is not a file/);
});

test('a huge file is refused by its size, without being read', async () => {
  const project = await anApp({ 'functions/huge.js': '' });
  await truncate(join(project.root, 'functions/huge.js'), 2 ** 40);
  assert.equal((await refusalOf(listFunctionFiles(project))).code, 'function_too_large');
});

test('a file without permission to read is named', { skip: process.getuid?.() === 0 }, async () => {
  const project = await anApp({ 'functions/closed.js': '' });
  await chmod(join(project.root, 'functions/closed.js'), 0);
  const error = await refusalOf(listFunctionFiles(project));
  assert.equal(error.message, 'functions/closed.js cannot be read: no permission');
});

const live = ['api/orders/find', 'api/customers/find', 'tools/refund', 'cron/nightly-sync'].map((name) => ({ name }));

for (const asked of ['tools/refund', 'refund', 'functions/tools/refund.ts', './functions/tools/refund.js', 'refund.js'])
  test(`"${asked}" is the function tools/refund`, () => {
    assert.equal(resolveFunctionName(live, asked).name, 'tools/refund');
  });

test('a last part that two functions share needs more of the name', async () => {
  const error = await refusalOf((async () => resolveFunctionName(live, 'find'))());
  assert.equal(error.code, 'function_ambiguous');
  assert.equal(error.message, 'find is ambiguous: it may be api/orders/find or api/customers/find');
  assert.equal(resolveFunctionName(live, 'orders/find').name, 'api/orders/find');
});

test('an unknown function suggests the one that was probably meant, or lists them', async () => {
  const near = await refusalOf((async () => resolveFunctionName(live, 'refnud'))());
  assert.equal(near.code, 'function_unknown');
  assert.equal(near.hint, 'Did you mean tools/refund?');
  const far = await refusalOf((async () => resolveFunctionName(live, 'xyzzy'))());
  assert.match(far.hint ?? '', /api\/orders\/find, .* or cron\/nightly-sync/);
  const none = await refusalOf((async () => resolveFunctionName([], 'x'))());
  assert.match(none.hint ?? '', /fn init/);
});

test('a name that leaves the folder is refused, in every spelling', () => {
  for (const name of ['../x', 'a/../../x', '/etc/x', 'a//b', 'a/./b', '..', 'a\\..\\b', 'C:x', ''])
    assert.ok(functionNameProblem(name), name);
  for (const name of ['a', 'api/orders/find', 'v1.2/x', '_x', 'A-b_c'])
    assert.equal(functionNameProblem(name), undefined);
});

test('a name is tidied into one that can be', () => {
  for (const name of ['Send Offer!', '🎉 party', 'äöü/ß x', '../../etc/passwd', ' a / b ', '.hidden'])
    assert.equal(functionNameProblem(tidyName(name)), undefined, `${name} → ${tidyName(name)}`);
});
