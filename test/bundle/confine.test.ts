import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { findWorkspaceRoot } from '../../src/bundle/packages/workspace-root.ts';
import type { FnError } from '../../src/std/index.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { aBundler, anApp } from './helpers.ts';

/** What a function that imports `specifier` is told. */
async function refusal(t: import('node:test').TestContext, specifier: string, files: Record<string, string> = {}) {
  const app = anApp({
    'functions/f.js': `\nimport x from '${specifier}'${specifier.endsWith('rc') ? ' with { type: "text" }' : ''};\nexport default () => x;`,
    ...files,
  });
  return refused(aBundler(t).build(app.source('f')));
}

async function refused(build: Promise<unknown>): Promise<FnError> {
  const error = await build.then(
    () => assert.fail('it was built'),
    (reason: unknown) => reason as FnError,
  );
  assert.equal(error.code, 'build_failed');
  return error;
}

describe('imports that are refused, with their place', () => {
  const cases: [specifier: string, message: RegExp, files?: Record<string, string>][] = [
    ['./.env', /"\.\/\.env" may hold secrets/, { 'functions/.env': 'SECRET=1' }],
    ['../.env.local', /may hold secrets/, { '.env.local': 'SECRET=1' }],
    ['./.ENV.production.json', /may hold secrets/, { 'functions/.ENV.production.json': '{}' }],
    ['/etc/passwd', /is an absolute path/],
    ['C:\\\\x.js', /is an absolute path/],
    ['file:///etc/passwd', /cannot be imported/],
    ['data:text/javascript,export default 1', /cannot be imported/],
    ['https://example.com/x.js', /cannot be imported/],
    ['npm:zod', /cannot be imported/],
    ['convo-fn/testing', /is for tests and types: no function can import it/],
    ['convo-fn', /is for tests and types/],
    ['./addon.node', /is a native addon/, { 'functions/addon.node': '\u0000' }],
    ['./x.unknown', /A \.unknown file cannot be imported/, { 'functions/x.unknown': '' }],
    ['../.npmrc', /functions may not read/, { '.npmrc': '//r/:_authToken=1' }],
    ['../.fn/state.json', /functions may not read/, { '.fn/state.json': '{}' }],
    ['./a\u202eb.js', /Could not resolve/],
  ];
  for (const [specifier, message, files] of cases) {
    test(JSON.stringify(specifier), async (t) => {
      const error = await refusal(t, specifier, files);
      assert.match(error.message, message);
      assert.equal(error.location?.file, 'functions/f.js');
      assert.equal(error.location?.line, 2);
    });
  }

  test('a relative import that leads nowhere is answered with the file that was probably meant', async (t) => {
    const files = { 'functions/_lib/shop.ts': 'export default 1;', 'functions/api/_order.ts': 'export default 1;' };
    const hint = async (specifier: string) => (await refusal(t, specifier, files)).hint;
    assert.equal(await hint('./_lib/shp.ts'), 'Did you mean "./_lib/shop.ts"?');
    assert.equal(await hint('./_lib/shop.mjs'), 'Did you mean "./_lib/shop.ts"?');
    assert.equal(await hint('./lib/shop.ts'), 'Did you mean "./_lib/shop.ts"?');
    assert.equal(await hint('./api/order'), 'Did you mean "./api/_order.ts"?');
    assert.equal(await hint('./prices'), 'Check the spelling and the path; the file must exist.');
  });

  test('what to do instead is said, too', async (t) => {
    assert.match((await refusal(t, 'convo-fn')).hint ?? '', /import type \{ … \} from 'convo-fn'/);
    assert.match((await refusal(t, 'npm:zod')).hint ?? '', /^Install the package/);
    assert.match((await refusal(t, '/etc/passwd')).hint ?? '', /^Write the path relative/);
  });

  test('a file outside of the project, by .. or by a symlink, whatever it holds', async (t) => {
    const outside = temporaryFolder('fn-outside');
    writeFileSync(join(outside, 'secret.json'), '{"canary":4711}');
    writeFileSync(join(outside, 'secret.txt'), 'canary-4711');
    writeFileSync(join(outside, 'broken.js'), 'canary-4711 {');
    writeFileSync(join(outside, 'id_rsa'), 'canary-4711');
    const app = anApp({ 'functions/x.js': '' });
    symlinkSync(join(outside, 'secret.json'), app.path('functions/link.json'));
    symlinkSync(outside, app.path('functions/linked'));
    const up = '../../../../../../../../..';
    const specifiers = [
      './link.json',
      './linked/secret.txt',
      './linked/broken.js',
      './linked/id_rsa',
      `${up}${outside}/secret.json`,
      `${up}${outside}/secret.txt`,
      `${up}${outside}/broken.js`,
      `${up}${outside}/id_rsa`,
      `${up}${outside}/gone.js`,
    ];
    const bundler = aBundler(t);
    for (const [index, specifier] of specifiers.entries()) {
      app.write({ [`functions/f${index}.js`]: `import x from ${JSON.stringify(specifier)};\nexport default () => x;` });
      const error = await refused(bundler.build(app.source(`f${index}`)));
      assert.match(error.message, /is outside the project/, specifier);
      assert.doesNotMatch(error.message, /4711/);
    }
  });

  test('a symlink to a secret inside the project', async (t) => {
    const app = anApp({ '.env': 'A=1', 'functions/f.js': 'import x from "./note.txt"; export default () => x;' });
    symlinkSync(app.path('.env'), app.path('functions/note.txt'));
    const error = await refused(aBundler(t).build(app.source('f')));
    assert.match(error.message, /"\.\/note\.txt" leads to \.env, which functions may not read/);
  });

  test('a package that leads out of the project by a symlink', async (t) => {
    const outside = temporaryFolder('fn-outside');
    writeFileSync(join(outside, 'index.js'), 'export default "canary";');
    const app = anApp({
      'functions/f.js': 'import x from "linked"; export default () => x;',
      'node_modules/.keep': '',
    });
    symlinkSync(outside, app.path('node_modules/linked'));
    const { message, hint } = await refused(aBundler(t).build(app.source('f')));
    assert.match(message, /"linked" is outside the project/);
    assert.match(
      hint ?? '',
      /^It leads to .*fn-outside-.*index\.js\. The project is .*: the nearest folder with a lockfile/,
    );
  });

  test('a package that is linked, or installed, in a folder above the project', async (t) => {
    const app = anApp({
      'packages/shared/package.json': '{"name":"shared","main":"i.js"}',
      'packages/shared/i.js': 'module.exports = 1;',
      'node_modules/above/package.json': '{"name":"above"}',
      'node_modules/above/index.js': 'module.exports = 1;',
      'apps/one/functions/f.js': 'import x from "shared"; export default () => x;',
      'apps/one/functions/g.js': 'import x from "above"; export default () => x;',
    });
    symlinkSync('../packages/shared', app.path('node_modules/shared'));
    const root = app.path('apps/one');
    const hintOf = async (name: string) => {
      const source = { app: 'one', name, file: join(root, `functions/${name}.js`), root, kind: 'server' as const };
      return (await refused(aBundler(t).build(source))).hint ?? '';
    };
    assert.match(
      await hintOf('f'),
      /^It leads to .*packages\/shared\/i\.js\. .*Put the app and what it imports below one/,
    );
    assert.equal(await hintOf('g'), 'Install it in the project: npm install above');
  });

  test('what the paths of a tsconfig lead to', async (t) => {
    const app = anApp({
      'functions/f.ts': 'import x from "@host/hostname"; export default () => x;',
      'tsconfig.json': '{"compilerOptions":{"paths":{"@host/*":["/etc/*"]}}}',
    });
    const error = await refused(aBundler(t).build(app.source('f', { file: 'functions/f.ts' })));
    assert.match(error.message, /is outside the project/);
  });
});

test('a build that stumbles over a file elsewhere says what may lead there', async (t) => {
  const app = anApp({
    'functions/f.js': 'export default () => 1;\n//# sourceMappingURL=../../../../../../../../../../etc/passwd',
  });
  const { message, hint } = await refused(aBundler(t).build(app.source('f')));
  assert.match(message, /passwd" is outside the project/);
  assert.doesNotMatch(message, /root:/);
  assert.match(hint ?? '', /a sourceMappingURL names it/);
});

describe('source maps that packages bring', () => {
  const withMap = (map: object) => ({
    '.env': 'TOKEN=canary-4711',
    'functions/f.js': 'import x from "traced"; export default () => x;',
    'node_modules/traced/package.json': '{"name":"traced","main":"index.js"}',
    'node_modules/traced/index.js': 'export default 1;\n//# sourceMappingURL=index.js.map',
    'node_modules/traced/src/index.ts': 'export default 1 as number;',
    'node_modules/traced/index.js.map': JSON.stringify({
      version: 3,
      mappings: 'AAAA;ACAA;ACAA;ACAA',
      names: [],
      ...map,
    }),
  });

  test('what they name outside of the project, or among its secrets, is not read into the program', async (t) => {
    const outside = temporaryFolder('fn-outside');
    writeFileSync(join(outside, 'notes.txt'), 'canary-4711');
    const links = ['linked.ts', 'linked twice.ts', '[linked].ts'];
    const sources = ['../../.env', join(outside, 'notes.txt'), './src/index.ts', ...links.map((name) => `./${name}`)];
    const app = anApp(withMap({ sources, mappings: 'AAAA;ACAA;ACAA;ACAA;ACAA;ACAA' }));
    for (const name of links) symlinkSync(join(outside, 'notes.txt'), app.path(`node_modules/traced/${name}`));
    const { sourceMap } = await aBundler(t).build(app.source('f'));
    assert.doesNotMatch(sourceMap, /4711/);
    assert.ok(!sourceMap.includes(outside));
    assert.match(sourceMap, /as number/);
  });

  test('what they hold themselves stays', async (t) => {
    const kept = { sources: ['../gone/a.ts'], sourcesContent: ['one'], mappings: 'AAAA' };
    const app = anApp(withMap(kept));
    const { sourceMap } = await aBundler(t).build(app.source('f'));
    const { sources, sourcesContent } = JSON.parse(sourceMap) as { sources: string[]; sourcesContent: string[] };
    assert.ok(sourcesContent.includes('one'), sources.join());
  });
});

describe('what has no end', { skip: process.platform === 'win32' }, () => {
  const importing = {
    'functions/f.js': 'import x from "./x.txt"; export default () => x;',
    'functions/g.js': 'export default () => 1;',
  };
  const cases: Record<string, (path: (name: string) => string) => void> = {
    'functions/x.txt': (path) => execFileSync('mkfifo', [path('functions/x.txt')]),
    'tsconfig.json': (path) => symlinkSync('/dev/zero', path('tsconfig.json')),
    'base.json': (path) => {
      writeFileSync(path('functions/x.txt'), '');
      writeFileSync(path('tsconfig.json'), '{ "extends": "./middle" }');
      writeFileSync(path('middle.json'), '{ "extends": ["./base.json"] }');
      symlinkSync('/dev/zero', path('base.json'));
    },
    'lib/package.json': (path) => {
      writeFileSync(path('functions/x.txt'), '');
      appendFileSync(path('functions/f.js'), '\nimport "../lib/a.js";');
      mkdirSync(path('lib'));
      writeFileSync(path('lib/a.js'), '');
      symlinkSync('/dev/zero', path('lib/package.json'));
    },
    'functions/f.js.map': (path) => {
      writeFileSync(path('functions/x.txt'), '');
      appendFileSync(path('functions/f.js'), '\n//# sourceMappingURL=f.js.map');
      execFileSync('mkfifo', [path('functions/f.js.map')]);
    },
    'node_modules/pkg/package.json': (path) => {
      writeFileSync(path('functions/x.txt'), '');
      appendFileSync(path('functions/f.js'), '\nimport "pkg";');
      mkdirSync(path('node_modules/pkg'), { recursive: true });
      writeFileSync(path('node_modules/pkg/index.js'), '');
      symlinkSync('/dev/zero', path('node_modules/pkg/package.json'));
    },
  };
  for (const [name, make] of Object.entries(cases)) {
    test(`${name} is refused, and the next build is like any other`, { timeout: 60_000 }, async (t) => {
      const app = anApp(importing);
      make(app.path);
      const bundler = aBundler(t);
      const error = await refused(bundler.build(app.source('f')));
      assert.match(error.message, new RegExp(`${name} is a pipe or a device`));
      rmSync(app.path(name));
      app.write({ 'functions/x.txt': 'text' });
      assert.match((await bundler.build(app.source('f'))).code, /text/);
      assert.match((await bundler.build(app.source('g'))).code, /=> 1/);
    });
  }

  test('a function that is itself a device', async (t) => {
    const app = anApp({ 'functions/g.js': '' });
    symlinkSync('/dev/zero', app.path('functions/f.js'));
    assert.match((await refused(aBundler(t).build(app.source('f')))).message, /this is a pipe or a device, not a file/);
  });
});

describe('what may be imported', () => {
  test('a package of the workspace around the app, where the lockfile is', async (t) => {
    const app = anApp({
      'package-lock.json': '{}',
      'packages/shared/package.json': '{"name":"shared","main":"i.js"}',
      'packages/shared/i.js': 'module.exports = 1;',
      'apps/one/functions/f.js':
        'import x from "shared"; import y from "../../../lib/y.js"; export default () => x + y;',
      'lib/y.js': 'export default 2;',
    });
    mkdirSync(app.path('node_modules'));
    symlinkSync('../packages/shared', app.path('node_modules/shared'));
    const root = app.path('apps/one');
    const source = { app: 'one', name: 'f', file: join(root, 'functions/f.js'), root, kind: 'server' as const };
    const bundle = await aBundler(t).build(source);
    assert.ok(bundle.inputs.includes(app.path('packages/shared/i.js')));
    assert.ok(JSON.parse(bundle.sourceMap).sources.includes('functions/f.js'));
    const narrow = aBundler(t, { workspaceRoot: root });
    assert.match((await refused(narrow.build(source))).message, /is outside the project/);
  });

  test('the workspace root is the nearest lockfile, but not above the repository or in the home folder', (t) => {
    const app = anApp({
      'package-lock.json': '{}',
      'repo/.git/HEAD': '',
      'repo/app/x': '',
      'other/app/x': '',
      'p/yarn.lock': '',
      'p/a/x': '',
    });
    assert.equal(findWorkspaceRoot(app.path('repo/app')), app.path('repo/app'));
    assert.equal(findWorkspaceRoot(app.path('other/app')), app.root);
    assert.equal(findWorkspaceRoot(app.path('p/a')), app.path('p'));
    const home = process.env['HOME'];
    process.env['HOME'] = app.root;
    t.after(() => {
      process.env['HOME'] = home;
    });
    assert.equal(findWorkspaceRoot(app.path('other/app')), app.path('other/app'));
  });

  test('an optional native build that is not there does not matter', async (t) => {
    const app = anApp({
      'functions/f.js': 'import x from "maybe"; export default () => x;',
      'node_modules/maybe/package.json': '{"name":"maybe"}',
      'node_modules/maybe/index.js':
        'let x; try { x = require("./build/x.node"); } catch { x = "plain"; } module.exports = x;',
    });
    assert.ok((await aBundler(t).build(app.source('f'))).code.includes('plain'));
  });
});

describe('circles', () => {
  test('files that import each other build, with a warning that names the way and the line', async (t) => {
    const app = anApp({
      'functions/f.js': 'import { a } from "./_a.js";\nexport default () => a();',
      'functions/_a.js': 'import { b } from "./_b.js";\nexport const a = () => b;',
      'functions/_b.js': '\nimport { a } from "./_a.js";\nexport const b = () => a;',
    });
    const { warnings } = await aBundler(t).build(app.source('f'));
    assert.equal(warnings.length, 1);
    assert.equal(warnings[0]?.code, 'import_cycle');
    assert.match(
      warnings[0]?.message ?? '',
      /^functions\/_a\.js → functions\/_b\.js → functions\/_a\.js: these files import each other/,
    );
    assert.deepEqual([warnings[0]?.location?.file, warnings[0]?.location?.line], ['functions/_b.js', 2]);
  });

  test('a circle through the function itself is named as such', async (t) => {
    const app = anApp({
      'functions/f.js': 'import { help } from "./_help.js";\nexport default () => help;',
      'functions/_help.js': 'import f from "./f.js";\nexport const help = typeof f;',
    });
    const { warnings } = await aBundler(t).build(app.source('f'));
    assert.match(warnings[0]?.message ?? '', /the function is imported by what it imports/);
  });

  test('a default export that only leads round in a circle is an error', async (t) => {
    const app = anApp({
      'functions/f.js': 'export { default } from "./_g.js";',
      'functions/_g.js': 'export { default } from "./f.js";',
    });
    assert.match((await refused(aBundler(t).build(app.source('f')))).message, /cycle/i);
  });

  test('an import() back is no circle, and packages keep theirs to themselves', async (t) => {
    const app = anApp({
      'functions/f.js': 'import "./_a.js"; import "round";\nexport default () => 1;',
      'functions/_a.js': 'export const a = () => import("./f.js");',
      'node_modules/round/package.json': '{"name":"round","main":"a.js"}',
      'node_modules/round/a.js': 'import "./b.js"; export const a = 1;',
      'node_modules/round/b.js': 'import { a } from "./a.js"; globalThis.a = a;',
    });
    assert.deepEqual((await aBundler(t).build(app.source('f'))).warnings, []);
  });
});
