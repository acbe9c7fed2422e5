import { builtinModules } from 'node:module';
import { relative } from 'node:path';
import type { Plugin } from 'esbuild';
import { packageRoot } from '../../src/std/index.ts';

/** Those that take milliseconds to load, and that many a command never uses: they are loaded when something of them is used. */
const late = new Set([
  'node:child_process',
  'node:crypto',
  'node:fs/promises',
  'node:http',
  'node:os',
  'node:timers/promises',
  'node:zlib',
]);

/**
 * Imports of Node's modules, without their price. `import { readFileSync } from 'node:fs'` makes a namespace of everything the module
 * exports and so wakes every lazy part of it: streams and readline for `node:fs` (5 ms), `fetch` for `node:http` (35 ms). Taken from
 * `process.getBuiltinModule`, one function is one function. Every importer gets a copy of its own: a file that all share would be one more to load.
 */
export const quickBuiltins: Plugin = {
  name: 'quick-builtins',
  setup(build) {
    const names = new Set(builtinModules.flatMap((name) => [name, `node:${name.replace(/^node:/, '')}`]));
    build.onResolve({ filter: /^[a-z]/ }, ({ path, kind, importer }) => {
      if (!names.has(path)) return undefined;
      const name = path.replace(/^(?!node:)/, 'node:');
      // `await import(…)` asks for all names at once, which a module that answers name by name does not have.
      if (kind === 'dynamic-import') return { path: name, external: true };
      const namespace = kind === 'require-call' ? 'builtin-require' : 'builtin-import';
      // The ending of the importer must not make this module one of its kind.
      return { path: `${name}?${relative(packageRoot(), importer)}?`, namespace, sideEffects: false };
    });
    build.onLoad({ filter: /.*/, namespace: 'builtin-require' }, ({ path }) => ({
      contents: `module.exports = ${builtin(nameIn(path))};`,
    }));
    build.onLoad({ filter: /.*/, namespace: 'builtin-import' }, async ({ path }) => ({
      contents: late.has(nameIn(path)) ? lateModule(nameIn(path)) : await moduleOfNames(nameIn(path)),
    }));
  },
};

const nameIn = (path: string): string => path.slice(0, path.indexOf('?'));
const builtin = (name: string): string => `process.getBuiltinModule(${JSON.stringify(name)})`;

/**
 * As CommonJS, of which the bundler asks each name where it is used. It copies the names of such a module for each importer, but not those of
 * its prototype.
 */
function lateModule(name: string): string {
  return `module.exports = Object.create(new Proxy({}, { get: (_, key) => ${builtin(name)}[key] }));`;
}

async function moduleOfNames(name: string): Promise<string> {
  const exported = Object.keys(await import(name)).filter((key) => key !== 'default' && key !== 'module.exports');
  const lines = exported.map((key) => `export const ${key} = /* @__PURE__ */ (() => it.${key})();`);
  return [`const it = ${builtin(name)};`, 'export default it;', ...lines].join('\n');
}
