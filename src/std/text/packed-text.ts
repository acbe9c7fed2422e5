/** Shorter texts are not compressed: that would save nothing worth the time. */
const worthPacking = 64 * 1024;

/** The texts behind properties. */
const behind = new WeakMap<() => string, PackedText>();

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

  /** A property of an object, compressed once if it is long. */
  static in<Key extends string>(object: { readonly [key in Key]?: string }, key: Key): PackedText | undefined {
    const { get, value } = Object.getOwnPropertyDescriptor(object, key) ?? {};
    if (get) return behind.get(get);
    return value === undefined ? undefined : PackedText.of(value);
  }

  /** A property that is decompressed whenever it is read. */
  get property(): PropertyDescriptor {
    const get = () => this.#text();
    behind.set(get, this);
    return { enumerable: true, get };
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
