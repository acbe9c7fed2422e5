import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type Verification, verifySignature } from '../../src/std/index.ts';
import type { Certificate } from '../client/certificate.ts';
import { closing, listening } from '../client/server.ts';

/** How a receiver treats one request: a status, an answer, or a way to fail. */
export type Treatment =
  | number
  | { readonly status: number; readonly headers?: Record<string, string>; readonly body?: string | Uint8Array }
  /** Closes the connection without an answer. */
  | 'cut'
  /** Closes it in the middle of its answer. */
  | 'cut in the answer'
  /** Never answers. */
  | 'silence'
  /** Answers 200 and never ends the body: as fast as it is read, or a byte now and then. */
  | 'endless'
  | 'trickle'
  /** Answers headers without end. */
  | 'endless headers'
  /** Answers something that is not HTTP. */
  | 'noise';

export interface ReceivedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
  readonly verification: Verification;
  /** A number for each connection. */
  readonly connection: number;
}

export interface FailingReceiver extends AsyncDisposable {
  readonly url: string;
  readonly received: readonly ReceivedRequest[];
  /** What is still being answered. */
  readonly open: () => number;
}

export interface ReceiverOptions {
  readonly secrets: readonly string[];
  /** One for each request, in order; 204 after that. Or chosen for each. */
  readonly treat?: readonly Treatment[] | ((request: ReceivedRequest, count: number) => Treatment);
  /** Makes it an https server. */
  readonly certificate?: Certificate | undefined;
}

/** A webhook receiver on 127.0.0.1 that verifies what comes, and fails on demand. */
export async function aFailingReceiver({
  secrets,
  treat = [],
  certificate,
}: ReceiverOptions): Promise<FailingReceiver> {
  const received: ReceivedRequest[] = [];
  const connections = new WeakMap<object, number>();
  let connected = 0;
  const responses = new Set<ServerResponse>();
  const listener: RequestListener = (incoming, response) => {
    responses.add(response);
    response.on('close', () => responses.delete(response));
    incoming.on('error', () => {});
    response.on('error', () => {});
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      const body = Buffer.concat(chunks);
      const request: ReceivedRequest = {
        method: incoming.method ?? '',
        path: incoming.url ?? '',
        headers: incoming.headers,
        body,
        verification: verifySignature({ headers: incoming.headers, body }, { secrets }),
        connection: connections.get(incoming.socket) ?? 0,
      };
      received.push(request);
      const count = received.length;
      answer(response, typeof treat === 'function' ? treat(request, count) : (treat[count - 1] ?? 204));
    });
  };
  const server: Server = certificate ? createTlsServer(certificate, listener) : createServer(listener);
  server.on(certificate ? 'secureConnection' : 'connection', (socket) => connections.set(socket, ++connected));
  const port = await listening(server);
  return {
    url: certificate ? `https://localhost:${port}/hook` : `http://127.0.0.1:${port}/hook`,
    received,
    open: () => responses.size,
    [Symbol.asyncDispose]: () => closing(server),
  };
}

function answer(response: ServerResponse, treatment: Treatment): void {
  if (typeof treatment === 'number') return void response.writeHead(treatment).end();
  if (typeof treatment === 'object')
    return void response.writeHead(treatment.status, treatment.headers).end(treatment.body);
  const { socket } = response;
  switch (treatment) {
    case 'cut':
      return void socket?.destroy();
    case 'cut in the answer':
      response.writeHead(200, { 'content-length': '100' });
      return void response.write('half', () => socket?.destroy());
    case 'silence':
      return;
    case 'endless':
      return pour(response.writeHead(200), 'x'.repeat(16 * 1024));
    case 'trickle':
      response.writeHead(200);
      return repeat(response, () => response.write('x'));
    case 'endless headers':
      socket?.write('HTTP/1.1 200 OK\r\n');
      return repeat(response, () => socket?.write('x-more: 1\r\n'));
    case 'noise':
      return void socket?.end('SSH-2.0-OpenSSH_9.6\r\n');
    default:
      treatment satisfies never;
  }
}

function pour(response: ServerResponse, text: string): void {
  while (!response.destroyed && response.write(text));
  response.once('drain', () => pour(response, text));
}

function repeat(response: ServerResponse, write: () => unknown): void {
  const timer = setInterval(write, 5);
  response.on('close', () => clearInterval(timer));
}
