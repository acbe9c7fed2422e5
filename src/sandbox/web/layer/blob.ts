/** https://w3c.github.io/FileAPI/ : bytes in memory, slices share them. */
import { expose } from './expose.ts';
import { extentOf } from './primordials.ts';

const chunkBytes = 64 * 1024;
const contents = new WeakMap<object, { bytes: Uint8Array; type: string }>();

function contentOf(blob: unknown): { bytes: Uint8Array; type: string } {
  const content = contents.get(blob as object);
  if (!content) throw new TypeError('Illegal invocation');
  return content;
}

function normalType(type: unknown): string {
  const text = `${type}`;
  return /[^\x20-\x7e]/.test(text) ? '' : text.replace(/[A-Z]+/g, (part) => part.toLowerCase());
}

function readOptions(options: unknown, Class: string): Record<string, unknown> {
  if (options === undefined || options === null) return {};
  if (typeof options !== 'object' && typeof options !== 'function') {
    throw new TypeError(`Failed to construct '${Class}': the options are not an object`);
  }
  return options as Record<string, unknown>;
}

function collect(parts: unknown, Class: string): unknown[] {
  if ((typeof parts !== 'object' && typeof parts !== 'function') || parts === null) {
    throw new TypeError(`Failed to construct '${Class}': the first argument is not a sequence`);
  }
  const iterate = (parts as { [Symbol.iterator]?: unknown })[Symbol.iterator];
  if (typeof iterate !== 'function')
    throw new TypeError(`Failed to construct '${Class}': the first argument is not a sequence`);
  const list: unknown[] = [];
  for (const part of parts as Iterable<unknown>) {
    // Converts to text while reading the sequence: the order of side effects is observable.
    const known = extentOf(part) !== undefined || contents.has(part as object);
    list.push(known ? part : `${part}`);
  }
  return list;
}

function assemble(parts: unknown[], endings: string): Uint8Array {
  const encoder = new TextEncoder();
  const pieces: Uint8Array[] = [];
  let length = 0;
  for (const part of parts) {
    let piece: Uint8Array;
    if (typeof part === 'string') {
      piece = encoder.encode(endings === 'native' ? part.replace(/\r\n|\r|\n/g, '\n') : part);
    } else {
      const extent = extentOf(part);
      piece = extent ? new Uint8Array(extent.buffer, extent.offset, extent.length) : contentOf(part).bytes;
    }
    pieces.push(piece);
    length += piece.byteLength;
  }
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.byteLength;
  }
  return bytes;
}

function clampIndex(value: unknown, size: number, fallback: number): number {
  if (value === undefined) return fallback;
  const number = Number(value);
  if (Number.isNaN(number)) return 0;
  // [Clamp] rounds to the nearest integer, halves to the even one.
  const floor = Math.floor(number);
  const rounded = number - floor === 0.5 ? floor + (floor % 2 === 0 ? 0 : 1) : Math.round(number);
  return rounded < 0 ? Math.max(size + rounded, 0) : Math.min(rounded, size);
}

const sharing = Symbol('a blob over given bytes');

export class Blob {
  constructor(parts: unknown = [], options: unknown = undefined) {
    if (parts === sharing) {
      contents.set(this, options as { bytes: Uint8Array; type: string });
      return;
    }
    const Class = this instanceof File ? 'File' : 'Blob';
    const list = arguments.length === 0 || parts === undefined ? [] : collect(parts, Class);
    const init = readOptions(options, Class);
    const { endings } = init;
    const ending = endings === undefined ? 'transparent' : `${endings}`;
    if (ending !== 'transparent' && ending !== 'native') {
      throw new TypeError(`Failed to construct '${Class}': '${ending}' is not a kind of line ending`);
    }
    const { type } = init;
    const kind = type === undefined ? '' : normalType(type);
    contents.set(this, { bytes: assemble(list, ending), type: kind });
  }

  get size(): number {
    return contentOf(this).bytes.byteLength;
  }

  get type(): string {
    return contentOf(this).type;
  }

  slice(start: unknown = undefined, end: unknown = undefined, type: unknown = undefined): Blob {
    const { bytes } = contentOf(this);
    const from = clampIndex(start, bytes.byteLength, 0);
    const to = clampIndex(end, bytes.byteLength, bytes.byteLength);
    const kind = type === undefined ? '' : normalType(type);
    return new Blob(sharing, { bytes: bytes.subarray(from, Math.max(from, to)), type: kind });
  }

  stream(): ReadableStream<Uint8Array> {
    const { bytes } = contentOf(this);
    let at = 0;
    return new ReadableStream({
      type: 'bytes',
      pull(controller) {
        if (at < bytes.byteLength) {
          // A copy, because a byte stream transfers the buffer.
          controller.enqueue(bytes.slice(at, at + chunkBytes) as Uint8Array<ArrayBuffer>);
          at += chunkBytes;
        }
        if (at >= bytes.byteLength) {
          controller.close();
          controller.byobRequest?.respond(0);
        }
      },
    });
  }

  async text(): Promise<string> {
    return new TextDecoder().decode(contentOf(this).bytes);
  }

  async arrayBuffer(): Promise<ArrayBuffer> {
    return contentOf(this).bytes.slice().buffer as ArrayBuffer;
  }

  async bytes(): Promise<Uint8Array> {
    return contentOf(this).bytes.slice();
  }
}

const files = new WeakMap<object, { name: string; lastModified: number }>();

function fileOf(file: unknown): { name: string; lastModified: number } {
  const data = files.get(file as object);
  if (!data) throw new TypeError('Illegal invocation');
  return data;
}

export class File extends Blob {
  constructor(parts: unknown, name: unknown, options: unknown = undefined) {
    if (parts === sharing) {
      super(sharing, options);
      files.set(this, name as { name: string; lastModified: number });
      return;
    }
    if (arguments.length < 2) throw new TypeError("Failed to construct 'File': 2 arguments required");
    if (parts === undefined) throw new TypeError("Failed to construct 'File': the first argument is not a sequence");
    super(parts, options);
    const { lastModified } = readOptions(options, 'File');
    const modified = lastModified === undefined ? (__root['Date'] as DateConstructor).now() : Number(lastModified);
    files.set(this, {
      name: `${name}`.toWellFormed(),
      lastModified: Number.isFinite(modified) ? Math.trunc(modified) + 0 : 0,
    });
  }

  get name(): string {
    return fileOf(this).name;
  }

  get lastModified(): number {
    return fileOf(this).lastModified;
  }

  get webkitRelativePath(): string {
    return '';
  }
}

/** Another object with the same bytes (structuredClone). */
export function cloneBlob(blob: object): Blob | undefined {
  const content = contents.get(blob);
  if (!content) return undefined;
  const file = files.get(blob);
  return file ? new File(sharing, file, content) : new Blob(sharing, content);
}

expose(Blob, 'Blob');
expose(File, 'File');
Object.defineProperty(Blob, 'length', { value: 0 });
Object.defineProperty(File, 'length', { value: 2 });
