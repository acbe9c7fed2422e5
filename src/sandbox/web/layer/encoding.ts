import { setMultibyte } from 'internal:@exodus/bytes/fallback/encoding.js';
import { TextDecoder, TextDecoderStream, TextEncoder, TextEncoderStream } from '@exodus/bytes/encoding-lite.js';

type MultiByte = {
  createMultibyteDecoder(encoding: string, loose: boolean): unknown;
};

// The tables of the legacy multi-byte encodings (150 KB) are read at the first use of one of them.
setMultibyte(
  (encoding: string, loose: boolean) =>
    (require('@exodus/bytes/multi-byte.js') as MultiByte).createMultibyteDecoder(encoding, loose),
  undefined,
);

export { TextDecoder, TextDecoderStream, TextEncoder, TextEncoderStream };
