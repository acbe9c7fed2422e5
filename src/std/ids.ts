import { randomFillSync } from 'node:crypto';

const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

const randomLength = 16;

let lastMs = -1;
let lastTime = '';
let lastRandom: number[] = [];

/**
 * An id: a prefix that names the kind of thing, and a ULID, so that ids sort by the moment they were made.
 * Two ids of one process always sort in the order of their creation, even within one millisecond or when the clock is set back.
 * @example newId('cus') // 'cus_01JD3V…'
 */
export function newId(prefix: string, nowMs: number = Date.now()): string {
  return `${prefix}_${ulid(nowMs)}`;
}

function ulid(nowMs: number): string {
  // A clock may have been set by a fraction of a millisecond.
  const ms = Math.floor(nowMs);
  if (ms > lastMs) {
    lastMs = ms;
    lastTime = encodeTime(ms);
    lastRandom = randomDigits();
  } else {
    increment(lastRandom);
  }
  let text = lastTime;
  for (const digit of lastRandom) text += alphabet[digit];
  return text;
}

/** Random bytes are fetched in bulk: a system call costs more than the rest of an id. The global `crypto` is avoided: it loads late. */
const entropy = new Uint8Array(1024);
let entropyUsed = entropy.length;

function randomDigits(): number[] {
  if (entropyUsed === entropy.length) {
    randomFillSync(entropy);
    entropyUsed = 0;
  }
  const digits: number[] = [];
  for (const byte of entropy.subarray(entropyUsed, entropyUsed + randomLength)) digits.push(byte & 31);
  entropyUsed += randomLength;
  return digits;
}

function encodeTime(ms: number): string {
  let rest = ms;
  let text = '';
  for (let i = 0; i < 10; i++) {
    text = alphabet[rest % 32] + text;
    rest = Math.floor(rest / 32);
  }
  return text;
}

function increment(digits: number[]): void {
  for (let i = digits.length - 1; i >= 0; i--) {
    const digit = digits[i] ?? 0;
    if (digit < 31) {
      digits[i] = digit + 1;
      return;
    }
    digits[i] = 0;
  }
}
