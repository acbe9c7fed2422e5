import * as crypto from 'node:crypto';
import type { KeyInput } from '../native-names.ts';
import {
  bytesFrom,
  objectFrom,
  optionalBytes,
  optionalNumber,
  ownBuffer,
  refuse,
  textOf,
  tooManyRounds,
  wholeNumber,
} from './arguments.ts';
import { decryptable, isOldEncryption, surelySmallKey, tooLargeKey } from './key-cost.ts';

/** Supported ciphers. Others of OpenSSL (wrap modes, XTS, DES) are not available. */
const cipherNames =
  /^(?:aes(?:128|192|256)|aes-?(?:128|192|256)-(?:cbc|ctr|ecb|gcm|ccm|ocb|cfb|cfb8|ofb)|chacha20-poly1305|des-ede3-cbc)$/i;
const aead = /gcm|ccm|ocb|poly1305/i;
const curveKeys: ReadonlySet<string> = new Set(['ec', 'x25519', 'x448']);
const maxIterations = 2_000_000;
const maxScryptBytes = 64 * 1024 * 1024;
const maxDerivedBytes = 1024 * 1024;

type Function_ = (...args: unknown[]) => unknown;

export const cryptoFunctions: Record<string, Function_> = {
  'crypto.hashes': () => JSON.stringify(crypto.getHashes()),
  'crypto.ciphers': () => JSON.stringify(crypto.getCiphers().filter((name) => cipherNames.test(name))),

  'crypto.hash'(algorithm, data, outputBytes) {
    const outputLength = optionalNumber(outputBytes, 'outputLength', 0, maxDerivedBytes);
    const hash = crypto.createHash(textOf(algorithm, 'algorithm'), outputLength === undefined ? {} : { outputLength });
    return ownBuffer(hash.update(bytesFrom(data, 'data')).digest());
  },

  'crypto.hmac'(algorithm, key, data) {
    const hmac = crypto.createHmac(textOf(algorithm, 'algorithm'), bytesFrom(key, 'key'));
    return ownBuffer(hmac.update(bytesFrom(data, 'data')).digest());
  },

  'crypto.randomBytes': (length) => ownBuffer(crypto.randomBytes(wholeNumber(length, 'size', 0, 1024 * 1024))),

  'crypto.randomInt'(from, to) {
    const limit = Number.MAX_SAFE_INTEGER;
    return crypto.randomInt(wholeNumber(from, 'min', -limit, limit), wholeNumber(to, 'max', -limit, limit));
  },

  'crypto.randomUUID': () => crypto.randomUUID(),

  'crypto.timingSafeEqual'(a, b) {
    const left = bytesFrom(a, 'the first value');
    const right = bytesFrom(b, 'the second value');
    if (left.byteLength !== right.byteLength) throw new RangeError('Input buffers must have the same byte length');
    return crypto.timingSafeEqual(left, right);
  },

  'crypto.pbkdf2'(password, salt, iterations, keyBytes, digest) {
    const name = textOf(digest, 'digest');
    const rounds = wholeNumber(iterations, 'iterations', 1, maxIterations);
    const length = wholeNumber(keyBytes, 'keylen', 0, maxDerivedBytes);
    const unaffordable = tooManyRounds(rounds, length, digestBytes(name));
    if (unaffordable !== undefined) throw new RangeError(unaffordable);
    return ownBuffer(crypto.pbkdf2Sync(bytesFrom(password, 'password'), bytesFrom(salt, 'salt'), rounds, length, name));
  },

  'crypto.scrypt'(password, salt, keyBytes, N, r, p) {
    const cost = { N: wholeNumber(N, 'N', 2, 2 ** 20), r: wholeNumber(r, 'r', 1, 64), p: wholeNumber(p, 'p', 1, 16) };
    if (128 * cost.N * cost.r > maxScryptBytes)
      throw new RangeError('scrypt: 128 · N · r may be at most 64 MiB in functions');
    if (128 * cost.N * cost.r * cost.p > 4 * maxScryptBytes)
      throw new RangeError('scrypt: 128 · N · r · p may be at most 256 MiB in functions');
    const key = crypto.scryptSync(
      bytesFrom(password, 'password'),
      bytesFrom(salt, 'salt'),
      wholeNumber(keyBytes, 'keylen', 0, maxDerivedBytes),
      { ...cost, maxmem: 2 * maxScryptBytes },
    );
    return ownBuffer(key);
  },

  'crypto.hkdf'(digest, key, salt, info, keyBytes) {
    const length = wholeNumber(keyBytes, 'keylen', 0, maxDerivedBytes);
    return crypto.hkdfSync(
      textOf(digest, 'digest'),
      bytesFrom(key, 'key'),
      bytesFrom(salt, 'salt'),
      bytesFrom(info, 'info'),
      length,
    );
  },

  'crypto.encrypt'(algorithm, key, iv, data, aad, tagBytes, autoPadding) {
    const name = cipherOf(algorithm);
    const input = bytesFrom(data, 'data');
    const authTagLength = optionalNumber(tagBytes, 'authTagLength', 4, 16) ?? 16;
    const options = (aead.test(name) ? { authTagLength } : {}) as crypto.CipherGCMOptions;
    // All ciphers are created in the same way; the types differ by name, and GCM's have every method.
    const cipher = crypto.createCipheriv(
      name as 'aes-256-gcm',
      bytesFrom(key, 'key'),
      optionalBytes(iv, 'iv') ?? null,
      options,
    ) as crypto.CipherGCM;
    if (autoPadding === false) cipher.setAutoPadding(false);
    const extra = optionalBytes(aad, 'the additional data');
    if (extra) cipher.setAAD(extra, { plaintextLength: input.byteLength });
    const parts = [cipher.update(input), cipher.final()];
    if (aead.test(name)) parts.push(cipher.getAuthTag());
    return ownBuffer(Buffer.concat(parts));
  },

  'crypto.decrypt'(algorithm, key, iv, data, aad, tag, autoPadding) {
    const name = cipherOf(algorithm);
    const input = bytesFrom(data, 'data');
    const authTag = optionalBytes(tag, 'tag');
    if (aead.test(name) && !authTag) throw refuse('Unsupported state or unable to authenticate data');
    const options = (
      authTag && aead.test(name) ? { authTagLength: authTag.byteLength } : {}
    ) as crypto.CipherGCMOptions;
    const decipher = crypto.createDecipheriv(
      name as 'aes-256-gcm',
      bytesFrom(key, 'key'),
      optionalBytes(iv, 'iv') ?? null,
      options,
    ) as crypto.DecipherGCM;
    if (autoPadding === false) decipher.setAutoPadding(false);
    if (authTag && aead.test(name)) decipher.setAuthTag(authTag);
    const extra = optionalBytes(aad, 'the additional data');
    if (extra) decipher.setAAD(extra, { plaintextLength: input.byteLength });
    return ownBuffer(Buffer.concat([decipher.update(input), decipher.final()]));
  },

  'crypto.sign'(algorithm, data, key) {
    const { options, object } = keyFrom(key, 'private');
    return ownBuffer(crypto.sign(digestOf(algorithm), bytesFrom(data, 'data'), { ...options, key: object }));
  },

  'crypto.verify'(algorithm, data, key, signature) {
    const { options, object } = keyFrom(key, 'public');
    return crypto.verify(
      digestOf(algorithm),
      bytesFrom(data, 'data'),
      { ...options, key: object },
      bytesFrom(signature, 'signature'),
    );
  },

  'crypto.publicEncrypt': byKey('public', crypto.publicEncrypt),
  'crypto.privateDecrypt': byKey('private', crypto.privateDecrypt),
  'crypto.privateEncrypt': byKey('private', crypto.privateEncrypt),
  'crypto.publicDecrypt': byKey('public', crypto.publicDecrypt),

  'crypto.diffieHellman'(privateKey, publicKey) {
    const keys = { privateKey: keyFrom(privateKey, 'private').object, publicKey: keyFrom(publicKey, 'public').object };
    // Others have numbers of any size.
    if (!curveKeys.has(keys.privateKey.asymmetricKeyType ?? ''))
      throw refuse('diffieHellman is available for keys of elliptic curves only');
    return ownBuffer(crypto.diffieHellman(keys));
  },

  'crypto.curves': () => JSON.stringify(crypto.getCurves()),

  'crypto.ecdhKeys'(curve, privateKey) {
    const pair = crypto.createECDH(textOf(curve, 'curve'));
    const given = optionalBytes(privateKey, 'private key');
    if (given) pair.setPrivateKey(given);
    else pair.generateKeys();
    return JSON.stringify([pair.getPrivateKey('base64'), pair.getPublicKey('base64')]);
  },

  'crypto.ecdhSecret'(curve, privateKey, publicKey) {
    const pair = crypto.createECDH(textOf(curve, 'curve'));
    pair.setPrivateKey(bytesFrom(privateKey, 'private key'));
    return ownBuffer(pair.computeSecret(bytesFrom(publicKey, 'public key')));
  },

  'crypto.ecdhPoint'(curve, publicKey, format) {
    const form = textOf(format, 'format') as 'compressed';
    const point = crypto.ECDH.convertKey(
      bytesFrom(publicKey, 'key'),
      textOf(curve, 'curve'),
      undefined,
      undefined,
      form,
    );
    return ownBuffer(point as Buffer);
  },

  'crypto.keyInfo'(key) {
    const { asymmetricKeyDetails, asymmetricKeyType, type } = keyFrom(key, 'auto').object;
    return JSON.stringify({ type, asymmetricKeyType, asymmetricKeyDetails }, (_, value: unknown) =>
      typeof value === 'bigint' ? `${value}` : value,
    );
  },

  'crypto.exportKey'(key, format, form, cipher, passphrase) {
    const { object } = keyFrom(key, 'auto');
    // A key that should be encrypted and cannot be is refused: written as it is, it would look like success.
    const encryption = encryptionOf(object.type, cipher, passphrase);
    if (format === 'jwk') {
      if (encryption !== undefined) throw refuse('a JWK cannot be encrypted');
      return JSON.stringify(object.export({ format: 'jwk' }));
    }
    if (format !== 'pem' && format !== 'der') throw refuse('the format must be pem, der or jwk');
    const fallback = object.type === 'public' ? 'spki' : 'pkcs8';
    const type = form === undefined || form === null ? fallback : textOf(form, 'type');
    const exported = object.export({ format: format as 'pem', type: type as 'pkcs8', ...encryption });
    return typeof exported === 'string' ? exported : (exported as Buffer).toString('base64');
  },

  'crypto.generateKeyPair'(type, optionsJson) {
    const kind = textOf(type, 'type');
    const options = objectFrom(optionsJson, 'options');
    const publicKeyEncoding = { type: 'spki', format: 'pem' } as const;
    const privateKeyEncoding = { type: 'pkcs8', format: 'pem' } as const;
    switch (kind) {
      case 'rsa':
      case 'rsa-pss': {
        const modulusLength = wholeNumber(options['modulusLength'], 'modulusLength', 512, 4096);
        return JSON.stringify(
          crypto.generateKeyPairSync('rsa', { modulusLength, publicKeyEncoding, privateKeyEncoding }),
        );
      }
      case 'ec': {
        const namedCurve = textOf(options['namedCurve'], 'namedCurve');
        return JSON.stringify(crypto.generateKeyPairSync('ec', { namedCurve, publicKeyEncoding, privateKeyEncoding }));
      }
      case 'ed25519':
      case 'x25519':
      case 'ed448':
      case 'x448':
        return JSON.stringify(crypto.generateKeyPairSync(kind as 'ed25519', { publicKeyEncoding, privateKeyEncoding }));
      default:
        throw refuse(`keys of type ${kind.slice(0, 40)} are not available in functions`);
    }
  },
};

/** Encrypts or decrypts with one key. */
function byKey(kind: 'public' | 'private', run: (key: crypto.RsaPrivateKey, data: Uint8Array) => Buffer): Function_ {
  return (key, data) => {
    const { options, object } = keyFrom(key, kind);
    return ownBuffer(run({ ...options, key: object }, bytesFrom(data, 'data')));
  };
}

function encryptionOf(kind: string, cipher: unknown, passphrase: unknown) {
  if (kind === 'public' || ((cipher ?? undefined) === undefined && (passphrase ?? undefined) === undefined))
    return undefined;
  return { cipher: cipherOf(cipher), passphrase: textOf(passphrase, 'passphrase') };
}

/** Digest length; the shortest for an unknown hash, which fails when it is used. */
function digestBytes(name: string): number {
  try {
    return crypto.createHash(name).digest().byteLength;
  } catch {
    return 16;
  }
}

function cipherOf(algorithm: unknown): string {
  const name = textOf(algorithm, 'algorithm').toLowerCase();
  if (!cipherNames.test(name)) throw refuse(`Unknown cipher: ${name.slice(0, 60)}`);
  return name;
}

function digestOf(algorithm: unknown): string | null {
  return algorithm === null || algorithm === undefined ? null : textOf(algorithm, 'algorithm');
}

interface KeyOptions {
  padding?: number;
  saltLength?: number;
  dsaEncoding?: 'der' | 'ieee-p1363';
  oaepHash?: string;
}

function keyFrom(
  json: unknown,
  fallback: 'public' | 'private' | 'auto',
): { object: crypto.KeyObject; options: KeyOptions } {
  const given = objectFrom(json, 'key') as unknown as KeyInput;
  const options: KeyOptions = {};
  if (given.padding !== undefined) options.padding = wholeNumber(given.padding, 'padding', 0, 16);
  if (given.saltLength !== undefined) options.saltLength = wholeNumber(given.saltLength, 'saltLength', -3, 1024);
  if (given.dsaEncoding !== undefined) options.dsaEncoding = given.dsaEncoding === 'ieee-p1363' ? 'ieee-p1363' : 'der';
  if (given.oaepHash !== undefined) options.oaepHash = textOf(given.oaepHash, 'oaepHash');
  const kind =
    fallback === 'public' ? 'public' : given.kind === 'public' || given.kind === 'private' ? given.kind : fallback;
  const object = importKey(given, kind);
  const unaffordable = textOf(json, 'key', 64 * 1024).length > surelySmallKey ? tooLargeKey(object) : undefined;
  if (unaffordable !== undefined) throw new RangeError(unaffordable);
  return { object, options };
}

function importKey(given: KeyInput, kind: 'public' | 'private' | 'auto'): crypto.KeyObject {
  const source = keySource(given);
  if (kind === 'public') return crypto.createPublicKey(source as crypto.PublicKeyInput);
  if (kind === 'private') return crypto.createPrivateKey(source as crypto.PrivateKeyInput);
  try {
    return crypto.createPrivateKey(source as crypto.PrivateKeyInput);
  } catch {
    return crypto.createPublicKey(source as crypto.PublicKeyInput);
  }
}

function keySource(given: KeyInput): object {
  if (given.format === 'jwk') {
    if (typeof given.key !== 'object' || given.key === null) throw refuse('key must be a JWK object');
    return { key: given.key, format: 'jwk' };
  }
  const text = textOf(given.key, 'key', 64 * 1024);
  const passphrase = given.passphrase === undefined ? undefined : textOf(given.passphrase, 'passphrase');
  if (given.format === 'der') {
    const key = Buffer.from(text, 'base64');
    const type = textOf(given.type, 'type');
    return passphrase === undefined ? { key, format: 'der', type } : decryptable(key, type, passphrase);
  }
  if (passphrase !== undefined) return decryptable(text, undefined, passphrase);
  if (isOldEncryption(text)) throw refuse('Passphrase required for encrypted key');
  return { key: text, format: 'pem' };
}
