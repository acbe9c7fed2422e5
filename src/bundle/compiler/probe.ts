import { join } from 'node:path';
import type { BuildOptions, Plugin } from 'esbuild';

/**
 * Options for the program from which a view's `config` is read: the view's own files, with stand-ins for packages, style sheets
 * and the DOM, so that code that `config` does not need can neither fail nor take long.
 * @param page the options for the view itself
 */
export function probeOptions(page: BuildOptions): BuildOptions {
  const { plugins = [], ...rest } = page;
  return {
    ...rest,
    outfile: join(page.absWorkingDir ?? '', 'probe.js'),
    metafile: false,
    target: 'node24',
    loader: { ...page.loader, '.css': 'empty' },
    banner: { js: `(async function (register) { "use strict"; ${standIns} await (async () => {` },
    footer: { js: '})(); })' },
    // In front of the import rules: they apply to the real build, not to stand-ins.
    plugins: [absentPackages, ...plugins],
  };
}

/**
 * The stand-in. Any operation on it returns itself; as text it is empty, and loops and promises over it end at once. As a decorator it leaves
 * its target unchanged; for a legacy decorator its result is a property descriptor, which has either a value or a getter.
 */
const anything = `(() => {
  const handler = {
    get(target, key) {
      if (key === Symbol.toPrimitive) return () => "";
      if (key === Symbol.iterator) return () => [][Symbol.iterator]();
      if (key === "then" || key === "__esModule" || key === "toJSON" || typeof key === "symbol") return undefined;
      return anything;
    },
    set: () => true,
    has: (target, key) => key !== "value" && key !== "writable",
    apply: (target, self, [, context]) => (typeof context?.addInitializer === "function" ? undefined : anything),
    construct: () => anything,
  };
  const anything = new Proxy(function () {}, handler);
  return anything;
})()`;

const domNames = [
  'window',
  'document',
  'self',
  'parent',
  'top',
  'frames',
  'navigator',
  'location',
  'history',
  'screen',
  'localStorage',
  'sessionStorage',
  'indexedDB',
  'customElements',
  'Node',
  'Element',
  'HTMLElement',
  'SVGElement',
  'DocumentFragment',
  'ShadowRoot',
  'CSSStyleSheet',
  'Image',
  'Audio',
  'DOMParser',
  'MutationObserver',
  'ResizeObserver',
  'IntersectionObserver',
  'XMLHttpRequest',
  'Worker',
  'getComputedStyle',
  'matchMedia',
  'requestAnimationFrame',
  'cancelAnimationFrame',
  'requestIdleCallback',
  'addEventListener',
  'removeEventListener',
  'postMessage',
  'alert',
];

const standIns = `const window = ${anything.replaceAll('\n', ' ')}, ${domNames
  .slice(1)
  .map((name) => `${name} = window`)
  .join(', ')};`;

const absentPackages: Plugin = {
  name: 'absent-packages',
  setup(build) {
    build.onResolve({ filter: /^[^./\\]/ }, ({ path, kind }) => {
      if (kind === 'entry-point' || kind === 'url-token') return undefined;
      return { path, namespace: 'absent', sideEffects: false };
    });
    // The stand-in is the prototype: names imported from a CommonJS module that lacks them are looked up there.
    build.onLoad({ filter: /.*/, namespace: 'absent' }, () => ({
      contents: `module.exports = Object.create(${anything});`,
    }));
  },
};
