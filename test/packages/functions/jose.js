import { base64url, calculateJwkThumbprint, EncryptJWT, importJWK, jwtDecrypt, jwtVerify, SignJWT } from 'jose';

const secret = new TextEncoder().encode('a secret of at least thirty-two bytes!');
export default async () => {
  const token = await new SignJWT({ role: 'agent' })
    .setProtectedHeader({ alg: 'HS256' })
    .setIssuedAt(0)
    .setSubject('ann')
    .sign(secret);
  const { payload } = await jwtVerify(token, secret);
  const wrong = await jwtVerify(`${token}x`, secret).catch((error) => error.code);
  const sealed = await new EncryptJWT({ a: 1 })
    .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
    .encrypt(secret.slice(0, 32));
  const key = await importJWK({ kty: 'oct', k: base64url.encode('k'.repeat(32)) }, 'HS256');
  return [
    token,
    payload,
    wrong,
    (await jwtDecrypt(sealed, secret.slice(0, 32))).payload,
    await calculateJwkThumbprint({ kty: 'oct', k: 'AAAA' }),
    typeof key,
  ];
};
