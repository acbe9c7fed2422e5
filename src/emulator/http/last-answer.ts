import type { IncomingMessage, ServerResponse } from 'node:http';

/** More than this is not read of a body that has been refused. */
const mostDiscardedBytes = 256 * 1024 * 1024;

const closing = new WeakSet<object>();

/**
 * Sends an answer while its client may still be sending the body, and closes the connection.
 *
 * Most clients read the answer only after they have sent everything, and if the connection were closed at once, they would find it reset instead. So only
 * our side closes at first, and the rest of the body is discarded, for as long as any request may take.
 */
export function answerAndClose(request: IncomingMessage, response: ServerResponse, body: string | Uint8Array): void {
  const { socket } = request;
  closing.add(socket);
  response.write(body, () => socket.end());
  let discarded = 0;
  request.on('data', (chunk: Uint8Array) => {
    discarded += chunk.byteLength;
    if (discarded > mostDiscardedBytes) socket.destroy();
  });
  request.on('end', () => socket.destroy());
  request.on('error', () => socket.destroy());
  request.resume();
}

/** Whether the connection has had its last answer: whatever follows on it must not be processed (RFC 9112, 9.6). */
export const isClosing = ({ socket }: IncomingMessage): boolean => closing.has(socket);
