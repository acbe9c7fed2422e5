import { randomFillSync } from 'node:crypto';

export interface Native {
  readonly sync: Record<string, (...args: unknown[]) => unknown>;
  readonly async: Record<
    string,
    (json: string, bytes?: ArrayBuffer) => Promise<{ json?: string; bytes?: ArrayBuffer }>
  >;
  dispose(): void;
}

export function createNative(): Native {
  return {
    sync: { random: (length) => randomFillSync(new Uint8Array(Number(length))).buffer },
    async: {},
    dispose() {},
  };
}
