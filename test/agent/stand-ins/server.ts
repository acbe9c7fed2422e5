import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What goes wrong, on demand. */
export type Trouble =
  | { readonly status: number; readonly headers?: Record<string, string> }
  /** Takes the request and never answers. */
  | 'hang'
  /** Goes on and on. */
  | 'endless'
  /** Cuts the connection in the middle of the answer. */
  | 'cut'
  /** Begins its answer and falls silent. */
  | 'stall'
  /** Cuts the connection before the answer. */
  | 'reset'
  /** Answers 200 with what nobody can read. */
  | 'garbage';

export interface ServedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: the body of a request, whatever it is
  readonly body: any;
}

export interface Server extends AsyncDisposable {
  readonly url: string;
  readonly requests: readonly ServedRequest[];
  /** Resolves once a request has arrived. */
  readonly nextRequest: () => Promise<void>;
  /** Requests whose connection the other side closed before the answer was whole. */
  readonly closedEarly: () => number;
  /** Resolves once the other side has closed the connection of an unfinished answer. */
  readonly nextEarlyClose: () => Promise<void>;
}

/** A server on loopback that answers as told and counts connections that are closed early. */
export async function openServer(
  answer: (request: ServedRequest, response: ServerResponse, number: number) => void | Promise<void>,
): Promise<Server> {
  const requests: ServedRequest[] = [];
  let closed = 0;
  const waiting: (() => void)[] = [];
  const arrived = Promise.withResolvers<void>();
  const server = createServer(async (incoming, response) => {
    response.on('close', () => {
      if (response.writableFinished) return;
      closed++;
      for (const resolve of waiting.splice(0)) resolve();
    });
    const parts: Buffer[] = [];
    for await (const part of incoming) parts.push(part);
    const text = Buffer.concat(parts).toString('utf8');
    const request = {
      method: incoming.method ?? '',
      path: incoming.url ?? '',
      headers: incoming.headers,
      text,
      body: parse(text),
    };
    requests.push(request);
    arrived.resolve();
    await answer(request, response, requests.length);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    nextRequest: () => arrived.promise,
    closedEarly: () => closed,
    nextEarlyClose: () => (closed > 0 ? Promise.resolve() : new Promise<void>((resolve) => waiting.push(resolve))),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Makes the trouble, if it needs nothing of the format. @returns whether it did */
export function makeTrouble(trouble: Trouble | undefined, response: ServerResponse): boolean {
  if (trouble === 'hang') return true;
  if (trouble === 'reset') {
    response.socket?.destroy();
    return true;
  }
  if (trouble === 'garbage') {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end('data: {"choices": [not json\n\ndata: <html>\n\n: \n\ndata: {{\n\n');
    return true;
  }
  if (typeof trouble !== 'object') return false;
  response.writeHead(trouble.status, { 'content-type': 'application/json', ...trouble.headers });
  response.end(JSON.stringify({ error: { message: `stand-in answers ${trouble.status}`, type: 'stand_in' } }));
  return true;
}

/** Sends events until the other side closes the connection. */
export function sendForEver(response: ServerResponse, part: string): void {
  const timer = setInterval(() => response.write(part), 2);
  response.on('close', () => clearInterval(timer));
}
