import { decodeSigningSecret } from './secret.ts';

/** What is signed. */
export interface SignedMessage {
  /** The same at every attempt; visible ASCII without a full stop, at most 256 characters. */
  readonly id: string;
  /** Seconds since 1970, of this attempt. */
  readonly timestamp: number;
  /** The exact bytes that are sent; a text is sent as UTF-8. */
  readonly body: string | Uint8Array;
}

/** The three headers of Standard Webhooks 1.0; the signature is `v1,` and base64, for each secret, separated by spaces. */
export type SignatureHeaders = Readonly<Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string>>;

/**
 * Signs a message with HMAC-SHA256 by Standard Webhooks 1.0.
 * @param secrets one; two while a secret is rotated, the new one first
 * @throws UsageError signing_secret_invalid; RangeError for an id or a timestamp that cannot be signed
 * @see https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
 */
export function signMessage(message: SignedMessage, secrets: readonly string[]): SignatureHeaders {
  const { id, timestamp, body } = message;
  // A full stop would let the same signature stand for another id and timestamp.
  if (!/^[!-\-/-~]{1,256}$/.test(id)) throw new RangeError(`"${id.slice(0, 80)}" cannot be the id of a signed message`);
  if (!Number.isSafeInteger(timestamp) || timestamp < 0)
    throw new RangeError(`${timestamp} is not a number of whole seconds`);
  if (secrets.length === 0) throw new RangeError('there is no secret to sign with');
  const signatures = secrets.map((secret) => {
    const digest = digestOf(decodeSigningSecret(secret), `${id}.${timestamp}.`, body);
    return `v1,${digest.toString('base64')}`;
  });
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signatures.join(' '),
  };
}

/** HMAC-SHA256 of what stands before the body, and the body. */
export function digestOf(key: string | Uint8Array, before: string, body: string | Uint8Array): Buffer {
  return process.getBuiltinModule('node:crypto').createHmac('sha256', key).update(before).update(body).digest();
}
