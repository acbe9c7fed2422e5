'use strict';
const missing = require('./missing.cjs');
const { Buffer, ask, bytes, output, later, wrongType } = require('./native.cjs');
const { Cipher, Decipher } = require('./crypto-ciphers.cjs');
const { ECDH } = require('./crypto-ecdh.cjs');
const { streamWhenUsedAsOne } = require('./crypto-streams.cjs');
const keys = require('./crypto-keys.cjs');

let known;
function isDigest(algorithm) {
  known ??= new Set(JSON.parse(ask('crypto.hashes')).map((name) => name.toLowerCase()));
  return typeof algorithm === 'string' && known.has(algorithm.toLowerCase());
}

function checkDigest(algorithm, what = 'digest') {
  if (isDigest(algorithm)) return;
  if (typeof algorithm !== 'string') throw wrongType(what, 'of type string', algorithm);
  throw Object.assign(new TypeError(`Invalid digest: ${algorithm}`), { code: 'ERR_CRYPTO_INVALID_DIGEST' });
}

/** Collects data and has it digested at once. */
class Digest {
  #parts = [];
  #done = false;

  update(data, encoding) {
    if (this.#done) throw Object.assign(new Error('Digest already called'), { code: 'ERR_CRYPTO_HASH_FINALIZED' });
    this.#parts.push(Buffer.from(bytes(data, encoding)));
    return this;
  }

  digest(encoding) {
    if (this.#done) throw Object.assign(new Error('Digest already called'), { code: 'ERR_CRYPTO_HASH_FINALIZED' });
    this.#done = true;
    return output(this._compute(bytes(Buffer.concat(this.#parts))), encoding);
  }

  _copyTo(other) {
    if (this.#done) throw Object.assign(new Error('Digest already called'), { code: 'ERR_CRYPTO_HASH_FINALIZED' });
    other.#parts = [...this.#parts];
    return other;
  }

  _transform(data, encoding, done) {
    this.update(data, encoding);
    done();
  }
  /** The digest can be asked for once more after this, as in Node. */
  _flush(done) {
    this.push(output(this._compute(bytes(Buffer.concat(this.#parts)))));
    done();
  }
}
streamWhenUsedAsOne(Digest, 'Transform');

class Hash extends Digest {
  constructor(algorithm, options) {
    super();
    if (typeof algorithm !== 'string') throw wrongType('algorithm', 'of type string', algorithm);
    if (!isDigest(algorithm)) throw new Error('Digest method not supported');
    this.algorithm = algorithm;
    this.outputLength = options?.outputLength;
  }
  _compute(data) {
    return ask('crypto.hash', this.algorithm, data, this.outputLength);
  }
  copy() {
    return this._copyTo(new Hash(this.algorithm, { outputLength: this.outputLength }));
  }
}

class Hmac extends Digest {
  #key;
  constructor(algorithm, key) {
    super();
    checkDigest(algorithm, 'hmac');
    this.algorithm = algorithm;
    this.#key = keys.secretBytes(key);
  }
  _compute(data) {
    return ask('crypto.hmac', this.algorithm, this.#key, data);
  }
}

class Sign {
  #parts = [];
  constructor(algorithm) {
    if (typeof algorithm !== 'string') throw wrongType('algorithm', 'of type string', algorithm);
    if (!isDigest(algorithm))
      throw Object.assign(new TypeError('Invalid digest'), { code: 'ERR_CRYPTO_INVALID_DIGEST' });
    this.algorithm = algorithm;
  }
  update(data, encoding) {
    this.#parts.push(Buffer.from(bytes(data, encoding)));
    return this;
  }
  _write(data, encoding, done) {
    this.update(data, encoding);
    done();
  }
  _data() {
    return Buffer.concat(this.#parts);
  }
  sign(key, encoding) {
    if (!key) throw Object.assign(new Error('No key provided to sign'), { code: 'ERR_CRYPTO_SIGN_KEY_REQUIRED' });
    return output(sign(this.algorithm, this._data(), key), encoding);
  }
}

streamWhenUsedAsOne(Sign, 'Writable');

class Verify extends Sign {
  verify(key, signature, encoding) {
    return verify(this.algorithm, this._data(), key, bytes(signature, encoding));
  }
}
Verify.prototype.sign = undefined;

function sign(algorithm, data, key, callback) {
  const run = () => output(ask('crypto.sign', algorithm ?? null, bytes(data), keys.keyJson(key, 'private')));
  return callback ? later(run, callback) : run();
}

function verify(algorithm, data, key, signature, callback) {
  const run = () => ask('crypto.verify', algorithm ?? null, bytes(data), keys.keyJson(key, 'public'), bytes(signature));
  return callback ? later(run, callback) : run();
}

/** The sandbox gives at most this many random bytes at a time. */
const maxRandom = 1024 * 1024;

function randomBytes(size, callback) {
  const run = () => {
    if (typeof size !== 'number') throw wrongType('size', 'of type number', size);
    if (!(size >= 0 && size <= 2 ** 31 - 1)) {
      throw Object.assign(new RangeError(`The value of "size" is out of range. Received ${String(size)}`), {
        code: 'ERR_OUT_OF_RANGE',
      });
    }
    const parts = [];
    for (let left = Math.floor(size); left > 0; left -= maxRandom) parts.push(random(Math.min(left, maxRandom)));
    return parts.length === 1 ? parts[0] : Buffer.concat(parts);
  };
  return callback ? later(run, callback) : run();
}

function random(size) {
  const web = globalThis.crypto;
  if (size > 65536 || !web) return Buffer.from(ask('crypto.randomBytes', size));
  return Buffer.from(web.getRandomValues(new Uint8Array(size)).buffer);
}

function randomFillSync(target, offset = 0, size) {
  if (!ArrayBuffer.isView(target) && !(target instanceof ArrayBuffer))
    throw wrongType('buf', 'an instance of ArrayBuffer or ArrayBufferView', target);
  const view = ArrayBuffer.isView(target)
    ? new Uint8Array(target.buffer, target.byteOffset, target.byteLength)
    : new Uint8Array(target);
  const unit = target.BYTES_PER_ELEMENT ?? 1;
  const from = offset * unit;
  const length = size === undefined ? view.length - from : size * unit;
  if (from < 0 || length < 0 || from + length > view.length) {
    throw Object.assign(new RangeError('The value of "size + offset" is out of range.'), { code: 'ERR_OUT_OF_RANGE' });
  }
  view.set(randomBytes(length), from);
  return target;
}

function randomFill(target, ...rest) {
  const callback = rest.pop();
  later(() => randomFillSync(target, ...rest), callback);
}

function randomInt(min, max, callback) {
  if (max === undefined || typeof max === 'function') [min, max, callback] = [0, min, max];
  const run = () => ask('crypto.randomInt', min, max);
  return callback ? later(run, callback) : run();
}

function timingSafeEqual(left, right) {
  for (const [value, name] of [
    [left, 'buf1'],
    [right, 'buf2'],
  ]) {
    if (!ArrayBuffer.isView(value) && !(value instanceof ArrayBuffer)) {
      const text = `The "${name}" argument must be an instance of ArrayBuffer, Buffer, TypedArray, or DataView.`;
      throw Object.assign(new TypeError(text), { code: 'ERR_INVALID_ARG_TYPE' });
    }
  }
  if (left.byteLength !== right.byteLength) {
    const error = new RangeError('Input buffers must have the same byte length');
    throw Object.assign(error, { code: 'ERR_CRYPTO_TIMING_SAFE_EQUAL_LENGTH' });
  }
  return ask('crypto.timingSafeEqual', bytes(left), bytes(right));
}

function pbkdf2Sync(password, salt, iterations, length, digest) {
  checkDigest(digest);
  return output(ask('crypto.pbkdf2', bytes(password), bytes(salt), iterations, length, digest));
}

function scryptSync(password, salt, length, options = {}) {
  const cost = options.N ?? options.cost ?? 16384;
  const block = options.r ?? options.blockSize ?? 8;
  const parallel = options.p ?? options.parallelization ?? 1;
  return output(ask('crypto.scrypt', bytes(password), bytes(salt), length, cost, block, parallel));
}

function scrypt(password, salt, length, options, callback) {
  if (typeof options === 'function') [options, callback] = [{}, options];
  later(() => scryptSync(password, salt, length, options), callback);
}

/** As in Node: an ArrayBuffer, unlike the others. */
function hkdfSync(digest, key, salt, info, length) {
  checkDigest(digest);
  return ask('crypto.hkdf', digest, keys.secretBytes(key), bytes(salt), bytes(info), length);
}

function hash(algorithm, data, options = 'hex') {
  const encoding = typeof options === 'string' ? options : (options.outputEncoding ?? 'hex');
  checkDigest(algorithm);
  return output(ask('crypto.hash', algorithm, bytes(data), options.outputLength), encoding);
}

function generateKeyPair(type, options, callback) {
  if (typeof options === 'function') [options, callback] = [{}, options];
  later(
    () => keys.generateKeyPairSync(type, options),
    (error, pair) => (error ? callback(error) : callback(null, pair.publicKey, pair.privateKey)),
  );
}
// Two results for its callback, so `promisify` gives an object of both.
Object.defineProperty(generateKeyPair, Symbol.for('nodejs.util.promisify.custom'), {
  value: async (type, options) => keys.generateKeyPairSync(type, options),
});

const api = {
  Hash,
  Hmac,
  Sign,
  Verify,
  Cipheriv: Cipher,
  Decipheriv: Decipher,
  KeyObject: keys.KeyObject,
  constants: require('./crypto-constants.json'),
  createHash: (algorithm, options) => new Hash(algorithm, options),
  createHmac: (algorithm, key) => new Hmac(algorithm, key),
  createSign: (algorithm) => new Sign(algorithm),
  createVerify: (algorithm) => new Verify(algorithm),
  createCipheriv: (...args) => new Cipher(...args),
  createDecipheriv: (...args) => new Decipher(...args),
  createSecretKey: keys.createSecretKey,
  createPublicKey: keys.createPublicKey,
  createPrivateKey: keys.createPrivateKey,
  generateKeyPairSync: keys.generateKeyPairSync,
  generateKeyPair,
  generateKeySync(_type, { length }) {
    return keys.createSecretKey(randomBytes(length >> 3));
  },
  generateKey(type, options, callback) {
    later(() => api.generateKeySync(type, options), callback);
  },
  publicEncrypt: (key, data) => output(ask('crypto.publicEncrypt', keys.keyJson(key, 'public'), bytes(data))),
  privateDecrypt: (key, data) => output(ask('crypto.privateDecrypt', keys.keyJson(key, 'private'), bytes(data))),
  privateEncrypt: (key, data) => output(ask('crypto.privateEncrypt', keys.keyJson(key, 'private'), bytes(data))),
  publicDecrypt: (key, data) => output(ask('crypto.publicDecrypt', keys.keyJson(key, 'public'), bytes(data))),
  diffieHellman({ privateKey, publicKey }, callback) {
    const run = () =>
      output(ask('crypto.diffieHellman', keys.keyJson(privateKey, 'private'), keys.keyJson(publicKey, 'public')));
    return callback ? later(run, callback) : run();
  },
  ECDH,
  createECDH: (curve) => new ECDH(curve),
  sign,
  verify,
  hash,
  randomBytes,
  pseudoRandomBytes: randomBytes,
  prng: randomBytes,
  rng: randomBytes,
  randomFillSync,
  randomFill,
  randomInt,
  randomUUID: () => globalThis.crypto.randomUUID(),
  timingSafeEqual,
  pbkdf2Sync,
  pbkdf2: (password, salt, iterations, length, digest, callback) =>
    later(() => pbkdf2Sync(password, salt, iterations, length, digest), callback),
  scryptSync,
  scrypt,
  hkdfSync,
  hkdf: (digest, key, salt, info, length, callback) => later(() => hkdfSync(digest, key, salt, info, length), callback),
  getHashes: () => JSON.parse(ask('crypto.hashes')),
  getCiphers: () => JSON.parse(ask('crypto.ciphers')),
  getCurves: () => JSON.parse(ask('crypto.curves')),
  getFips: () => 0,
  get webcrypto() {
    return globalThis.crypto;
  },
  get subtle() {
    return globalThis.crypto.subtle;
  },
  getRandomValues: (target) => globalThis.crypto.getRandomValues(target),
};

const absent =
  'createDiffieHellman createDiffieHellmanGroup getDiffieHellman checkPrime ' +
  'checkPrimeSync generatePrime generatePrimeSync getCipherInfo secureHeapUsed setEngine setFips encapsulate decapsulate ' +
  'argon2 argon2Sync Certificate DiffieHellman DiffieHellmanGroup X509Certificate';
for (const name of absent.split(' ')) api[name] = missing(`crypto.${name}`, 'crypto.subtle may have what you need.');

module.exports = api;
