import * as zlib from 'node:zlib';
import { bytesFrom, maxOutputBytes, optionalNumber, ownBuffer, refuse, textOf, wholeNumber } from './arguments.ts';

type Function_ = (...args: unknown[]) => unknown;

/** Limit of synchronous compression, which blocks the child's main thread; a CompressionStream takes more. */
const maxCompressedBytes = 16 * 1024 * 1024;
/**
 * The strongest levels take seconds per megabyte for some data (measured: gzip 9 of two random letters 3.7 s, level 6 0.2 s).
 * From this size on a lower level is used: the output is a little longer, but valid.
 */
const strongestBytes = 512 * 1024;

// Imported when called: node:zlib is loaded by the first context that compresses something.
type Run = (data: Uint8Array, options: zlib.ZlibOptions) => Buffer;

function deflater(run: () => Run): Function_ {
  return (data, level) => {
    const bytes = bytesFrom(data, 'data', maxCompressedBytes);
    const chosen = optionalNumber(level, 'level', -1, 9);
    return ownBuffer(run()(bytes, chosen === undefined ? {} : { level: affordable(bytes, chosen, 6) }));
  };
}

const affordable = (bytes: Uint8Array, chosen: number, most: number) =>
  bytes.byteLength > strongestBytes ? Math.min(chosen, most) : chosen;

function inflater(run: () => Run): Function_ {
  return (data, ending) => {
    const finishFlush = optionalNumber(ending, 'finishFlush', zlib.constants.Z_NO_FLUSH, zlib.constants.Z_BLOCK);
    const options = finishFlush === undefined ? {} : { finishFlush };
    return ownBuffer(run()(bytesFrom(data, 'data'), { ...options, maxOutputLength: maxOutputBytes }));
  };
}

export const zlibFunctions: Record<string, Function_> = {
  'zlib.deflate': deflater(() => zlib.deflateSync),
  'zlib.deflateRaw': deflater(() => zlib.deflateRawSync),
  'zlib.gzip': deflater(() => zlib.gzipSync),
  'zlib.inflate': inflater(() => zlib.inflateSync),
  'zlib.inflateRaw': inflater(() => zlib.inflateRawSync),
  'zlib.gunzip': inflater(() => zlib.gunzipSync),
  'zlib.unzip': inflater(() => zlib.unzipSync),
  'zlib.brotliCompress'(data, quality) {
    const bytes = bytesFrom(data, 'data', maxCompressedBytes);
    const level = affordable(bytes, optionalNumber(quality, 'quality', 0, 11) ?? 6, 9);
    const params = { [zlib.constants.BROTLI_PARAM_QUALITY]: level };
    return ownBuffer(zlib.brotliCompressSync(bytes, { params }));
  },
  'zlib.brotliDecompress': (data) =>
    ownBuffer(zlib.brotliDecompressSync(bytesFrom(data, 'data'), { maxOutputLength: maxOutputBytes })),
  'zlib.crc32': (data, value) =>
    zlib.crc32(bytesFrom(data, 'data'), optionalNumber(value, 'value', 0, 0xffffffff) ?? 0),
};

/** Most output of one answer. */
const pieceBytes = 1024 * 1024;
const maxStreams = 100;

/** Input of `web.zlib`. */
interface Request {
  do: 'open' | 'write' | 'more' | 'end' | 'close';
  handle?: unknown;
  mode?: unknown;
  format?: unknown;
}

interface Answer {
  json?: string;
  bytes?: ArrayBuffer;
}

/** The streams of CompressionStream and DecompressionStream of one invocation, by number. */
export class ZlibStreams {
  readonly #streams = new Map<number, ZlibStream>();
  #next = 1;

  async run(request: Request, bytes: ArrayBuffer | undefined): Promise<Answer> {
    if (request.do === 'open') {
      if (this.#streams.size >= maxStreams)
        throw new RangeError(`At most ${maxStreams} compression streams may be open at once`);
      const handle = this.#next++;
      this.#streams.set(handle, new ZlibStream(textOf(request.mode, 'mode'), textOf(request.format, 'format')));
      return { json: JSON.stringify({ handle }) };
    }
    const handle = wholeNumber(request.handle, 'handle', 1, Number.MAX_SAFE_INTEGER);
    const stream = this.#streams.get(handle);
    if (!stream) throw refuse('The stream is closed');
    if (request.do === 'close') {
      this.#streams.delete(handle);
      stream.destroy();
      return {};
    }
    try {
      const { more, output } = await stream.step(request.do, bytes);
      if (stream.ended && !more) {
        this.#streams.delete(handle);
        stream.destroy();
      }
      return { json: JSON.stringify({ more }), bytes: output };
    } catch {
      this.#streams.delete(handle);
      stream.destroy();
      throw refuse('The data are not valid in the format of the stream');
    }
  }

  dispose(): void {
    for (const stream of this.#streams.values()) stream.destroy();
    this.#streams.clear();
  }
}

const makers: Record<string, (options: zlib.ZlibOptions) => zlib.Gzip | zlib.Gunzip> = {
  'compress gzip': (options) => zlib.createGzip(options),
  'compress deflate': (options) => zlib.createDeflate(options),
  'compress deflate-raw': (options) => zlib.createDeflateRaw(options),
  'decompress gzip': (options) => zlib.createGunzip(options),
  'decompress deflate': (options) => zlib.createInflate(options),
  'decompress deflate-raw': (options) => zlib.createInflateRaw(options),
};

class ZlibStream {
  readonly #stream: zlib.Gzip | zlib.Gunzip;
  #error: Error | undefined;
  /** All input received so far has been processed. */
  #idle = true;
  #ending = false;
  #finished = false;
  #wake: (() => void) | undefined;

  constructor(mode: string, format: string) {
    const kind = `${mode} ${format}`;
    const make = Object.hasOwn(makers, kind) ? makers[kind] : undefined;
    if (!make) throw refuse('unknown kind of compression stream');
    // In the web standard, bytes after the end of the compressed data are an error; the types lack this option.
    const options: zlib.ZlibOptions & { rejectGarbageAfterEnd: boolean } = { rejectGarbageAfterEnd: true };
    this.#stream = make(options);
    const wake = () => this.#wake?.();
    this.#stream.on('readable', wake);
    this.#stream.on('end', () => {
      this.#finished = true;
      wake();
    });
    this.#stream.on('error', (error) => {
      this.#error = error;
      wake();
    });
    this.#stream.on('close', wake);
  }

  /** All input was received and all output returned. */
  get ended(): boolean {
    return this.#ending && this.#finished;
  }

  async step(
    what: 'write' | 'more' | 'end',
    bytes: ArrayBuffer | undefined,
  ): Promise<{ output: ArrayBuffer; more: boolean }> {
    if (what === 'write' && bytes !== undefined && bytes.byteLength > 0) {
      if (this.#ending || !this.#idle) throw refuse('The stream is busy');
      this.#idle = false;
      this.#stream.write(new Uint8Array(bytes), () => {
        this.#idle = true;
        this.#wake?.();
      });
    } else if (what === 'end') {
      this.#ending = true;
      this.#stream.end();
    }
    return this.#collect();
  }

  async #collect(): Promise<{ output: ArrayBuffer; more: boolean }> {
    const pieces: Buffer[] = [];
    let length = 0;
    for (;;) {
      if (this.#error) throw this.#error;
      const piece = this.#stream.read() as Buffer | null;
      if (piece !== null) {
        pieces.push(piece);
        length += piece.byteLength;
        if (length >= pieceBytes) return { output: ownBuffer(Buffer.concat(pieces)), more: true };
        continue;
      }
      const done = this.#ending ? this.#finished : this.#idle;
      if (done) return { output: ownBuffer(Buffer.concat(pieces)), more: false };
      if (this.#stream.destroyed) throw refuse('The stream is closed');
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      this.#wake = undefined;
    }
  }

  destroy(): void {
    this.#stream.on('error', () => {});
    this.#stream.destroy();
  }
}
