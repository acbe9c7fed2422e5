import { decodeSigningSecret } from './secret.ts';
import { digestOf } from './sign.ts';
import {
  describeSecrets,
  isAmong,
  type ReceivedMessage,
  readSignatureHeaders,
  type SignatureProblem,
  type Verification,
  type VerifyOptions,
  verifySignature,
} from './verify.ts';

/**
 * Verifies, and finds out why nothing matches by trying the usual mistakes: for people, not for every request.
 * @throws UsageError signing_secret_invalid
 */
export function explainSignature(message: ReceivedMessage, options: VerifyOptions): Verification {
  const verified = verifySignature(message, options);
  if (verified.isValid || verified.problem !== 'mismatch') return verified;
  const read = readSignatureHeaders(message.headers);
  if ('problem' in read) return read;
  const body = Buffer.from(message.body);
  const before = `${read.id}.${read.timestamp}.`;
  const keys = options.secrets.map(decodeSigningSecret);
  const hasMade = (key: string | Uint8Array, start: string, bytes: string | Uint8Array, digests = read.digests) =>
    isAmong(digests, digestOf(key, start, bytes));

  for (const { digests, written } of otherEncodings(read.signatures))
    if (keys.some((key) => hasMade(key, before, body, digests)))
      return refuse('encoding_wrong', `The signature is right, but written ${written}`, 'Write it as v1, and base64.');
  if (read.digests.length === 0) return describeUnreadable(read.signatures);

  for (const secret of options.secrets)
    if (hasMade(secret, before, body) || hasMade(secret.slice('whsec_'.length), before, body))
      return refuse(
        'encoding_wrong',
        'It is signed with the text of the secret as the key, not with the bytes that its base64 stands for',
        'Cut off whsec_, decode the rest as base64, and use these bytes as the key.',
      );

  for (const { start, signed } of [
    { start: '', signed: 'the body alone' },
    { start: `${read.timestamp}.`, signed: 'timestamp.body' },
    { start: `${read.id}.`, signed: 'id.body' },
  ])
    if (keys.some((key) => hasMade(key, start, body)))
      return refuse(
        'content_wrong',
        `What is signed is ${signed}, not id.timestamp.body`,
        'Sign the three parts, joined by full stops.',
      );

  for (const { bytes, change } of originalsOf(body))
    if (keys.some((key) => hasMade(key, before, bytes)))
      return refuse('body_changed', `The body is not as it was signed: ${change}`, rawBytesHint);

  const doubt = doubtAbout(body);
  if (doubt) return refuse('body_changed', `The body is not as it was sent: ${doubt}`, rawBytesHint);
  return refuse(
    'secret_wrong',
    `${describeSecrets(options.secrets.length)} made this signature, and the body looks untouched: the secret is another one`,
    'Each endpoint and each listener has a secret of its own; after a rotation the old one signs for 24 hours.',
  );
}

const rawBytesHint = 'Verify the raw bytes before anything parses them; in Express: express.raw({ type: "*/*" }).';

function refuse(problem: SignatureProblem, message: string, hint: string): Verification {
  return { isValid: false, problem, message, hint };
}

interface Encoding {
  readonly digests: readonly Buffer[];
  readonly written: string;
}

function otherEncodings(signatures: readonly string[]): Encoding[] {
  const digestsOf = (form: RegExp, encoding: 'base64' | 'base64url' | 'hex') =>
    signatures.flatMap((part) => {
      const [, text] = form.exec(part) ?? [];
      return text === undefined ? [] : Buffer.from(text, encoding);
    });
  return [
    { digests: digestsOf(/^(?:v1[,=]|sha256=)?([\da-f]{64})$/i, 'hex'), written: 'in hexadecimal' },
    { digests: digestsOf(/^(?:v1=|sha256=)?([A-Za-z0-9+/]{43}=)$/, 'base64'), written: 'without "v1," before it' },
    {
      digests: digestsOf(/^(?:v1[,=])?([\w-]{43}=?)$/, 'base64url'),
      written: 'as base64url, or without its last "="',
    },
    { digests: digestsOf(/^v1,([A-Za-z0-9+/]{43})$/, 'base64'), written: 'without its last "="' },
  ];
}

function describeUnreadable(signatures: readonly string[]): Verification {
  if (signatures.every((part) => part.startsWith('v1a,')))
    return refuse(
      'encoding_wrong',
      'webhook-signature has only asymmetric signatures (v1a)',
      'Secrets (whsec_) verify those that start with "v1,".',
    );
  return refuse(
    'encoding_wrong',
    'webhook-signature has no signature that is "v1," and the base64 of 32 bytes',
    'It looks like v1,EwelItVYm4vIGyg8nQfxSDCiq2kYPTFBTznACCF2ysU= – 44 characters after the comma.',
  );
}

/** What the body may have been before it was changed in a usual way. */
function* originalsOf(body: Buffer): Generator<{ bytes: string | Uint8Array; change: string }> {
  const text = body.toString('utf8');
  const lineBreak = 'line breaks were changed';
  yield { bytes: text.replace(/\r?\n$/, ''), change: 'a line break was added at its end' };
  yield { bytes: `${text}\n`, change: 'the line break at its end was cut off' };
  yield { bytes: text.replaceAll('\r\n', '\n'), change: lineBreak };
  yield { bytes: text.replaceAll(/\r?\n/g, '\r\n'), change: lineBreak };
  yield { bytes: text.replace(/^\ufeff/, ''), change: 'a byte order mark was put before it' };
  yield { bytes: Buffer.from(text, 'latin1'), change: 'it was read as Latin-1 and written as UTF-8' };
  const json = rewriteJson(text);
  if (json === undefined) return;
  const change = 'it was parsed and written again as JSON, with other spaces or escapes';
  yield { bytes: json.compact, change };
  yield { bytes: escapeNonAscii(json.compact), change };
  yield { bytes: json.indented, change };
}

/** The platform sends JSON without spaces. */
function doubtAbout(body: Buffer): string | undefined {
  if (body.length === 0) return 'it is empty';
  const text = body.toString('utf8');
  const json = rewriteJson(text);
  if (json === undefined) return 'it is not JSON';
  if (json.compact !== text) return 'it was written again as JSON, with other spaces, escapes or numbers';
  return undefined;
}

/** @returns undefined if it is not JSON, or nested too deep to be written again */
function rewriteJson(text: string): { compact: string; indented: string } | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return { compact: JSON.stringify(value), indented: JSON.stringify(value, null, 2) };
  } catch {
    return undefined;
  }
}

function escapeNonAscii(text: string): string {
  return text.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
