import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { type ErrorCode, refusal } from '../../contract/index.ts';
import type { WorkspaceError } from '../../std/index.ts';
import { newRequestId, onEveryAnswer, problemAnswer } from './exchange.ts';
import { type GuardOptions, guard } from './guard.ts';

/** Refuses requests that fail before routing, in the same form as all other refusals. */
export function refuseBelowRouter(server: Server, options: GuardOptions): void {
  /** The response to the latest request of each connection. */
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
    // Another response is being sent, or will be: this one would be read as part of it, or in its place.
    if (belongsToAnother(newest.get(socket))) socket.destroy();
    else end(socket, problem(codeOfParser[error.code ?? ''] ?? 'request_invalid'));
  });
  // No other protocol is supported. The guard still runs first, and its refusal takes precedence.
  server.on('upgrade', (request: IncomingMessage, socket: Socket) => {
    socket.on('error', () => socket.destroy());
    end(socket, answerOf(guard(request, options) ?? refusal('upgrade_refused')));
  });
  server.on('connect', (_: IncomingMessage, socket: Socket) => {
    socket.on('error', () => socket.destroy());
    end(socket, problem('method_not_allowed'));
  });
}

/** Errors of Node's parser and of its timeouts. */
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
