import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, test } from 'node:test';
import { pathProblem, writeProblem } from '../../src/deploy/pull-paths.ts';
import { runFn } from '../cli/context.ts';
import { json, type Weather, weather } from '../client/server.ts';
import fc from '../properties.ts';
import { anApp, read } from './elsewhere.ts';

let server: Weather | undefined;
let folder = '';
afterEach(async () => {
  await server?.close();
});

const sha = (text: string) => createHash('sha256').update(text).digest('hex');

/** A server that names the paths it likes, in a manifest and in a source map. */
async function hostile(sources: Record<string, string>, lie = false): Promise<Weather> {
  const code = '(async (register) => register({}))';
  const map = JSON.stringify({
    version: 3,
    sources: Object.keys(sources),
    sourcesContent: Object.values(sources),
    mappings: '',
  });
  const manifest = [
    {
      path: 'api/a.js',
      type: 'server-side-method',
      config: {},
      sha256: sha(code),
      bytes: code.length,
      sourceMapSha256: sha(map),
      sourceMapBytes: map.length,
    },
  ];
  const deployment = {
    id: 'dpl_1',
    app: 'order-desk',
    fingerprint: sha('x'),
    state: 'live',
    baseVersion: null,
    message: null,
    commit: null,
    functions: 1,
    createdBy: { type: 'token', id: null, name: null },
    createdAt: '2026-01-01T00:00:00.000Z',
    activatedAt: null,
    manifest,
  };
  return await weather((request, response) => {
    if (request.path.endsWith('/deployments/live')) return json(response, 200, deployment, { etag: '"dpl_1"' });
    response.writeHead(200, { 'content-type': 'application/octet-stream' });
    response.end(lie ? 'something else' : request.path.endsWith(sha(map)) ? map : code);
  });
}

async function pull(
  sources: Record<string, string>,
  lie = false,
  here: Record<string, string> = {},
  options: readonly string[] = [],
) {
  await server?.close();
  folder = anApp(here);
  server = await hostile(sources, lie);
  const env = { XDG_CONFIG_HOME: join(folder, 'home'), FN_BASE_URL: server.url, FN_WORKSPACE: 'acme', FN_TOKEN: 't' };
  return await runFn(['pull', ...options], { cwd: folder, env });
}

const own = { 'functions/api/a.js': 'export const a = 1;\n' };

test('what a server names outside of the app, in dot-folders or in packages is not written, and said so', async () => {
  const { exitCode, err } = await pull({
    ...own,
    'lib/../../escape.js': 'x',
    '/etc/escape.js': 'x',
    '.git/hooks/pre-commit.js': 'x',
    'functions/.env.js': 'x',
    'package.json': '{"scripts":{"preinstall":"evil"}}',
    'fn.config.json': '{}',
    'C:\\escape.js': 'x',
    'lib/aux.js': 'x',
    'docker-compose.yml': 'x',
    'lib/run.sh': 'x',
    'lib/a\u001b[2J.js': 'x',
  });
  assert.equal(exitCode, 10);
  assert.equal(read(folder, 'functions/api/a.js'), own['functions/api/a.js']);
  assert.equal((err.match(/not written/g) ?? []).length, 10);
  assert.ok(!err.includes('\u001b[2J'));
  for (const path of ['../escape.js', '.git', 'functions/.env.js', 'package.json', 'lib'])
    assert.ok(!existsSync(join(folder, path)), path);
});

test('a source map names a file outside of functions/: it is listed, and not written', async () => {
  const outside = {
    'lib/there.js': 'same',
    'lib/edited.js': 'of the server',
    'lib/new.js': 'of the server',
    'test/a.test.js': 'run by node --test',
    'vitest.config.ts': 'run by vitest',
    'packages/a/package.json': '{"scripts":{"preinstall":"evil"}}',
    'Functions/b.js': 'another folder where capitals count',
  };
  const here = { 'lib/there.js': 'same', 'lib/edited.js': 'edited here' };
  const { exitCode, err, out } = await pull({ ...own, ...outside }, false, here, ['--json']);
  assert.equal(exitCode, 10);
  assert.deepEqual(
    JSON.parse(out).elsewhere.map(({ path, kind }: { path: string; kind: string }) => [path, kind]),
    [
      ['Functions/b.js', 'create'],
      ['lib/edited.js', 'update'],
      ['lib/new.js', 'create'],
      ['lib/there.js', 'same'],
      ['packages/a/package.json', 'create'],
      ['test/a.test.js', 'create'],
      ['vitest.config.ts', 'create'],
    ],
  );
  assert.match(err, /not written lib\/new\.js: .*missing here/);
  assert.match(err, /not written lib\/edited\.js: .*differs here/);
  assert.doesNotMatch(err, /there\.js/);
  assert.equal(read(folder, 'lib/edited.js'), 'edited here');
  for (const path of ['lib/new.js', 'test', 'vitest.config.ts', 'packages', 'Functions'])
    assert.ok(!existsSync(join(folder, path)), path);
});

test('everything outside of functions/ is here already: the pull succeeds', async () => {
  const { exitCode, err } = await pull({ ...own, 'lib/a.js': 'a' }, false, { 'lib/a.js': 'a' });
  assert.equal(exitCode, 0, err);
  assert.match(err, /^→ acme \(.*\)\n$/, 'only the workspace is named');
});

test('--print prints a file that was listed, and writes nothing', async () => {
  const sources = { ...own, 'lib/new.js': 'export const n = 1;\n', 'functions/a.test.js': 'a test' };
  const { exitCode, out } = await pull(sources, false, {}, ['--print', 'lib/new.js']);
  assert.deepEqual([exitCode, out], [0, 'export const n = 1;\n']);
  assert.ok(!existsSync(join(folder, 'functions')));
  assert.equal((await pull(sources, false, {}, ['--print', 'functions/a.test.js'])).out, 'a test');
  const unknown = await pull(sources, false, {}, ['--print', 'lib/mew.js']);
  assert.equal(unknown.exitCode, 2);
  assert.match(unknown.err, /lib\/new\.js/);
});

test('a file that a tool of the developer would execute or obey is not written below functions/ either', async () => {
  const paths = [
    'functions/api/a.test.js',
    'functions/api/a.spec.ts',
    'functions/test/a.js',
    'functions/__tests__/a.js',
    'functions/__mocks__/fs.js',
    'functions/api/a_test.ts',
    'functions/api/test-a.mjs',
    'functions/test.js',
    'functions/eslint.config.js',
    'functions/Vitest.Config.ts',
    'functions/karma.conf.js',
    'functions/vitest.workspace.ts',
    'functions/Button.stories.tsx',
    'functions/gulpfile.js',
    'functions/package.json',
    'functions/api/PACKAGE.json',
    'functions/tsconfig.json',
    'functions/jsconfig.json',
    'functions/fn.config.json',
    'functions/docker-compose.yml',
    'functions/pnpm-workspace.yaml',
    'functions/AGENTS.md',
    'functions/claude.md',
  ];
  const { exitCode, err } = await pull({ ...own, ...Object.fromEntries(paths.map((path) => [path, 'x'])) });
  assert.equal(exitCode, 10);
  for (const path of paths) {
    assert.ok(err.includes(`not written ${path}: `), path);
    assert.ok(!existsSync(join(folder, path)), path);
  }
  assert.deepEqual(readdirSync(join(folder, 'functions'), { recursive: true }).sort(), ['api', join('api', 'a.js')]);
});

test('names that no tool looks for are written: a version, a style module, a folder with a dot, a word with test in it', async () => {
  const paths = [
    'orders.v2.js',
    'a.module.css',
    'v1.2/x.js',
    'latest.js',
    'contest/a.js',
    '_data/config.json',
    'profile.ts',
  ];
  const files = Object.fromEntries(paths.map((path) => [`functions/${path}`, 'x']));
  const { exitCode, err } = await pull({ ...own, ...files });
  assert.equal(exitCode, 0, err);
  for (const path of Object.keys(files)) assert.equal(read(folder, path), 'x');
});

test('a file that decides what npm or fn does is not written, however a server spells its name', () => {
  for (const path of [
    'Package.json',
    'PACKAGE-LOCK.json',
    'FN.config.json',
    'fn.con\ufb01g.json',
    'npm-shrinkwrap.json',
    'NPM-\u017fhrinkwrap.json',
    'Node_Modules/a/index.js',
    'lib/node_module\u017f/a/index.js',
  ])
    assert.notEqual(writeProblem(`functions/${path}`), undefined, path);
  assert.equal(writeProblem('functions/package-names.json'), undefined);
});

test('what a pull that was killed had staged is removed by the next one; of one that lives it is left', async () => {
  const living = `pull-${process.ppid}-b`;
  const { exitCode } = await pull(own, false, { '.fn/pull-99999999-a/x.js': '', [`.fn/${living}/x.js`]: '' });
  assert.equal(exitCode, 0);
  assert.deepEqual(
    readdirSync(join(folder, '.fn')).filter((name) => name.startsWith('pull-')),
    [living],
  );
});

test('what the compiler made itself is no source of the author, and nothing is said of it', async () => {
  const { exitCode, err } = await pull({ ...own, '<define:import.meta>': '{}' });
  assert.equal(exitCode, 0, err);
  assert.equal(read(folder, 'functions/api/a.js'), own['functions/api/a.js']);
});

test('whatever a function may import as a text comes back', async () => {
  const endings = [
    '.cjs',
    '.cts',
    '.mts',
    '.css',
    '.json',
    '.svg',
    '.csv',
    '.md',
    '.html',
    '.sql',
    '.yaml',
    '.graphql',
  ];
  const files = Object.fromEntries(endings.map((ending) => [`functions/_data/a${ending}`, `of ${ending}`]));
  const { exitCode, err } = await pull({ ...own, ...files });
  assert.equal(exitCode, 0, err);
  for (const [path, text] of Object.entries(files)) assert.equal(read(folder, path), text);
});

test('bytes that are not the ones of the manifest are refused, and nothing is written', async () => {
  const { exitCode, err } = await pull(own, true);
  assert.notEqual(exitCode, 0);
  assert.match(err, /other bytes/);
  assert.ok(!existsSync(join(folder, 'functions')));
});

for (const [one, other] of [
  ['Data', 'data'],
  ['gr\u00f6\u00dfe', 'gro\u0308\u00dfe'],
]) {
  test(`two names that are one file on many systems are not both written: ${one} and ${other}`, async () => {
    const { exitCode, err } = await pull({ ...own, [`functions/_${one}.js`]: 'a', [`functions/_${other}.js`]: 'b' });
    assert.equal(exitCode, 10);
    assert.match(err, /same file/);
  });
}

test('no path with a dot segment, a dot-folder or an absolute beginning is ever harmless', () => {
  const part = fc.constantFrom('..', '.', '.git', 'node_modules', 'lib', 'a', '', '~', 'C:', '\\', '\u0000');
  fc.assert(
    fc.property(fc.array(part, { minLength: 1, maxLength: 6 }), (parts) => {
      const path = `${parts.join('/')}/x.js`;
      if (pathProblem(path) !== undefined) return;
      assert.ok(
        parts.every((one) => one === 'lib' || one === 'a'),
        path,
      );
    }),
  );
});

test('names as people choose them are harmless; those that hide something, or mean something to a shell, are not', () => {
  for (const name of ['größe [1]', 'my prices', '(group)/x', '@shop/a+b=c~1', '数据', 'cafe\u0301'])
    assert.equal(pathProblem(`lib/${name}.js`), undefined, name);
  for (const name of [
    '-rf',
    ' x',
    'x /y',
    'a\u202eb',
    'a\u200bb',
    '$(id)',
    '`id`',
    'a;b',
    'a%b',
    'a:b',
    'a"b',
    'Node_Modules/x',
    '.x',
  ])
    assert.ok(pathProblem(`lib/${name}.js`), name);
});

test('no file is written that Windows would take for a device', () => {
  for (const name of [
    'con',
    'con ',
    'nul.txt',
    'com1.js',
    'lpt0.ts',
    'conin$.js',
    'conout$.js',
    'com¹.js',
    'aux.d/a.js',
  ])
    assert.ok(pathProblem(`functions/${name}`), name);
  assert.equal(pathProblem('functions/console.js'), undefined);
});
