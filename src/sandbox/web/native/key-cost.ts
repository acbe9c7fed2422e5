/**
 * What work with a key takes is told by the key itself: by the size of its numbers, and by the rounds that its encryption asks for.
 * A text of some kilobytes can ask for hours, on the thread or the threads that all functions of a child share.
 */
import type { KeyObject } from 'node:crypto';
import { refuse } from './arguments.ts';

/**
 * In DER. Private: an RSA key of 8192 bits, a signature takes some 50 ms; with one of 50,000 bits half a minute. Public: one of 16,384, more
 * OpenSSL does not use.
 */
const maxKeyBytes = { private: 4_750, public: 2_100 } as const;
/** What is given as a shorter text is no such key. */
export const surelySmallKey = maxKeyBytes.public;
const maxRounds = 2_000_000;
/** N · r · p of scrypt: the same bound as for scrypt itself, 256 MiB that are gone over. */
const maxScryptBlocks = 2 * 1024 * 1024;
const deepest = 12;

/** Kinds of keys whose numbers are as long as their maker likes. */
const ofAnySize = new Set(['rsa', 'rsa-pss', 'dsa']);

const tag = { integer: 0x02, constructed: 0x20 } as const;
/** 1.3.6.1.4.1.11591.4.11 */
const scryptName = '2b06010401da47040b';

/**
 * Why the key is more work than a function may ask for; undefined when it is not. By its length: where OpenSSL is asked for the details of
 * such a key, it leaves errors behind that the next one who reads a key is told.
 */
export function tooLargeKey(key: KeyObject): string | undefined {
  if (!ofAnySize.has(key.asymmetricKeyType ?? '')) return undefined;
  const [type, most] =
    key.type === 'public' ? (['spki', maxKeyBytes.public] as const) : (['pkcs8', maxKeyBytes.private] as const);
  return key.export({ format: 'der', type: type as 'pkcs8' }).byteLength > most
    ? 'RSA keys of more than 8192 bits are not available in functions'
    : undefined;
}

/** A private key in PEM or DER that may be encrypted, as OpenSSL may be given it: only what was looked at here is decrypted there. */
export function decryptable(source: Buffer | string, type: string | undefined, passphrase: string): object {
  if (typeof source !== 'string') {
    if (type !== 'pkcs8') return { key: source, format: 'der', type };
    checkEncryption(source);
    return { key: source, format: 'der', type, passphrase };
  }
  const [, label = '', text = ''] = /-----BEGIN ([A-Z ]*PRIVATE KEY)-----(.*?)-----END/s.exec(source) ?? [];
  // What old versions of OpenSSL wrote: the passphrase is hashed once.
  if (isOldEncryption(source)) {
    if (!/^(?:RSA|EC|DSA) PRIVATE KEY$/.test(label) || source.split('-----BEGIN').length > 2)
      throw refuse('the key is encrypted in a way that is not available in functions');
    return { key: source, format: 'pem', passphrase };
  }
  if (label === 'ENCRYPTED PRIVATE KEY') return decryptable(Buffer.from(text, 'base64'), 'pkcs8', passphrase);
  return { key: source, format: 'pem' };
}

/** By `Proc-Type: 4,ENCRYPTED`. Around a public key OpenSSL would ask for the passphrase on the terminal, and wait. */
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
  /** Where the next one begins. */
  readonly end: number;
}

/** One element of DER, with no more freedom than it needs. */
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

/** The contents of all integers, in their order. */
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
