import { createHash } from 'node:crypto';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { BuildOptions, Metafile, Plugin } from 'esbuild';
import { assetPath, isBuilt, packageFile } from '../std/index.ts';
import { withCompiler } from './compiler/compiler.ts';
import { shimmed } from './node/table.ts';
import { patchPackages } from './packages/patches.ts';

/**
 * Where the built shims lie: in `dist/bundle/shims` of the published package; in development in a cache folder, built when first
 * needed and again when a source of theirs changes.
 */
let ready: Promise<string> | undefined;

/**
 * The file that stands for a Node built-in.
 * @param kind views have no `Buffer` or `process` of the sandbox's, so theirs are complete in themselves
 */
export async function shimPath(builtin: string, kind: 'server' | 'view'): Promise<string> {
  ready ??= locate();
  const folder = await ready;
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
 * Bundles the sources of the shims, with the npm packages behind them, into one CommonJS file each. What one shim needs of
 * another built-in stays a `require` of it, so that in a function there is one `EventEmitter` and one `Buffer`, whoever asks.
 * @param outdir made when it is not there
 * @param record told what went in, for the licences of the package
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
    // The packages bring copies of what the engine has by now, or what another shim has.
    build.onResolve({ filter: /^util\/$/ }, () => ({ path: 'util', external: true }));
    build.onResolve({ filter: /^qs$/ }, () => ({ path: 'querystring', external: true }));
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
