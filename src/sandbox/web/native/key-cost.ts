/**
 * The cost of using a key depends on the key itself: on the size of its numbers, and on the rounds of its encryption. A few
 * kilobytes of text can require hours, on threads that all functions of a child share.
 */
import type { KeyObject } from 'node:crypto';
import { refuse } from './arguments.ts';

/**
 * In DER. Private: an RSA key of 8192 bits, a signature takes some 50 ms; with one of 50,000 bits half a minute. Public: one of 16,384, more
 * OpenSSL does not use.
 */
const maxKeyBytes = { private: 4_750, public: 2_100 } as const;
/** A shorter text cannot be such a key. */
export const surelySmallKey = maxKeyBytes.public;
const maxRounds = 2_000_000;
/** N · r · p of scrypt: the same limit as for scrypt itself, 256 MiB of data processed. */
const maxScryptBlocks = 2 * 1024 * 1024;
const deepest = 12;

/** Kinds of keys with numbers of any size. */
const ofAnySize = new Set(['rsa', 'rsa-pss', 'dsa']);

const tag = { integer: 0x02, constructed: 0x20 } as const;
/** 1.3.6.1.4.1.11591.4.11 */
const scryptName = '2b06010401da47040b';

/**
 * Why the key is too expensive; undefined if it is not. Judged by its length: reading the details of such a key makes OpenSSL leave errors
 * in its queue, which the next reading of a key would report.
 */
export function tooLargeKey(key: KeyObject): string | undefined {
  if (!ofAnySize.has(key.asymmetricKeyType ?? '')) return undefined;
  const [type, most] =
    key.type === 'public' ? (['spki', maxKeyBytes.public] as const) : (['pkcs8', maxKeyBytes.private] as const);
  return key.export({ format: 'der', type: type as 'pkcs8' }).byteLength > most
    ? 'RSA keys of more than 8192 bits are not available in functions'
    : undefined;
}

/** A possibly encrypted private key in PEM or DER, in a form that is safe for OpenSSL: it only decrypts what was checked here. */
export function decryptable(source: Buffer | string, type: string | undefined, passphrase: string): object {
  if (typeof source !== 'string') {
    if (type !== 'pkcs8') return { key: source, format: 'der', type };
    checkEncryption(source);
    return { key: source, format: 'der', type, passphrase };
  }
  const [, label = '', text = ''] = /-----BEGIN ([A-Z ]*PRIVATE KEY)-----(.*?)-----END/s.exec(source) ?? [];
  // The format of old OpenSSL versions: the passphrase is hashed once.
  if (isOldEncryption(source)) {
    if (!/^(?:RSA|EC|DSA) PRIVATE KEY$/.test(label) || source.split('-----BEGIN').length > 2)
      throw refuse('the key is encrypted in a way that is not available in functions');
    return { key: source, format: 'pem', passphrase };
  }
  if (label === 'ENCRYPTED PRIVATE KEY') return decryptable(Buffer.from(text, 'base64'), 'pkcs8', passphrase);
  return { key: source, format: 'pem' };
}

/** Detected by `Proc-Type: 4,ENCRYPTED`. For a public key OpenSSL would prompt for the passphrase on the terminal, and block. */
export const isOldEncryption = (pem: string) => pem.includes('Proc-Type:');

/** @param der EncryptedPrivateKeyInfo: how it is encrypted, then the bytes */
function checkEncryption(der: Uint8Array): void {
  const whole = elementAt(der, 0);
  const how = whole.contents.subarray(0, elementAt(whole.contents, 0).end);
  const numbers = integersIn(how).map(numberOf);
  const isScrypt = Buffer.from(how).toString('hex').includes(scryptName);
  const isTooMuch = isScrypt
    ? numbers.slice(0, 3).reduce((product, number) => product * number, 1) > maxScryptBlocks
    : numbers.some((number) => number > maxRounds);
  if (isTooMuch) throw new RangeError('The key is encrypted with more rounds than are available in functions');
}

interface Element {
  readonly tag: number;
  readonly contents: Uint8Array;
  /** Where the next element begins. */
  readonly end: number;
}

/** Parses one DER element strictly. */
function elementAt(der: Uint8Array, at: number): Element {
  const [kind, first] = [der[at], der[at + 1]];
  if (kind === undefined || first === undefined || (kind & 0x1f) === 0x1f) throw unreadable();
  let length = first;
  let start = at + 2;
  if (first >= 0x80) {
    const count = first & 0x7f;
    if (count === 0 || count > 4) throw unreadable();
    length = Number(numberOf(der.subarray(start, start + count)));
    start += count;
  }
  const end = start + length;
  if (end > der.length) throw unreadable();
  return { tag: kind, contents: der.subarray(start, end), end };
}

/** The contents of all integers, in order. */
function integersIn(der: Uint8Array, depth = 0): Uint8Array[] {
  const found: Uint8Array[] = [];
  if (depth > deepest) throw unreadable();
  for (let at = 0; at < der.length; ) {
    const element = elementAt(der, at);
    const { contents } = element;
    at = element.end;
    if (element.tag === tag.integer) found.push(contents);
    else if ((element.tag & tag.constructed) !== 0) found.push(...integersIn(contents, depth + 1));
  }
  return found;
}

function numberOf(number: Uint8Array): number {
  return number.reduce((value, byte) => value * 256 + byte, 0);
}

const unreadable = () => refuse('the key cannot be read');
