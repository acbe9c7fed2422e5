import type { Exchange } from './exchange.ts';

/** One open event stream. */
export interface EventStream {
  send(event: string, data: unknown, id?: string): void;
  /** Resolves when there is room for more or the client is gone; senders of many events wait for it in between. */
  room(): Promise<void>;
  end(): void;
  /** Drops a client that does not read. */
  drop(): void;
}

const heartbeatMs = 15_000;
/** A client that does not read is dropped before it fills our memory. */
export const mostBuffered = 4 * 1024 * 1024;
/** A client that reads nothing for this long is dropped, too. */
const unreadMs = 60_000;

/** The event streams of one server. */
export class EventStreams {
  readonly #open = new Set<EventStream>();

  /** Answers with server-sent events until the client goes, or the server stops. */
  open(exchange: Exchange, onEnd: () => void): EventStream {
    const { response } = exchange;
    response.on('error', () => {}); // told by `close`
    response.writeHead(200, [
      'Content-Type',
      'text/event-stream; charset=utf-8',
      'Cache-Control',
      'no-store',
      'X-Request-Id',
      exchange.requestId,
      'X-Content-Type-Options',
      'nosniff',
      'Cross-Origin-Resource-Policy',
      'same-origin',
      ...exchange.extra,
    ]);
    const write = (text: string) => {
      if (response.destroyed || response.writableEnded) return;
      // A client that does not read would not read the end either.
      if (response.writableLength > mostBuffered) response.destroy();
      else response.write(text);
    };
    write(': open\n\n');
    const heartbeat = setInterval(() => write(': \n\n'), heartbeatMs);
    heartbeat.unref();
    let resume = () => {};
    response.on('drain', () => resume());
    const stream: EventStream = {
      send: (event, data, id) =>
        write(`event: ${event}\n${id === undefined ? '' : `id: ${id}\n`}data: ${JSON.stringify(data)}\n\n`),
      async room() {
        if (!response.writableNeedDrain) return;
        const unread = setTimeout(() => response.destroy(), unreadMs).unref();
        await new Promise<void>((resolve) => {
          resume = resolve;
        });
        clearTimeout(unread);
      },
      end() {
        clearInterval(heartbeat);
        response.end();
      },
      drop: () => response.destroy(),
    };
    const ended = () => {
      clearInterval(heartbeat);
      resume();
      this.#open.delete(stream);
      onEnd();
    };
    this.#open.add(stream);
    // No close event follows if the client went away before the stream was opened.
    if (response.destroyed) ended();
    else response.on('close', ended);
    // Without a body there is nothing to wait for.
    if (exchange.method === 'HEAD') stream.end();
    return stream;
  }

  /** Ends all streams when the server stops. */
  close(): void {
    for (const stream of this.#open) stream.end();
  }
}
