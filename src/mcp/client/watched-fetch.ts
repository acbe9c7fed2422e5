import { messageOf } from '../../std/index.ts';
import { McpError } from './mcp-error.ts';
import type { McpLimits } from './types.ts';

/** Makes one HTTP request; `undici`'s or Node's `fetch`, or one that checks addresses. */
export type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

/** What a server's first answer was: the SDK's errors do not say it. */
export interface SeenAnswer {
  readonly method: string;
  readonly status: number;
  readonly contentType: string;
}

export interface WatchedFetchOptions {
  readonly fetch: Fetch;
  readonly limits: Pick<McpLimits, 'maxMessageBytes'>;
  readonly onAnswer: (answer: SeenAnswer) => void;
  /** A request that got no answer, or a redirect: the SDK makes text of it. */
  readonly onFailure: (error: McpError) => void;
  /** An event stream that was opened by a GET has ended, whoever ended it. */
  readonly onStreamEnd: (reason: McpError) => void;
}

/**
 * A `fetch` for the SDK that follows no redirect and bounds what a server may send: neither a single message nor the answer to a POST
 * may be larger than the limit, and all of it must be UTF-8. The SDK has no such limits, and does not tell when its stream was cut.
 */
export function watchedFetch({ fetch, limits, onAnswer, onFailure, onStreamEnd }: WatchedFetchOptions): Fetch {
  const fail = (error: McpError): McpError => {
    onFailure(error);
    return error;
  };
  return async (url, init) => {
    const method = init?.method ?? 'GET';
    const response = await request(fetch, url, init).catch((error: unknown) => {
      throw error instanceof McpError ? fail(error) : error;
    });
    const contentType = response.headers.get('content-type') ?? '';
    onAnswer({ method, status: response.status, contentType });
    if (response.status >= 300 && response.status < 400) {
      await response.body?.cancel().catch(() => {});
      throw fail(new McpError('mcp_redirected', describeRedirect(url, response)));
    }
    if (response.body === null) return response;
    const isStream = contentType.split(';')[0]?.trim().toLowerCase() === 'text/event-stream';
    const isKept = isStream && method === 'GET' && response.status === 200;
    const body = watchBody(response.body, {
      maxBytes: limits.maxMessageBytes,
      isStream,
      onEnd: isKept ? onStreamEnd : undefined,
    });
    const { status, statusText, headers } = response;
    return new Response(body, { status, statusText, headers });
  };
}

async function request(fetch: Fetch, url: string | URL, init: RequestInit | undefined): Promise<Response> {
  try {
    return await fetch(url, { ...init, redirect: 'manual' });
  } catch (error) {
    if (init?.signal?.aborted) throw error;
    throw new McpError('mcp_unavailable', describeUnreachable(url, error), error);
  }
}

function describeUnreachable(url: string | URL, error: unknown): string {
  const { host } = new URL(url);
  const cause = (error as Error).cause;
  const { code, message } = (cause ?? error) as NodeJS.ErrnoException;
  if (code === 'ECONNREFUSED') return `Nothing listens at ${host}`;
  if (code === 'ENOTFOUND') return `There is no host ${host}`;
  return `${host} cannot be reached: ${message || messageOf(error)}`;
}

function describeRedirect(url: string | URL, response: Response): string {
  const target = URL.parse(response.headers.get('location') ?? '', String(url));
  const whither = target === null ? 'elsewhere' : `to ${target.origin}${target.pathname}`.slice(0, 300);
  return `The server redirects ${whither}; redirects are not followed`;
}

interface WatchOptions {
  readonly maxBytes: number;
  /** Of an event stream each event is bounded, of other bodies the whole. */
  readonly isStream: boolean;
  readonly onEnd: ((reason: McpError) => void) | undefined;
}

function watchBody(body: ReadableStream<Uint8Array>, { maxBytes, isStream, onEnd }: WatchOptions) {
  const reader = body.getReader();
  const utf8 = new TextDecoder('utf-8', { fatal: true });
  let bytes = 0;
  let lastByte = 0;
  const end = (reason: McpError) => onEnd?.(reason);

  /** Counts the bytes since the last blank line, which ends an event. */
  const count = (chunk: Uint8Array) => {
    if (!isStream) {
      bytes += chunk.length;
      return bytes;
    }
    let largest = 0;
    for (const byte of chunk) {
      bytes++;
      if (bytes > largest) largest = bytes;
      if (byte === lineFeed || byte === carriageReturn) {
        const isBlank = lastByte === lineFeed || (lastByte === carriageReturn && byte === carriageReturn);
        if (isBlank) bytes = 0;
        // A line break of two bytes counts as one.
        if (byte === lineFeed && lastByte === carriageReturn) continue;
      }
      lastByte = byte;
    }
    return largest;
  };

  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (done) {
          end(new McpError('mcp_connection_lost', 'The server has ended its stream'));
          controller.close();
          return;
        }
        if (count(value) > maxBytes) {
          const size = `${Math.floor(maxBytes / 1024 / 1024)} MiB`;
          throw new McpError('mcp_message_too_large', `The server sent a message of more than ${size}`);
        }
        requireUtf8(utf8, value);
        controller.enqueue(value);
      } catch (error) {
        const reason =
          error instanceof McpError
            ? error
            : new McpError('mcp_connection_lost', 'The connection to the server was cut', error);
        await reader.cancel().catch(() => {});
        end(reason);
        controller.error(reason);
      }
    },
    async cancel(reason) {
      await reader.cancel(reason);
    },
  });
}

const lineFeed = 10;
const carriageReturn = 13;

function requireUtf8(decoder: InstanceType<typeof TextDecoder>, bytes: Uint8Array): void {
  try {
    decoder.decode(bytes, { stream: true });
  } catch (error) {
    throw new McpError('mcp_protocol_error', 'The server sent bytes that are not UTF-8', error);
  }
}
