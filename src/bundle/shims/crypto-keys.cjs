'use strict';
const { Buffer, ask, bytes } = require('./native.cjs');

/** Stands for a key; the material stays text in the function's own memory and is handed over with each operation. */
class KeyObject {
  #secret;
  #json;
  #info;

  constructor(type, { secret, json } = {}) {
    this.#secret = secret;
    this.#json = json;
    Object.defineProperty(this, 'type', { value: type, enumerable: true });
  }

  static secretOf(key) {
    return key.#secret;
  }

  static jsonOf(key) {
    return key.#json;
  }

  static from() {
    throw Object.assign(new Error('node:crypto.KeyObject.from is not available in functions'), {
      code: 'ERR_NOT_AVAILABLE_IN_FUNCTIONS',
    });
  }

  get symmetricKeySize() {
    return this.#secret?.byteLength;
  }

  get asymmetricKeyType() {
    return this.#details()?.asymmetricKeyType;
  }

  get asymmetricKeyDetails() {
    const details = this.#details()?.asymmetricKeyDetails;
    if (details && 'publicExponent' in details) return { ...details, publicExponent: BigInt(details.publicExponent) };
    return details;
  }

  #details() {
    if (this.#json === undefined) return undefined;
    this.#info ??= JSON.parse(ask('crypto.keyInfo', this.#json));
    return this.#info;
  }

  export(options = {}) {
    if (this.#secret) {
      if (options.format !== 'jwk') return Buffer.from(this.#secret);
      return { kty: 'oct', k: Buffer.from(this.#secret).toString('base64url') };
    }
    const { format = 'pem', type, cipher, passphrase } = options;
    const secret = passphrase === undefined ? undefined : textOf(passphrase);
    const text = ask('crypto.exportKey', this.#json, format, type, cipher, secret);
    if (format === 'jwk') return JSON.parse(text);
    return format === 'der' ? Buffer.from(text, 'base64') : text;
  }

  equals(other) {
    if (!(other instanceof KeyObject) || other.type !== this.type) return false;
    if (this.#secret) return Buffer.from(this.#secret).equals(Buffer.from(KeyObject.secretOf(other)));
    return this.export({ format: 'pem' }) === other.export({ format: 'pem' });
  }

  get [Symbol.toStringTag]() {
    return 'KeyObject';
  }
}

/** The bytes of a secret, however it is given. */
function secretBytes(key) {
  if (key instanceof KeyObject) return KeyObject.secretOf(key) ?? refuse('a secret key');
  return bytes(key, 'utf8', 'key');
}

function refuse(wanted) {
  throw Object.assign(new TypeError(`Invalid key object type, expected ${wanted}.`), {
    code: 'ERR_CRYPTO_INVALID_KEY_OBJECT_TYPE',
  });
}

const carried = ['padding', 'saltLength', 'dsaEncoding', 'oaepHash', 'passphrase', 'type'];

/** A key as node:crypto takes it → the JSON that the sandbox takes. */
function keyJson(key, kind) {
  if (key instanceof KeyObject) return KeyObject.jsonOf(key) ?? refuse(kind);
  if (typeof key === 'string' || ArrayBuffer.isView(key) || key instanceof ArrayBuffer)
    return JSON.stringify({ key: textOf(key), kind });
  if (key === null || typeof key !== 'object') refuse(kind);
  if (key.key instanceof KeyObject) {
    const inner = JSON.parse(KeyObject.jsonOf(key.key) ?? refuse(kind));
    return JSON.stringify({ ...inner, ...pick(key, carried.slice(0, 4)) });
  }
  const input = { kind, ...pick(key, carried) };
  if (key.format === 'jwk') return JSON.stringify({ ...input, key: key.key, format: 'jwk' });
  if (key.format === 'der')
    return JSON.stringify({ ...input, key: Buffer.from(bytes(key.key)).toString('base64'), format: 'der' });
  return JSON.stringify({ ...input, key: textOf(key.key) });
}

function pick(object, names) {
  return Object.fromEntries(
    names
      .filter((name) => object[name] !== undefined)
      .map((name) => [name, name === 'passphrase' ? textOf(object[name]) : object[name]]),
  );
}

const textOf = (value) => (typeof value === 'string' ? value : Buffer.from(bytes(value, 'utf8', 'key')).toString());

function createSecretKey(key, encoding) {
  return new KeyObject('secret', { secret: bytes(key, encoding, 'key') });
}

/** Reads the key at once, so that a wrong one is refused here. */
function create(type, key) {
  const json = JSON.stringify({ ...JSON.parse(keyJson(key, type)), kind: type });
  ask('crypto.keyInfo', json);
  return new KeyObject(type, { json });
}

function generateKeyPairSync(type, options = {}) {
  const { publicKeyEncoding, privateKeyEncoding, ...rest } = options;
  const pair = JSON.parse(ask('crypto.generateKeyPair', type, JSON.stringify(rest)));
  const publicKey = create('public', pair.publicKey);
  const privateKey = create('private', pair.privateKey);
  return {
    publicKey: publicKeyEncoding ? publicKey.export(publicKeyEncoding) : publicKey,
    privateKey: privateKeyEncoding ? privateKey.export(privateKeyEncoding) : privateKey,
  };
}

module.exports = {
  KeyObject,
  secretBytes,
  keyJson,
  createSecretKey,
  createPublicKey: (key) => create('public', key),
  createPrivateKey: (key) => create('private', key),
  generateKeyPairSync,
};
