import { readFileSync } from 'node:fs';
import type { PluginBuild } from 'esbuild';

/**
 * Whether a file is written for a loader of modules in pages, `define(function () { … })`, and for nothing else: what asks first whether
 * there is such a loader does not begin so.
 */
export function isAmd(text: string): boolean {
  return matchDefine(text) !== null;
}

/** Has such files of packages loaded as CommonJS. */
export function amdFiles(build: PluginBuild, filter: RegExp): void {
  build.onLoad({ filter, namespace: 'file' }, ({ path }) => {
    const text = readFileSync(path, 'utf8');
    const named = matchDefine(text)?.groups?.['dependencies'];
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

/** Comments are passed over one by one: one pattern for all would try every way in which many of them can be taken as fewer. */
function matchDefine(text: string): RegExpExecArray | null {
  const passed = /\s+|\/\*[\s\S]*?\*\/|\/\/.*|["']use strict["'];?/y;
  const define = /define\((?:\s*["'][^"']+["']\s*,)?(?:\s*\[(?<dependencies>[^\]]*)\]\s*,)?/y;
  while (passed.test(text)) define.lastIndex = passed.lastIndex;
  return define.exec(text);
}
