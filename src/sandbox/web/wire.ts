/**
 * How arguments of WebCrypto cross the boundary: one JSON text, and one buffer with all bytes. The sandbox encodes; the child
 * decodes and trusts none of it.
 */
export type Wire =
  | null
  | boolean
  | number
  | string
  | { t: 'undefined' }
  | { t: 'number'; v: string }
  | { t: 'bytes'; at: number; n: number }
  | { t: 'key'; id: number }
  | { t: 'list'; v: Wire[] }
  | { t: 'object'; v: [string, Wire][] };

export interface KeyInfo {
  id: number;
  type: 'public' | 'private' | 'secret';
  extractable: boolean;
  usages: string[];
  algorithm: WireObject;
}

export interface WireObject {
  [key: string]: string | number | boolean | WireObject | { bytes: number[] };
}

export type CryptoAnswer =
  | { kind: 'bytes' }
  | { kind: 'json'; value: unknown }
  | { kind: 'key'; key: KeyInfo }
  | { kind: 'pair'; publicKey: KeyInfo; privateKey: KeyInfo };

/** Input of `web.crypto`. */
export interface CryptoRequest {
  method: string;
  args: Wire[];
}
