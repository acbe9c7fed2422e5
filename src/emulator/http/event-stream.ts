import type { Exchange } from './exchange.ts';

/** One open event stream. */
export interface EventStream {
  send(event: string, data: unknown, id?: string): void;
  /** Resolves when there is room for more, or nobody is there any more: whoever has much to send at once waits for it in between. */
  room(): Promise<void>;
  end(): void;
  /** Lets go who does not read. */
  drop(): void;
}

const heartbeatMs = 15_000;
/** A follower that does not read is let go before it fills our memory. */
export const mostBuffered = 4 * 1024 * 1024;
/** Nor is one waited for that takes nothing for so long. */
const unreadMs = 60_000;

/** Those of one server. */
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
      // Who does not read would not read an end either.
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
    // Who went before the stream was opened is not announced any more.
    if (response.destroyed) ended();
    else response.on('close', ended);
    // Without a body there is nothing to wait for.
    if (exchange.method === 'HEAD') stream.end();
    return stream;
  }

  /** The server stops. */
  close(): void {
    for (const stream of this.#open) stream.end();
  }
}
