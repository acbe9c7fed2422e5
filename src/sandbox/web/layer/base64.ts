import { makeError } from './errors.ts';
import { sync } from './ops.ts';

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const values = new Uint8Array(128).fill(255);
for (let i = 0; i < 64; i++) values[alphabet.charCodeAt(i)] = i;

const notLatin1 = 'The string to be encoded contains characters outside of the Latin1 range';
/** From this length on, the host is faster in spite of the call. */
const nativeFrom = 512;

function invalid(message: string): Error {
  return makeError({ name: 'InvalidCharacterError', message });
}

/** https://html.spec.whatwg.org/#dom-btoa */
export function btoa(data: unknown): string {
  if (arguments.length === 0) throw new TypeError("Failed to execute 'btoa': 1 argument required");
  const text = `${data}`;
  if (text.length > nativeFrom) {
    if (/[^\0-\xff]/.test(text)) throw invalid(notLatin1);
    return sync('btoa', text) as string;
  }
  const parts: string[] = [];
  let out = '';
  for (let i = 0; i < text.length; i += 3) {
    const a = text.charCodeAt(i);
    const b = i + 1 < text.length ? text.charCodeAt(i + 1) : 0;
    const c = i + 2 < text.length ? text.charCodeAt(i + 2) : 0;
    if ((a | b | c) > 255) throw invalid(notLatin1);
    const word = (a << 16) | (b << 8) | c;
    out += alphabet.charAt(word >> 18) + alphabet.charAt((word >> 12) & 63);
    out += i + 1 < text.length ? alphabet.charAt((word >> 6) & 63) : '=';
    out += i + 2 < text.length ? alphabet.charAt(word & 63) : '=';
    if (out.length > 8192) {
      parts.push(out);
      out = '';
    }
  }
  return parts.join('') + out;
}

/** https://infra.spec.whatwg.org/#forgiving-base64-decode */
export function atob(data: unknown): string {
  if (arguments.length === 0) throw new TypeError("Failed to execute 'atob': 1 argument required");
  let text = `${data}`.replace(/[\t\n\f\r ]+/g, '');
  if (text.length % 4 === 0) text = text.replace(/={1,2}$/, '');
  if (text.length % 4 === 1) throw invalid('The string to be decoded is not correctly encoded');
  if (text.length > nativeFrom) {
    if (/[^A-Za-z0-9+/]/.test(text)) throw invalid('The string to be decoded is not correctly encoded');
    return sync('atob', text) as string;
  }
  const parts: string[] = [];
  let out = '';
  let word = 0;
  let bits = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    const value = code < 128 ? (values[code] as number) : 255;
    if (value === 255) throw invalid('The string to be decoded is not correctly encoded');
    word = ((word << 6) | value) & 0xffffff;
    bits += 6;
    if (bits >= 8) {
      bits -= 8;
      out += String.fromCharCode((word >> bits) & 255);
      if (out.length > 8192) {
        parts.push(out);
        out = '';
      }
    }
  }
  return parts.join('') + out;
}
