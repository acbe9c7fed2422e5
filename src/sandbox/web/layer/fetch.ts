/** Headers, Request, Response and FormData are undici's own files, as in Node; `fetch` itself is an operation of the host. */

import type { Request as RequestInstance } from 'internal:undici/lib/web/fetch/request.js';
import type { InnerResponse, Response as ResponseInstance } from 'internal:undici/lib/web/fetch/response.js';
import { placed } from './errors.ts';
import { nameClasses } from './expose.ts';
import { bytesOfSource, extractBody, wholeOf } from './late-body.ts';
import { start, type Ticket, withdraw } from './ops.ts';
import { bytesOf, parse } from './primordials.ts';
import { real } from './stand-in-request.ts';
import { stream } from './standins.ts';

// Required, not imported: the interop wrapper of an import takes every context that needs it some twenty microseconds.
// This one first: undici's files import each other in a circle, which has to be entered here.
const { fromInnerResponse, getResponseState, makeResponse, Response } =
  require('internal:undici/lib/web/fetch/response.js') as typeof import('internal:undici/lib/web/fetch/response.js');
const { getRequestState, Request } =
  require('internal:undici/lib/web/fetch/request.js') as typeof import('internal:undici/lib/web/fetch/request.js');
const { Headers } =
  require('internal:undici/lib/web/fetch/headers.js') as typeof import('internal:undici/lib/web/fetch/headers.js');
const { FormData } =
  require('internal:undici/lib/web/fetch/formdata.js') as typeof import('internal:undici/lib/web/fetch/formdata.js');
const { dataURLProcessor, serializeAMimeType } =
  require('internal:undici/lib/web/fetch/data-url.js') as typeof import('internal:undici/lib/web/fetch/data-url.js');
const { webidl } =
  require('internal:undici/lib/web/webidl/index.js') as typeof import('internal:undici/lib/web/webidl/index.js');

nameClasses({ FormData, Headers, Request, Response });

export { FormData, Headers, Request, Response };

const toRequestInfo = webidl.converters.RequestInfo;
webidl.converters.RequestInfo = (value) => toRequestInfo(real(value));

/** A request as sent to the host; the body's bytes are sent separately. */
export interface FetchRequestJson {
  url: string;
  method: string;
  headers: [string, string][];
  redirect: 'follow' | 'error' | 'manual';
  /** Only sent if set, since few requests use it. */
  cache?: string;
  integrity?: string;
}

/** The host's response; the body's bytes are sent separately. */
export interface FetchResponseJson {
  /** After redirects. */
  url: string;
  redirected?: boolean;
  status: number;
  statusText: string;
  headers: [string, string][];
  /** Id for reading the rest of a body that is still arriving. */
  body?: number;
}

const nullBodyStatus = new Set([101, 103, 204, 205, 304]);

/** https://fetch.spec.whatwg.org/#fetch-method */
export async function fetch(input: unknown, init?: unknown): Promise<ResponseInstance> {
  if (input === undefined) throw new TypeError("Failed to execute 'fetch': 1 argument required");
  const request = new Request(input, init);
  const { signal } = request;
  if (signal.aborted) throw placed(signal.reason);
  const { protocol } = new URL(request.url);
  if (protocol === 'data:') return fromDataAddress(request.url);
  if (protocol !== 'http:' && protocol !== 'https:') {
    throw new TypeError(`fetch failed: the scheme ${protocol} is not available in functions`);
  }
  const bytes = await bodyOf(request);
  if (signal.aborted) throw placed(signal.reason);
  const json: FetchRequestJson = {
    url: request.url,
    method: request.method,
    headers: [...request.headers],
    redirect: request.redirect,
  };
  if (request.cache !== 'default') json.cache = request.cache;
  if (request.integrity !== '') json.integrity = request.integrity;
  const ticket: Ticket = {};
  const stop = () => withdraw(ticket, signal.reason);
  const { addAbortAlgorithm, removeAbortAlgorithm } = __part('events') as typeof import('./events.ts');
  addAbortAlgorithm(signal, stop);
  try {
    const answer = await start('fetch', 'fetch', json, bytes, ticket);
    return fromHost(parse(answer.json ?? '{}') as FetchResponseJson, answer.bytes, signal);
  } catch (error) {
    throw placed(error);
  } finally {
    removeAbortAlgorithm(signal, stop);
  }
}

async function bodyOf(request: RequestInstance): Promise<ArrayBuffer | undefined> {
  const { body } = getRequestState(request);
  if (body === null) return undefined;
  const source = wholeOf(body);
  return source === undefined ? request.arrayBuffer() : bytesOfSource(source).buffer;
}

/**
 * The body of a Response if it is unread text or bytes: reading it through its stream takes a new context half a millisecond.
 * undefined if it has to be read.
 */
export function bodyAtHand(response: ResponseInstance): string | ArrayBuffer | undefined {
  const { body } = getResponseState(response);
  if (!body) return new ArrayBuffer(0);
  if (wholeOf(body) === undefined && (body.stream.locked || stream.isDisturbed(body.stream))) return undefined;
  return typeof body.source === 'string' ? body.source : bytesOf(body.source);
}

function fromHost(
  json: FetchResponseJson,
  bytes: ArrayBuffer | undefined,
  signal: RequestInstance['signal'],
): ResponseInstance {
  const inner = makeResponse({ status: json.status, statusText: json.statusText, urlList: [new URL(json.url)] });
  if (json.redirected) inner.urlList.unshift(new URL(json.url));
  for (const [name, value] of json.headers) inner.headersList.append(name, value);
  if (nullBodyStatus.has(json.status)) return finish(inner, undefined);
  return finish(inner, json.body === undefined ? (bytes ?? new ArrayBuffer(0)) : arriving(json.body, signal));
}

/** A body that is still arriving: each piece is fetched when it is read. */
function arriving(body: number, signal: RequestInstance['signal']): object {
  const { addAbortAlgorithm, removeAbortAlgorithm } = __part('events') as typeof import('./events.ts');
  const { ReadableStream } = __part('streams') as typeof import('./streams.ts');
  let stop = () => {};
  const leave = async () => {
    removeAbortAlgorithm(signal, stop);
    await start('fetch', 'read', { body, leave: true });
  };
  return new ReadableStream({
    type: 'bytes',
    start(controller) {
      stop = () => {
        controller.error(signal.reason);
        void leave();
      };
      addAbortAlgorithm(signal, stop);
    },
    async pull(controller) {
      const { bytes } = await start('fetch', 'read', { body });
      if (signal.aborted) return;
      if (bytes !== undefined) return controller.enqueue(new Uint8Array(bytes));
      removeAbortAlgorithm(signal, stop);
      controller.close();
      controller.byobRequest?.respond(0);
    },
    cancel: leave,
  });
}

function fromDataAddress(url: string): ResponseInstance {
  const data = dataURLProcessor(new URL(url));
  if (data === 'failure') throw new TypeError('fetch failed: invalid data: URL');
  const inner = makeResponse({ status: 200, statusText: 'OK', urlList: [new URL(url)] });
  inner.headersList.append('content-type', serializeAMimeType(data.mimeType));
  return finish(inner, bytesOf(data.body));
}

function finish(inner: InnerResponse, body: object | undefined): ResponseInstance {
  inner.type = 'basic';
  const response = fromInnerResponse(inner, 'immutable');
  // Set afterwards: undici would create its stream, in order to close that when the response is collected.
  if (body !== undefined) inner.body = extractBody(body)[0];
  return response;
}
