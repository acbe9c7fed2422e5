import { readFileSync } from 'node:fs';
import type { PluginBuild } from 'esbuild';

/**
 * Whether a file is written for a loader of modules in pages, `define(function () { … })`, and for nothing else: what asks first whether
 * there is such a loader does not begin so.
 */
export function isAmd(text: string): boolean {
  return onlyDefines.test(text);
}

/** Has such files of packages loaded as CommonJS. */
export function amdFiles(build: PluginBuild, filter: RegExp): void {
  build.onLoad({ filter, namespace: 'file' }, ({ path }) => {
    const text = readFileSync(path, 'utf8');
    const named = onlyDefines.exec(text)?.groups?.['dependencies'];
    const given = [...(named ?? '"require", "exports", "module"').matchAll(/["']([^"']+)["']/g)].map(([, name = '']) =>
      ['require', 'exports', 'module'].includes(name) ? name : `require(${JSON.stringify(name)})`,
    );
    // What it exports by default is what Node's `import` of CommonJS gives: the build for Node beside it exports that alone. All on the
    // first line, so that positions keep theirs.
    const define = `const define = (...parts) => {${[
      ` const made = parts.at(-1), value = typeof made === 'function' ? made(${given.join(', ')}) : made;`,
      ` const main = value?.__esModule ? value.default : undefined;`,
      ` if (typeof main === 'function') for (const name of Object.keys(value)) if (!(name in main)) main[name] = value[name];`,
      ` if (value !== undefined) module.exports = typeof main === 'function' ? main : value;`,
    ].join('')} };`;
    return { contents: `${define} ${text}`, loader: 'js' };
  });
}

// A comment ends at the first `*/` in one way only: one that could reach over the next would be tried in every combination, and a file that
// begins with forty comments would never be done.
const onlyDefines =
  /^(?:\s|\/\*[^*]*\*+(?:[^/*][^*]*\*+)*\/|\/\/.*\n|["']use strict["'];?)*define\((?:\s*["'][^"']+["']\s*,)?(?:\s*\[(?<dependencies>[^\]]*)\]\s*,)?/;
