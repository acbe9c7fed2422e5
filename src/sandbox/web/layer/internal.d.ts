/** Files inside packages that have no types of their own; only what the layer uses. */
declare module 'internal:@exodus/bytes/fallback/encoding.js' {
  export function setMultibyte(
    createDecoder: (encoding: string, loose: boolean) => unknown,
    createEncoder: unknown,
  ): void;
}
declare module 'internal:undici/lib/web/fetch/body.js' {
  export interface InnerBody {
    stream: ReadableStream;
    source: unknown;
    length: number | null;
  }
  export function extractBody(body: unknown, keepalive?: boolean): [InnerBody, string | null];
  export const bodyUnusable: unknown;
  export const cloneBody: unknown;
  export function mixinBody(
    Class: object,
    stateOf: (object: unknown) => object,
    isOne: (value: unknown) => boolean,
  ): void;
  export const streamRegistry: unknown;
}
declare module 'internal:undici/lib/encoding/index.js' {
  export function utf8DecodeBytes(bytes: Uint8Array): string;
}
declare module 'internal:undici/lib/web/fetch/data-url.js' {
  export function dataURLProcessor(url: URL): 'failure' | { mimeType: object; body: Uint8Array };
  export function serializeAMimeType(type: object): string;
}
declare module 'internal:undici/lib/web/fetch/formdata.js' {
  export const FormData: typeof import('undici').FormData;
}
declare module 'internal:undici/lib/web/fetch/headers.js' {
  export const Headers: typeof import('undici').Headers;
}
declare module 'internal:undici/lib/web/fetch/request.js' {
  export class Request {
    constructor(input: unknown, init?: unknown);
    readonly url: string;
    readonly method: string;
    readonly headers: Iterable<[string, string]>;
    readonly redirect: 'follow' | 'error' | 'manual';
    readonly cache: string;
    readonly integrity: string;
    readonly signal: import('./events.ts').AbortSignal;
    readonly body: ReadableStream | null;
    readonly bodyUsed: boolean;
    arrayBuffer(): Promise<ArrayBuffer>;
  }
  export function getRequestState(request: Request): {
    body: import('internal:undici/lib/web/fetch/body.js').InnerBody | null;
  };
}
declare module 'internal:undici/lib/web/fetch/response.js' {
  export interface InnerResponse {
    type: string;
    urlList: URL[];
    headersList: { append(name: string, value: string): void };
    body: import('internal:undici/lib/web/fetch/body.js').InnerBody | null;
  }
  export class Response {}
  export function getResponseState(response: Response): {
    body: import('internal:undici/lib/web/fetch/body.js').InnerBody | null;
  };
  export function makeResponse(init: { status: number; statusText: string; urlList: URL[] }): InnerResponse;
  export function fromInnerResponse(inner: InnerResponse, guard: 'immutable'): Response;
}
declare module 'internal:buffer/index.js' {
  interface NpmBuffer extends Uint8Array {
    toString(encoding?: unknown, start?: unknown, end?: unknown): string;
    write(...args: unknown[]): number;
    copy(target: unknown, targetStart?: number, start?: number, end?: number): number;
    equals(other: unknown): boolean;
    fill(value: unknown, offset?: unknown, end?: unknown, encoding?: unknown): this;
    inspect(): string;
    indexOf(value: unknown, from?: unknown, encoding?: unknown): number;
    lastIndexOf(value: unknown, from?: unknown, encoding?: unknown): number;
  }
  export const Buffer: {
    copyBytesFrom(view: ArrayBufferView, offset?: number, length?: number): NpmBuffer;
    from(value: unknown, encoding?: unknown, length?: unknown): NpmBuffer;
    compare(one: Uint8Array, other: Uint8Array): number;
    isBuffer(value: unknown): boolean;
    isEncoding(encoding: unknown): boolean;
    byteLength(value: unknown, encoding?: unknown): number;
    prototype: NpmBuffer;
  };
}
declare module 'internal:undici/lib/web/webidl/index.js' {
  export const webidl: { converters: { RequestInfo(value: unknown): unknown } };
}
