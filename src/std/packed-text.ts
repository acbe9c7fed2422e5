/** Shorter texts are not compressed: that would save nothing worth the time. */
const worthPacking = 64 * 1024;

/** A text as UTF-8, compressed if it is long. */
export class PackedText {
  readonly bytes: Uint8Array;
  readonly isDeflated: boolean;

  constructor(bytes: Uint8Array, isDeflated: boolean) {
    this.bytes = bytes;
    this.isDeflated = isDeflated;
  }

  static of(text: string): PackedText {
    const bytes = Buffer.from(text);
    return isLong(text)
      ? new PackedText(zlib().deflateRawSync(bytes, { level: 1 }), true)
      : new PackedText(bytes, false);
  }

  /** A property that is decompressed whenever it is read. */
  get property(): PropertyDescriptor {
    return { enumerable: true, get: () => this.#text() };
  }

  #text(): string {
    const bytes = this.isDeflated ? zlib().inflateRawSync(this.bytes) : this.bytes;
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
  }
}

/** The same object with its long texts compressed. */
export function packed<T extends object>(value: T): T {
  const properties = Object.entries(Object.getOwnPropertyDescriptors(value)).map(([name, property]) => {
    const text: unknown = property.value;
    return [name, typeof text === 'string' && isLong(text) ? PackedText.of(text).property : property];
  });
  return Object.defineProperties({}, Object.fromEntries(properties)) as T;
}

const isLong = (text: string) => text.length >= worthPacking;

/** Loaded on first use: most commands have no long text. */
const zlib = () => process.getBuiltinModule('node:zlib');
