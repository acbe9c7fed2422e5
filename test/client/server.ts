import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

/** What arrived, as it arrived. */
export interface Arrived {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

export interface Weather {
  readonly url: string;
  readonly arrived: Arrived[];
  close(): Promise<void>;
}

export type Script = (
  request: Arrived,
  response: ServerResponse,
  socket: Socket,
  count: number,
) => void | Promise<void>;

/** A server that answers as a script says: for the bad weather that a real workspace does not make on demand. */
export async function weather(script: Script): Promise<Weather> {
  const arrived: Arrived[] = [];
  const server: Server = createServer((incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      const request = {
        method: incoming.method ?? '',
        path: incoming.url ?? '',
        headers: incoming.headers,
        body: Buffer.concat(chunks).toString('utf8'),
      };
      arrived.push(request);
      void script(request, response, incoming.socket, arrived.length);
    });
    incoming.on('error', () => {});
  });
  const port = await listening(server);
  return {
    url: `http://127.0.0.1:${port}`,
    arrived,
    close: () => closing(server),
  };
}

export function listening(server: {
  listen(port: number, host: string, done: () => void): unknown;
  address(): unknown;
}): Promise<number> {
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });
}

export function closing(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

export function json(
  response: ServerResponse,
  status: number,
  value: unknown,
  headers: Record<string, string> = {},
): void {
  const type = status >= 400 ? 'application/problem+json' : 'application/json';
  response.writeHead(status, { 'content-type': type, 'x-request-id': 'req_1', ...headers });
  response.end(JSON.stringify(value));
}

/**
 * A port at which nothing listens. The system gives ports below 1024 to nobody who asks for any, and only root can take them;
 * a free port from above could be another test's by the time it is used. Port 1 would do too, but `fetch` blocks it.
 */
export const deadPort = 2;
