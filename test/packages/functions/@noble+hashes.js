import { blake3 } from '@noble/hashes/blake3.js';
import { hmac } from '@noble/hashes/hmac.js';
import { pbkdf2 } from '@noble/hashes/pbkdf2.js';
import { scrypt } from '@noble/hashes/scrypt.js';
import { sha256, sha512 } from '@noble/hashes/sha2.js';
import { bytesToHex, randomBytes, utf8ToBytes } from '@noble/hashes/utils.js';

const text = utf8ToBytes('hällo');
export default () => [
  bytesToHex(sha256(text)),
  bytesToHex(hmac(sha512, utf8ToBytes('key'), text)),
  bytesToHex(blake3(text)),
  bytesToHex(pbkdf2(sha256, text, utf8ToBytes('salt'), { c: 100, dkLen: 16 })),
  bytesToHex(scrypt(text, utf8ToBytes('salt'), { N: 256, r: 8, p: 1, dkLen: 16 })),
  randomBytes(8).length,
];
