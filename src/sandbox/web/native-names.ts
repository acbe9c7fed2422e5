/**
 * The functions of the child that the bundler's `node:crypto` and `node:zlib` modules may call, through
 * `globalThis[Symbol.for('convo-fn.native')].sync(name, …)` in the context. They take bytes as ArrayBuffer or view and return
 * ArrayBuffers; texts are encoded as UTF-8. A failure is an Error of the context (name, message and Node's code).
 */
export type Bytes = ArrayBuffer | ArrayBufferView | string;

export interface NativeFunctions {
  /** Names of digests, like node:crypto's getHashes. JSON list. */
  'crypto.hashes'(): string;
  /** Names of the available ciphers. JSON list. */
  'crypto.ciphers'(): string;
  /** @param outputBytes for shake128 and shake256 only */
  'crypto.hash'(algorithm: string, data: Bytes, outputBytes?: number): ArrayBuffer;
  'crypto.hmac'(algorithm: string, key: Bytes, data: Bytes): ArrayBuffer;
  /** At most 1 MiB. */
  'crypto.randomBytes'(length: number): ArrayBuffer;
  /** An integer; `from` is inclusive, `to` exclusive. */
  'crypto.randomInt'(from: number, to: number): number;
  'crypto.randomUUID'(): string;
  /** @throws RangeError when the lengths differ */
  'crypto.timingSafeEqual'(a: Bytes, b: Bytes): boolean;
  /** At most 2,000,000 iterations. */
  'crypto.pbkdf2'(password: Bytes, salt: Bytes, iterations: number, keyBytes: number, digest: string): ArrayBuffer;
  /** 128 · N · r at most 64 MiB. */
  'crypto.scrypt'(password: Bytes, salt: Bytes, keyBytes: number, N: number, r: number, p: number): ArrayBuffer;
  'crypto.hkdf'(digest: string, key: Bytes, salt: Bytes, info: Bytes, keyBytes: number): ArrayBuffer;
  /**
   * One-shot createCipheriv. For an AEAD (gcm, ccm, ocb, chacha20-poly1305) the tag follows the ciphertext.
   * @param tagBytes 16 unless given; ignored for others
   */
  'crypto.encrypt'(
    algorithm: string,
    key: Bytes,
    iv: Bytes | null,
    data: Bytes,
    aad?: Bytes | null,
    tagBytes?: number,
    autoPadding?: boolean,
  ): ArrayBuffer;
  /** One-shot createDecipheriv. @param tag for an AEAD; without it the text is not authenticated and an error is thrown */
  'crypto.decrypt'(
    algorithm: string,
    key: Bytes,
    iv: Bytes | null,
    data: Bytes,
    aad?: Bytes | null,
    tag?: Bytes | null,
    autoPadding?: boolean,
  ): ArrayBuffer;
  /** @param algorithm digest ('RSA-SHA256', 'sha256') or null (Ed25519) @param key JSON of {@link KeyInput} */
  'crypto.sign'(algorithm: string | null, data: Bytes, key: string): ArrayBuffer;
  'crypto.verify'(algorithm: string | null, data: Bytes, key: string, signature: Bytes): boolean;
  'crypto.publicEncrypt'(key: string, data: Bytes): ArrayBuffer;
  'crypto.privateDecrypt'(key: string, data: Bytes): ArrayBuffer;
  'crypto.privateEncrypt'(key: string, data: Bytes): ArrayBuffer;
  'crypto.publicDecrypt'(key: string, data: Bytes): ArrayBuffer;
  /** For keys of elliptic curves. */
  'crypto.diffieHellman'(privateKey: string, publicKey: string): ArrayBuffer;
  /** Names of elliptic curves. JSON list. */
  'crypto.curves'(): string;
  /** JSON `[privateKey, publicKey]` in base64, of the given private key or a new one. */
  'crypto.ecdhKeys'(curve: string, privateKey?: Bytes): string;
  'crypto.ecdhSecret'(curve: string, privateKey: Bytes, publicKey: Bytes): ArrayBuffer;
  'crypto.ecdhPoint'(curve: string, publicKey: Bytes, format: 'compressed' | 'uncompressed' | 'hybrid'): ArrayBuffer;
  /** JSON `{type, asymmetricKeyType, asymmetricKeyDetails}` of a key passed as JSON of {@link KeyInput}. */
  'crypto.keyInfo'(key: string): string;
  /**
   * Converts a key to PEM text, JWK JSON, or DER in base64.
   * @param form `spki` · `pkcs8` · `pkcs1` · `sec1`
   * @param cipher encrypts a private key with the passphrase
   */
  'crypto.exportKey'(
    key: string,
    format: 'pem' | 'der' | 'jwk',
    form?: string,
    cipher?: string,
    passphrase?: string,
  ): string;
  /** JSON `{publicKey, privateKey}` in PEM (spki, pkcs8). RSA at most 4096 bits. */
  'crypto.generateKeyPair'(type: string, optionsJson: string): string;
  'zlib.deflate'(data: Bytes, level?: number): ArrayBuffer;
  'zlib.deflateRaw'(data: Bytes, level?: number): ArrayBuffer;
  'zlib.gzip'(data: Bytes, level?: number): ArrayBuffer;
  /** The output is at most 64 MiB, here and below. @param finishFlush Z_SYNC_FLUSH accepts data that was cut off */
  'zlib.inflate'(data: Bytes, finishFlush?: number): ArrayBuffer;
  'zlib.inflateRaw'(data: Bytes, finishFlush?: number): ArrayBuffer;
  'zlib.gunzip'(data: Bytes, finishFlush?: number): ArrayBuffer;
  'zlib.unzip'(data: Bytes, finishFlush?: number): ArrayBuffer;
  'zlib.brotliCompress'(data: Bytes, quality?: number): ArrayBuffer;
  'zlib.brotliDecompress'(data: Bytes): ArrayBuffer;
  'zlib.crc32'(data: Bytes, value?: number): number;
}

/** A key in a form that node:crypto accepts, as JSON. */
export interface KeyInput {
  /** PEM, or DER in base64 with `format: 'der'`, or a JWK object with `format: 'jwk'`. */
  key: string | object;
  /** `auto`: private if it can be read as a private key. */
  kind?: 'public' | 'private' | 'auto';
  format?: 'pem' | 'der' | 'jwk';
  type?: 'pkcs1' | 'spki' | 'pkcs8' | 'sec1';
  passphrase?: string;
  padding?: number;
  saltLength?: number;
  dsaEncoding?: 'der' | 'ieee-p1363';
  oaepHash?: string;
}
