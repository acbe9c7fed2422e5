import { readFileSync } from 'node:fs';
import type { PluginBuild } from 'esbuild';

/**
 * Whether a file supports only AMD, `define(function () { … })`. Files that check for an AMD loader first do not begin this
 * way.
 */
export function isAmd(text: string): boolean {
  return matchDefine(text) !== null;
}

/** Loads such files of packages as CommonJS. */
export function amdFiles(build: PluginBuild, filter: RegExp): void {
  build.onLoad({ filter, namespace: 'file' }, ({ path }) => {
    const text = readFileSync(path, 'utf8');
    const named = matchDefine(text)?.groups?.['dependencies'];
    const given = [...(named ?? '"require", "exports", "module"').matchAll(/["']([^"']+)["']/g)].map(([, name = '']) =>
      ['require', 'exports', 'module'].includes(name) ? name : `require(${JSON.stringify(name)})`,
    );
    // The default export is what Node's `import` of CommonJS gives; a package's Node build has the same. All on the first line, so that
    // positions stay the same.
    const define = `const define = (...parts) => {${[
      ` const made = parts.at(-1), value = typeof made === 'function' ? made(${given.join(', ')}) : made;`,
      ` const main = value?.__esModule ? value.default : undefined;`,
      ` if (typeof main === 'function') for (const name of Object.keys(value)) if (!(name in main)) main[name] = value[name];`,
      ` if (value !== undefined) module.exports = typeof main === 'function' ? main : value;`,
    ].join('')} };`;
    return { contents: `${define} ${text}`, loader: 'js' };
  });
}

/** Skips comments one by one: a single pattern for all of them would backtrack exponentially. */
function matchDefine(text: string): RegExpExecArray | null {
  const passed = /\s+|\/\*[\s\S]*?\*\/|\/\/.*|["']use strict["'];?/y;
  const define = /define\((?:\s*["'][^"']+["']\s*,)?(?:\s*\[(?<dependencies>[^\]]*)\]\s*,)?/y;
  while (passed.test(text)) define.lastIndex = passed.lastIndex;
  return define.exec(text);
}
