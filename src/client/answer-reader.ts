/** What cannot be read as an answer. */
export class BrokenAnswer extends Error {}

export interface AnswerHead {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
}

export interface AnswerParts {
  head(head: AnswerHead): void;
  /** A piece of the body, in the bytes that were read: whoever keeps it longer copies it. */
  body(piece: Uint8Array): void;
  end(): void;
}

const mostHeadBytes = 16 * 1024;
const mostSizeLineBytes = 256;
const statusLine = /^HTTP\/1\.[01] (\d{3})(?: [^\0\r\n]*)?$/;
const headerLine = /^([!#$%&'*+.^_`|~\w-]+):[ \t]*([^\0\r\n]*?)[ \t]*$/;
const sizeLine = /^([\da-f]{1,12})[ \t]*(?:;[^\0\r\n]*)?$/i;

/** Said twice, the first counts, as everywhere on the web. */
const single: ReadonlySet<string> = new Set(['content-type', 'etag', 'location', 'retry-after']);

/**
 * One answer of HTTP/1.1 out of the bytes of its connection (RFC 9112), strictly: what could be read in two ways is broken. Before it
 * may stand any number of interim ones; what comes after it is nobody's.
 */
export class AnswerReader {
  readonly #parts: AnswerParts;
  readonly #toHead: boolean;
  #rest: Buffer = Buffer.alloc(0);
  #state: 'head' | 'counted' | 'open' | 'size' | 'chunk' | 'chunkEnd' | 'trailers' | 'done' = 'head';
  /** Bytes that the body, or the chunk of it, still has. */
  #left = 0;

  /** @param toHead the answer of a HEAD request has no body, whatever its head says */
  constructor(parts: AnswerParts, toHead: boolean) {
    this.#parts = parts;
    this.#toHead = toHead;
  }

  get isDone(): boolean {
    return this.#state === 'done';
  }

  /** @throws BrokenAnswer */
  read(bytes: Buffer): void {
    this.#rest = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes]);
    while (this.#step()) {}
  }

  /** The connection has ended. @returns whether the answer has, too */
  ended(): boolean {
    if (this.#state === 'open') this.#end();
    return this.isDone;
  }

  /** @returns whether there may be more to do with what was read */
  #step(): boolean {
    switch (this.#state) {
      case 'head':
        return this.#head();
      case 'open':
        this.#take(this.#rest.length);
        return false;
      case 'counted':
        if (this.#take(this.#left)) this.#end();
        return false;
      case 'size':
        return this.#size();
      case 'chunk':
        if (!this.#take(this.#left)) return false;
        this.#state = 'chunkEnd';
        return true;
      case 'chunkEnd': {
        const line = this.#line(0);
        if (line !== undefined) this.#state = 'size';
        return line !== undefined;
      }
      case 'trailers': {
        const line = this.#line(mostHeadBytes);
        if (line === '') this.#end();
        return line !== undefined && line !== '';
      }
      case 'done':
        return false;
      default:
        return this.#state satisfies never;
    }
  }

  #head(): boolean {
    const end = this.#rest.indexOf('\r\n\r\n');
    if (end > mostHeadBytes || (end < 0 && this.#rest.length > mostHeadBytes))
      throw new BrokenAnswer('its head is too large');
    if (end < 0) {
      // What is no HTTP at all may never send an empty line.
      const known = this.#rest.toString('latin1', 0, 5);
      if (!'HTTP/'.startsWith(known)) throw new BrokenAnswer('it does not begin as one');
      return false;
    }
    const [first = '', ...lines] = this.#rest.toString('latin1', 0, end).split('\r\n');
    this.#rest = this.#rest.subarray(end + 4);
    const status = Number(statusLine.exec(first)?.[1] ?? Number.NaN);
    // Nobody was asked to switch to another protocol.
    if (!(status >= 100 && status < 600) || status === 101) throw new BrokenAnswer('it does not begin as one');
    const headers = headersOf(lines);
    if (status < 200) return true;
    this.#parts.head({ status, headers });
    this.#begin(status, headers);
    return true;
  }

  #begin(status: number, headers: Readonly<Record<string, string>>): void {
    const { 'content-length': length, 'transfer-encoding': coding } = headers;
    if (coding !== undefined && (length !== undefined || coding.toLowerCase() !== 'chunked'))
      throw new BrokenAnswer('the length of its body is not clear');
    if (length !== undefined && !/^\d{1,15}$/.test(length))
      throw new BrokenAnswer('the length of its body is not clear');
    if (this.#toHead || status === 204 || status === 304 || length === '0') this.#end();
    else if (coding !== undefined) this.#state = 'size';
    else if (length === undefined) this.#state = 'open';
    else {
      this.#state = 'counted';
      this.#left = Number(length);
    }
  }

  #size(): boolean {
    const line = this.#line(mostSizeLineBytes);
    if (line === undefined) return false;
    const size = sizeLine.exec(line)?.[1];
    if (size === undefined) throw new BrokenAnswer('a piece of its body has no size');
    this.#left = Number.parseInt(size, 16);
    this.#state = this.#left === 0 ? 'trailers' : 'chunk';
    return true;
  }

  /** Hands on up to so many bytes. @returns whether that was all of them */
  #take(bytes: number): boolean {
    const piece = this.#rest.subarray(0, bytes);
    this.#rest = this.#rest.subarray(piece.length);
    this.#left -= piece.length;
    if (piece.length > 0) this.#parts.body(piece);
    return piece.length === bytes;
  }

  /** The next line, without its end; undefined while that is missing. */
  #line(mostBytes: number): string | undefined {
    const end = this.#rest.indexOf('\r\n');
    if (end > mostBytes || (end < 0 && this.#rest.length > mostBytes + 1))
      throw new BrokenAnswer('a line of it does not end');
    if (end < 0) return undefined;
    const line = this.#rest.toString('latin1', 0, end);
    this.#rest = this.#rest.subarray(end + 2);
    return line;
  }

  #end(): void {
    this.#state = 'done';
    this.#rest = Buffer.alloc(0);
    this.#parts.end();
  }
}

function headersOf(lines: readonly string[]): Record<string, string> {
  const headers: Record<string, string> = Object.create(null);
  for (const line of lines) {
    const [, name = '', value = ''] = headerLine.exec(line) ?? [];
    if (name === '') throw new BrokenAnswer('a line of its head is none');
    const key = name.toLowerCase();
    const before = headers[key];
    if (before === undefined) headers[key] = value;
    else if (!single.has(key)) headers[key] = `${before}, ${value}`;
  }
  return headers;
}
