import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Metafile, Plugin } from 'esbuild';
import { toSlashes } from '../../std/index.ts';

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
  'CryptoKey',
  'DOMException',
  'Event',
  'EventTarget',
  'File',
  'FinalizationRegistry',
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
  'setImmediate',
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
  'node:perf_hooks': 'perfHooks',
  'node:stream': 'stream',
  'node:stream/web': 'streamWeb',
  'node:util': 'util',
  'node:util/types': 'utilTypes',
  'node:worker_threads': 'workerThreads',
  'node:zlib': 'zlib',
};

/** undici's own modules likewise: of these its fetch files use a few lines, or only with the first form. By the end of what is required. */
const slimModules = new Map([
  ['core/symbols', 'undiciSymbols'],
  ['core/util', 'undiciUtil'],
  ['./formdata-parser', 'formDataParser'],
  ['util/runtime-features.js', 'undiciFeatures'],
]);

/** Classes of other parts that undici's files name while they are loaded, by file; they get what `late-classes.ts` holds. */
const lateClasses: Record<string, string> = {
  'encoding/index.js': 'TextDecoder',
  'web/fetch/body.js': 'Buffer, TextEncoder',
  'web/fetch/data-url.js': 'TextEncoder',
  'web/fetch/response.js': 'TextEncoder',
  'web/webidl/index.js': 'AbortSignal, Blob, File, MessagePort, ReadableStream, URL, URLSearchParams',
};

const here = dirname(fileURLToPath(import.meta.url));
const layerFolder = join(here, 'layer');

/** Modules that every context evaluates at once, beside index.ts and install.ts. Kept small. */
const eagerModules = [
  'primordials',
  'errors',
  'ops',
  'clock',
  'report',
  'environment',
  'timers',
  'date',
  'stand-in-request',
  'finalization',
];

/** Modules that are evaluated at first use, each with its libraries in one function that costs nothing until then. */
const lateModules = [
  'base64',
  'blob',
  'buffer',
  'clone',
  'compression',
  'console',
  'crypto',
  'dom-exception',
  'encoding',
  'events',
  'fetch',
  'inspect',
  'messages',
  'navigator',
  'performance',
  'process',
  'streams',
  'url',
  'url-pattern',
  'web-socket',
];

const librariesPlugin: Plugin = {
  name: 'libraries',
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
    build.onResolve({ filter: /^\.{1,2}\// }, ({ path }) => {
      for (const [end, name] of slimModules) if (path.endsWith(end)) return { path: name, namespace: 'stand-in' };
      return undefined;
    });
    build.onResolve({ filter: /^\.\/body$/ }, () => ({ path: join(layerFolder, 'late-body.ts') }));
    build.onLoad({ filter: /undici.lib.(encoding|web).*\.js$/ }, async ({ path }) => {
      const names = lateClasses[toSlashes(relative(join(packageFolder('undici'), 'lib'), path))];
      if (names === undefined) return undefined;
      const text = await readFile(path, 'utf8');
      return {
        contents: `const {${names}}=require(${JSON.stringify(join(layerFolder, 'late-classes.ts'))});\n${text}`,
      };
    });
    // Tables of encodings that hardly anybody asks for take longer than all else that a TextEncoder needs.
    build.onResolve({ filter: /^\.\/(single-byte\.encodings|encoding\.labels)\.js$/ }, ({ path, resolveDir }) => ({
      path: basename(path),
      namespace: 'late-table',
      pluginData: join(resolveDir, path),
    }));
    build.onLoad({ filter: /.*/, namespace: 'late-table' }, ({ pluginData: file }) => ({
      contents: `import{lateTable}from'./late-table.ts';export default lateTable(()=>require(${JSON.stringify(file)}).default)`,
      resolveDir: layerFolder,
    }));
    // Files that a package does not export: pinned versions, and the conformance tests notice when they move.
    build.onResolve({ filter: /^internal:/ }, ({ path }) => {
      const parts = /^internal:((?:@[^/]+\/)?[^/]+)\/(.+)$/.exec(path);
      if (!parts?.[1] || !parts[2]) return { errors: [{ text: `not a file of a package: ${path}` }] };
      return { path: join(packageFolder(parts[1]), parts[2]) };
    });
  },
};

/**
 * Cuts the layer: a module of the layer that does not belong to the piece being built is taken from the wrapper's tables.
 * @param piece name of a late module, or undefined for the eager core
 * @param exportsOf names that a module exports
 */
function cutPlugin(piece: string | undefined, exportsOf: Map<string, string[]>): Plugin {
  return {
    name: 'cut',
    setup(build) {
      build.onResolve({ filter: /^\.\/[\w-]+\.ts$/ }, ({ importer, path }) => {
        const name = path.slice(2, -3);
        if (importer !== '' && dirname(importer) !== layerFolder) return undefined;
        if (lateModules.includes(name) && name !== piece) {
          // The core asks by __part() when the time has come.
          if (piece === undefined) return { errors: [{ text: `the eager core may not import ${name}` }] };
          return { path: name, namespace: 'late' };
        }
        if (piece !== undefined && eagerModules.includes(name)) return { path: name, namespace: 'eager' };
        return undefined;
      });
      build.onLoad({ filter: /.*/, namespace: 'eager' }, ({ path }) => ({
        contents: `export const {${exportsOf.get(path)?.join(',')}} = __core[${JSON.stringify(path)}]();`,
      }));
      build.onLoad({ filter: /.*/, namespace: 'late' }, ({ path }) => ({
        contents: `export const {${exportsOf.get(path)?.join(',')}} = __part(${JSON.stringify(path)});`,
      }));
    },
  };
}

/** The last statement as one assignment: what esbuild makes for CommonJS takes a context fifty microseconds a part. */
function withoutExport(text: string): string {
  const end = /export\{([^{}]*)\};?\s*$/.exec(text);
  if (!end) throw new Error('a part without exports');
  const members = end[1]?.split(',').map((name) => {
    const [own = '', exported = own] = name.split(' as ');
    return `${exported}:${own}`;
  });
  return `${text.slice(0, end.index)}module.exports={__proto__:null,${members?.join(',')}};`;
}

/** Not by resolving `name/package.json`: some packages do not export it, and `buffer` is a built-in's name as well. */
function packageFolder(name: string): string {
  for (const folder of createRequire(import.meta.url).resolve.paths('any-package') ?? []) {
    if (existsSync(join(folder, name, 'package.json'))) return join(folder, name);
  }
  throw new Error(`the package ${name} is not installed`);
}

/**
 * Bundles the web-standard globals into one script text. Run in a context, its only effect is
 * `globalThis.__layer = (native) => handles` (see layer/index.ts). Takes some 300 ms.
 *
 * The text is one function: intrinsics saved first, then a table of late parts (one function each, evaluated at first use), then
 * the eager core. One flat bundle would cost every new context half a millisecond for functions that it never calls.
 * @param record told what went in, for the licences of the package
 */
export async function buildLayer(record?: (metafile: Metafile) => void): Promise<string> {
  const esbuild = await import('esbuild');
  const exportsOf = await readExports(esbuild);
  const build = async (piece: string | undefined): Promise<string> => {
    const result = await esbuild.build({
      ...(piece === undefined
        ? { stdin: { contents: coreEntry(exportsOf), resolveDir: layerFolder, loader: 'ts' } }
        : { entryPoints: [join(layerFolder, `${piece}.ts`)] }),
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
      // V8 keeps a text in one byte a character as long as all of them allow it, and reads it faster.
      charset: 'ascii',
      define: {
        ...Object.fromEntries(webNames.map((name) => [name, `__web.${name}`])),
        globalThis: '__lib',
        global: '__lib',
        self: '__lib',
        window: 'undefined',
      },
      plugins: [cutPlugin(piece, exportsOf), librariesPlugin],
      logLevel: 'silent',
    });
    record?.(result.metafile);
    const [output] = result.outputFiles;
    if (!output) throw new Error('esbuild gave no layer');
    return piece === undefined ? output.text : withoutExport(output.text);
  };
  const [core, ...late] = await Promise.all([undefined, ...lateModules].map(build));
  const parts = late.map((text, i) => `${JSON.stringify(lateModules[i])}:(module,exports)=>{${text}}`);
  // Libraries ask its prototype's getter whether a value is one; in functions none is.
  const shared = 'class SharedArrayBuffer{get byteLength(){throw new TypeError}get growable(){throw new TypeError}}';
  return [
    `(__root=>{"use strict";const {${intrinsics.join(',')}}=__root;`,
    'let __late,__console;',
    'const __core={__proto__:null},__made={__proto__:null};let __used={__proto__:null};',
    // A class: V8 has its members ready, where an accessor that is defined by itself costs each context half a microsecond.
    `class __Web{${webNames.map((name) => `get ${name}(){return __late(${JSON.stringify(name)})}`).join('')}}`,
    'const __web=new __Web();delete __Web.prototype.constructor;Reflect.setPrototypeOf(__Web.prototype,null);',
    // What libraries find when they look at `globalThis`: nothing that user code made.
    'const __lib={__proto__:null,Array,Map,Object,Promise,String,Symbol,TypeError,decodeURIComponent,escape,',
    'get AbortController(){return __web.AbortController},get DOMException(){return __web.DOMException},',
    'get ReadableStream(){return __web.ReadableStream},get TransformStream(){return __web.TransformStream}};',
    `const __parts={__proto__:null,${parts.join(',')}};`,
    'const __part=name=>{let m=__made[name];__used[name]=1;if(!m){m=__made[name]={exports:{}};__parts[name](m,m.exports)}return m.exports};',
    `${shared}${core}})(globalThis);0;\n`,
  ].join('\n');
}

/** Names that the layer's own modules export, by module. */
async function readExports(esbuild: typeof import('esbuild')): Promise<Map<string, string[]>> {
  const names = [...eagerModules, ...lateModules];
  const { metafile } = await esbuild.build({
    entryPoints: names.map((name) => join(layerFolder, `${name}.ts`)),
    bundle: false,
    write: false,
    metafile: true,
    format: 'esm',
    outdir: layerFolder,
    logLevel: 'silent',
  });
  const list = new Map<string, string[]>();
  for (const { entryPoint, exports } of Object.values(metafile.outputs)) {
    if (entryPoint) list.set(basename(entryPoint, '.ts'), exports);
  }
  return list;
}

/** The eager modules, and a table of what they export for the late parts. */
function coreEntry(exportsOf: Map<string, string[]>): string {
  const lines = ["import './index.ts';"];
  for (const [at, name] of eagerModules.entries()) {
    const exports = exportsOf.get(name) ?? [];
    lines.push(`import { ${exports.map((e) => `${e} as ${e}_${at}`).join(', ')} } from './${name}.ts';`);
    // Made when a late part asks, and a dictionary: hidden classes for a hundred names would cost every context a tenth of a millisecond.
    const members = exports.map((e) => `${e}: ${e}_${at}`).join(', ');
    lines.push(`__core[${JSON.stringify(name)}] = () => ({ __proto__: null, ${members} });`);
  }
  return lines.join('\n');
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
