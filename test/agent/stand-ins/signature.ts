import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

/** Written again, without the code under test. */
function signatureOf(secret: string, id: string, timestamp: string, body: string): string {
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  return createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
}

export function isSignedWith(secret: string, headers: IncomingHttpHeaders, body: string, nowMs = Date.now()): boolean {
  const id = String(headers['webhook-id']);
  const timestamp = String(headers['webhook-timestamp']);
  if (Math.abs(nowMs / 1_000 - Number(timestamp)) > 300) return false;
  const expected = Buffer.from(signatureOf(secret, id, timestamp, body));
  return String(headers['webhook-signature'])
    .split(' ')
    .some((part) => {
      const given = Buffer.from(part.replace('v1,', ''));
      return given.length === expected.length && timingSafeEqual(given, expected);
    });
}

export function signWith(secret: string, id: string, body: string): Record<string, string> {
  const timestamp = String(Math.floor(Date.now() / 1_000));
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${signatureOf(secret, id, timestamp, body)}`,
  };
}
