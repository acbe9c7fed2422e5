/** What undici's Request and Response ask of its bodies. */
import type { InnerBody } from 'internal:undici/lib/web/fetch/body.js';
import { bufferDetached, bytesOf, extentOf } from './primordials.ts';
import { utf8Length } from './utf8-length.ts';

const {
  bodyUnusable,
  cloneBody,
  extractBody: extract,
  mixinBody,
  streamRegistry,
} = require('internal:undici/lib/web/fetch/body.js') as typeof import('internal:undici/lib/web/fetch/body.js');

export { bodyUnusable, cloneBody, mixinBody, streamRegistry };

/** A body that is known as a whole. Its stream is made for whoever asks for it: most bodies leave a function without one. */
class WholeBody implements InnerBody {
  readonly source: string | Uint8Array;
  readonly length: number;
  #stream: ReadableStream | undefined;

  constructor(source: string | Uint8Array, length: number) {
    this.source = source;
    this.length = length;
  }

  static isUntouched(body: InnerBody): boolean {
    return #stream in body && body.#stream === undefined;
  }

  get stream(): ReadableStream {
    this.#stream ??= extract(this.source)[0].stream;
    return this.#stream;
  }

  set stream(stream: ReadableStream) {
    this.#stream = stream;
  }
}

/** Nobody has asked for its stream, so nobody has read any of it. */
export const { isUntouched } = WholeBody;

/** https://fetch.spec.whatwg.org/#concept-bodyinit-extract */
export function extractBody(object: unknown, keepalive?: boolean): [body: InnerBody, type: string | null] {
  if (typeof object === 'string') return [new WholeBody(object, utf8Length(object)), 'text/plain;charset=UTF-8'];
  const extent = extentOf(object);
  const copy = extent && !bufferDetached(extent.buffer) ? bytesOf(object) : undefined;
  return copy ? [new WholeBody(new Uint8Array(copy), copy.byteLength), null] : extract(object, keepalive);
}
