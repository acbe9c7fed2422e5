import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { limits } from '../../contract/index.ts';
import { codeOf, MachineError, messageOf } from '../../std/index.ts';
import { refuseBelowRouter } from './below-router.ts';
import type { GuardOptions } from './guard.ts';
import { holderOf } from './port-holder.ts';

export interface ListenOptions {
  /** 0 for any free port. */
  readonly port: number;
  /** A busy port is an error; otherwise the next free one is taken. */
  readonly strict: boolean;
  /** Listen on every interface instead of loopback only. */
  readonly host?: boolean;
  readonly allowHosts?: readonly string[];
  readonly allowOrigins?: readonly string[];
  /** Listening does not keep the process alive; open requests do. */
  readonly inBackground?: boolean;
}

export interface Listening {
  readonly url: string;
  readonly port: number;
  /** Address with a one-time code that signs a browser in. */
  readonly openUrl: string;
  /** With `--host`: the addresses at which other machines reach it. */
  readonly beyond?: readonly string[];
}

export interface Listener {
  readonly url: string;
  readonly port: number;
  readonly beyond?: readonly string[];
  close(): Promise<void>;
}

export type Handle = (
  request: IncomingMessage,
  response: ServerResponse,
  options: GuardOptions,
  expectsContinue: boolean,
) => Promise<void>;

const triedPorts = 50;
/** How long running requests may take when the server stops. */
const graceMs = 1_000;

/**
 * Listens on loopback, with IPv4 and IPv6 on the same port if the machine has both.
 * @throws MachineError port_busy, port_forbidden, port_unusable
 */
export async function listen(options: ListenOptions, handle: Handle): Promise<Listener> {
  let last: unknown;
  for (let tries = 0; tries < triedPorts; tries++) {
    const port = options.port === 0 ? 0 : options.port + tries;
    if (port > 65_535) break;
    try {
      return await listenOn(port, options, handle);
    } catch (error) {
      last = error;
      if (codeOf(error) !== 'EADDRINUSE') throw unusable(port, error);
      if (options.strict && options.port !== 0) throw busy(port, error);
    }
  }
  throw busy(options.port, last);
}

async function listenOn(port: number, options: ListenOptions, handle: Handle): Promise<Listener> {
  const guardOptions = {
    hosts: new Set<string>(),
    allowedHosts: lower(options.allowHosts),
    allowedOrigins: lower(options.allowOrigins),
    beyondLoopback: options.host === true,
  };
  const first = await serve(options.host ? '0.0.0.0' : '127.0.0.1', port, guardOptions, handle);
  const servers = [first];
  const actual = (first.address() as AddressInfo).port;
  try {
    servers.push(await serve(options.host ? '::' : '::1', actual, guardOptions, handle));
  } catch (error) {
    const code = codeOf(error);
    // On a machine without IPv6 nothing can connect there.
    if (code !== 'EADDRNOTAVAIL' && code !== 'EAFNOSUPPORT') {
      first.close();
      throw error;
    }
  }
  if (options.inBackground) for (const server of servers) putInBackground(server);
  for (const host of ownHosts(actual, options.host)) guardOptions.hosts.add(host);
  return {
    url: `http://127.0.0.1:${actual}`,
    port: actual,
    ...(options.host && { beyond: beyondLoopback().map((address) => `http://${address}:${actual}`) }),
    close: async () => {
      await Promise.all(servers.map(stop));
    },
  };
}

const loopback = ['127.0.0.1', 'localhost', '[::1]'];

/** Allowed values of the `Host` header. Clients omit the default port of the scheme. */
export function ownHosts(port: number, beyondLoopback = false): string[] {
  const names = [...loopback, ...(beyondLoopback ? addresses() : [])];
  return [...names.map((name) => `${name}:${port}`), ...(port === 80 ? names : [])];
}

/** Addresses at which other machines reach this one with `--host`. */
function addresses(): string[] {
  const { networkInterfaces, hostname } = process.getBuiltinModule('node:os');
  const all = Object.values(networkInterfaces()).flatMap((one) => one ?? []);
  return [
    hostname().toLowerCase(),
    ...all.map(({ address, family }) => (family === 'IPv6' ? `[${address.toLowerCase()}]` : address)),
  ];
}

/** IPv4 addresses of this machine that other machines may reach. */
function beyondLoopback(): string[] {
  const { networkInterfaces } = process.getBuiltinModule('node:os');
  const all = Object.values(networkInterfaces()).flatMap((one) => one ?? []);
  return all.filter(({ family, internal }) => family === 'IPv4' && !internal).map(({ address }) => address);
}

const lower = (names: readonly string[] = []): ReadonlySet<string> => new Set(names.map((name) => name.toLowerCase()));

function serve(host: string, port: number, options: GuardOptions, handle: Handle): Promise<Server> {
  // Not imported: the namespace of node:http initialises all of its lazy parts, which takes as long as the rest of the start.
  const { createServer } = process.getBuiltinModule('node:http');
  const server = createServer({
    maxHeaderSize: limits.request.headerBytes,
    requireHostHeader: false, // the guard answers, in the words of the API
    headersTimeout: 10_000,
    requestTimeout: 60_000,
    connectionsCheckingInterval: 2_000,
    keepAliveTimeout: 60_000,
    noDelay: true,
    shouldUpgradeCallback: asksForSocket,
  });
  server.on('request', (request, response) => void handle(request, response, options, false));
  // No body may be sent before the guard has checked the request.
  server.on('checkContinue', (request, response) => void handle(request, response, options, true));
  refuseBelowRouter(server, options);
  server.on('connection', (socket: Socket) => socket.on('error', () => socket.destroy()));
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.once('listening', () => {
      server.off('error', reject);
      server.on('error', () => {}); // an accept that fails (too many files) must not end the process
      resolve(server);
    });
    server.listen({ host, port, ipv6Only: host.includes(':') });
  });
}

function putInBackground(server: Server): void {
  server.unref();
  server.on('connection', (socket: Socket) => socket.unref());
}

/**
 * Whether the client requires a WebSocket. A client that offers another HTTP version or TLS along with an ordinary request, as Java's does
 * with its first, is answered in HTTP/1.1 (RFC 9110). A WebSocket client could not use such an answer.
 */
function asksForSocket({ headers }: IncomingMessage): boolean {
  return /\bwebsocket\b/i.test(headers.upgrade ?? '');
}

async function stop(server: Server): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  server.closeIdleConnections();
  const timer = setTimeout(() => server.closeAllConnections(), graceMs);
  await closed;
  clearTimeout(timer);
}

function busy(port: number, cause: unknown): MachineError {
  const holder = holderOf(port);
  return new MachineError(
    'port_busy',
    `Port ${port} is busy${holder === undefined ? '' : `: ${holder} listens there`}`,
    {
      hint: 'Stop that process, or choose another port with --port.',
      cause,
    },
  );
}

function unusable(port: number, error: unknown): MachineError {
  if (codeOf(error) === 'EACCES') {
    return new MachineError('port_forbidden', `This user may not listen on port ${port}`, {
      hint: 'Choose a port above 1023 with --port.',
      cause: error,
    });
  }
  return new MachineError('port_unusable', `Cannot listen on port ${port}: ${messageOf(error)}`, { cause: error });
}
