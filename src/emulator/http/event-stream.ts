import type { Exchange } from './exchange.ts';

/** One open event stream. */
export interface EventStream {
  send(event: string, data: unknown, id?: string): void;
  end(): void;
}

const open = new Set<EventStream>();
const heartbeatMs = 15_000;
/** A follower that does not read is let go before it fills our memory. */
const mostBuffered = 4 * 1024 * 1024;

/** Answers with server-sent events until the client goes, or the server stops. */
export function openEventStream(exchange: Exchange, onEnd: () => void): EventStream {
  const { response } = exchange;
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
  response.write(': open\n\n');
  const heartbeat = setInterval(() => response.write(': \n\n'), heartbeatMs);
  heartbeat.unref();
  const stream: EventStream = {
    send(event, data, id) {
      if (response.destroyed || response.writableEnded) return;
      if (response.writableLength > mostBuffered) {
        stream.end();
        return;
      }
      response.write(`event: ${event}\n${id === undefined ? '' : `id: ${id}\n`}data: ${JSON.stringify(data)}\n\n`);
    },
    end() {
      response.end();
    },
  };
  const ended = () => {
    clearInterval(heartbeat);
    open.delete(stream);
    onEnd();
  };
  open.add(stream);
  // Who went before the stream was opened is not announced any more.
  if (response.destroyed) ended();
  else response.on('close', ended);
  return stream;
}

/** The server stops. */
export function closeEventStreams(): void {
  for (const stream of open) stream.end();
}
