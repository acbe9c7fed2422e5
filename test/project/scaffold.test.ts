import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { functionTypeNames } from '../../src/contract/index.ts';
import {
  applyScaffold,
  appNameFor,
  findProject,
  functionNameFor,
  functionTemplates,
  isCommonJs,
  listFunctionFiles,
  planScaffold,
  readSeed,
  readTemplates,
  requireProject,
  type ScaffoldRequest,
  templatesOf,
} from '../../src/project/index.ts';
import { aFolder, refusalOf, write } from './an-app.ts';

function planFor(root: string, request: Partial<ScaffoldRequest> = {}) {
  const whole: ScaffoldRequest = {
    root,
    app: 'order-desk',
    newApp: true,
    function: { type: 'ai-tool', name: 'tools/refund' },
    language: 'js',
    commonJs: false,
    ...request,
  };
  return planScaffold(whole, readTemplates(templatesOf(whole)));
}

const allFiles = async (folder: string) =>
  (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort();

for (const type of functionTypeNames) {
  for (const language of ['js', 'ts'] as const) {
    test(`a ${type} in ${language} is made with fixture, test and the app around it, and nothing is left to fill in`, async () => {
      const root = join(aFolder(), 'app');
      const name = functionTemplates[type].usualName;
      const plan = planFor(root, { function: { type, name }, language });
      const { written, kept } = applyScaffold(plan);
      assert.deepEqual(await allFiles(root), [...written].sort());
      assert.deepEqual(kept, []);
      for (const path of ['fn.config.json', 'seed.json', '.gitignore', 'README.md', 'package.json'])
        assert.ok(written.includes(path), path);
      for (const path of [`fixtures/${name}/default.json`, `test/${name}.test.${language}`])
        assert.ok(written.includes(path), path);

      const project = await requireProject(root);
      const files = await listFunctionFiles(project);
      assert.deepEqual(
        files.map(({ name, relative }) => ({ name, relative })),
        [{ name, relative: plan.functions[0]?.file }],
      );
      assert.ok(await readSeed(project));
      for (const path of written.filter((path) => path !== 'seed.json'))
        assert.doesNotMatch(await readFile(join(root, path), 'utf8'), /\{\{\w+\}\}/, path);
    });
  }
}

test('planning touches nothing', async () => {
  const folder = aFolder();
  planFor(join(folder, 'app'));
  assert.deepEqual(await readdir(folder), []);
});

test('an app that is there is added to; what functions share is kept', async () => {
  const root = join(aFolder(), 'app');
  applyScaffold(planFor(root, { function: { type: 'custom-view', name: 'views/a' } }));
  await writeFile(join(root, 'functions/_dom.js'), '// mine');
  const { written, kept } = applyScaffold(
    planFor(root, { newApp: false, function: { type: 'custom-view', name: 'views/b' } }),
  );
  assert.deepEqual(kept, ['functions/_dom.js']);
  assert.ok(written.includes('functions/views/b.jsx'));
  assert.equal(await readFile(join(root, 'functions/_dom.js'), 'utf8'), '// mine');
});

test('a folder that holds a package.json and a README keeps them', async () => {
  const root = aFolder();
  await write(root, { 'package.json': '{"name": "mine"}', 'README.md': '# mine' });
  const { kept } = applyScaffold(planFor(root));
  assert.deepEqual([...kept].sort(), ['README.md', 'package.json']);
  assert.equal(await readFile(join(root, 'README.md'), 'utf8'), '# mine');
});

test('nothing is overwritten without force, and then nothing is written at all', async () => {
  const root = aFolder();
  await write(root, { 'fixtures/tools/refund/default.json': '{"mine": true}' });
  const error = await refusalOf((async () => applyScaffold(planFor(root)))());
  assert.equal(error.code, 'file_exists');
  assert.match(error.message, /fixtures\/tools\/refund\/default\.json already exists/);
  assert.match(error.hint ?? '', /--force/);
  assert.deepEqual(await allFiles(root), ['fixtures/tools/refund/default.json']);

  applyScaffold(planFor(root), { force: true });
  assert.doesNotMatch(await readFile(join(root, 'fixtures/tools/refund/default.json'), 'utf8'), /mine/);
});

test('force replaces a link, it does not write through it', async () => {
  const outside = aFolder();
  await write(outside, { 'precious.js': 'keep' });
  const root = aFolder();
  await mkdir(join(root, 'functions/tools'), { recursive: true });
  await symlink(join(outside, 'precious.js'), join(root, 'functions/tools/refund.js'));
  applyScaffold(planFor(root), { force: true });
  assert.equal(await readFile(join(outside, 'precious.js'), 'utf8'), 'keep');
  assert.match(await readFile(join(root, 'functions/tools/refund.js'), 'utf8'), /AiTool/);
});

test('a folder that is a link out of the app is refused, and what was begun is taken back', async () => {
  const outside = aFolder();
  const root = aFolder();
  await symlink(outside, join(root, 'test'));
  const error = await refusalOf((async () => applyScaffold(planFor(root)))());
  assert.equal(error.code, 'function_outside_app');
  assert.deepEqual(await readdir(outside), []);
  assert.deepEqual(await readdir(root), ['test']);
});

test('a failure in the middle is taken back', async () => {
  const root = aFolder();
  // The last but one folder cannot be made, because a file stands in its place.
  await write(root, { test: 'a file' });
  const error = await refusalOf((async () => applyScaffold(planFor(root)))());
  assert.equal(error.code, 'cannot_write');
  assert.equal(error.exitCode, 1);
  assert.deepEqual(await allFiles(root), ['test']);
});

test('a run that was killed leaves a staging folder, which the next run removes', async () => {
  const root = aFolder();
  const dead = Number(execFileSync(process.execPath, ['-p', 'process.pid'], { encoding: 'utf8' }));
  await mkdir(join(root, `.fn-init-${dead}`));
  await mkdir(join(root, `.fn-init-${process.ppid}`));
  applyScaffold(planFor(root));
  const left = (await readdir(root)).filter((name) => name.startsWith('.fn-init-'));
  assert.deepEqual(left, [`.fn-init-${process.ppid}`]);
});

test('half an app is none: fn.config.json comes last', async () => {
  const plan = planFor(join(aFolder(), 'app'));
  assert.equal(plan.files.at(-1)?.path, 'fn.config.json');
});

for (const name of [
  '../escape',
  'tools/../../x',
  '/etc/x',
  'tools/a b',
  'tools/🎉',
  'con',
  'tools/aux',
  '_hidden',
  'a.test',
  '',
])
  test(`a function cannot be made as ${JSON.stringify(name)}`, async () => {
    const folder = aFolder();
    const error = await refusalOf(
      (async () => planFor(join(folder, 'app'), { function: { type: 'ai-tool', name } }))(),
    );
    assert.match(error.code, /^name_/);
    assert.equal(await findProject(join(folder, 'app')), undefined);
  });

test('a name without a folder goes into the usual one of its type', () => {
  assert.equal(functionNameFor('ai-tool', 'refund'), 'tools/refund');
  assert.equal(functionNameFor('server-side-method', 'find.js'), 'api/find');
  assert.equal(functionNameFor('server-side-method', 'orders/find'), 'orders/find');
  assert.equal(functionNameFor('custom-app-setup', 'setup'), 'setup');
  assert.equal(functionNameFor('cron-job', 'functions/cron/x.ts'), 'cron/x');
});

test('an app is named after its folder, as an app may be called', () => {
  assert.equal(appNameFor('Order Desk'), 'order-desk');
  assert.equal(appNameFor('größe.v2'), 'gro-e-v2');
  assert.equal(appNameFor('🎉'), 'my-app');
  assert.equal(appNameFor('con'), 'my-app');
  assert.equal(appNameFor('template-app'), 'my-app');
});

for (const [manifest, ending] of [
  ['{"type":"commonjs"}', '.mjs'],
  ['{"type":"module"}', '.js'],
  ['{}', '.js'],
  ['no JSON', '.js'],
] as const) {
  test(`beside a package.json of ${manifest} a test ends with ${ending}, and Node and editors take both files for modules`, async () => {
    const root = aFolder();
    await write(root, { 'package.json': manifest });
    await mkdir(join(root, 'app'));
    const { files } = planFor(root, { commonJs: isCommonJs(join(root, 'app')) });
    const paths = files.map(({ path }) => path);
    assert.ok(paths.includes(`test/tools/refund.test${ending}`));
    assert.equal(paths.includes('functions/package.json'), ending === '.mjs');
  });
}
