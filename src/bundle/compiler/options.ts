import { dirname, join } from 'node:path';
import type { BuildOptions, Loader, Plugin } from 'esbuild';
import { textEndings, toSlashes } from '../../std/index.ts';
import { resolveExtensions } from '../freshness/freshness.ts';
import { jsxPackage } from '../packages/jsx-package.ts';
import { vueFlags } from '../packages/vue-templates.ts';

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
  // A page needs a picture as an address; the sandbox, which shows nothing, as bytes.
  for (const ending of asBytes) table[ending] = kind === 'view' ? 'dataurl' : 'binary';
  table['.svg'] = kind === 'view' ? 'dataurl' : 'text';
  if (kind === 'server') table['.css'] = 'text';
  return table;
}

interface OptionsInput {
  readonly kind: 'server' | 'view';
  /** Real path of the app's folder. */
  readonly root: string;
  /** Real path of the folder that imports may not leave. */
  readonly limit: string;
  /** The function's file, relative to the app's folder, with slashes. */
  readonly file: string;
  readonly minify: boolean;
  /** Builds packages for development, with full error messages. */
  readonly development?: boolean;
  readonly plugins: Plugin[];
}

/** esbuild options for one function. */
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
    // ES module output allows top-level await; the async function around it provides that.
    format: 'esm',
    // Not an arrow function: V8 takes a function in parentheses to be called at once, and does not parse the whole text twice.
    banner: { js: '(async function (register) { "use strict";' },
    footer: { js: '})' },
    platform: 'browser',
    // Not `import`: it would also apply to require(), which would then get a namespace instead of the exports of a CommonJS file.
    conditions: kind === 'server' ? ['workerd', 'worker', 'browser'] : ['browser'],
    mainFields: ['browser', 'module', 'main'],
    resolveExtensions,
    target: kind === 'server' ? 'node24' : ['chrome111', 'firefox114', 'safari16.4'],
    loader: loaders(kind),
    jsx: 'automatic',
    jsxImportSource: jsxPackage(root, limit),
    define: { ...placeOf(file), ...definitions(kind, development) },
    // Only an import() of a computed name is left after bundling. It becomes a call that throws an explanation.
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

/** Text of the virtual entry file. It imports the default export by name, so that a missing one fails the build. */
export function entryText(file: string): string {
  return `import fallback, * as module from ${JSON.stringify(`./${file}`)};\nregister(module);\n`;
}

/** Names that are replaced at build time. None comes from the environment. */
function definitions(kind: 'server' | 'view', development: boolean): Record<string, string> {
  return {
    'process.env.NODE_ENV': development ? '"development"' : '"production"',
    global: 'globalThis',
    ...(kind === 'view' ? { 'process.env': '{}', 'process.browser': 'true', ...vueFlags } : {}),
  };
}

/** What code can learn about its location: the function's place in the app. */
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
