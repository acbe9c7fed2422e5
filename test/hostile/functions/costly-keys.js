// A key is a text, and says itself how much work it is: numbers of 50,000 bits, two thousand million rounds of a hash, a question to the terminal.
const ones = (bits) => '_'.repeat(bits / 6);
const jwk = { kty: 'RSA', n: ones(50_010), e: 'AQAB', d: ones(50_010), p: ones(25_008), q: ones(25_008), dp: ones(25_008), dq: ones(25_008), qi: ones(25_008) };
const encrypted = 'MIGdMFkGCSqGSIb3DQEFDTBMMCsGCSqGSIb3DQEFDDAeBAi6EFCud9AY3AIEf////zAMBggqhkiG9w0CCQUAMB0GCWCGSAFlAwQBKgQQ7pE8ykn5ZPAwwDKk1se9DQRAmzcPJG3UX44b1y6+FTEDA62EVCQiRaXi4OA3INaPCqfTDXHKgGqnGhyRx69Ycm23CF7nj1qbGOSKRM+pPtw7Ag==';
const asking = '-----BEGIN PUBLIC KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,00000000000000000000000000000000\n\nAAAA\n-----END PUBLIC KEY-----';
export default async () => {
  const found = [];
  const { sync } = globalThis[Symbol.for('convo-fn.native')];
  for (const key of [{ key: jwk, format: 'jwk' }, { key: encrypted, format: 'der', type: 'pkcs8', passphrase: 'x' }])
    try { sync('crypto.sign', 'sha256', 'x', JSON.stringify(key)); found.push('signed'); } catch {}
  const algorithm = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' };
  try { const key = await crypto.subtle.importKey('jwk', jwk, algorithm, false, ['sign']); for (let i = 0; i < 8; i++) void crypto.subtle.sign(algorithm, key, new Uint8Array(1)); found.push('imported'); } catch {}
  try { sync('crypto.keyInfo', JSON.stringify({ key: asking, kind: 'public' })); found.push('asked'); } catch {}
  return { found };
};
