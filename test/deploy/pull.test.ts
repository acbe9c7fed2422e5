import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, test } from 'node:test';
import { pathProblem } from '../../src/deploy/pull.ts';
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

async function pull(sources: Record<string, string>, lie = false, here: Record<string, string> = {}) {
  folder = anApp(here);
  server = await hostile(sources, lie);
  const env = { XDG_CONFIG_HOME: join(folder, 'home'), FN_BASE_URL: server.url, FN_WORKSPACE: 'acme', FN_TOKEN: 't' };
  return await runFn(['pull'], { cwd: folder, env });
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
    assert.notEqual(pathProblem(path), undefined, path);
  assert.equal(pathProblem('lib/package-names.json'), undefined);
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
    const { exitCode, err } = await pull({ ...own, [`lib/${one}.js`]: 'a', [`lib/${other}.js`]: 'b' });
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
