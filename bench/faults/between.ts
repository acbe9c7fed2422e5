import { createServer, type IncomingMessage, request as requestOf, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** One request on its way to the workspace. */
export interface Passing {
  /** From 1, in the order of their arrival. */
  readonly n: number;
  readonly method: string;
  readonly path: string;
}

/** What becomes of one request. `done`: the workspace carries it out before the trouble begins. */
export type Fate =
  | { readonly kind: 'pass' }
  | { readonly kind: 'reset'; readonly done: boolean }
  | { readonly kind: 'silence'; readonly done: boolean }
  /** The answer ends after this share of its bytes, head included. */
  | { readonly kind: 'cut'; readonly share: number }
  | ({ readonly kind: 'answer'; readonly done: boolean } & Answer);

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface Watcher {
  /** The whole request is here, and the workspace knows nothing of it. */
  arrived?(request: Passing): Fate | undefined | Promise<Fate | undefined>;
  /** The workspace has answered, and the client knows nothing of it. */
  carriedOut?(request: Passing, status: number): void | Promise<void>;
  /** The last byte of the answer was given away. */
  answered?(request: Passing): void | Promise<void>;
}

export interface Between {
  readonly url: string;
  readonly seen: readonly Passing[];
  /** From now on; a request that is under way keeps the watcher it began with. */
  watch(watcher: Watcher): void;
  /** When no request is under way to the workspace. */
  idle(): Promise<void>;
  /** From now on connections are refused. */
  leave(): void;
  /** Listens again, at the same port. */
  comeBack(): Promise<void>;
  close(): Promise<void>;
}

/** A proxy on loopback before a workspace that holds every request until somebody has decided what becomes of it. */
export async function between(target: string): Promise<Between> {
  const { host, port: targetPort } = new URL(target);
  const seen: Passing[] = [];
  let watcher: Watcher = {};
  let open = 0;
  let onIdle: (() => void)[] = [];
  let left = false;

  const forward = (request: IncomingMessage, body: Buffer): Promise<IncomingMessage> =>
    new Promise((resolve, reject) => {
      const headers = { ...request.headers, host, connection: 'close' };
      requestOf(
        { host: '127.0.0.1', port: targetPort, method: request.method, path: request.url, headers, agent: false },
        resolve,
      )
        .on('error', reject)
        .end(body);
    });

  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const passing: Passing = { n: seen.length + 1, method: request.method ?? '', path: request.url ?? '' };
    seen.push(passing);
    const watching = watcher;
    const fate = (await watching.arrived?.(passing)) ?? { kind: 'pass' };
    if (fate.kind !== 'pass' && fate.kind !== 'cut' && !fate.done) return trouble(fate, request, response);
    const upstream = await forward(request, Buffer.concat(chunks));
    const status = upstream.statusCode ?? 0;
    const headers: Record<string, string> = { ...(upstream.headers as Record<string, string>), connection: 'close' };
    if (headers['content-type']?.startsWith('text/event-stream')) {
      response.writeHead(status, headers);
      response.on('close', () => upstream.destroy());
      return void upstream.pipe(response);
    }
    const answer = Buffer.concat((await upstream.toArray()) as Buffer[]);
    await watching.carriedOut?.(passing, status);
    if (fate.kind === 'cut') {
      delete headers['transfer-encoding'];
      const head = Object.entries({ ...headers, 'content-length': String(answer.length) })
        .map(([name, value]) => `${name}: ${value}\r\n`)
        .join('');
      const whole = Buffer.concat([Buffer.from(`HTTP/1.1 ${status} X\r\n${head}\r\n`), answer]);
      return void request.socket.end(whole.subarray(0, Math.floor(whole.length * Math.min(fate.share, 0.999))));
    }
    if (fate.kind !== 'pass') return trouble(fate, request, response);
    delete headers['transfer-encoding'];
    // Its client may be dead by now.
    if (request.socket.destroyed) return;
    await new Promise<void>((resolve) => {
      response.on('close', resolve);
      response.writeHead(status, { ...headers, 'content-length': answer.length }).end(answer, resolve);
    });
    await watching.answered?.(passing);
  };

  const start = (port: number): Promise<Server> =>
    new Promise((resolve, reject) => {
      const server = createServer((request, response) => {
        open++;
        response.on('error', () => {});
        serve(request, response)
          .catch(() => request.socket.destroy())
          .finally(() => {
            if (--open > 0) return;
            for (const one of onIdle) one();
            onIdle = [];
          });
      });
      server.on('clientError', (_, socket) => socket.destroy());
      server.on('error', reject);
      server.listen(port, '127.0.0.1', () => resolve(server));
    });
  let server = await startAtOwnPort(start);
  const { port } = server.address() as AddressInfo;
  const stop = () => {
    left = true;
    return new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeIdleConnections();
    });
  };
  return {
    url: `http://127.0.0.1:${port}`,
    seen,
    watch: (now) => {
      watcher = now;
    },
    idle: () => new Promise((resolve) => (open === 0 ? resolve() : onIdle.push(resolve))),
    leave: () => void stop(),
    async comeBack() {
      if (!left) return;
      server = await start(port);
      left = false;
    },
    async close() {
      if (left) return;
      const closed = stop();
      server.closeAllConnections();
      await closed;
    },
  };
}

const portsPerProcess = 500;
let portsUsed = 0;

/**
 * Not at a port that the system chooses: it would give a port that this proxy has left to somebody else, who would answer in its place. Each
 * process takes the next of its own ports, below those of the system.
 */
async function startAtOwnPort(start: (port: number) => Promise<Server>): Promise<Server> {
  for (let attempts = 0; attempts < portsPerProcess; attempts++) {
    const port = 11_000 + (process.pid % 18) * portsPerProcess + (portsUsed++ % portsPerProcess);
    const server = await start(port).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') return undefined;
      throw error;
    });
    if (server) return server;
  }
  throw new Error('Every port of this process is in use');
}

function trouble(fate: Fate, request: IncomingMessage, response: ServerResponse): void {
  if (fate.kind === 'reset') request.socket.resetAndDestroy();
  else if (fate.kind === 'answer')
    response.writeHead(fate.status, { connection: 'close', ...fate.headers }).end(fate.body);
  // Silence: the connection stays open until the client has had enough.
}
