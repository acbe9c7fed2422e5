/**
 * What the layer's lazy parts ask of the child process: entropy, keys, zlib, URLs and the clock. What has a state has it per context, and nothing of it
 * outlives `dispose`. Every argument is checked; what is thrown reaches the context as name and message only.
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

/** Run at once on the child's main thread: short by construction. */
export type SyncFunctions = Record<string, (...args: unknown[]) => unknown>;

/** What has a state, a table for each context. */
export interface NativeTables {
  /** `web.*` operations. */
  readonly async: Record<string, (json: string, bytes?: ArrayBuffer) => Promise<NativeAnswer>>;
  /** Forgets keys and closes streams; what is still under way is answered to nobody. */
  dispose(): void;
}

/** It is held five times over while it crosses: as text and bytes, on both sides. */
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
