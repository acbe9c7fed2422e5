import { createHash, randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Metafile, Plugin } from 'esbuild';
import { toSlashes } from '../../std/index.ts';

/**
 * Web names that the layer's code and its libraries use as free identifiers. They are bound to the layer's own
 * implementations: user code that replaces `globalThis.ReadableStream` replaces it only for itself.
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

/** Intrinsics saved before any user code runs; the layer and its libraries do not look them up on the global object. */
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

/** Node modules that undici's files import, each with the export of `standins.ts` that replaces it. */
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

/** The same for undici's own modules of which its fetch files use a few lines, or only for the first form. Keys are the ends of paths. */
const slimModules = new Map([
  ['core/symbols', 'undiciSymbols'],
  ['core/util', 'undiciUtil'],
  ['./formdata-parser', 'formDataParser'],
  ['util/runtime-features.js', 'undiciFeatures'],
]);

/** Classes of other parts that undici's files refer to while they load, by file; they get the stand-ins of `late-classes.ts`. */
const lateClasses: Record<string, string> = {
  'encoding/index.js': 'TextDecoder',
  'web/fetch/body.js': 'Buffer, TextEncoder',
  'web/fetch/data-url.js': 'TextEncoder',
  'web/fetch/response.js': 'TextEncoder',
  'web/webidl/index.js': 'AbortSignal, Blob, File, MessagePort, ReadableStream, URL, URLSearchParams',
};

const here = dirname(fileURLToPath(import.meta.url));
const layerFolder = join(here, 'layer');

/** Modules that every context evaluates immediately, in addition to index.ts and install.ts. Kept small. */
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

/** Modules evaluated on first use. Each is one function, libraries included, that costs nothing until it is called. */
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

/** In the constructor of TextDecoder: options may be null, as for every web interface, and an unknown encoding is named, as in Node. */
const decoderChanges: [from: string, to: string][] = [
  ['!!options.fatal', '!!options?.fatal'],
  ['!!options.ignoreBOM', '!!options?.ignoreBOM'],
  ['!!options.stream', '!!options?.stream'],
  [
    "if (!enc || enc === 'replacement') throw new RangeError(E_ENCODING)",
    `if (!enc || enc === 'replacement') {
      const message = \`The "\${encoding}" encoding is not supported\`
      throw Object.assign(new RangeError(message), { code: 'ERR_ENCODING_NOT_SUPPORTED' })
    }`,
  ],
];

function replaced(text: string, changes: [from: string, to: string][]): string {
  for (const [from, to] of changes) {
    if (!text.includes(from)) throw new Error(`a library has changed: ${from} is gone`);
    text = text.replace(from, () => to);
  }
  return text;
}

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
    build.onLoad({ filter: /@exodus.bytes.fallback.encoding\.js$/ }, async ({ path }) => ({
      contents: replaced(await readFile(path, 'utf8'), decoderChanges),
    }));
    // Tables of rare encodings take longer to evaluate than everything else that a TextEncoder needs.
    build.onResolve({ filter: /^\.\/(single-byte\.encodings|encoding\.labels)\.js$/ }, ({ path, resolveDir }) => ({
      path: basename(path),
      namespace: 'late-table',
      pluginData: join(resolveDir, path),
    }));
    build.onLoad({ filter: /.*/, namespace: 'late-table' }, ({ pluginData: file }) => ({
      contents: `import{lateTable}from'./late-table.ts';export default lateTable(()=>require(${JSON.stringify(file)}).default)`,
      resolveDir: layerFolder,
    }));
    // Files that a package does not export: versions are pinned, and the conformance tests fail if a file moves.
    build.onResolve({ filter: /^internal:/ }, ({ path }) => {
      const parts = /^internal:((?:@[^/]+\/)?[^/]+)\/(.+)$/.exec(path);
      if (!parts?.[1] || !parts[2]) return { errors: [{ text: `not a file of a package: ${path}` }] };
      return { path: join(packageFolder(parts[1]), parts[2]) };
    });
  },
};

/**
 * Splits the layer: imports of modules outside the piece being built are read from the wrapper's tables.
 * @param piece name of a late module, or undefined for the eager core
 * @param exportsOf names that each module exports
 */
function cutPlugin(piece: string | undefined, exportsOf: Map<string, string[]>): Plugin {
  return {
    name: 'cut',
    setup(build) {
      build.onResolve({ filter: /^\.\/[\w-]+\.ts$/ }, ({ importer, path }) => {
        const name = path.slice(2, -3);
        if (importer !== '' && dirname(importer) !== layerFolder) return undefined;
        if (lateModules.includes(name) && name !== piece) {
          // The core calls __part() when it needs one.
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

/** Replaces the last statement by a plain assignment: esbuild's CommonJS wrapper costs a context fifty microseconds per part. */
function withoutExport(text: string): string {
  const end = /export\{([^{}]*)\};?\s*$/.exec(text);
  if (!end) throw new Error('a part without exports');
  const members = end[1]?.split(',').map((name) => {
    const [own = '', exported = own] = name.split(' as ');
    return `${exported}:${own}`;
  });
  return `${text.slice(0, end.index)}module.exports={__proto__:null,${members?.join(',')}};`;
}

/** Does not resolve `name/package.json`: some packages do not export it, and `buffer` is also the name of a built-in module. */
function packageFolder(name: string): string {
  for (const folder of createRequire(import.meta.url).resolve.paths('any-package') ?? []) {
    if (existsSync(join(folder, name, 'package.json'))) return join(folder, name);
  }
  throw new Error(`the package ${name} is not installed`);
}

/**
 * Bundles the web-standard globals into one script. Its only effect in a context is
 * `globalThis.__layer = (native) => handles` (see layer/index.ts). Takes some 300 ms.
 *
 * The script is one function: it saves intrinsics, then has a table of late parts (one function each, evaluated on first use), then
 * the eager core. One flat bundle would cost every new context half a millisecond for functions that it never calls.
 * @param record receives what was bundled, to collect the licences
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
      // V8 stores ASCII text with one byte per character and parses it faster.
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
  // Libraries call its prototype's getter to recognise one; functions never have any.
  const shared = 'class SharedArrayBuffer{get byteLength(){throw new TypeError}get growable(){throw new TypeError}}';
  return [
    `(__root=>{"use strict";const {${intrinsics.join(',')}}=__root;`,
    'let __late,__console;',
    'const __core={__proto__:null},__made={__proto__:null};let __used={__proto__:null};',
    // A class, because V8 prepares its members; an accessor defined separately costs each context half a microsecond.
    `class __Web{${webNames.map((name) => `get ${name}(){return __late(${JSON.stringify(name)})}`).join('')}}`,
    'const __web=new __Web();delete __Web.prototype.constructor;Reflect.setPrototypeOf(__Web.prototype,null);',
    // What libraries see as `globalThis`: nothing created by user code.
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

/** The eager modules, with a table of their exports for the late parts. */
function coreEntry(exportsOf: Map<string, string[]>): string {
  const lines = ["import './index.ts';"];
  for (const [at, name] of eagerModules.entries()) {
    const exports = exportsOf.get(name) ?? [];
    lines.push(`import { ${exports.map((e) => `${e} as ${e}_${at}`).join(', ')} } from './${name}.ts';`);
    // Created on demand, as a dictionary: hidden classes for a hundred names would cost every context a tenth of a millisecond.
    const members = exports.map((e) => `${e}: ${e}_${at}`).join(', ');
    lines.push(`__core[${JSON.stringify(name)}] = () => ({ __proto__: null, ${members} });`);
  }
  return lines.join('\n');
}

/**
 * The layer's script for development: built once, then read from `node_modules/.cache/convo-fn` until the layer's sources or
 * the package lock change. The published package contains the built file instead.
 */
export async function cachedLayer(projectFolder = join(here, '../../..')): Promise<string> {
  const folder = join(projectFolder, 'node_modules/.cache/convo-fn');
  const file = join(folder, `layer-${await layerHash(projectFolder)}.js`);
  try {
    return await readFile(file, 'utf8');
  } catch {
    const text = await buildLayer();
    await mkdir(folder, { recursive: true });
    // Several may be built at once, in one process, too.
    const temporary = `${file}.${process.pid}.${randomBytes(4).toString('hex')}`;
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
