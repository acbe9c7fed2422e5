'use strict';
const missing = require('./missing.cjs');
const { ask, bytes, later, output } = require('./native.cjs');
const constants = require('./zlib-constants.json');

/** Options that would change what the data means, and are not there. */
function refuseOptions(options) {
  for (const name of ['dictionary', 'info']) {
    if (options?.[name] !== undefined) throw new Error(`node:zlib: the option "${name}" is not available in functions`);
  }
}

/** The child's error has Node's code; the number that belongs to it is known here. */
function withNumber(error) {
  if (typeof constants[error.code] === 'number') error.errno = constants[error.code];
  return error;
}

function whole(name, setting) {
  return (data, options) => {
    refuseOptions(options);
    const given = bytes(data);
    let result;
    try {
      result = output(ask(`zlib.${name}`, given, setting?.(options ?? {})));
    } catch (error) {
      throw withNumber(error);
    }
    if (result.length > (options?.maxOutputLength ?? Number.POSITIVE_INFINITY)) {
      const error = new RangeError(`Cannot create a Buffer larger than ${options.maxOutputLength} bytes`);
      throw Object.assign(error, { code: 'ERR_BUFFER_TOO_LARGE' });
    }
    return result;
  };
}

const level = (options) => options.level;
/** How to end: what is there of a text that was cut off is returned instead of an error. */
const ending = (options) => options.finishFlush;
const quality = (options) => options.params?.[constants.BROTLI_PARAM_QUALITY] ?? constants.BROTLI_DEFAULT_QUALITY;

const functions = {
  deflate: whole('deflate', level),
  deflateRaw: whole('deflateRaw', level),
  gzip: whole('gzip', level),
  inflate: whole('inflate', ending),
  inflateRaw: whole('inflateRaw', ending),
  gunzip: whole('gunzip', ending),
  unzip: whole('unzip', ending),
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
for (const [name, run] of Object.entries(functions)) {
  const capital = `${name[0].toUpperCase()}${name.slice(1)}`;
  const stream = streamOf(capital, run);
  // Made when asked for: most who compress take the whole data.
  Object.defineProperty(api, capital, { get: stream, enumerable: true, configurable: true });
  api[`create${capital}`] = (options) => new (stream())(options);
}
for (const name of ['zstdCompress', 'zstdCompressSync', 'createZstdCompress', 'ZstdCompress'])
  for (const each of [name, name.replace('Compress', 'Decompress')])
    api[each] = missing(`zlib.${each}`, 'Use gzip or brotli.');
Object.assign(api, constants);

/** The stream class of a function that takes the whole data: what goes in is collected, and comes out at the end. */
function streamOf(name, run) {
  let made;
  return () => {
    made ??= collecting(require('node:stream').Transform, name, run);
    return made;
  };
}

function collecting(Transform, name, run) {
  /** No class: those that derive from Node's call it as a function. */
  function Zlib(options) {
    if (!(this instanceof Zlib)) return new Zlib(options);
    refuseOptions(options);
    Transform.call(this, options);
    this._parts = [];
    this._options = options ?? {};
    this.bytesWritten = 0;
    // What packages that derive from these classes know of Node's.
    this._chunkSize = this._options.chunkSize ?? constants.Z_DEFAULT_CHUNK;
    this._outBuffer = Buffer.alloc(this._chunkSize);
    this._outOffset = 0;
    this._finishFlushFlag = this._options.finishFlush ?? constants.Z_FINISH;
    this._handle = new Handle(this, run);
  }
  Object.setPrototypeOf(Zlib, Transform);
  Object.defineProperty(Zlib, 'name', { value: name });
  Zlib.prototype = Object.create(Transform.prototype, {
    constructor: { value: Zlib, configurable: true, writable: true },
  });
  return Object.assign(Zlib, { prototype: Object.assign(Zlib.prototype, collector(run)) });
}

/** Node's inner handle, for those who work it themselves to be done at once: takes all of the data, and fills buffer after buffer. */
class Handle {
  #owner;
  #run;
  #left;

  constructor(owner, run) {
    this.#owner = owner;
    this.#run = run;
  }

  /** @returns how much of the input is left, and of the room for output */
  writeSync(_flush, input, inOffset, inLength, output, outOffset, outLength) {
    try {
      this.#left ??= this.#run(input.subarray(inOffset, inOffset + inLength), this.#owner._options);
    } catch (error) {
      this.#owner._hadError = true;
      this.#owner.emit('error', error);
      return [inLength, outLength];
    }
    const length = Math.min(outLength, this.#left.length);
    output.set(this.#left.subarray(0, length), outOffset);
    this.#left = this.#left.subarray(length);
    return [0, outLength - length];
  }

  close() {}
}

function collector(run) {
  return {
    _transform(chunk, encoding, done) {
      this._collect(typeof chunk === 'string' ? Buffer.from(chunk, encoding) : Buffer.from(chunk));
      done();
    },
    _flush(done) {
      let result;
      try {
        result = this._result();
      } catch (error) {
        return done(error);
      }
      // In pieces as large as Node's.
      for (let at = 0; at < result.length; at += this._chunkSize) this.push(result.subarray(at, at + this._chunkSize));
      done();
    },
    _collect(part) {
      this._parts.push(part);
      this.bytesWritten += part.length;
    },
    _result() {
      return run(Buffer.concat(this._parts), this._options);
    },
    _processChunk(chunk, flush) {
      this._collect(Buffer.from(chunk));
      return flush === this._finishFlushFlag ? this._result() : Buffer.alloc(0);
    },
    /** Nothing can come out before the end. */
    flush(kind, done = kind) {
      if (typeof done === 'function') queueMicrotask(done);
    },
    params(level, _strategy, done) {
      this._options = { ...this._options, level };
      queueMicrotask(done);
    },
    close(done) {
      if (typeof done === 'function') this.once('close', done);
      this.destroy();
    },
    reset() {
      this._parts = [];
    },
  };
}

/** Name → number and number → name of zlib's results. */
function codesOf(all) {
  const codes = {};
  for (const [name, value] of Object.entries(all))
    if (/^Z_(OK|STREAM_END|NEED_DICT|[A-Z]+_ERROR|ERRNO)$/.test(name))
      Object.assign(codes, { [name]: value, [value]: name });
  return codes;
}

module.exports = api;
