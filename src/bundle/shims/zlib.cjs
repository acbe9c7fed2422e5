'use strict';
const missing = require('./missing.cjs');
const { ask, bytes, later, output } = require('./native.cjs');
const constants = require('./zlib-constants.json');

const streams = 'Use the function that takes the whole data, or CompressionStream and DecompressionStream.';

/** Options that would change what the data means, and are not there. */
function refuseOptions(options) {
  for (const name of ['dictionary', 'info']) {
    if (options?.[name] !== undefined) throw new Error(`node:zlib: the option "${name}" is not available in functions`);
  }
}

function whole(name, setting) {
  return (data, options) => {
    refuseOptions(options);
    const result = output(ask(`zlib.${name}`, bytes(data), setting?.(options ?? {})));
    if (result.length > (options?.maxOutputLength ?? Number.POSITIVE_INFINITY)) {
      const error = new RangeError(`Cannot create a Buffer larger than ${options.maxOutputLength} bytes`);
      throw Object.assign(error, { code: 'ERR_BUFFER_TOO_LARGE' });
    }
    return result;
  };
}

const level = (options) => options.level;
const quality = (options) => options.params?.[constants.BROTLI_PARAM_QUALITY] ?? constants.BROTLI_DEFAULT_QUALITY;

const functions = {
  deflate: whole('deflate', level),
  deflateRaw: whole('deflateRaw', level),
  gzip: whole('gzip', level),
  inflate: whole('inflate'),
  inflateRaw: whole('inflateRaw'),
  gunzip: whole('gunzip'),
  unzip: whole('unzip'),
  brotliCompress: whole('brotliCompress', quality),
  brotliDecompress: whole('brotliDecompress'),
};

const api = { constants, codes: codesOf(constants), crc32: (data, value = 0) => ask('zlib.crc32', bytes(data), value) };
for (const [name, run] of Object.entries(functions)) {
  api[`${name}Sync`] = run;
  api[name] = (data, options, callback) => {
    if (typeof options === 'function') [options, callback] = [undefined, options];
    later(() => run(data, options), callback);
  };
}
for (const name of [
  'Deflate',
  'DeflateRaw',
  'Gzip',
  'Inflate',
  'InflateRaw',
  'Gunzip',
  'Unzip',
  'BrotliCompress',
  'BrotliDecompress',
  'ZstdCompress',
  'ZstdDecompress',
]) {
  api[name] = missing(`zlib.${name}`, streams);
  api[`create${name}`] = missing(`zlib.create${name}`, streams);
}
for (const name of ['zstdCompress', 'zstdDecompress']) {
  api[name] = missing(`zlib.${name}`, 'Use gzip or brotli.');
  api[`${name}Sync`] = missing(`zlib.${name}Sync`, 'Use gzip or brotli.');
}
Object.assign(api, constants);

/** Name → number and number → name of zlib's results. */
function codesOf(all) {
  const codes = {};
  for (const [name, value] of Object.entries(all))
    if (/^Z_(OK|STREAM_END|NEED_DICT|[A-Z]+_ERROR|ERRNO)$/.test(name))
      Object.assign(codes, { [name]: value, [value]: name });
  return codes;
}

module.exports = api;
