/**
 * What the child process does for the layer's late parts: entropy, keys, zlib, URLs and the clock. State belongs to one context and
 * ends with `dispose`. Every argument is checked; only the name, message and code of an error reach the context.
 */
import { randomFillSync, randomUUID } from 'node:crypto';
import { objectFrom, refuse, textOf, wholeNumber } from './native/arguments.ts';
import { cryptoFunctions } from './native/crypto.ts';
import { urlFunctions } from './native/url.ts';
import { WebCrypto } from './native/webcrypto.ts';
import { ZlibStreams, zlibFunctions } from './native/zlib.ts';
import type { CryptoRequest } from './wire.ts';

export interface NativeAnswer {
  json?: string;
  bytes?: ArrayBuffer;
}

/** Run synchronously on the child's main thread, so each has to be short. */
export type SyncFunctions = Record<string, (...args: unknown[]) => unknown>;

/** Functions with state; each context has its own tables. */
export interface NativeTables {
  /** `web.*` operations. */
  readonly async: Record<string, (json: string, bytes?: ArrayBuffer) => Promise<NativeAnswer>>;
  /** Forgets keys and closes streams; operations still running are not answered. */
  dispose(): void;
}

/** While a text crosses the boundary there are five copies of it: text and bytes, on both sides. */
const maxText = 16 * 1024 * 1024;

const plainFunctions: SyncFunctions = {
  now: () => performance.now(),
  random: (length) => randomFillSync(new Uint8Array(wholeNumber(length, 'length', 0, 65536))).buffer,
  uuid: () => randomUUID(),
  btoa: (text) => Buffer.from(textOf(text, 'data', maxText), 'latin1').toString('base64'),
  atob: (text) => Buffer.from(textOf(text, 'data', maxText), 'base64').toString('latin1'),
};

const maxRequest = 16 * 1024 * 1024;

export const syncFunctions: SyncFunctions = {
  ...plainFunctions,
  ...cryptoFunctions,
  ...urlFunctions,
  ...zlibFunctions,
};

export function createNative(): NativeTables {
  const keys = new WebCrypto();
  const streams = new ZlibStreams();
  return {
    async: {
      'web.crypto': (json, bytes) =>
        keys.run(objectFrom(json, 'request', maxRequest) as unknown as CryptoRequest, bytes),
      async 'web.zlib'(json, bytes) {
        const request = objectFrom(json, 'request', maxRequest);
        const { do: what } = request;
        if (what !== 'open' && what !== 'write' && what !== 'more' && what !== 'end' && what !== 'close')
          throw refuse('unknown operation');
        return streams.run({ ...request, do: what }, bytes);
      },
    },
    dispose() {
      keys.dispose();
      streams.dispose();
    },
  };
}
