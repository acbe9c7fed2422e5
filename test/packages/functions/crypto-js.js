import CryptoJS from 'crypto-js';
export default () => [
  CryptoJS.SHA256('x').toString(),
  CryptoJS.HmacSHA1('d', 'k').toString(CryptoJS.enc.Base64),
  CryptoJS.AES.encrypt('hello', CryptoJS.enc.Hex.parse('00'.repeat(16)), {
    iv: CryptoJS.enc.Hex.parse('11'.repeat(16)),
  }).toString(),
  CryptoJS.AES.decrypt(CryptoJS.AES.encrypt('m', 'pass').toString(), 'pass').toString(CryptoJS.enc.Utf8),
  CryptoJS.PBKDF2('p', 's', { keySize: 4, iterations: 2 }).toString(),
];
