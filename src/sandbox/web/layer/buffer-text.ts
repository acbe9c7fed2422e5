/** Text into and out of buffers where npm's `buffer` differs from Node: it writes half characters and reads wrong digits as right ones. */

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** @returns bytes written; a character that does not fit is left out whole */
export function writeUtf8(target: Uint8Array, text: string): number {
  const most = Math.min(text.length, target.length);
  for (let i = 0; i < most; i++) {
    const unit = text.charCodeAt(i);
    if (unit >= 0x80) return encoder.encodeInto(text, target).written;
    target[i] = unit;
  }
  return most;
}

/** As in Node, ends before the first pair that is not hexadecimal. @returns bytes written */
export function writeHex(target: Uint8Array, text: string): number {
  const most = Math.min(target.length, text.length >> 1);
  for (let i = 0; i < most; i++) {
    const high = digit(text.charCodeAt(2 * i));
    const low = digit(text.charCodeAt(2 * i + 1));
    if (high < 0 || low < 0) return i;
    target[i] = high * 16 + low;
  }
  return most;
}

function digit(unit: number): number {
  if (unit >= 48 && unit <= 57) return unit - 48;
  const letter = unit | 32;
  return letter >= 97 && letter <= 102 ? letter - 87 : -1;
}

/** @param start @param end as given to `toString`: beyond the buffer is its end */
export function readUtf8(bytes: Uint8Array, start: unknown, end: unknown): string {
  if (start === undefined && end === undefined) return decoder.decode(bytes);
  const from = place(start, 0, bytes.length);
  const to = place(end, bytes.length, bytes.length);
  return to <= from ? '' : decoder.decode(new Uint8Array(bytes.buffer, bytes.byteOffset + from, to - from));
}

function place(value: unknown, fallback: number, most: number): number {
  if (value === undefined) return fallback;
  return Math.min(Math.max(Math.trunc(Number(value)) || 0, 0), most);
}

/** Node's estimate, by the length alone. */
export function base64Length(text: string): number {
  let length = text.length;
  if (text.endsWith('=')) length--;
  if (length > 1 && text[length - 1] === '=') length--;
  return (length * 3) >>> 2;
}
