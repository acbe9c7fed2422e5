import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { isAmd } from '../../src/bundle/packages/amd.ts';
import { aBundler, anApp, evaluateHere } from './helpers.ts';

/** What a function returns that imports the package, and the warnings of its build. */
async function using(t: TestContext, files: Record<string, string>, importing = "import x from 'pkg';") {
  const app = anApp({ 'functions/f.js': `${importing}\nexport default () => x;`, ...files });
  const { code, warnings } = await aBundler(t).build(app.source('f'));
  return { made: await (await evaluateHere(code)).default(), warnings };
}

const page = "exports.make = () => document.createElement('p'); exports.form = 'page';";

describe('a package whose form for browsers needs a page', () => {
  test('is taken in its form for Node, wherever it names the other one', async (t) => {
    const manifest = {
      name: 'pkg',
      main: './index.js',
      browser: { './index.js': './page.js', './parse.js': './parse-page.js', fs: false, dom: false },
    };
    const { made } = await using(t, {
      'node_modules/pkg/package.json': JSON.stringify(manifest),
      'node_modules/pkg/index.js':
        "const fs = require('fs'); module.exports = [require('./parse').from, require('dom'), typeof fs.writeFile];",
      'node_modules/pkg/page.js': "module.exports = require('./parse');",
      'node_modules/pkg/parse.js': "exports.from = 'node';",
      'node_modules/pkg/parse-page.js': 'exports.from = new DOMParser();',
      'node_modules/dom/package.json': '{"name":"dom"}',
      'node_modules/dom/index.js': "module.exports = 'dom';",
    });
    assert.deepEqual(made, ['node', 'dom', 'function']);
  });

  test('by exports too, for import and for require', async (t) => {
    const condition = (name: string) => ({ import: `./${name}.mjs`, require: `./${name}.js` });
    const manifest = { name: 'pkg', exports: { '.': { browser: './page.js', node: condition('node') } } };
    const { made } = await using(
      t,
      {
        'node_modules/pkg/package.json': JSON.stringify(manifest),
        'node_modules/pkg/page.js': page,
        'node_modules/pkg/node.mjs': "export default 'node import';",
        'node_modules/pkg/node.js': "module.exports = 'node require';",
        'node_modules/user/package.json': '{"name":"user"}',
        'node_modules/user/index.js': "module.exports = require('pkg');",
      },
      "import one from 'pkg';\nimport two from 'user';\nconst x = [one, two];",
    );
    assert.deepEqual(made, ['node import', 'node require']);
  });

  test('is taken in its form for Node where it is called with the window', async (t) => {
    const { made } = await using(t, {
      'node_modules/pkg/package.json': '{"name":"pkg","main":"node.js","browser":"page.js"}',
      'node_modules/pkg/page.js': '(function (w) {\n  module.exports = w.atob;\n}(window));',
      'node_modules/pkg/node.js': "module.exports = 'node';",
    });
    assert.equal(made, 'node');
  });

  for (const [title, browser, node] of [
    ['keeps it where that for Node opens sockets', page, "require('net'); module.exports = 'node';"],
    [
      'keeps it where it asks first whether there is one',
      `if (typeof document !== 'undefined') ${page} exports.form = 'page';`,
      "exports.form = 'node';",
    ],
  ] as const) {
    test(title, async (t) => {
      const files = {
        'node_modules/pkg/package.json': '{"name":"pkg","main":"node.js","browser":"page.js"}',
        'node_modules/pkg/page.js': browser,
        'node_modules/pkg/node.js': node,
      };
      const { made } = await using(t, files, "import { form as x } from 'pkg';");
      assert.equal(made, 'page');
    });
  }

  test('is judged anew when it is installed anew', async (t) => {
    const app = anApp({
      'functions/f.js': "import x from 'pkg';\nexport default () => x;",
      'node_modules/pkg/package.json': '{"name":"pkg","main":"node.js","browser":"page.js"}',
      'node_modules/pkg/page.js': page,
      'node_modules/pkg/node.js': "module.exports = 'node';",
    });
    const bundler = aBundler(t);
    const made = async () => (await evaluateHere((await bundler.build(app.source('f'))).code)).default();
    assert.equal(await made(), 'node');
    app.write({
      'node_modules/pkg/package.json': '{"name":"pkg","main":"main.js","browser":"small.js"}',
      'node_modules/pkg/small.js': "module.exports = 'small';",
    });
    assert.equal(await made(), 'small');
  });
});

test('a package that needs a page in one form and sockets in the other is named, with what to use instead', async (t) => {
  const { warnings } = await using(
    t,
    {
      'node_modules/user/package.json': '{"name":"user"}',
      'node_modules/user/index.js': "module.exports = require('dompurify');",
      'node_modules/dompurify/package.json': '{"name":"dompurify","main":"node.js","browser":"page.js"}',
      'node_modules/dompurify/page.js': 'module.exports = () => new root.XMLHttpRequest();',
      'node_modules/dompurify/node.js': "module.exports = require('net');",
    },
    "import x from 'user';",
  );
  assert.deepEqual(warnings, [
    {
      code: 'page_needed',
      package: 'dompurify',
      location: { file: 'functions/f.js', line: 1, column: 15, text: "import x from 'user';" },
      message:
        'dompurify (functions/f.js:1:15) uses what only pages in browsers have (document, DOMParser, XMLHttpRequest …), which is not available in functions. Use sanitize-html, which needs no page: npm install sanitize-html',
    },
  ]);
});

test('a package of WebAssembly is named, with what to use instead', async (t) => {
  const { warnings } = await using(
    t,
    {
      'node_modules/tiktoken/package.json': '{"name":"tiktoken"}',
      'node_modules/tiktoken/index.js': "module.exports = require('./made.wasm').length;",
      'node_modules/tiktoken/made.wasm': 'wasm',
    },
    "import x from 'tiktoken';",
  );
  assert.deepEqual(
    warnings.map(({ message }) => message),
    [
      'tiktoken (functions/f.js:1:15) is made of WebAssembly, which is not available in functions. Use js-tiktoken, which has the same interface: npm install js-tiktoken',
    ],
  );
});

test('a bundle that is too large is written shorter', async (t) => {
  const names = Array.from({ length: 200 }, (_, index) => `aVeryLongName${index}`);
  const text = names.map((name) => `/* ${name} */ function ${name}(argument) { return argument + 1; }\n`).join('');
  const app = anApp({
    'functions/f.js': "import all from 'pkg';\nexport default () => all[199](1);",
    'node_modules/pkg/package.json': '{"name":"pkg"}',
    'node_modules/pkg/index.js': `${text}\nmodule.exports = [${names}];`,
  });
  const bundler = aBundler(t, { limits: { bundleBytes: 20_000 } });
  assert.equal(await (await evaluateHere((await bundler.build(app.source('f'))).code)).default(), 2);
});

test('a package whose form for browsers lacks what is imported is taken in its form for Node', async (t) => {
  const { made } = await using(
    t,
    {
      'node_modules/pkg/package.json':
        '{"name":"pkg","type":"module","exports":{"node":"./node.js","default":"./default.js"}}',
      'node_modules/pkg/node.js': "export { toPath } from './paths.js';",
      'node_modules/pkg/paths.js': "export const toPath = 'a path';",
      'node_modules/pkg/default.js': 'export {};',
    },
    "import { toPath as x } from 'pkg';",
  );
  assert.equal(made, 'a path');
});

test('what both forms lack is told as before', async (t) => {
  const app = anApp({
    'functions/f.js': "import { x } from 'pkg';\nexport default () => x;",
    'node_modules/pkg/package.json': '{"name":"pkg","module":"m.js","main":"m.js"}',
    'node_modules/pkg/m.js': 'export {};',
  });
  await assert.rejects(aBundler(t).build(app.source('f')), {
    code: 'build_failed',
    message: /f\.js:1:10: No matching export in "node_modules\/pkg\/m\.js" for import "x"/,
  });
});

describe('a package that asks for another which is not installed', () => {
  const asking = (text: string) => ({
    'node_modules/pkg/package.json': '{"name":"pkg","main":"i.js"}',
    'node_modules/pkg/i.js': text,
  });

  test('builds where it asks while it runs, and is told then', async (t) => {
    const { made } = await using(
      t,
      asking("exports.load = () => { const made = require('optional'); return made; };"),
      "import { load } from 'pkg';\nlet x; try { load(); } catch (error) { x = [error.code, error.message]; }",
    );
    const said = "Cannot find module 'optional'. Install it in the project: npm install optional";
    assert.deepEqual(made, ['MODULE_NOT_FOUND', said]);
  });

  test('builds where a file that it imports when it is wanted imports what it calls optional', async (t) => {
    const { made } = await using(
      t,
      {
        'node_modules/pkg/package.json':
          '{"name":"pkg","main":"i.mjs","peerDependenciesMeta":{"tracer":{"optional":true}}}',
        'node_modules/pkg/i.mjs': "export const traced = () => import('./traced.mjs').catch(({ code }) => code);",
        'node_modules/pkg/traced.mjs': "import { trace } from 'tracer/deep';\nexport default trace();",
      },
      "import { traced } from 'pkg';\nconst x = await traced();",
    );
    assert.equal(made, 'MODULE_NOT_FOUND');
  });

  test('builds where it imports at the top what it calls optional, and is told when it uses it', async (t) => {
    const { made } = await using(
      t,
      {
        'node_modules/pkg/package.json':
          '{"name":"pkg","main":"i.mjs","peerDependenciesMeta":{"tracer":{"optional":true}}}',
        'node_modules/pkg/i.mjs': [
          "import tracer, { trace } from 'tracer';",
          "import * as all from 'tracer';",
          'export const uses = [() => trace(), () => tracer(), () => new tracer(), () => tracer.level, () => all.trace];',
        ].join('\n'),
      },
      "import { uses } from 'pkg';\nconst x = uses.map((use) => { try { return use(); } catch ({ code, message }) { return [code, message]; } });",
    );
    const said = ['MODULE_NOT_FOUND', "Cannot find module 'tracer'. Install it in the project: npm install tracer"];
    assert.deepEqual(made, [said, said, said, said, said]);
  });

  test('is told so by the code it looks at, where it is ready to do without', async (t) => {
    const orRethrow = "catch (error) { if (error.code !== 'MODULE_NOT_FOUND') throw error; }";
    const { made } = await using(t, {
      ...asking(
        `let made = 'without'; try { made = require('optional/deep'); } ${orRethrow} exports.made = made;
exports.later = () => import('@scope/other').catch(({ code }) => code);`,
      ),
      'functions/f.js': "import { made, later } from 'pkg';\nexport default async () => [made, await later()];",
    });
    assert.deepEqual(made, ['without', 'MODULE_NOT_FOUND']);
  });

  test('is no different from the app’s own code, which is told where it is ready to do without', async (t) => {
    const { made } = await using(t, {
      'functions/f.js': `const tell = ({ code, message }) => [code, message];
export default async () => {
  let tried; try { await import('tracer'); } catch (error) { tried = tell(error); }
  return [tried, await import('@scope/other').catch(tell)];
};`,
    });
    const said = (name: string) => [
      'MODULE_NOT_FOUND',
      `Cannot find module '${name}'. Install it in the project: npm install ${name}`,
    ];
    assert.deepEqual(made, [said('tracer'), said('@scope/other')]);
    const app = anApp({ 'functions/f.js': "export default () => import('tracer');" });
    await assert.rejects(aBundler(t).build(app.source('f')), {
      code: 'build_failed',
      message: /Could not resolve "tracer"/,
    });
  });

  test('gets it when it is installed later', async (t) => {
    const app = anApp({
      'functions/f.js': "import { load } from 'pkg';\nexport default () => load();",
      'package-lock.json': '{}',
      ...asking("exports.load = () => { const made = require('optional'); return made; };"),
    });
    const bundler = aBundler(t);
    await bundler.build(app.source('f'));
    app.write({
      'package-lock.json': '{ }',
      'node_modules/optional/package.json': '{"name":"optional"}',
      'node_modules/optional/index.js': "module.exports = 'here';",
    });
    assert.equal(await (await evaluateHere((await bundler.build(app.source('f'))).code)).default(), 'here');
  });

  test('does not build where it imports it, nor does the author’s own code', async (t) => {
    const app = anApp({
      'functions/f.js': "import 'pkg';\nexport default () => 1;",
      'functions/own.js': "export default () => { const made = require('optional'); return made; };",
      ...asking("import 'optional';"),
    });
    const refusal = (place: RegExp) => ({ code: 'build_failed', message: place, hint: /npm install optional/ });
    const bundler = aBundler(t);
    await assert.rejects(
      bundler.build(app.source('f')),
      refusal(/node_modules\/pkg\/i\.js:1:8: Could not resolve "optional"/),
    );
    await assert.rejects(bundler.build(app.source('own')), refusal(/own\.js:1:\d+: Could not resolve "optional"/));
  });
});

test('a package whose form for browsers is an empty stand-in is taken in its form for Node, by import(), too', async (t) => {
  const { made } = await using(
    t,
    {
      'node_modules/pkg/package.json': JSON.stringify({
        name: 'pkg',
        type: 'module',
        exports: { browser: './web.js', default: './node.js' },
      }),
      'node_modules/pkg/node.js': "export const form = 'node';",
      'node_modules/pkg/web.js': 'export {};\n// A stub.\n//# sourceMappingURL=web.js.map',
    },
    "const x = (await import('pkg')).form;",
  );
  assert.equal(made, 'node');
});

describe('a package that is written for a loader of modules in pages', () => {
  for (const [title, text, made] of [
    ['gives what it makes', 'define(() => ({ made: 1 }));', { made: 1 }],
    ['with a name', '/*! pkg */ "use strict"; define("pkg", [], () => ({ made: 2 }));', { made: 2 }],
    [
      'gets what it depends on',
      "define(['dep', 'exports'], (dep, exports) => { exports.made = dep; });",
      { made: 'dep' },
    ],
    [
      'stands behind many comments',
      `${"/* a */ // b\n'use strict';\n".repeat(100)}define(() => ({ made: 3 }));`,
      { made: 3 },
    ],
  ] as const) {
    test(title, async (t) => {
      const { made: got } = await using(t, {
        'node_modules/pkg/package.json': '{"name":"pkg","main":"./node.js","browser":"./web.js"}',
        'node_modules/pkg/node.js': "require('net');",
        'node_modules/pkg/web.js': text,
        'node_modules/dep/package.json': '{"name":"dep"}',
        'node_modules/dep/index.js': "module.exports = 'dep';",
      });
      assert.deepEqual(got, made);
    });
  }

  test('is what Node’s import gives: its default, with the names beside it', async (t) => {
    const { made } = await using(
      t,
      {
        'node_modules/pkg/package.json': '{"name":"pkg","browser":"./web.js"}',
        'node_modules/pkg/web.js':
          "define(() => { class Client { static connect() { return 'connected'; } } return { __esModule: true, default: Client, Client, get version() { return 1; } }; });",
      },
      "import Client, { version } from 'pkg';\nconst x = [Client.connect(), Client.Client === Client, version];",
    );
    assert.deepEqual(made, ['connected', true, 1]);
  });

  test('is recognised by how its file begins, however many comments come first', () => {
    const comments = '/* one */ // two\n/** three **/\n'.repeat(2000);
    assert.equal(isAmd(`${comments}define([], () => 1);`), true);
    assert.equal(isAmd(`${comments}export const value = 1;`), false);
    assert.equal(isAmd('/* define( */ export {};'), false);
  });
});

test('a package of very many comments, blank lines and questions for a page is looked through as quickly as any', async (t) => {
  const text = `${'/* a */\n'.repeat(200)}${'\n'.repeat(200_000)}
    exports.made = ['', typeof document];
    if (exports.made.length > 2) { ${'document.body;'.repeat(50_000)} }`;
  const { made } = await using(t, {
    'node_modules/pkg/package.json': '{"name":"pkg","browser":"./index.js"}',
    'node_modules/pkg/index.js': text,
  });
  assert.deepEqual(made, { made: ['', 'undefined'] });
});

test('a package that tries builds of an addon in a folder that is not there does without them, as in Node', async (t) => {
  const { made } = await using(t, {
    'node_modules/pkg/package.json': '{"name":"pkg"}',
    'node_modules/pkg/parts/one.js': "module.exports = 'one';",
    'node_modules/pkg/index.js': `
      exports.found = [];
      for (const name of ['Release', 'Debug']) {
        try { exports.addon = require('./build/' + name + '/addon'); } catch { exports.found.push('no ' + name); }
        try { exports.addon = require(\`./build/\${name}/addon\`); } catch { exports.found.push('no ' + name); }
      }
      for (const name of ['one']) exports.found.push(require('./parts/' + name + '.js'));`,
  });
  assert.deepEqual(made, { found: ['no Release', 'no Release', 'no Debug', 'no Debug', 'one'] });
});

test('a form that takes the document when it loads is left for that of Node', async (t) => {
  const manifest = { name: 'pkg', exports: { '.': { browser: './page.js', node: './node.js' } } };
  const { made } = await using(t, {
    'node_modules/pkg/package.json': JSON.stringify(manifest),
    'node_modules/pkg/page.js': 'const a=1,l=document,c=()=>l.createComment("");exports.form=c;',
    'node_modules/pkg/node.js': "module.exports = 'node';",
  });
  assert.equal(made, 'node');
});

describe('a package whose form for workerd asks for sockets', () => {
  const manifest = (name: string, more = {}) =>
    JSON.stringify({
      name,
      exports: { '.': { workerd: './workerd.js', browser: './browser.js', default: './node.js' }, ...more },
    });
  const client = (wrapped: string) => ({
    'node_modules/pkg/package.json': manifest('pkg', { './parts': { workerd: './workerd.js', browser: './parts.js' } }),
    'node_modules/pkg/workerd.js': "import net from 'node:net'; export default [net.connect, 'workerd'];",
    'node_modules/pkg/browser.js': wrapped,
    'node_modules/pkg/parts.js': "export default 'parts';",
    'node_modules/pkg/node.js': "export default 'node';",
    'node_modules/service/package.json': manifest('service'),
    'node_modules/service/workerd.js':
      "import client from 'pkg'; import parts from 'pkg/parts'; export default ['service', client, parts];",
    'node_modules/service/browser.js': "export default 'another service';",
  });

  test('is taken in that for browsers, by those who import it, which stay as they are', async (t) => {
    const { made, warnings } = await using(t, client("export default 'fetch';"), "import x from 'service';");
    assert.deepEqual(made, ['service', 'fetch', 'parts']);
    assert.deepEqual(warnings, []);
  });

  test('keeps it where that for browsers asks for them, too', async (t) => {
    const { made, warnings } = await using(t, client("import net from 'net'; export default net.connect;"));
    assert.equal((made as unknown[])[1], 'workerd');
    assert.equal(warnings.length, 1);
  });
});

describe('what a package passes on by `export *` is there, also where an import() leads to it', () => {
  const pure = (name: string) => JSON.stringify({ name, sideEffects: false, main: 'index.mjs' });
  const files = (more: Record<string, string>) => ({
    'node_modules/pkg/package.json': pure('pkg'),
    'node_modules/inner/package.json': pure('inner'),
    'node_modules/inner/index.mjs': "export const make = () => 'made';",
    ...more,
  });
  const importing = "import { make } from 'pkg'; const x = [make(), (await import('inner')).make()];";

  for (const [how, more] of [
    ['at once', { 'node_modules/pkg/index.mjs': "export * from 'inner';" }],
    [
      'by another file that does the same',
      {
        'node_modules/pkg/index.mjs': "export * from './on.mjs';",
        'node_modules/pkg/on.mjs': "export * from 'inner';",
      },
    ],
    [
      'by a file that names it',
      {
        'node_modules/pkg/index.mjs': "export { make } from './on.mjs';",
        'node_modules/pkg/on.mjs': "export * from 'inner';",
      },
    ],
  ] as const) {
    test(how, async (t) => {
      const { made } = await using(t, files(more), importing);
      assert.deepEqual(made, ['made', 'made']);
    });
  }

  test('to a module that is evaluated late itself', async (t) => {
    const { made } = await using(
      t,
      files({
        'node_modules/pkg/index.mjs': "export * from 'inner';",
        'functions/_late.js': "import { make } from 'pkg'; export default make();",
      }),
      "const x = [(await import('./_late.js')).default, (await import('inner')).make()];",
    );
    assert.deepEqual(made, ['made', 'made']);
  });
});

describe('a package that reads files of its own', () => {
  const manifest = { 'node_modules/pkg/package.json': '{"name":"pkg"}' };

  test('has them in the bundle, however it names them', async (t) => {
    const { made } = await using(
      t,
      {
        ...manifest,
        'node_modules/pkg/data/a.txt': 'grüße\n',
        'node_modules/pkg/lib/b.json': '{"b":1}',
        'node_modules/pkg/lib/index.mjs': `import fs, { readFileSync } from 'node:fs';
        import { join } from 'node:path';
        import { fileURLToPath } from 'node:url';
        export default [
          fs.readFileSync(new URL('../data/a.txt', import.meta.url), 'utf8'),
          readFileSync(fileURLToPath(new URL("./b.json", import.meta.url)), { encoding: 'utf-8' }),
          String(readFileSync(new URL('b.json', import.meta.url))),
        ];`,
      },
      "import x from 'pkg/lib/index.mjs';",
    );
    assert.deepEqual(made, ['grüße\n', '{"b":1}', '{"b":1}']);

    const { made: required } = await using(t, {
      ...manifest,
      'node_modules/pkg/data/a.txt': 'grüße\n',
      'node_modules/pkg/lib/b.json': '{"b":1}',
      'node_modules/pkg/index.js': `const fs_1 = require('fs'), path = require('path');
        module.exports = [
          fs_1.readFileSync(__dirname + '/data/a.txt', 'utf8'),
          (0, fs_1.readFileSync)((0, path.join)(__dirname, 'lib', "b.json"), 'base64'),
          fs_1.readFileSync(path.resolve(__dirname, 'lib/b.json')).length,
          fs_1.readFileSync(\`\${__dirname}/lib/b.json\`, { encoding: 'latin1' }),
        ];`,
    });
    assert.deepEqual(required, ['grüße\n', 'eyJiIjoxfQ==', 7, '{"b":1}']);
  });

  test('gets none that is not its own', async (t) => {
    const { made } = await using(t, {
      ...manifest,
      'secret.txt': 'secret',
      'node_modules/other/key.txt': 'secret',
      'node_modules/pkg/index.js': `const fs = require('fs');
        const attempt = (read) => { try { return read(); } catch (error) { return error.code; } };
        module.exports = [
          attempt(() => fs.readFileSync(__dirname + '/../../secret.txt', 'utf8')),
          attempt(() => fs.readFileSync(__dirname + '/../other/key.txt', 'utf8')),
          attempt(() => fs.readFileSync(__dirname + '/absent.txt', 'utf8')),
        ];`,
    });
    assert.deepEqual(made, Array(3).fill('ERR_NOT_AVAILABLE_IN_FUNCTIONS'));
  });
});
