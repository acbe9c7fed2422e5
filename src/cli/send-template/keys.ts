import { closeSync, openSync, readSync } from 'node:fs';

/** A new idempotency key, directly from the system: loading Node's crypto takes a tenth of a one-line command's time. */
export function newKey(): string {
  const bytes = new Uint8Array(16);
  try {
    const source = openSync('/dev/urandom', 'r');
    try {
      if (readSync(source, bytes) !== bytes.length) crypto.getRandomValues(bytes);
    } finally {
      closeSync(source);
    }
  } catch {
    crypto.getRandomValues(bytes);
  }
  return `key_${Buffer.from(bytes).toString('hex')}`;
}

/**
 * A 128-bit fingerprint of a message for the journal. It need not be cryptographic: if two messages ever had the same one, the workspace
 * would refuse the second under the first one's key, and nothing would be sent twice.
 */
export function fingerprintOf(text: string): string {
  const lanes = [0x9e3779b9, 0x85ebca6b, 0xc2b2ae35, 0x27d4eb2f];
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    for (let lane = 0; lane < 4; lane++) {
      const mixed = Math.imul((lanes[lane] ?? 0) ^ code, 0x01000193 + lane * 0x9e3d);
      lanes[lane] = mixed ^ (mixed >>> 15);
    }
  }
  return lanes
    .map((lane) => {
      const a = Math.imul(lane ^ (lane >>> 16), 0x7feb352d);
      const b = Math.imul(a ^ (a >>> 15), 0x846ca68b);
      return ((b ^ (b >>> 16)) >>> 0).toString(16).padStart(8, '0');
    })
    .join('');
}
