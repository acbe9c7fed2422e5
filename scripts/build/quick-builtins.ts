import { readFile } from 'node:fs/promises';
import { builtinModules } from 'node:module';
import { join, relative } from 'node:path';
import type { Plugin } from 'esbuild';
import { packageRoot } from '../../src/std/index.ts';

/** Those that take milliseconds to load, and that many a command never uses: they are fetched where something of them is used. */
const late = new Set([
  'node:child_process',
  'node:crypto',
  'node:fs/promises',
  'node:http',
  'node:os',
  'node:timers/promises',
  'node:zlib',
]);

/** As CommonJS, of which the bundler asks each name when it is used, not before. */
function lateModule(name: string, exported: readonly string[]): string {
  return [
    'let m;',
    `const later = (key) => ({ enumerable: true, get: () => (m ??= process.getBuiltinModule(${JSON.stringify(name)}))[key] });`,
    `module.exports = Object.defineProperties({}, { ${exported.map((key) => `${key}: later('${key}')`).join(', ')} });`,
  ].join('\n');
}

/** What a file takes from a module by name, so that nothing is made ready for the rest; undefined where it takes it as a whole. */
async function importedNames(importer: string, module: string): Promise<string[] | undefined> {
  const text = await readFile(join(packageRoot(), importer), 'utf8');
  const from = new RegExp(
    `import\\s+(type\\s)?([^;'"]*?)\\s*from\\s*['"](?:node:)?${module.slice('node:'.length)}['"]`,
    'g',
  );
  const clauses = [...text.matchAll(from)].flatMap(([, isType, clause = '']) => (isType ? [] : [clause]));
  if (clauses.length === 0 || !clauses.every((clause) => /^\{[^{}]*\}$/.test(clause))) return undefined;
  const names = clauses.flatMap((clause) => clause.slice(1, -1).split(','));
  return names.map((name) => name.trim().split(/\s+as\s+/)[0] ?? '').filter((name) => /^\w+$/.test(name));
}

/**
 * Imports of Node's modules, without their price. `import { readFileSync } from 'node:fs'` makes a namespace of everything the module
 * exports and so wakes every lazy part of it: streams and readline for `node:fs` (5 ms), `fetch` for `node:http` (35 ms). Taken from
 * `process.getBuiltinModule`, one function is one function. Every importer gets a copy of its own, so that what one of them uses is
 * not fetched for all.
 */
export const quickBuiltins: Plugin = {
  name: 'quick-builtins',
  setup(build) {
    const names = new Set(builtinModules.flatMap((name) => [name, `node:${name.replace(/^node:/, '')}`]));
    build.onResolve({ filter: /^[a-z]/ }, ({ path, kind, importer }) => {
      if (kind !== 'import-statement' || !names.has(path)) return undefined;
      const name = path.replace(/^(?!node:)/, 'node:');
      return { path: `${name}?${relative(packageRoot(), importer)}`, namespace: 'builtin', sideEffects: false };
    });
    build.onLoad({ filter: /.*/, namespace: 'builtin' }, async ({ path }) => {
      const [name = '', importer = ''] = path.split('?');
      const exported = Object.keys(await import(name)).filter((key) => key !== 'default' && key !== 'module.exports');
      if (late.has(name)) return { contents: lateModule(name, (await importedNames(importer, name)) ?? exported) };
      const lines = exported.map((key) => `export const ${key} = /* @__PURE__ */ (() => m.${key})();`);
      return {
        contents: [`const m = process.getBuiltinModule(${JSON.stringify(name)});`, 'export default m;', ...lines].join(
          '\n',
        ),
      };
    });
  },
};
