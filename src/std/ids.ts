const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

let lastMs = -1;
let lastRandom: number[] = [];

/**
 * An id: a prefix that names the kind of thing, and a ULID, so that ids sort by the moment they were made.
 * Two ids of one process never sort against their order of making, even within one millisecond or when the clock is turned back.
 * @example newId('cus') // 'cus_01JD3V…'
 */
export function newId(prefix: string, nowMs: number = Date.now()): string {
  return `${prefix}_${ulid(nowMs)}`;
}

function ulid(nowMs: number): string {
  // A clock may have been turned by a part of a millisecond.
  const ms = Math.floor(nowMs);
  if (ms > lastMs) {
    lastMs = ms;
    lastRandom = [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte & 31);
  } else {
    increment(lastRandom);
  }
  return encodeTime(lastMs) + lastRandom.map((digit) => alphabet[digit]).join('');
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
