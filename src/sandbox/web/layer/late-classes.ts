/**
 * Stand-ins for classes of other late parts, for undici's fetch files. These refer to them while loading, to create a helper or to
 * recognise instances. Most programs need none of them, and evaluating all would take longer than the rest of a fresh context.
 */
import { apply, charCodeAt, defineProperty } from './primordials.ts';
import { utf8Length } from './utf8-length.ts';

const nobody = {};

/** A stand-in for recognising instances: while the part is not loaded, there are none. */
function unmade(part: string, name: string): () => void {
  const stand = () => {};
  defineProperty(stand, 'prototype', {
    __proto__: null,
    get: () => (__made[part] ? (__web[name] as { prototype: object }).prototype : nobody),
  } as PropertyDescriptor);
  return stand;
}

const lateAbortSignal = unmade('events', 'AbortSignal');
const lateBlob = unmade('blob', 'Blob');
const lateFile = unmade('blob', 'File');
const lateMessagePort = unmade('messages', 'MessagePort');
const lateReadableStream = unmade('streams', 'ReadableStream');
const lateURL = unmade('url', 'URL');
const lateURLSearchParams = unmade('url', 'URLSearchParams');

/** Texts up to this length are handled here. */
const shortText = 1_024;

/** The bytes of a short ASCII text. */
function asciiBytes(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (text.length > shortText) return undefined;
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) {
    const code = charCodeAt(text, i);
    if (code > 127) return undefined;
    bytes[i] = code;
  }
  return bytes;
}

let encoder: InstanceType<typeof TextEncoder> | undefined;

class LateTextEncoder {
  encode(text: string): Uint8Array<ArrayBuffer> {
    const bytes = asciiBytes(text);
    if (bytes) return bytes;
    encoder ??= new TextEncoder();
    return encoder.encode(text);
  }
}

let decoder: InstanceType<typeof TextDecoder> | undefined;

/** The text of a few ASCII bytes. */
function asciiText(bytes: Uint8Array): string | undefined {
  if (bytes.length > shortText) return undefined;
  for (let i = 0; i < bytes.length; i++) if ((bytes[i] as number) > 127) return undefined;
  return apply(String.fromCharCode, undefined, bytes as never);
}

class LateTextDecoder {
  decode(bytes: Uint8Array): string {
    const text = asciiText(bytes);
    if (text !== undefined) return text;
    decoder ??= new TextDecoder();
    return decoder.decode(bytes);
  }
}

const lateBuffer = {
  byteLength: utf8Length,
  from: (value: Uint8Array): Uint8Array => Buffer.from(value),
  allocUnsafe: (length: number): Uint8Array => new Uint8Array(length),
};

export {
  LateTextDecoder as TextDecoder,
  LateTextEncoder as TextEncoder,
  lateAbortSignal as AbortSignal,
  lateBlob as Blob,
  lateBuffer as Buffer,
  lateFile as File,
  lateMessagePort as MessagePort,
  lateReadableStream as ReadableStream,
  lateURL as URL,
  lateURLSearchParams as URLSearchParams,
};
