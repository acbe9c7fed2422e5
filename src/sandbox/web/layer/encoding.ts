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

const decode = TextDecoder.prototype.decode;

// As in Node: libraries that try one encoding after the other look at the code.
Object.defineProperty(TextDecoder.prototype, 'decode', {
  value: {
    decode(this: InstanceType<typeof TextDecoder>, ...args: Parameters<typeof decode>): string {
      try {
        return Reflect.apply(decode, this, args);
      } catch (error) {
        if (
          !(error instanceof TypeError) ||
          !/^(?:Input is not well-formed|Expected even number of bytes)/.test(error.message)
        )
          throw error;
        const message = `The encoded data was not valid for encoding ${this.encoding}`;
        throw Object.assign(new TypeError(message), { code: 'ERR_ENCODING_INVALID_ENCODED_DATA' });
      }
    },
  }.decode,
});

export { TextDecoder, TextDecoderStream, TextEncoder, TextEncoderStream };
