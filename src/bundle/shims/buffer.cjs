'use strict';
// The sandbox's own Buffer, so that there is only one class for creating and checking buffers.
const { Buffer } = globalThis;
const kMaxLength = 2 ** 31 - 1;
const kStringMaxLength = 2 ** 29 - 24;

function isAscii(input) {
  return Buffer.from(input.buffer ?? input, input.byteOffset, input.byteLength).every((byte) => byte < 128);
}
function isUtf8(input) {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(input);
    return true;
  } catch {
    return false;
  }
}
function transcode(source, from, to) {
  return Buffer.from(Buffer.from(source).toString(from), to);
}

module.exports = {
  Buffer,
  SlowBuffer: Buffer,
  Blob: globalThis.Blob,
  File: globalThis.File,
  atob: globalThis.atob,
  btoa: globalThis.btoa,
  constants: { MAX_LENGTH: kMaxLength, MAX_STRING_LENGTH: kStringMaxLength },
  kMaxLength,
  kStringMaxLength,
  INSPECT_MAX_BYTES: 50,
  isAscii,
  isUtf8,
  transcode,
};
