'use strict';
const { Buffer, ask, bytes, output } = require('./native.cjs');
const { secretBytes } = require('./crypto-keys.cjs');
const { streamWhenUsedAsOne } = require('./crypto-streams.cjs');

/** Key stream modes: each byte in gives a byte out at once, and doing it twice undoes it. */
const isStream = (name) => /ctr|gcm|ccm|ofb|poly1305/.test(name);
const isFeedback = (name) => /cfb/.test(name);
const isAuthenticated = (name) => /gcm|ccm|ocb|poly1305/.test(name);
const blockOf = (name) => (name.startsWith('des') ? 8 : 16);

/**
 * The sandbox ciphers a whole text at once. A part is answered by ciphering all that came so far and giving out what is new, so
 * that `update` returns the same bytes as Node's: also for those who ignore what `final` returns.
 */
class Common {
  #data = Buffer.alloc(0);
  #given = 0;
  #done = false;

  constructor(algorithm, key, iv, options = {}) {
    this._name = String(algorithm).toLowerCase();
    if (!JSON.parse(ask('crypto.ciphers')).includes(this._name)) {
      throw Object.assign(new Error('Unknown cipher'), { code: 'ERR_CRYPTO_UNKNOWN_CIPHER' });
    }
    this._key = secretBytes(key);
    this._iv = iv === null || iv === undefined ? null : bytes(iv);
    this._tagBytes = options?.authTagLength;
    this._padding = true;
    // Wrong lengths of key and vector are refused at once, as in Node.
    this._encrypt(new ArrayBuffer(0), true);
  }

  setAutoPadding(padding = true) {
    this._padding = padding;
    return this;
  }

  setAAD(data) {
    this._aad = bytes(data);
    return this;
  }

  update(data, inputEncoding, outputEncoding) {
    if (this.#done) throw Object.assign(new Error('Unsupported state'), { code: 'ERR_CRYPTO_INVALID_STATE' });
    this.#data = Buffer.concat([this.#data, Buffer.from(bytes(data, inputEncoding))]);
    const ready = this._ready(this.#data.length);
    const fresh =
      ready > this.#given
        ? Buffer.from(this._part(bytes(this.#data.subarray(0, ready)))).subarray(this.#given, ready)
        : Buffer.alloc(0);
    this.#given = Math.max(ready, this.#given);
    return output(bytes(fresh), outputEncoding);
  }

  final(outputEncoding) {
    if (this.#done) throw Object.assign(new Error('Unsupported state'), { code: 'ERR_CRYPTO_INVALID_STATE' });
    this.#done = true;
    const whole = Buffer.from(this._whole(bytes(this.#data)));
    return output(bytes(whole.subarray(this.#given)), outputEncoding);
  }

  _transform(data, encoding, done) {
    this.push(this.update(data, encoding));
    done();
  }

  _flush(done) {
    try {
      this.push(this.final());
    } catch (error) {
      return done(error);
    }
    done();
  }

  /** Of all that came so far, how many bytes of result are certain. */
  _ready(length) {
    if (isStream(this._name) || isFeedback(this._name)) return length;
    const block = blockOf(this._name);
    return Math.floor(length / block) * block;
  }

  _encrypt(data, padding) {
    return ask('crypto.encrypt', this._name, this._key, this._iv, data, this._aad ?? null, this._tagBytes, padding);
  }
}

streamWhenUsedAsOne(Common, 'Transform');

class Cipher extends Common {
  #tag;

  _part(data) {
    return this._encrypt(data, false).slice(0, data.byteLength);
  }

  _whole(data) {
    const result = this._encrypt(data, this._padding);
    if (!isAuthenticated(this._name)) return result;
    this.#tag = Buffer.from(result.slice(data.byteLength));
    return result.slice(0, data.byteLength);
  }

  getAuthTag() {
    if (!this.#tag)
      throw Object.assign(new Error('Invalid state for operation getAuthTag'), { code: 'ERR_CRYPTO_INVALID_STATE' });
    return this.#tag;
  }
}

class Decipher extends Common {
  #tag;

  setAuthTag(tag, encoding) {
    const given = bytes(tag, encoding);
    const length = given.byteLength;
    if (
      this._tagBytes === undefined
        ? length !== 4 && length !== 8 && !(length >= 12 && length <= 16)
        : length !== this._tagBytes
    ) {
      const error = new TypeError(`Invalid authentication tag length: ${length}`);
      throw Object.assign(error, { code: 'ERR_CRYPTO_INVALID_AUTH_TAG' });
    }
    this.#tag = given;
    return this;
  }

  /** The last block may be padding, which only `final` knows to take off. */
  _ready(length) {
    const ready = super._ready(length);
    if (isStream(this._name) || isFeedback(this._name) || !this._padding) return ready;
    return ready === length ? Math.max(0, ready - blockOf(this._name)) : ready;
  }

  _part(data) {
    if (isStream(this._name)) return this._encrypt(data, true).slice(0, data.byteLength);
    return ask('crypto.decrypt', this._name, this._key, this._iv, data, null, null, false);
  }

  _whole(data) {
    return ask(
      'crypto.decrypt',
      this._name,
      this._key,
      this._iv,
      data,
      this._aad ?? null,
      this.#tag ?? null,
      this._padding,
    );
  }
}

module.exports = { Cipher, Decipher };
