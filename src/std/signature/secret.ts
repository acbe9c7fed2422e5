import { UsageError } from '../errors/errors.ts';

const prefix = 'whsec_';
const minSecretBytes = 24;
const maxSecretBytes = 64;

/** Makes a signing secret of 32 random bytes: `whsec_` and their base64. */
export function newSigningSecret(): string {
  return prefix + process.getBuiltinModule('node:crypto').randomBytes(32).toString('base64');
}

/**
 * Reads the key out of a signing secret of Standard Webhooks 1.0: `whsec_` and the base64 of 24 to 64 bytes.
 * @throws UsageError signing_secret_invalid; the message never repeats the secret
 */
export function decodeSigningSecret(secret: string): Buffer {
  if (secret === '') throw invalid('is empty');
  if (secret.startsWith('whsk_') || secret.startsWith('whpk_'))
    throw invalid('is a key of asymmetric signatures (whsk_, whpk_), which are not supported');
  if (!secret.startsWith(prefix)) throw invalid('does not start with whsec_');
  const text = secret.slice(prefix.length);
  const key = Buffer.from(text, 'base64');
  // Buffer skips what is not base64; a receiver with a stricter decoder would have another key, or none.
  if (key.toString('base64') !== text) throw invalid(`is not base64 after whsec_${reasonNotBase64(text)}`);
  if (key.length < minSecretBytes) throw invalid(`is too short: ${key.length} bytes`);
  if (key.length > maxSecretBytes) throw invalid(`is too long: ${key.length} bytes`);
  return key;
}

function reasonNotBase64(text: string): string {
  if (/\s/.test(text)) return ' (there is white space in it)';
  if (/[-_]/.test(text)) return ' (it is base64url: "-" and "_" stand for "+" and "/")';
  if (text.length % 4 !== 0) return ' (its length is not a multiple of 4)';
  return '';
}

function invalid(why: string): UsageError {
  return new UsageError('signing_secret_invalid', `The signing secret ${why}`, {
    hint: `A signing secret is whsec_ and the base64 of ${minSecretBytes} to ${maxSecretBytes} random bytes.`,
  });
}
