// A server for a harness of the kind "custom": AG-UI 1.0 over HTTP, without a framework.
// FN_HARNESS_SECRET=whsec_… PORT=8787 node server.js
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';
import { decide } from './agent.js';

/** Takes only what fn has signed, at most five minutes ago. */
function isSigned(secret, headers, body) {
  const id = headers['webhook-id'];
  const timestamp = headers['webhook-timestamp'];
  if (!(Math.abs(Date.now() / 1000 - timestamp) <= 300)) return false;
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  const hmac = createHmac('sha256', key).update(`${id}.${timestamp}.`);
  const expected = Buffer.from(hmac.update(body).digest('base64'));
  return `${headers['webhook-signature']}`.split(' ').some((signature) => {
    const given = Buffer.from(signature.replace('v1,', ''));
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}

export function openServer(secret) {
  const finished = new Map();
  return createServer(async (request, response) => {
    const refuse = (status) => response.writeHead(status).end();
    const parts = await request.toArray().catch(() => undefined);
    if (!parts) return; // The connection was cut.
    const body = Buffer.concat(parts);
    const id = request.headers['webhook-id'];
    if (!isSigned(secret, request.headers, body)) return refuse(401);
    for (const [old, at] of finished)
      if (Date.now() - at > 600_000) finished.delete(old);
    if (finished.has(id)) return refuse(409);
    let input;
    try {
      input = JSON.parse(body);
    } catch {
      return refuse(400);
    }
    const stop = new AbortController();
    response.on('close', () => stop.abort()); // fn hangs up when a run is cancelled.
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const { runId, threadId } = input;
    const send = (type, fields) =>
      response.write(`data: ${JSON.stringify({ type, ...fields })}\n\n`);
    send('RUN_STARTED', { runId, threadId });
    try {
      const outcome = await decide(input, send, stop.signal);
      send('RUN_FINISHED', { runId, threadId, outcome });
      finished.set(id, Date.now());
    } catch (error) {
      send('RUN_ERROR', { message: error.message });
    }
    response.end();
  });
}

if (import.meta.main) {
  const { FN_HARNESS_SECRET, PORT = 8787 } = process.env;
  if (!FN_HARNESS_SECRET) throw new Error('Set FN_HARNESS_SECRET.');
  openServer(FN_HARNESS_SECRET).listen(PORT, '127.0.0.1');
  console.log(`Listening on http://127.0.0.1:${PORT}`);
}
