/** One HTTP request, ready to be written. The body is whole, so that it can be sent again. */
export interface WireRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array | undefined;
}

export interface WireAnswer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

export interface WireStream {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Throws TransportFailure when the connection breaks before the end. */
  readonly body: AsyncIterable<Uint8Array>;
  close(): void;
}

export interface Deadlines {
  /** Until the connection is established, TLS included. */
  readonly connectMs: number;
  /** From then until the first byte of the answer, and between any two chunks of it. */
  readonly firstByteMs: number;
  /** For the whole request; does not end a stream that is being read. */
  readonly totalMs: number;
}

export interface WireOptions {
  readonly deadlines: Deadlines;
  readonly signal?: AbortSignal | undefined;
  /** Called just before bytes of the request can leave this process: from then on its outcome may be unknown. */
  readonly onWritten?: (() => void) | undefined;
}

/** Sends HTTP requests. There are two: a light one for one-liners, a pooled one for deploys and streams. Neither retries or redirects. */
export interface Transport {
  /** @throws TransportFailure */
  open(request: WireRequest, options: WireOptions): Promise<WireStream>;
  close(): Promise<void>;
}

export type FailureKind =
  | 'dns_failed'
  | 'connection_refused'
  | 'connection_failed'
  | 'connect_timeout'
  | 'tls_untrusted'
  | 'tls_expired'
  | 'tls_wrong_host'
  | 'tls_failed'
  | 'proxy_refused'
  | 'proxy_unreachable'
  | 'connection_lost'
  | 'answer_timeout'
  | 'answer_broken'
  | 'answer_too_large'
  | 'aborted';

/** No answer, or not all of it. `written`: bytes of the request may have left. */
export class TransportFailure extends Error {
  readonly kind: FailureKind;
  readonly written: boolean;
  readonly hint: string | undefined;

  constructor(kind: FailureKind, message: string, written: boolean, options: { hint?: string; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'TransportFailure';
    this.kind = kind;
    this.written = written;
    this.hint = options.hint;
  }
}

/** Whether a request asks for an event stream, which may be silent for as long as nothing happens. */
export const asksForEvents = (request: WireRequest): boolean => request.headers['accept'] === 'text/event-stream';

/** Whether the answer is the requested event stream. One that merely claims to be a stream has the usual deadlines. */
export function isEventStream(request: WireRequest, contentType: string | undefined): boolean {
  return asksForEvents(request) && contentType?.startsWith('text/event-stream') === true;
}

/** The failure for a missed deadline: which one, and what to do about it. */
export function tooLate(
  what: 'connect' | 'firstByte' | 'total',
  host: string,
  { connectMs, firstByteMs, totalMs }: Deadlines,
  written: boolean,
): TransportFailure {
  const within = (ms: number) => `within ${Math.round(ms / 100) / 10} s`;
  if (what === 'connect')
    return new TransportFailure('connect_timeout', `${host} accepted no connection ${within(connectMs)}`, written);
  const message =
    what === 'total'
      ? `${host} did not finish its answer ${within(totalMs)}`
      : `${host} did not answer ${within(firstByteMs)}`;
  return new TransportFailure('answer_timeout', message, written, {
    hint: 'Try again; FN_TIMEOUT=3m waits longer for an answer.',
  });
}

/** Reads an answer to its end, counting. @throws TransportFailure answer_too_large, and what the stream throws */
export async function readAll(stream: WireStream, maxBytes: number): Promise<WireAnswer> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const chunk of stream.body) {
      bytes += chunk.length;
      if (bytes > maxBytes) {
        throw new TransportFailure('answer_too_large', `the answer is larger than ${maxBytes} bytes`, true);
      }
      chunks.push(chunk);
    }
  } finally {
    stream.close();
  }
  return {
    status: stream.status,
    headers: stream.headers,
    body: chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks),
  };
}
