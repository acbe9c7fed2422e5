import { dirname, join } from 'node:path';
import type { BuildOptions, Loader, Plugin } from 'esbuild';
import { textEndings, toSlashes } from '../../std/index.ts';
import { resolveExtensions } from '../freshness/freshness.ts';
import { jsxPackage } from '../packages/jsx-package.ts';

/** Name of the virtual file that imports the function's own. */
export const entryName = 'fn:entry';

const asBytes = [
  '.png',
  '.jpg',
  '.jpeg',
  '.gif',
  '.webp',
  '.avif',
  '.ico',
  '.pdf',
  '.bin',
  '.woff',
  '.woff2',
  '.ttf',
  '.wasm',
];

function loaders(kind: 'server' | 'view'): Record<string, Loader> {
  const table: Record<string, Loader> = { '.js': 'jsx', '.mjs': 'jsx', '.cjs': 'jsx' };
  for (const ending of textEndings) table[ending] = 'text';
  // A page needs an image as an address; the sandbox, which displays nothing, as bytes.
  for (const ending of asBytes) table[ending] = kind === 'view' ? 'dataurl' : 'binary';
  table['.svg'] = kind === 'view' ? 'dataurl' : 'text';
  if (kind === 'server') table['.css'] = 'text';
  return table;
}

interface OptionsInput {
  readonly kind: 'server' | 'view';
  /** The app's folder, real. */
  readonly root: string;
  /** The folder that imports may not leave, real. */
  readonly limit: string;
  /** The function's file, relative to the app's folder, with slashes. */
  readonly file: string;
  readonly minify: boolean;
  /** Whether packages are built in development mode, in which they explain errors. */
  readonly development?: boolean;
  readonly plugins: Plugin[];
}

/** esbuild's settings for one function. */
export function buildOptions({
  kind,
  root,
  limit,
  file,
  minify,
  development = false,
  plugins,
}: OptionsInput): BuildOptions {
  return {
    stdin: { contents: entryText(file), resolveDir: root, sourcefile: entryName, loader: 'js' },
    absWorkingDir: root,
    outfile: join(root, 'bundle.js'),
    write: false,
    bundle: true,
    metafile: true,
    logLevel: 'silent',
    color: false,
    // ES module output keeps top-level await, which the wrapping async function then provides.
    format: 'esm',
    banner: { js: '(async (register) => { "use strict";' },
    footer: { js: '})' },
    platform: 'browser',
    // Not `import`: it would apply to require(), too, which would get a namespace instead of the exports of a CommonJS file.
    conditions: kind === 'server' ? ['workerd', 'worker', 'browser'] : ['browser'],
    mainFields: ['browser', 'module', 'main'],
    resolveExtensions,
    target: kind === 'server' ? 'node24' : ['chrome111', 'firefox114', 'safari16.4'],
    loader: loaders(kind),
    jsx: 'automatic',
    jsxImportSource: jsxPackage(root, limit),
    define: { ...placeOf(file), ...definitions(kind, development) },
    // Only an import() of a computed name is left after bundling: it becomes a call that throws an explanation.
    supported: { 'dynamic-import': false },
    sourcemap: 'external',
    sourcesContent: true,
    legalComments: 'none',
    charset: 'utf8',
    minify,
    keepNames: minify,
    plugins,
  };
}

/** The virtual file. It imports the default by name so that its absence is found at build time. */
export function entryText(file: string): string {
  return `import fallback, * as module from ${JSON.stringify(`./${file}`)};\nregister(module);\n`;
}

/** Names defined at build time. None of them comes from the environment. */
function definitions(kind: 'server' | 'view', development: boolean): Record<string, string> {
  return {
    'process.env.NODE_ENV': development ? '"development"' : '"production"',
    global: 'globalThis',
    ...(kind === 'view' ? { 'process.env': '{}', 'process.browser': 'true' } : {}),
  };
}

/** What code may know about its location: the function's place in the app. */
export function placeOf(file: string): Record<string, string> {
  const address = `file:///${encodeURI(file)}`;
  const meta = { url: address, filename: `/${file}`, dirname: toSlashes(dirname(`/${file}`)) };
  return {
    __filename: JSON.stringify(meta.filename),
    __dirname: JSON.stringify(meta.dirname),
    'import.meta': JSON.stringify(meta),
    'import.meta.url': JSON.stringify(meta.url),
    'import.meta.filename': JSON.stringify(meta.filename),
    'import.meta.dirname': JSON.stringify(meta.dirname),
  };
}
