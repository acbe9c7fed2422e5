import { decodeSigningSecret } from './secret.ts';
import { digestOf } from './sign.ts';

/** How far a timestamp may be off, in seconds; what `standardwebhooks` and `svix` allow, too. */
export const signatureToleranceSeconds = 300;

/** What arrived, unchanged. */
export interface ReceivedMessage {
  /** Names in any case. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The exact bytes, as they were before anything parsed them. */
  readonly body: string | Uint8Array;
}

export interface VerifyOptions {
  /** Those that may have signed it. */
  readonly secrets: readonly string[];
  /** Default: the machine's clock. */
  readonly nowMs?: number | undefined;
}

export type Verification =
  | {
      readonly isValid: true;
      /** Position of the secret that has signed it. */
      readonly secretIndex: number;
      readonly id: string;
      /** Seconds since 1970. */
      readonly timestamp: number;
    }
  | {
      readonly isValid: false;
      readonly problem: SignatureProblem;
      /** What is wrong. */
      readonly message: string;
      readonly hint: string;
    };

/**
 * `timestamp_too_old` and `timestamp_too_new`: the signature is right, but not the clock. `encoding_wrong`: signature or secret is written or
 * read in another way than base64. `content_wrong`: something other than `id.timestamp.body` is signed. `mismatch`: none of the secrets made the
 * signature; `explainSignature` tells `body_changed` from `secret_wrong`.
 */
export type SignatureProblem =
  | 'header_missing'
  | 'timestamp_invalid'
  | 'timestamp_too_old'
  | 'timestamp_too_new'
  | 'encoding_wrong'
  | 'content_wrong'
  | 'body_changed'
  | 'secret_wrong'
  | 'mismatch';

/**
 * Checks the signature of a message by Standard Webhooks 1.0, and that it is at most 300 s old. A refusal is a value.
 * @throws UsageError signing_secret_invalid
 */
export function verifySignature(message: ReceivedMessage, options: VerifyOptions): Verification {
  const read = readSignatureHeaders(message.headers);
  if ('problem' in read) return read;
  const { id, timestamp } = read;
  const secretIndex = findSecret(read, message.body, options.secrets.map(decodeSigningSecret));
  if (secretIndex === undefined)
    return {
      isValid: false,
      problem: 'mismatch',
      message: `${describeSecrets(options.secrets.length)} made this signature`,
      hint: 'Verify the bytes of the body as they arrived, with the secret of this endpoint.',
    };
  return (
    checkClock(timestamp, options.nowMs, 'The signature is right, but its') ?? {
      isValid: true,
      secretIndex,
      id,
      timestamp,
    }
  );
}

/**
 * What can be said before the body is read, so that nobody has to read one that nobody signed: whether the three headers are there, and the
 * timestamp is at most 300 s off.
 * @returns undefined if the body is worth reading
 */
export function refuseByHeaders(
  headers: ReceivedMessage['headers'],
  { nowMs }: Pick<VerifyOptions, 'nowMs'> = {},
): Refusal | undefined {
  const read = readSignatureHeaders(headers);
  return 'problem' in read ? read : checkClock(read.timestamp, nowMs, 'The');
}

interface ReadHeaders {
  readonly id: string;
  readonly timestamp: number;
  /** Those of version v1 that are 32 bytes in base64. */
  readonly digests: readonly Buffer[];
  /** Everything in the header, unread. */
  readonly signatures: readonly string[];
}

type Refusal = Extract<Verification, { isValid: false }>;

export function readSignatureHeaders(headers: ReceivedMessage['headers']): ReadHeaders | Refusal {
  const id = headerOf(headers, 'webhook-id');
  const timestamp = headerOf(headers, 'webhook-timestamp');
  const signature = headerOf(headers, 'webhook-signature');
  if (!id || !timestamp || !signature) {
    const missing = Object.entries({ 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature })
      .filter(([, value]) => !value)
      .map(([name]) => name);
    return {
      isValid: false,
      problem: 'header_missing',
      message:
        missing.length === 1
          ? `The header ${missing[0]} is missing`
          : `The headers ${missing.slice(0, -1).join(', ')} and ${missing.at(-1)} are missing`,
      hint: 'A proxy or a framework in between may drop or rename headers. All three are needed, as they arrived.',
    };
  }
  if (!/^\d{1,12}$/.test(timestamp)) {
    return {
      isValid: false,
      problem: 'timestamp_invalid',
      message: `webhook-timestamp is "${timestamp.slice(0, 40)}", not a number of whole seconds since 1970`,
      hint: /^\d{13}$/.test(timestamp)
        ? 'These are milliseconds: divide by 1000 before signing and sending.'
        : 'It looks like 1767225600, and is signed exactly as it is sent.',
    };
  }
  const signatures = signature.split(/\s+/).filter((part) => part !== '');
  const digests = signatures.flatMap((part) => {
    const [, base64] = /^v1,([A-Za-z0-9+/]{43}=)$/.exec(part) ?? [];
    return base64 === undefined ? [] : Buffer.from(base64, 'base64');
  });
  return { id, timestamp: Number(timestamp), digests, signatures };
}

/** @returns the position of the first key that made one of the signatures; undefined if none did */
function findSecret(read: ReadHeaders, body: ReceivedMessage['body'], keys: readonly Uint8Array[]): number | undefined {
  const before = `${read.id}.${read.timestamp}.`;
  const index = keys.findIndex((key) => isAmong(read.digests, digestOf(key, before, body)));
  return index < 0 ? undefined : index;
}

/** Compares digests of equal length in constant time. */
export function isAmong(digests: readonly Buffer[], expected: Buffer): boolean {
  const { timingSafeEqual } = process.getBuiltinModule('node:crypto');
  return digests.filter((digest) => digest.length === expected.length && timingSafeEqual(digest, expected)).length > 0;
}

export function describeSecrets(count: number): string {
  return count === 1 ? 'This secret has not' : `None of the ${count} secrets has`;
}

/** @param whose begins the message: the signature may not have been looked at */
function checkClock(timestamp: number, nowMs = Date.now(), whose = 'The'): Refusal | undefined {
  const seconds = nowMs / 1000 - timestamp;
  if (Math.abs(seconds) <= signatureToleranceSeconds) return undefined;
  const off = Math.round(Math.abs(seconds));
  const at = new Date(timestamp * 1000).toISOString();
  const isOld = seconds > 0;
  return {
    isValid: false,
    problem: isOld ? 'timestamp_too_old' : 'timestamp_too_new',
    message: `${whose} timestamp ${at} is ${off} s ${isOld ? 'in the past' : 'in the future'}; at most ${signatureToleranceSeconds} s are accepted`,
    hint: isOld
      ? 'If it has just arrived, the clock of this machine is fast. Otherwise it is an old message that somebody sent again.'
      : 'The clock of this machine is slow, or that of the sender fast.',
  };
}

function headerOf(headers: ReceivedMessage['headers'], name: string): string | undefined {
  for (const [given, value] of Object.entries(headers)) {
    if (given.toLowerCase() !== name || value === undefined) continue;
    return (typeof value === 'string' ? value : value.join(' ')).trim();
  }
  return undefined;
}
