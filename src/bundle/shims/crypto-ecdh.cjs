'use strict';
const { Buffer, ask, bytes, output } = require('./native.cjs');

const failed = (message, code, Class = Error) => Object.assign(new Class(message), { code });

/** Key agreement over an elliptic curve, as for web push. The keys are bytes in the function's own memory. */
class ECDH {
  #curve;
  #private;
  #public;

  constructor(curve) {
    if (!JSON.parse(ask('crypto.curves')).includes(curve))
      throw failed('Invalid EC curve name', 'ERR_CRYPTO_INVALID_CURVE', TypeError);
    this.#curve = curve;
  }

  static convertKey(key, curve, inputEncoding, outputEncoding, format = 'uncompressed') {
    return output(ask('crypto.ecdhPoint', curve, bytes(key, inputEncoding), format), outputEncoding);
  }

  #take(privateKey) {
    const [own, point] = JSON.parse(ask('crypto.ecdhKeys', this.#curve, privateKey));
    this.#private = Buffer.from(own, 'base64');
    this.#public = Buffer.from(point, 'base64');
  }

  generateKeys(encoding, format) {
    this.#take();
    return this.getPublicKey(encoding, format);
  }

  setPrivateKey(key, encoding) {
    this.#take(bytes(key, encoding));
  }

  setPublicKey(key, encoding) {
    this.#public = Buffer.from(bytes(key, encoding));
  }

  getPrivateKey(encoding) {
    if (!this.#private) throw failed('Failed to get ECDH private key', 'ERR_CRYPTO_OPERATION_FAILED');
    return output(bytes(this.#private), encoding);
  }

  getPublicKey(encoding, format) {
    if (!this.#public) throw failed('Failed to get ECDH public key', 'ERR_CRYPTO_OPERATION_FAILED');
    return ECDH.convertKey(this.#public, this.#curve, undefined, encoding, format);
  }

  computeSecret(other, inputEncoding, outputEncoding) {
    return output(
      ask('crypto.ecdhSecret', this.#curve, bytes(this.getPrivateKey()), bytes(other, inputEncoding)),
      outputEncoding,
    );
  }
}

module.exports = { ECDH };
