import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Metafile, Plugin } from 'esbuild';

/**
 * Names of the web that the layer's own code and the libraries in it use as free identifiers. They are bound to the
 * layer's own implementations, so that user code which replaces `globalThis.ReadableStream` replaces it for itself only.
 */
const webNames = [
  'AbortController',
  'AbortSignal',
  'Blob',
  'Buffer',
  'ByteLengthQueuingStrategy',
  'CountQueuingStrategy',
  'DOMException',
  'Event',
  'EventTarget',
  'File',
  'FormData',
  'Headers',
  'MessagePort',
  'ReadableStream',
  'Request',
  'Response',
  'TextDecoder',
  'TextDecoderStream',
  'TextEncoder',
  'TextEncoderStream',
  'TransformStream',
  'URL',
  'URLSearchParams',
  'WritableStream',
  'atob',
  'btoa',
  'performance',
  'process',
  'queueMicrotask',
  'setTimeout',
  'clearTimeout',
  'structuredClone',
] as const;

/** Intrinsics taken before any user code runs; the layer and its libraries never look them up on the global again. */
const intrinsics = [
  'Array',
  'ArrayBuffer',
  'BigInt',
  'BigInt64Array',
  'BigUint64Array',
  'Boolean',
  'DataView',
  'Date',
  'Error',
  'EvalError',
  'FinalizationRegistry',
  'Float32Array',
  'Float64Array',
  'Function',
  'Int16Array',
  'Int32Array',
  'Int8Array',
  'Intl',
  'JSON',
  'Map',
  'Math',
  'Number',
  'Object',
  'Promise',
  'Proxy',
  'RangeError',
  'ReferenceError',
  'Reflect',
  'RegExp',
  'Set',
  'String',
  'Symbol',
  'SyntaxError',
  'TypeError',
  'URIError',
  'Uint16Array',
  'Uint32Array',
  'Uint8Array',
  'Uint8ClampedArray',
  'WeakMap',
  'WeakRef',
  'WeakSet',
  'decodeURIComponent',
  'encodeURIComponent',
  'escape',
  'isFinite',
  'isNaN',
  'parseFloat',
  'parseInt',
] as const;

/** Node's modules as undici's files ask for them, each answered by one export of `standins.ts`. */
const standIns: Record<string, string> = {
  'node:assert': 'assert',
  'node:crypto': 'crypto',
  'node:events': 'events',
  'node:http': 'http',
  'node:net': 'net',
  'node:perf_hooks': 'perfHooks',
  'node:querystring': 'querystring',
  'node:sqlite': 'sqlite',
  'node:stream': 'stream',
  'node:stream/web': 'streamWeb',
  'node:util': 'util',
  'node:util/types': 'utilTypes',
  'node:worker_threads': 'workerThreads',
  'node:zlib': 'zlib',
};

const here = dirname(fileURLToPath(import.meta.url));
const layerFolder = join(here, 'layer');

const plugin: Plugin = {
  name: 'layer',
  setup(build) {
    build.onResolve({ filter: /^node:/ }, ({ path }) => {
      const name = standIns[path];
      if (name === undefined) return { errors: [{ text: `the layer has no stand-in for ${path}` }] };
      return { path: name, namespace: 'stand-in' };
    });
    build.onLoad({ filter: /.*/, namespace: 'stand-in' }, ({ path }) => ({
      contents: `module.exports = require('./standins.ts').${path};`,
      resolveDir: layerFolder,
    }));
    // The host's ICU answers for non-ASCII names: whatwg-url's own table would be 242 KB more.
    build.onResolve({ filter: /^tr46$/ }, () => ({ path: join(layerFolder, 'tr46.ts') }));
    // Files that a package does not export: pinned versions, and the conformance tests notice when they move.
    build.onResolve({ filter: /^internal:/ }, ({ path }) => {
      const parts = /^internal:((?:@[^/]+\/)?[^/]+)\/(.+)$/.exec(path);
      if (!parts?.[1] || !parts[2]) return { errors: [{ text: `not a file of a package: ${path}` }] };
      return { path: join(packageFolder(parts[1]), parts[2]) };
    });
  },
};

/** Not by resolving `name/package.json`: some packages do not export it, and `buffer` is a built-in's name as well. */
function packageFolder(name: string): string {
  for (const folder of createRequire(import.meta.url).resolve.paths('any-package') ?? []) {
    if (existsSync(join(folder, name, 'package.json'))) return join(folder, name);
  }
  throw new Error(`the package ${name} is not installed`);
}

/**
 * Bundles the web-standard globals into one script text. Run in a context, its only effect is
 * `globalThis.__layer = (native) => handles` (see layer/index.ts). Takes some 150 ms.
 * @param record told what went in, for the licences of the package
 */
export async function buildLayer(record?: (metafile: Metafile) => void): Promise<string> {
  const { build } = await import('esbuild');
  const result = await build({
    entryPoints: [join(layerFolder, 'index.ts')],
    bundle: true,
    write: false,
    metafile: true,
    format: 'esm',
    platform: 'neutral',
    mainFields: ['module', 'main'],
    conditions: ['import', 'default'],
    target: 'es2024',
    minify: true,
    keepNames: false,
    legalComments: 'none',
    charset: 'utf8',
    define: {
      ...Object.fromEntries(webNames.map((name) => [name, `__web.${name}`])),
      globalThis: '__lib',
      global: '__lib',
      self: '__lib',
      window: 'undefined',
    },
    plugins: [plugin],
    logLevel: 'silent',
  });
  record?.(result.metafile);
  const [output] = result.outputFiles;
  if (!output) throw new Error('esbuild gave no layer');
  const saved = `const {${intrinsics.join(',')}}=__root;`;
  // Libraries ask its prototype's getter whether a value is one; in functions none is.
  const shared = 'class SharedArrayBuffer{get byteLength(){throw new TypeError}get growable(){throw new TypeError}}';
  return `(__root=>{"use strict";${saved}${shared}const __web=Object.create(null),__lib=Object.create(null);${output.text}})(globalThis);0;\n`;
}

/**
 * The layer's text for development: built once, then read from `node_modules/.cache/convo-fn` as long as the layer's sources
 * and the package lock stay the same. The published package holds the built file instead.
 */
export async function cachedLayer(projectFolder = join(here, '../../..')): Promise<string> {
  const folder = join(projectFolder, 'node_modules/.cache/convo-fn');
  const file = join(folder, `layer-${await layerHash(projectFolder)}.js`);
  try {
    return await readFile(file, 'utf8');
  } catch {
    const text = await buildLayer();
    await mkdir(folder, { recursive: true });
    const temporary = `${file}.${process.pid}`;
    await writeFile(temporary, text);
    await rename(temporary, file);
    return text;
  }
}

async function layerHash(projectFolder: string): Promise<string> {
  const hash = createHash('sha256');
  const files = (await readdir(layerFolder)).sort().map((name) => join(layerFolder, name));
  for (const file of [...files, join(here, 'build.ts'), join(projectFolder, 'package-lock.json')]) {
    hash.update(file).update(await readFile(file));
  }
  return hash.digest('hex').slice(0, 20);
}
