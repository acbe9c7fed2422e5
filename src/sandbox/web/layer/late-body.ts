/** The part of undici's body interface that its Request and Response use. */
import type { InnerBody } from 'internal:undici/lib/web/fetch/body.js';
import { placed, withoutPlace } from './errors.ts';
import { TextEncoder } from './late-classes.ts';
import { apply, bufferDetached, bufferSlice, bytesOf, charCodeAt, extentOf, parse } from './primordials.ts';
import { utf8Length } from './utf8-length.ts';

const {
  bodyUnusable,
  cloneBody,
  extractBody: extract,
  mixinBody: mixIn,
  streamRegistry,
} = require('internal:undici/lib/web/fetch/body.js') as typeof import('internal:undici/lib/web/fetch/body.js');
const { utf8DecodeBytes } =
  require('internal:undici/lib/encoding/index.js') as typeof import('internal:undici/lib/encoding/index.js');

export { bodyUnusable, cloneBody, streamRegistry };

type Source = string | Uint8Array<ArrayBuffer>;

/**
 * A complete body. Its stream is created on demand: most bodies are sent without one or read at once, and evaluating the streams part and
 * using a stream takes a context a millisecond.
 */
class WholeBody implements InnerBody {
  readonly source: Source;
  readonly length: number;
  #stream: ReadableStream | undefined;
  #isRead = false;

  constructor(source: Source, length: number) {
    this.source = source;
    this.length = length;
  }

  /** The source of an untouched complete body, whose stream does not exist yet; undefined for any other. Not a copy. */
  static wholeOf(body: InnerBody | null): Source | undefined {
    return body && #stream in body && !body.#stream && !body.#isRead ? body.source : undefined;
  }

  /** The same, and marks the body as read. */
  static takeWhole(body: InnerBody | null): Source | undefined {
    const source = WholeBody.wholeOf(body);
    if (source !== undefined) (body as WholeBody).#isRead = true;
    return source;
  }

  get stream(): ReadableStream {
    if (!this.#stream) {
      this.#stream = extract(this.source)[0].stream;
      if (this.#isRead) void this.#stream.getReader().read();
    }
    return this.#stream;
  }

  set stream(stream: ReadableStream) {
    this.#stream = stream;
  }
}

export const { wholeOf } = WholeBody;

/** https://fetch.spec.whatwg.org/#concept-bodyinit-extract */
export function extractBody(object: unknown, keepalive?: boolean): [body: InnerBody, type: string | null] {
  if (typeof object === 'string') return [new WholeBody(object, utf8Length(object)), 'text/plain;charset=UTF-8'];
  const extent = extentOf(object);
  const copy = extent && !bufferDetached(extent.buffer) ? bytesOf(object) : undefined;
  return copy ? [new WholeBody(new Uint8Array(copy), copy.byteLength), null] : extract(object, keepalive);
}

const encoder = new TextEncoder();
const byteOrderMark = 0xfeff;

/** A copy of the bytes. */
export function bytesOfSource(source: Source): Uint8Array<ArrayBuffer> {
  return typeof source === 'string' ? encoder.encode(source) : new Uint8Array(bufferSlice(source.buffer, 0));
}

function textOf(source: Source): string {
  if (typeof source !== 'string') return utf8DecodeBytes(source);
  return charCodeAt(source, 0) === byteOrderMark ? utf8DecodeBytes(encoder.encode(source)) : source;
}

/** Conversion of the source to the result of each method. */
const readers: Record<string, (source: Source) => unknown> = {
  __proto__: null as never,
  arrayBuffer: (source) => bytesOfSource(source).buffer,
  bytes: bytesOfSource,
  json: (source) => parse(textOf(source)),
  text: textOf,
};

type Method = (this: unknown) => Promise<unknown>;
interface WithBody {
  readonly prototype: Record<string, Method>;
}

/** https://fetch.spec.whatwg.org/#body-mixin : like undici's, but reads complete bodies without a stream. */
export function mixinBody(
  Class: WithBody,
  stateOf: (object: unknown) => { readonly body: InnerBody | null },
  isOne: (value: unknown) => boolean,
): void {
  mixIn(Class, stateOf, isOne);
  const { prototype } = Class;
  for (const name in readers) {
    const convert = readers[name] as (source: Source) => unknown;
    const read = prototype[name] as Method;
    const methods: Record<string, Method> = {
      [name]() {
        const source = isOne(this) ? WholeBody.takeWhole(stateOf(this).body) : undefined;
        return source === undefined ? apply(read, this, []) : converted(convert, source);
      },
    };
    prototype[name] = methods[name] as Method;
  }
  prototype['formData'] = placedForm(prototype['formData'] as Method);
}

/** A form is parsed later, when none of the author's code is running: a failure gets the place that waits for it. */
function placedForm(read: Method): Method {
  return {
    async formData(this: unknown) {
      try {
        return await apply(read, this, []);
      } catch (error) {
        throw placed(withoutPlace(error as Error));
      }
    },
  }.formData;
}

async function converted(convert: (source: Source) => unknown, source: Source): Promise<unknown> {
  return convert(source);
}
