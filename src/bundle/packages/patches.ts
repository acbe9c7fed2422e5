import { existsSync, readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { PluginBuild } from 'esbuild';

/** Patches packages that rely on features of other runtimes. */
export function patchPackages(build: PluginBuild): void {
  for (const { files, mend } of patches) {
    build.onLoad({ filter: files, namespace: 'file' }, async ({ path }) => ({
      contents: mend(await readFile(path, 'utf8'), path),
      loader: 'js',
    }));
  }
}

/** For axios: a form of the package form-data says its own type, with its boundary. */
function withFormsOfPackages(text: string): string {
  return text.replace(
    /if \(\s*((\w+(?:\$\d+)?)\.hasStandardBrowserEnv\s*\|\|\s*\2\.hasStandardBrowserWebWorkerEnv)/,
    "if (typeof data.getHeaders === 'function') headers.set(data.getHeaders()); else if ($1",
  );
}

/**
 * For axios: a timeout has the code of its build for Node, on which callers and axios-retry decide whether to repeat, and bytes come in a
 * buffer. It uses `fetch` here, for which it has the code ETIMEDOUT and an ArrayBuffer.
 */
function asInNode(text: string): string {
  return text
    .replace(/(?<=const composeSignals = \(signals, timeout)(?=\) =>)/, ', settings$')
    .replace(/(?<=composeSignals(?:\$\d+)?\(\s*\[signal, [^\]]*\],\s*timeout)(?=\s*\))/, ', config.transitional')
    .replace(
      /(?<=`, )(AxiosError(?:\$\d+)?)\.ETIMEDOUT(?=\)\))/,
      'settings$ && settings$.clarifyTimeoutError ? $1.ETIMEDOUT : $1.ECONNABORTED',
    )
    .replace(
      /let responseData = await resolvers\[[^;]*;/,
      (read) =>
        `${read} if (responseData instanceof ArrayBuffer && globalThis.Buffer) responseData = Buffer.from(responseData);`,
    );
}

/**
 * For a UMD build of the TypeScript compiler: it passes `require` to a factory, where no bundler finds what is required, and names the
 * files only for AMD. On the same line, so that positions stay the same.
 */
function withNamedFiles(text: string): string {
  const names = /\bdefine\(\["require", "exports"([^\]]*)\], factory\)/.exec(text)?.[1];
  if (names === undefined) return text;
  const files = [...names.matchAll(/"[^"]+"/g)].map(([name]) => `${name}: () => require(${name})`);
  return text.replace('factory(require, exports)', `factory((name) => ({ ${files.join(', ')} })[name](), exports)`);
}

const patches: readonly { readonly files: RegExp; readonly mend: (text: string, path: string) => string }[] = [
  // Functions have no SharedArrayBuffer and no Atomics. The stand-ins exist only while the file runs, or only within it.
  {
    // They read the getters of SharedArrayBuffer to detect its instances, of which there are none here.
    files: /[\\/]node_modules[\\/](?:webidl-conversions[\\/]lib[\\/]index|whatwg-url[\\/]lib[\\/]utils)\.js$/,
    mend: (text) =>
      `class SharedArrayBuffer { get byteLength() { throw new TypeError(); } get growable() { throw new TypeError(); } } ${text}`,
  },
  {
    // Node's `inspect`, as a package or inside one, copies every built-in object, including Atomics.
    files:
      /[\\/]node_modules[\\/](?:node-inspect-extracted[\\/]dist[\\/]inspect|@vladfrangu[\\/]async_event_emitter[\\/]dist[\\/]index)\.m?c?js$/,
    mend: (text) =>
      `const absent$ = !('Atomics' in globalThis); if (absent$) globalThis.Atomics = {};\n${text}\nif (absent$) delete globalThis.Atomics;`,
  },
  {
    // Only in a page or a worker of one does it leave the content type of a form to fetch, which knows its boundary.
    files:
      /[\\/]node_modules[\\/]axios[\\/](?:lib[\\/]platform[\\/]common[\\/]utils\.js|dist[\\/]browser[\\/]axios\.cjs)$/,
    mend: (text) =>
      asInNode(withFormsOfPackages(text)).replace(
        /const hasStandardBrowserWebWorkerEnv = \(\(\) => \{.*?\}\)\(\);/s,
        'const hasStandardBrowserWebWorkerEnv = true;',
      ),
  },
  {
    files: /[\\/]node_modules[\\/]axios[\\/]lib[\\/]helpers[\\/]resolveConfig\.js$/,
    mend: withFormsOfPackages,
  },
  {
    files: /[\\/]node_modules[\\/]axios[\\/]lib[\\/](?:adapters[\\/]fetch|helpers[\\/]composeSignals)\.js$/,
    mend: asInNode,
  },
  {
    // Its build for browsers is the global class, which lacks what code for Node calls. As an async iterable, the other one is a body for fetch.
    files: /[\\/]node_modules[\\/]form-data[\\/]lib[\\/]browser\.js$/,
    mend: () => `const FormData = require('./form_data.js');
FormData.prototype[Symbol.asyncIterator] ??= function () {
  const through = new (require('node:stream').PassThrough)();
  this.on('error', (error) => through.destroy(error)).pipe(through);
  return through[Symbol.asyncIterator]();
};
module.exports = FormData;`,
  },
  {
    // In browsers it has no streams unless the author passes it those of Node. They are not loaded before they are used.
    files: /[\\/]node_modules[\\/]iconv-lite[\\/]lib[\\/]index\.js$/,
    mend: (text) =>
      text.replace(
        /^ *(\S+)\.encodeStream = \1\.decodeStream = function ?\(\) ?\{\s*throw [^\n]*\n\s*\}/m,
        (_, iconv: string) =>
          `for (const name of ['encodeStream', 'decodeStream']) ${iconv}[name] = (...given) => (${iconv}.enableStreamingAPI(require('node:stream')), ${iconv}[name](...given));`,
      ),
  },
  {
    // Its build for browsers drops the failure of a request, and the call never settles.
    files: /[\\/]node_modules[\\/]jsforce[\\/]browser[\\/]browser[\\/]request\.js$/,
    mend: (text) =>
      text.replace(
        /^ *startFetchRequest\(req, options, input, output, stream\);$/m,
        "startFetchRequest(req, options, input, output, stream).catch((error) => stream.emit('error', error));",
      ),
  },
  {
    // Its build for Node finds the standard fonts by itself; its build for browsers has them registered by the author.
    files: /[\\/]node_modules[\\/]pdfkit[\\/]js[\\/]pdfkit\.browser\.mjs$/,
    mend: (text, path) => {
      const folder = join(dirname(path), 'standard-fonts');
      if (!text.includes('registerStdFonts') || !existsSync(folder)) return text;
      const fonts = readdirSync(folder).filter((name) => name.endsWith('.mjs'));
      const imports = fonts.map((name, index) => `import font${index}$ from "./standard-fonts/${name}";`);
      return `${imports.join(' ')} ${text}\nregisterStdFonts(${fonts.map((_, index) => `font${index}$`).join(', ')});`;
    },
  },
  {
    // It hides its imports of built-in modules from bundlers.
    files: /[\\/]node_modules[\\/]langfuse-core[\\/]lib[\\/]index\.(?:mjs|cjs\.js)$/,
    mend: (text) => text.replace(/\bdynamicImport\((?="(?:node:)?(?:fs|crypto)"\))/g, 'import('),
  },
  {
    // Its build for browsers lacks binary data, describe() and annotate(); that for Node needs nothing that functions do not have.
    files: /[\\/]node_modules[\\/]joi[\\/]dist[\\/]joi-browser\.min\.js$/,
    mend: () => "module.exports = require('../lib/index.js');",
  },
  {
    files: /[\\/]node_modules[\\/].*[\\/]umd[\\/].*\.js$/,
    mend: withNamedFiles,
  },
  {
    // They hide what they require from bundlers, and find Node by its `process`.
    files: /[\\/]node_modules[\\/]js-(?:md5|sha1|sha256|sha512)[\\/](?:src|build)[\\/][^\\/]+\.js$/,
    mend: (text) => text.replace(/\beval\("(require\('(?:crypto|buffer)'\)(?:\.Buffer)?)"\)/g, '$1'),
  },
  {
    // Its build for browsers makes byte arrays; packages that use it expect buffers, as in Node.
    files: /[\\/]node_modules[\\/]b4a[\\/]browser\.js$/,
    mend: () => "module.exports = require('./index.js');",
  },
  {
    // Its build for browsers decodes to arrays; speakeasy passes what it gets to node:crypto, as a secret.
    files: /[\\/]node_modules[\\/]base32\.js[\\/]base32\.js$/,
    mend: (text) => `${text}
const finalize$ = Decoder.prototype.finalize;
Decoder.prototype.finalize = function (text) {
  const bytes = finalize$.call(this, text);
  return globalThis.Buffer ? Buffer.from(bytes) : bytes;
};`,
  },
];
