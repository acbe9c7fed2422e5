import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { BuiltBundle, BundlerOptions } from '../../src/bundle/index.ts';
import { ProjectError } from '../../src/std/index.ts';
import { aBundler, anApp, type TestApp, untimed } from './helpers.ts';

/** Functions that share files and packages, each with something that is its own. */
const functions: Record<string, string> = {
  plain: 'export const config = { type: "x" };\nexport default () => "plain";\n',
  shares: 'import { one } from "../lib/shared.js";\nexport default () => one();\n',
  'deep/shares':
    'import { two } from "../../lib/shared.js";\nimport text from "../../lib/text.txt";\nexport default () => two() + text;\n',
  knows: 'export default () => [import.meta.url, __filename, __dirname];\n',
  folds: 'export default () => (__filename === "/functions/folds.js" ? "here" : "elsewhere");\n',
  imported: 'import { place } from "../lib/place.js";\nexport default () => place;\n',
  awaits: 'const made = await Promise.resolve(1);\nexport default () => made;\n',
  common: 'exports.config = { type: "x" };\nexports.default = () => require("../lib/common.cjs").three;\n',
  buffers:
    'import { Buffer } from "node:buffer";\nimport path from "path";\nexport default () => path.join("a", Buffer.from("b").toString());\n',
  lacks: 'import net from "node:net";\nimport pack from "pack";\nexport default () => [net, pack];\n',
  lazy: 'export default async () => (await import("../lib/shared.js")).one();\n',
  circle: 'import { a } from "../lib/a.js";\nexport default () => a;\n',
  warns:
    'import { one } from "../lib/shared.js";\nimport { odd } from "../lib/odd.js";\nexport default () => odd(one);\n',
  'warns-too': 'import { odd } from "../lib/odd.js";\nexport default () => odd(-0);\n',
  names: 'const text = `\n// fn:entry:3\n`;\nexport default () => text + "fn:entry:14";\n',
};

const files: Record<string, string> = {
  'lib/shared.js': 'export const one = () => "one";\nexport const two = () => "two";\nconsole.log("loaded");\n',
  'lib/other.js': 'const config = { one: 2 };\nexport const one = () => config.one;\n',
  'lib/text.txt': 'a text',
  'lib/place.js': 'export const place = import.meta.filename;\n',
  'lib/common.cjs': 'exports.three = require("node:util").format("%d", 3);\n',
  'lib/a.js': 'import { b } from "./b.js";\nexport const a = () => b;\n',
  'lib/b.js': 'import { a } from "./a.js";\nexport const b = () => a;\n',
  'lib/odd.js': 'export const odd = (x) => x === -0;\n',
  'node_modules/pack/package.json': '{"name":"pack","main":"index.js"}',
  'node_modules/pack/index.js': 'const tls = require("tls"); module.exports = () => tls;\n',
};

const sources = Object.fromEntries(Object.entries(functions).map(([name, text]) => [`functions/${name}.js`, text]));

const builtAt = (
  app: TestApp,
  options: BundlerOptions,
  names: readonly string[],
  t: Parameters<typeof aBundler>[0],
) => {
  const bundler = aBundler(t, options);
  return Promise.allSettled(names.map((name) => bundler.build(app.source(name))));
};

function shown(settled: PromiseSettledResult<BuiltBundle>): unknown {
  if (settled.status === 'fulfilled') return untimed(settled.value);
  return settled.reason instanceof ProjectError ? settled.reason.message : settled.reason;
}

describe('functions that are built together', () => {
  for (const minify of [false, true]) {
    test(`each becomes what it becomes alone${minify ? ', minified' : ''}`, async (t) => {
      const app = anApp({ ...files, ...sources });
      const names = Object.keys(functions);
      const together = await builtAt(app, { once: true, minify }, names, t);
      for (const [index, name] of names.entries()) {
        const [alone] = await builtAt(app, { minify }, [name], t);
        const one = together[index];
        assert.ok(one && alone);
        assert.equal(alone.status, 'fulfilled', name);
        assert.deepEqual(shown(one), shown(alone), name);
      }
    });
  }

  test('those that fail say what they say alone, and the others are built', async (t) => {
    const broken = {
      syntax: 'export default () => {',
      lost: 'import "./nowhere.js";\nexport default 1;\n',
      none: 'export const config = 1;\n',
    };
    const app = anApp({
      ...files,
      ...sources,
      ...Object.fromEntries(Object.entries(broken).map(([name, text]) => [`functions/${name}.js`, text])),
    });
    const names = ['plain', ...Object.keys(broken), 'shares', 'missing'];
    const together = await builtAt(app, { once: true }, names, t);
    assert.deepEqual(
      together.map(({ status }) => status),
      ['fulfilled', 'rejected', 'rejected', 'rejected', 'fulfilled', 'rejected'],
    );
    for (const [index, name] of names.entries()) {
      const [alone] = await builtAt(app, {}, [name], t);
      const one = together[index];
      assert.ok(one && alone);
      assert.deepEqual(shown(one), shown(alone), name);
    }
  });

  test('more than a batch holds are built in several', async (t) => {
    const names = Array.from({ length: 60 }, (_, i) => `f${i}`);
    const app = anApp(
      Object.fromEntries(names.map((name) => [`functions/${name}.js`, `export default () => "${name}";`])),
    );
    const together = await builtAt(app, { once: true }, names, t);
    for (const [index, one] of together.entries()) {
      assert.ok(one.status === 'fulfilled');
      assert.match(one.value.code, new RegExp(`"f${index}"`));
    }
  });
});
