import type { Socket } from 'node:net';
import { AnswerReader, BrokenAnswer } from './answer-reader.ts';
import { authorities } from './certificates.ts';
import { DeadlineTimers } from './deadline-timers.ts';
import { failureOf } from './failure.ts';
import { Pieces } from './pieces.ts';
import { TransportFailure, tooLate, type WireOptions, type WireRequest, type WireStream } from './transport.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * One request over a connection of its own, straight on the socket. Node's HTTP client takes 5 ms more of a one-line command's 45: half
 * of it to load, half for pools, keep-alive and events that one request has no use for.
 */
export function sendDirect(request: WireRequest, options: WireOptions, env: Environment): Promise<WireStream> {
  return new Promise((resolve, reject) => new DirectRequest(request, options, env, resolve, reject).begin());
}

class DirectRequest {
  readonly #request: WireRequest;
  readonly #options: WireOptions;
  readonly #env: Environment;
  readonly #resolve: (stream: WireStream) => void;
  readonly #reject: (failure: TransportFailure) => void;
  readonly #url: URL;
  readonly #timers: DeadlineTimers;
  readonly #body: Pieces;
  #socket: Socket | undefined;
  #written = false;
  #isStream = false;
  #over = false;

  constructor(
    request: WireRequest,
    options: WireOptions,
    env: Environment,
    resolve: (stream: WireStream) => void,
    reject: (failure: TransportFailure) => void,
  ) {
    this.#request = request;
    this.#options = options;
    this.#env = env;
    this.#resolve = resolve;
    this.#reject = reject;
    this.#url = new URL(request.url);
    const { deadlines } = options;
    this.#timers = new DeadlineTimers((what) => this.#fail(tooLate(what, this.#url.host, deadlines, this.#written)));
    this.#body = new Pieces((flows) => (flows ? this.#socket?.resume() : this.#socket?.pause()));
  }

  begin(): void {
    const { deadlines, signal } = this.#options;
    const secure = this.#url.protocol === 'https:';
    let head: string;
    let socket: Socket;
    try {
      head = headOf(this.#request, this.#url);
      socket = connect(this.#url, secure, this.#env);
    } catch (error) {
      this.#fail(error);
      return;
    }
    this.#socket = socket;
    this.#timers.set('connect', deadlines.connectMs);
    this.#timers.set('total', deadlines.totalMs);
    if (signal?.aborted) queueMicrotask(this.#stop);
    signal?.addEventListener('abort', this.#stop, { once: true });
    const reader = this.#reader();
    socket
      .once(secure ? 'secureConnect' : 'connect', () => this.#write(socket, head))
      .on('data', (bytes: Buffer) => this.#read(reader, bytes))
      .on('error', (error) => this.#fail(error))
      .on('end', () => this.#ended(reader))
      .on('close', () => this.#ended(reader));
  }

  readonly #stop = (): void => this.#fail(new TransportFailure('aborted', 'the request was stopped', this.#written));

  /** Nothing has left before: TLS has shown by now whose machine it is. */
  #write(socket: Socket, head: string): void {
    if (this.#over) return;
    this.#timers.clear('connect');
    this.#timers.set('firstByte', this.#options.deadlines.firstByteMs);
    this.#written = true;
    this.#options.onWritten?.();
    const { body } = this.#request;
    socket.cork();
    socket.write(head, 'latin1');
    if (body !== undefined) socket.write(body);
    socket.uncork();
  }

  #reader(): AnswerReader {
    return new AnswerReader(
      {
        head: ({ status, headers }) => {
          this.#isStream = headers['content-type']?.startsWith('text/event-stream') ?? false;
          if (this.#isStream) this.#timers.clearAll();
          this.#resolve({ status, headers, body: this.#body.all(), close: () => this.#close() });
        },
        body: (piece) => this.#body.push(piece),
        end: () => {
          this.#body.end();
          this.#close();
        },
      },
      this.#request.method === 'HEAD',
    );
  }

  #read(reader: AnswerReader, bytes: Buffer): void {
    if (this.#over) return;
    if (!this.#isStream) this.#timers.set('firstByte', this.#options.deadlines.firstByteMs);
    try {
      reader.read(bytes);
    } catch (error) {
      this.#fail(error);
    }
  }

  #ended(reader: AnswerReader): void {
    if (this.#over || reader.ended()) return;
    this.#fail(Object.assign(new Error('the connection ended'), { code: 'ECONNRESET' }));
  }

  #fail(error: unknown): void {
    if (this.#over) return;
    const failure =
      error instanceof BrokenAnswer
        ? new TransportFailure(
            'answer_broken',
            `${this.#url.host} answered with something that is not HTTP: ${error.message}`,
            this.#written,
          )
        : failureOf(error, this.#request.url, this.#written, undefined);
    this.#close();
    this.#body.fail(failure);
    this.#reject(failure);
  }

  #close(): void {
    if (this.#over) return;
    this.#over = true;
    this.#timers.clearAll();
    this.#options.signal?.removeEventListener('abort', this.#stop);
    this.#socket?.destroy();
  }
}

function connect({ hostname, port }: URL, secure: boolean, env: Environment): Socket {
  const host = hostname.replace(/^\[|\]$/g, '');
  if (!secure) {
    const net: typeof import('node:net') = process.getBuiltinModule('node:net');
    return net.connect({ host, port: Number(port || 80) });
  }
  const tls: typeof import('node:tls') = process.getBuiltinModule('node:tls');
  const ca = authorities(env);
  // An address is no name that a server could be asked for; its certificate has to hold it all the same.
  const isAddress = host.includes(':') || /^[\d.]+$/.test(host);
  return tls.connect({
    host,
    port: Number(port || 443),
    servername: isAddress ? '' : host,
    ALPNProtocols: ['http/1.1'],
    ...(ca && { ca }),
  });
}

/** Latin-1 without control characters. */
const fieldValue = /^[\t\x20-\x7e\x80-\xff]*$/;
const token = /^[!#$%&'*+.^_`|~\w-]+$/;

/**
 * The lines before the body.
 * @throws TypeError for a header that would be another line, or text of another kind
 */
function headOf({ method, headers, body }: WireRequest, { host, pathname, search }: URL): string {
  const bytes = body === undefined ? undefined : typeof body === 'string' ? Buffer.byteLength(body) : body.length;
  const wantsLength = bytes !== undefined || method === 'POST' || method === 'PUT' || method === 'PATCH';
  const all: Readonly<Record<string, string>> = {
    host,
    ...headers,
    'accept-encoding': 'identity',
    connection: 'close',
    ...(wantsLength && { 'content-length': String(bytes ?? 0) }),
  };
  if (!token.test(method)) throw new TypeError('the method is none');
  let text = `${method} ${pathname}${search} HTTP/1.1\r\n`;
  for (const [name, value] of Object.entries(all)) {
    if (!token.test(name) || !fieldValue.test(value)) throw new TypeError(`the header ${name} cannot be sent`);
    text += `${name}: ${value}\r\n`;
  }
  return `${text}\r\n`;
}
