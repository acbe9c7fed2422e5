import { generateKeyPairSync } from 'node:crypto';
import jwt from 'jsonwebtoken';
export default () => {
  const token = jwt.sign({ id: 7, iat: 1 }, 'shhh', { audience: 'fn' });
  const refused = [];
  for (const [text, key] of [
    [token, 'wrong'],
    ['nope', 'shhh'],
    [jwt.sign({ exp: 1, iat: 1 }, 'shhh'), 'shhh'],
  ])
    try {
      jwt.verify(text, key);
    } catch (error) {
      refused.push([error.name, error.message]);
    }
  const { privateKey, publicKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  const signed = jwt.verify(jwt.sign({ a: 1, iat: 1 }, privateKey, { algorithm: 'RS256' }), publicKey);
  return [token, jwt.verify(token, 'shhh'), jwt.decode(token, { complete: true }).header, refused, signed];
};
