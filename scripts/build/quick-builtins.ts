import { builtinModules } from 'node:module';
import { relative } from 'node:path';
import type { Plugin } from 'esbuild';
import { packageRoot } from '../../src/std/index.ts';

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
    build.onResolve({ filter: /^[a-z]/ }, ({ path, kind, importer }) =>
      kind === 'import-statement' && names.has(path)
        ? {
            path: `${path.replace(/^(?!node:)/, 'node:')}?${relative(packageRoot(), importer)}`,
            namespace: 'builtin',
            sideEffects: false,
          }
        : undefined,
    );
    build.onLoad({ filter: /.*/, namespace: 'builtin' }, async ({ path }) => {
      const name = path.slice(0, path.indexOf('?'));
      const exported = Object.keys(await import(name)).filter((key) => key !== 'default' && key !== 'module.exports');
      const lines = exported.map((key) => `export const ${key} = /* @__PURE__ */ (() => m.${key})();`);
      return {
        contents: [`const m = process.getBuiltinModule(${JSON.stringify(name)});`, 'export default m;', ...lines].join(
          '\n',
        ),
      };
    });
  },
};
