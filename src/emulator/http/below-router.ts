import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { type ErrorCode, refusal } from '../../contract/index.ts';
import type { WorkspaceError } from '../../std/index.ts';
import { newRequestId, onEveryAnswer, problemAnswer } from './exchange.ts';
import { type GuardOptions, guard } from './guard.ts';

/** Answers what never becomes a request that can be routed, in the same form as everything else is refused. */
export function refuseBelowRouter(server: Server, options: GuardOptions): void {
  /** The answer to the newest request of each connection. */
  const newest = new WeakMap<object, ServerResponse>();
  const remember = ({ socket }: IncomingMessage, response: ServerResponse) => void newest.set(socket, response);
  server.on('request', remember);
  server.on('checkContinue', remember);
  server.on('checkExpectation', (request, response) => {
    const { status, headers, body } = problem('expectation_unknown');
    response.writeHead(status, [...headers, 'Connection', 'close']).end(body);
    request.resume();
  });
  server.on('clientError', (error: Error & { code?: string }, socket: Socket) => {
    // The bytes of another answer are on their way, or will be: one that follows would be read as part of it, or taken for it.
    if (belongsToAnother(newest.get(socket))) socket.destroy();
    else end(socket, problem(codeOfParser[error.code ?? ''] ?? 'request_invalid'));
  });
  // Nothing here speaks another protocol; the guard looks all the same, and says which of the two it is.
  server.on('upgrade', (request: IncomingMessage, socket: Socket) => {
    socket.on('error', () => socket.destroy());
    end(socket, answerOf(guard(request, options) ?? refusal('upgrade_refused')));
  });
  server.on('connect', (_: IncomingMessage, socket: Socket) => {
    socket.on('error', () => socket.destroy());
    end(socket, problem('method_not_allowed'));
  });
}

/** Of Node's parser, and of its look at what takes too long. */
const codeOfParser: Readonly<Record<string, ErrorCode>> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
};

function belongsToAnother(answer: ServerResponse | undefined): boolean {
  if (!answer || answer.writableFinished) return false;
  return answer.req.complete || answer.headersSent;
}

interface Answer {
  readonly status: number;
  readonly headers: readonly string[];
  readonly body: string;
}

const problem = (code: ErrorCode): Answer => answerOf(refusal(code));

function answerOf(error: WorkspaceError): Answer {
  const requestId = newRequestId();
  const { status, headers, body } = problemAnswer(error, requestId);
  const length = String(Buffer.byteLength(body));
  return { status, headers: ['X-Request-Id', requestId, ...onEveryAnswer, ...headers, 'Content-Length', length], body };
}

function end(socket: Socket, { status, headers, body }: Answer): void {
  if (!socket.writable || socket.destroyed) {
    socket.destroy();
    return;
  }
  // Not by import, as in listen.ts.
  const { STATUS_CODES } = process.getBuiltinModule('node:http');
  const lines = [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, 'Connection: close'];
  for (let i = 0; i < headers.length; i += 2) lines.push(`${headers[i]}: ${headers[i + 1]}`);
  socket.end(`${lines.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy());
}
