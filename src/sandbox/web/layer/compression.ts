/** CompressionStream and DecompressionStream on zlib streams of the child, which return at most 1 MiB at a time. */
import { expose } from './expose.ts';
import { start } from './ops.ts';
import { bufferResizable, bytesOf, extentOf, parse } from './primordials.ts';

/** The child's answer to `web.zlib`. */
export interface ZlibAnswer {
  /** Only for `open`. */
  handle?: number;
  /** There is more output for the bytes received so far: call again with `more`. */
  more?: boolean;
}

const formats = ['deflate', 'deflate-raw', 'gzip'];

class Pump {
  #handle: Promise<number> | undefined;
  readonly mode: string;
  readonly format: string;

  constructor(mode: string, format: string) {
    this.mode = mode;
    this.format = format;
  }

  #open(): Promise<number> {
    this.#handle ??= start('web', 'web.zlib', { do: 'open', mode: this.mode, format: this.format }).then(
      ({ json }) => (parse(json ?? '{}') as ZlibAnswer).handle ?? 0,
    );
    return this.#handle;
  }

  async pass(what: 'write' | 'end', bytes: ArrayBuffer | undefined, out: (chunk: Uint8Array) => void): Promise<void> {
    const handle = await this.#open();
    let answer = await start('web', 'web.zlib', { do: what, handle }, bytes);
    for (;;) {
      if (answer.bytes && answer.bytes.byteLength > 0) out(new Uint8Array(answer.bytes));
      if (!(parse(answer.json ?? '{}') as ZlibAnswer).more) return;
      answer = await start('web', 'web.zlib', { do: 'more', handle });
    }
  }

  async close(): Promise<void> {
    if (this.#handle) await start('web', 'web.zlib', { do: 'close', handle: await this.#handle });
  }
}

function makeTransform(mode: string, format: unknown, Class: string): TransformStream<unknown, Uint8Array> {
  const name = `${format}`;
  if (!formats.includes(name)) {
    throw new TypeError(`Failed to construct '${Class}': '${name}' is not a format (${formats.join(', ')})`);
  }
  const pump = new Pump(mode, name);
  return new TransformStream<unknown, Uint8Array>({
    async transform(chunk, controller) {
      const extent = extentOf(chunk);
      if (!extent || bufferResizable(extent.buffer)) throw new TypeError('The chunk is not a BufferSource');
      await pump.pass('write', bytesOf(chunk), (out) => controller.enqueue(out));
    },
    async flush(controller) {
      await pump.pass('end', undefined, (out) => controller.enqueue(out));
    },
    cancel() {
      return pump.close();
    },
  });
}

const transforms = new WeakMap<object, TransformStream<unknown, Uint8Array>>();

function transformOf(stream: object): TransformStream<unknown, Uint8Array> {
  const transform = transforms.get(stream);
  if (!transform) throw new TypeError('Illegal invocation');
  return transform;
}

export class CompressionStream {
  constructor(format: unknown) {
    transforms.set(this, makeTransform('compress', format, 'CompressionStream'));
  }
  get readable() {
    return transformOf(this).readable;
  }
  get writable() {
    return transformOf(this).writable;
  }
}

export class DecompressionStream {
  constructor(format: unknown) {
    transforms.set(this, makeTransform('decompress', format, 'DecompressionStream'));
  }
  get readable() {
    return transformOf(this).readable;
  }
  get writable() {
    return transformOf(this).writable;
  }
}

expose(CompressionStream, 'CompressionStream');
expose(DecompressionStream, 'DecompressionStream');
