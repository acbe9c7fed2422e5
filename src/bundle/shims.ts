import { createHash } from 'node:crypto';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { BuildOptions, Metafile, Plugin } from 'esbuild';
import { assetPath, isBuilt, lazy, packageFile } from '../std/index.ts';
import { withCompiler } from './compiler/compiler.ts';
import { shimmed } from './node/table.ts';
import { patchPackages } from './packages/patches.ts';

/**
 * Folder of the built shims: `dist/bundle/shims` in the published package; in development a cache folder, built on first use and
 * again when a source changes.
 */
const shimFolder = lazy(locate);

/**
 * The file that replaces a Node built-in.
 * @param kind views do not have the sandbox's `Buffer` and `process`, so their shims are self-contained
 */
export async function shimPath(builtin: string, kind: 'server' | 'view'): Promise<string> {
  const folder = await shimFolder();
  const forView = kind === 'view' && onlyForViews.includes(builtin) ? '.view' : '';
  return join(folder, `${fileStem(builtin)}${forView}.cjs`);
}

const onlyForViews = ['buffer', 'process'];

function fileStem(builtin: string): string {
  return builtin.replaceAll('/', '.');
}

async function locate(): Promise<string> {
  if (isBuilt) return assetPath('bundle/shims');
  const cache = packageFile('node_modules/.cache/convo-fn');
  const folder = join(cache, `shims-${fingerprint()}`);
  if (existsSync(folder)) return folder;
  await mkdir(cache, { recursive: true });
  const temporary = await mkdtemp(join(cache, 'shims-tmp-'));
  await buildShims(temporary);
  try {
    await rename(temporary, folder);
  } catch (error) {
    await rm(temporary, { recursive: true, force: true });
    if (!existsSync(folder)) throw error; // otherwise another process was faster
  }
  return folder;
}

function fingerprint(): string {
  const hash = createHash('sha256');
  const sources = packageFile('src/bundle/shims');
  const files = readdirSync(sources).sort();
  const rest = ['package-lock.json', 'src/bundle/shims.ts', 'src/bundle/packages/patches.ts'].map(packageFile);
  for (const file of [...files.map((name) => join(sources, name)), ...rest]) {
    const { mtimeMs, size } = statSync(file);
    hash.update(`${file}\0${mtimeMs}\0${size}\n`);
  }
  return hash.digest('hex').slice(0, 16);
}

/**
 * Bundles each shim, with the npm packages behind it, into one CommonJS file. A shim's use of another built-in remains a
 * `require`, so that a function has only one `EventEmitter` and one `Buffer`.
 * @param outdir created if it does not exist
 * @param record receives the metafile, for the licences in the package
 */
export async function buildShims(outdir: string, record?: (metafile: Metafile) => void): Promise<void> {
  const sources = packageFile('src/bundle/shims');
  const names = [...shimmed].map(fileStem).concat(onlyForViews.map((name) => `${name}.view`));
  const options: BuildOptions = {
    entryPoints: Object.fromEntries(names.map((name) => [name, join(sources, `${name}.cjs`)])),
    outdir,
    outExtension: { '.js': '.cjs' },
    bundle: true,
    format: 'cjs',
    platform: 'browser',
    target: 'es2022',
    minify: true,
    keepNames: true,
    legalComments: 'eof',
    logLevel: 'error',
    define: { 'process.env.NODE_ENV': '"production"', 'process.env.NODE_DEBUG': '""', global: 'globalThis' },
    plugins: [betweenShims, { name: 'patched-packages', setup: patchPackages }],
  };
  const { metafile } = await withCompiler(({ build }) => build({ ...options, metafile: true }));
  record?.(metafile);
}

/** `'RegExp.prototype.test'` → a function that takes the object first. */
const boundMethod = `module.exports = (name) => {
  const method = name.split('.').reduce((object, key) => object[key], globalThis);
  return (self, ...args) => method.apply(self, args);
};`;

/** `require('events')` means the built-in, `require('events/')` the npm package behind its shim. */
const betweenShims: Plugin = {
  name: 'between-shims',
  setup(build) {
    const names = [...shimmed].map((name) => name.replaceAll('/', '\\/')).join('|');
    build.onResolve({ filter: new RegExp(`^(?:node:)?(?:${names})$`) }, ({ path }) => ({
      path: path.replace(/^node:/, ''),
      external: true,
    }));
    // The packages contain copies of features that the engine or another shim has.
    build.onResolve({ filter: /^util\/$/ }, () => ({ path: 'util', external: true }));
    build.onResolve({ filter: /^qs$/ }, () => ({ path: packageFile('src/bundle/shims/qs.cjs') }));
    for (const [name, contents] of Object.entries(nativeNow)) {
      const filter = new RegExp(`^${name}$`);
      build.onResolve({ filter }, () => ({ path: name, namespace: 'native', pluginData: contents }));
    }
    build.onResolve({ filter: /^safe-buffer$/ }, () => ({ path: 'buffer', external: true }));
    build.onLoad({ filter: /.*/, namespace: 'native' }, ({ pluginData }) => ({ contents: String(pluginData) }));
  },
};

const nativeNow: Record<string, string> = {
  'abort-controller':
    'module.exports = { AbortController: globalThis.AbortController, AbortSignal: globalThis.AbortSignal };',
  'object-is': 'module.exports = Object.is;',
  'object-is/polyfill': 'module.exports = () => Object.is;',
  'object.assign/polyfill': 'module.exports = () => Object.assign;',
  'is-nan': 'module.exports = Number.isNaN;',
  'call-bind/callBound': boundMethod,
  'call-bound': boundMethod,
};
