import assert from 'node:assert/strict';
import crypto from 'node:crypto';
import { after, test } from 'node:test';
import zlib from 'node:zlib';
import { createNative, type NativeTables, syncFunctions } from '../../src/sandbox/web/native.ts';
import { resultOf } from './support/web.ts';

const native = createNative();
after(() => native.dispose());

const call = (name: string, ...args: unknown[]) => {
  const function_ = syncFunctions[name];
  assert.ok(function_, `${name} is offered`);
  return function_(...args);
};
const hex = (bytes: unknown) => Buffer.from(bytes as ArrayBuffer).toString('hex');

const nonsense: unknown[] = [
  undefined,
  null,
  NaN,
  -1,
  1.5,
  Number.MAX_SAFE_INTEGER,
  '',
  'x'.repeat(200_000),
  '__proto__',
  {},
  [],
  { length: 1e9 },
  { __proto__: null, toString: 1 },
  new Date(),
  new Map(),
  new ArrayBuffer(0),
  new DataView(new ArrayBuffer(2)),
  new SharedArrayBuffer(8),
  Symbol.iterator,
  10n,
  () => 1,
];

test('no function of the table does anything but answer or throw an Error, whatever it is given', () => {
  const random = (seed: number) => nonsense[(seed * 7919) % nonsense.length];
  for (const name of Object.keys(syncFunctions)) {
    for (let seed = 0; seed < 200; seed++) {
      const args = [random(seed), random(seed + 3), random(seed * 5 + 1), random(seed + 11), random(seed * 3)];
      try {
        const answer = syncFunctions[name]?.(...args.slice(0, seed % 6));
        const allowed = answer instanceof ArrayBuffer || ['string', 'number', 'boolean'].includes(typeof answer);
        assert.ok(allowed, `${name} answered with ${String(answer)}`);
      } catch (error) {
        assert.ok(error instanceof Error, `${name} threw something else`);
      }
    }
  }
});

test('what is thrown names no place of the host', () => {
  for (const name of Object.keys(syncFunctions)) {
    try {
      syncFunctions[name]?.({}, {}, {}, {}, {});
    } catch (error) {
      assert.doesNotMatch((error as Error).message, /\/|node:|file:/, name);
    }
  }
});

test('background operations refuse nonsense by rejecting', async () => {
  const requests = [
    '',
    'null',
    '[]',
    '{}',
    'not json',
    '{"method":"constructor","args":[]}',
    '{"method":"__proto__","args":[]}',
    '{"method":"digest"}',
    '{"method":"digest","args":[{"t":"key","id":1}]}',
    '{"method":"digest","args":["SHA-256",{"t":"bytes","at":-1,"n":5}]}',
    '{"method":"digest","args":["SHA-256",{"t":"bytes","at":0,"n":5}]}',
    '{"method":"digest","args":["SHA-256",{"t":"list","v":5}]}',
    '{"method":"digest","args":["SHA-256",{"t":"what"}]}',
    `{"method":"digest","args":[${'{"t":"list","v":['.repeat(50)}${']}'.repeat(50)}]}`,
    '{"do":"open"}',
    '{"do":"open","mode":"compress","format":"__proto__"}',
    '{"do":"write","handle":1}',
    '{"do":"more","handle":"1"}',
  ];
  for (const name of Object.keys(native.async)) {
    for (const request of requests) {
      await assert.rejects(async () => native.async[name]?.(request, new ArrayBuffer(2)), `${name} ${request}`);
    }
  }
});

test('costly work is refused before it begins', async () => {
  assert.throws(() => call('crypto.pbkdf2', 'p', 's', 1e9, 32, 'sha256'), RangeError);
  assert.throws(() => call('crypto.scrypt', 'p', 's', 32, 2 ** 20, 64, 1), RangeError);
  assert.throws(() => call('crypto.randomBytes', 1e9), RangeError);
  assert.throws(() => call('crypto.generateKeyPair', 'rsa', '{"modulusLength":16384}'), RangeError);
  const bomb = zlib.gzipSync(new Uint8Array(70 * 1024 * 1024));
  assert.throws(() => call('zlib.gunzip', bomb));
  const algorithm = (members: string) =>
    `{"method":"generateKey","args":[{"t":"object","v":[${members}]},true,{"t":"list","v":["sign"]}]}`;
  const rsa = algorithm('["name","RSA-PSS"],["hash","SHA-256"],["modulusLength",16384]');
  await assert.rejects(async () => native.async['web.crypto']?.(rsa), /4096 bits/);
});

const der = (kind: number, ...parts: (Buffer | number[])[]): Buffer => {
  const contents = Buffer.concat(parts.map((part) => Buffer.from(part)));
  const { length } = contents;
  const head = length < 128 ? [kind, length] : [kind, 0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from(head), contents]);
};
const integer = (hex: string) => der(0x02, Buffer.from(hex, 'hex'));
const oid = (hex: string) => der(0x06, Buffer.from(hex, 'hex'));
/** A private key that claims to be encrypted with a key derived like this. */
function encryptedBy(derivation: Buffer): string {
  const aes256 = der(0x30, oid('60864801650304012a'), der(0x04, Buffer.alloc(16)));
  const how = der(0x30, oid('2a864886f70d01050d'), der(0x30, derivation, aes256));
  return der(0x30, how, der(0x04, Buffer.alloc(64, 7))).toString('base64');
}
const salt = der(0x04, Buffer.alloc(8));
const byPbkdf2 = (rounds: string) =>
  encryptedBy(der(0x30, oid('2a864886f70d01050c'), der(0x30, salt, integer(rounds))));
const byScrypt = (N: string, r: string, p: string) =>
  encryptedBy(der(0x30, oid('2b06010401da47040b'), der(0x30, salt, integer(N), integer(r), integer(p))));
const pem = (label: string, base64: string) => `-----BEGIN ${label}-----\n${base64}\n-----END ${label}-----\n`;

/** A private RSA key of this size, as far as anybody looks. */
function rsaKey(bits: number): object {
  const ones = (length: number) => Buffer.alloc(length / 8, 0xff).toString('base64url');
  const [n, p] = [ones(bits), ones(bits / 2)];
  return { kty: 'RSA', n, e: 'AQAB', d: n, p, q: p, dp: p, dq: p, qi: p };
}

test('a key of tens of thousands of bits is refused: one signature with it would take half a minute', async () => {
  const key = JSON.stringify({ key: rsaKey(50_000), format: 'jwk' });
  assert.throws(() => call('crypto.sign', 'sha256', 'data', key), /^RangeError: RSA keys of more than 8192 bits/);
  const answer = await resultOf(
    `const algorithm = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' };
    try { await crypto.subtle.importKey('jwk', ${JSON.stringify(rsaKey(50_000))}, algorithm, true, ['sign']); return 'imported'; }
    catch (error) { return String(error); }`,
  );
  assert.match(String(answer), /^OperationError: RSA keys of more than 8192 bits/);
});

test('a key that is encrypted with rounds without end is refused', () => {
  const endless = [byPbkdf2('7fffffff'), byPbkdf2('00ffffffffffffffffff'), byScrypt('020000', '01', '020000')];
  for (const key of endless)
    for (const given of [
      { key, format: 'der', type: 'pkcs8', passphrase: 'p' },
      { key: pem('ENCRYPTED PRIVATE KEY', key), passphrase: 'p' },
    ])
      for (const kind of ['private', 'public', 'auto'])
        assert.throws(
          () => call('crypto.keyInfo', JSON.stringify({ ...given, kind })),
          /^RangeError: The key is encrypted with more rounds/,
        );
  const twice = `Proc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,${'0'.repeat(32)}\n\n${byPbkdf2('7fffffff')}`;
  assert.throws(
    () => call('crypto.keyInfo', JSON.stringify({ key: pem('ENCRYPTED PRIVATE KEY', twice), passphrase: 'p' })),
    /not available in functions/,
  );
});

test('a key that is encrypted as keys are is read', () => {
  const pair = { modulusLength: 2048, publicKeyEncoding: { type: 'spki', format: 'pem' } } as const;
  const encryption = { cipher: 'aes-256-cbc', passphrase: 'p' } as const;
  for (const privateKeyEncoding of [
    { type: 'pkcs8', format: 'pem', ...encryption },
    { type: 'pkcs1', format: 'pem', ...encryption },
    { type: 'pkcs8', format: 'der', ...encryption },
  ] as const) {
    const made = crypto.generateKeyPairSync('rsa', { ...pair, privateKeyEncoding: privateKeyEncoding as never });
    const { format, type } = privateKeyEncoding;
    const text = (made.privateKey as unknown as string | Buffer).toString(format === 'der' ? 'base64' : 'utf8');
    const read = (passphrase?: string) =>
      call('crypto.exportKey', JSON.stringify({ key: text, format, type, passphrase, kind: 'public' }), 'pem');
    assert.equal(read('p'), made.publicKey, `${type} ${format}`);
    assert.throws(() => read('wrong'));
    assert.throws(() => read());
  }
});

test('no key makes OpenSSL ask for a passphrase on the terminal', () => {
  const encrypted = `Proc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,${'0'.repeat(32)}\n\nAAAA`;
  for (const label of ['PUBLIC KEY', 'RSA PUBLIC KEY', 'CERTIFICATE'])
    for (const passphrase of [undefined, 'p'])
      for (const before of ['', pem('RSA PRIVATE KEY', encrypted)])
        assert.throws(
          () =>
            call('crypto.keyInfo', JSON.stringify({ key: before + pem(label, encrypted), kind: 'public', passphrase })),
          /Passphrase required|not available in functions/,
        );
});

test('one context cannot use a key of another', async () => {
  const make = (tables: NativeTables) =>
    tables.async['web.crypto']?.(
      '{"method":"generateKey","args":[{"t":"object","v":[["name","HMAC"],["hash","SHA-256"]]},true,{"t":"list","v":["sign"]}]}',
    );
  await make(native);
  const other = createNative();
  const use = '{"method":"exportKey","args":["raw",{"t":"key","id":1}]}';
  assert.ok(await native.async['web.crypto']?.(use));
  await assert.rejects(async () => other.async['web.crypto']?.(use), /not known/);
  await make(other);
  other.dispose();
  await assert.rejects(async () => other.async['web.crypto']?.(use), /not known/);
});

test('digests, macs and derived keys are those of node:crypto', () => {
  assert.equal(hex(call('crypto.hash', 'sha256', 'ä')), crypto.createHash('sha256').update('ä').digest('hex'));
  assert.equal(hex(call('crypto.hash', 'shake256', 'a', 8)).length, 16);
  assert.equal(hex(call('crypto.hmac', 'sha1', 'k', 'd')), crypto.createHmac('sha1', 'k').update('d').digest('hex'));
  assert.equal(
    hex(call('crypto.pbkdf2', 'p', 's', 10, 20, 'sha512')),
    crypto.pbkdf2Sync('p', 's', 10, 20, 'sha512').toString('hex'),
  );
  assert.equal(
    hex(call('crypto.scrypt', 'p', 's', 16, 1024, 8, 1)),
    crypto.scryptSync('p', 's', 16, { N: 1024 }).toString('hex'),
  );
  assert.equal(
    hex(call('crypto.hkdf', 'sha256', 'k', 's', 'i', 10)),
    Buffer.from(crypto.hkdfSync('sha256', 'k', 's', 'i', 10)).toString('hex'),
  );
  assert.equal(call('crypto.timingSafeEqual', 'a', new Uint8Array([97])), true);
});

test('ciphers work both ways, and a changed tag is noticed', () => {
  const key = new Uint8Array(32);
  const iv = new Uint8Array(12);
  const sealed = Buffer.from(call('crypto.encrypt', 'aes-256-gcm', key, iv, 'secret', 'aad') as ArrayBuffer);
  const [text, tag] = [sealed.subarray(0, -16), sealed.subarray(-16)];
  assert.equal(
    Buffer.from(call('crypto.decrypt', 'aes-256-gcm', key, iv, text, 'aad', tag) as ArrayBuffer).toString(),
    'secret',
  );
  tag[0] = (tag[0] ?? 0) ^ 1;
  assert.throws(() => call('crypto.decrypt', 'aes-256-gcm', key, iv, text, 'aad', tag));
  assert.throws(() => call('crypto.decrypt', 'aes-256-gcm', key, iv, text, 'aad'));
  const block = call('crypto.encrypt', 'aes-256-cbc', key, new Uint8Array(16), 'block') as ArrayBuffer;
  assert.equal(
    Buffer.from(call('crypto.decrypt', 'aes-256-cbc', key, new Uint8Array(16), block) as ArrayBuffer).toString(),
    'block',
  );
  assert.throws(() => call('crypto.encrypt', 'id-aes256-wrap', key, iv, 'x'), /Unknown cipher/);
});

test('a pair of keys signs, verifies and changes its form', () => {
  const { privateKey, publicKey } = JSON.parse(
    call('crypto.generateKeyPair', 'ec', '{"namedCurve":"prime256v1"}') as string,
  );
  const key = (pem: string, more = {}) => JSON.stringify({ key: pem, ...more });
  const signature = call('crypto.sign', 'sha256', 'data', key(privateKey, { dsaEncoding: 'ieee-p1363' }));
  assert.equal(call('crypto.verify', 'sha256', 'data', key(publicKey, { dsaEncoding: 'ieee-p1363' }), signature), true);
  assert.equal(
    call('crypto.verify', 'sha256', 'other', key(publicKey, { dsaEncoding: 'ieee-p1363' }), signature),
    false,
  );
  const jwk = call('crypto.exportKey', key(publicKey), 'jwk') as string;
  assert.equal(JSON.parse(jwk).crv, 'P-256');
  assert.equal(
    JSON.parse(call('crypto.keyInfo', JSON.stringify({ key: JSON.parse(jwk), format: 'jwk' })) as string)
      .asymmetricKeyType,
    'ec',
  );
});

test('zlib functions invert each other', () => {
  const back = (pack: string, unpack: string) =>
    Buffer.from(call(unpack, call(pack, 'abc'.repeat(100))) as ArrayBuffer).toString();
  for (const [pack, unpack] of [
    ['zlib.gzip', 'zlib.gunzip'],
    ['zlib.deflate', 'zlib.inflate'],
    ['zlib.deflateRaw', 'zlib.inflateRaw'],
    ['zlib.brotliCompress', 'zlib.brotliDecompress'],
    ['zlib.gzip', 'zlib.unzip'],
  ] as const) {
    assert.equal(back(pack, unpack), 'abc'.repeat(100));
  }
  assert.equal(call('zlib.crc32', 'hello'), zlib.crc32('hello'));
});

test('inside, the bridge for Node’s modules offers crypto and zlib only, and is frozen', async () => {
  const result = await resultOf(`
    "use strict";
    const native = globalThis[Symbol.for('convo-fn.native')];
    const refused = (f) => { try { return f() ?? 'nothing'; } catch (error) { return error.message; } };
    return [
      Buffer.from(native.sync('crypto.hash', 'sha1', 'x')).toString('hex'), refused(() => native.sync('now')), refused(() => native.sync({ toString: () => 'crypto.hash' })),
      refused(() => native.sync('crypto.nothing')), refused(() => native.sync('crypto.__proto__')), refused(() => native.sync('crypto.hash', 'sha1', {})), Object.isFrozen(native),
      refused(() => { globalThis[Symbol.for('convo-fn.native')] = 1; }), native.inspect({ a: 1 }), native.format('%d', 5),
    ];
  `);
  assert.deepEqual((result as unknown[]).slice(0, 3), [
    crypto.createHash('sha1').update('x').digest('hex'),
    'unknown native function',
    'unknown native function',
  ]);
  assert.match(String((result as unknown[])[3]), /crypto\.nothing/);
  assert.match(String((result as unknown[])[5]), /takes text, numbers and bytes|must be bytes/);
  assert.deepEqual((result as unknown[]).slice(6, 7), [true]);
  assert.match(String((result as unknown[])[7]), /read only/);
  assert.deepEqual((result as unknown[]).slice(8), ['{ a: 1 }', '5']);
});

test('no call holds the thread that all functions of the child share for more than a few seconds', async () => {
  const twoLetters = Uint8Array.from({ length: 17 * 1024 * 1024 }, (_, i) => (i * i * 7919 + (i >> 3)) & 1);
  const part = twoLetters.slice(0, 1024 * 1024);
  assert.throws(() => call('crypto.pbkdf2', 'a', 'b', 2_000_000, 1024 * 1024, 'sha512'), /rounds of the hash/);
  assert.throws(() => call('crypto.pbkdf2', 'a', 'b', 2_000_000, 200, 'SHA-512'), /rounds of the hash/);
  assert.throws(() => call('crypto.scrypt', 'a', 'b', 64, 2 ** 16, 8, 16), /256 MiB/);
  for (const name of ['zlib.gzip', 'zlib.deflate', 'zlib.deflateRaw', 'zlib.brotliCompress'])
    assert.throws(() => call(name, twoLetters, 9), /too large/, name);
  // The strongest level of all would take seconds.
  assert.deepEqual(zlib.gunzipSync(Buffer.from(call('zlib.gzip', part, 9) as ArrayBuffer)), Buffer.from(part));
});

test('no derivation of a key holds the threads that all functions of the child share', async () => {
  const attempts = {
    'a long key of many iterations':
      "crypto.subtle.deriveBits({ name: 'PBKDF2', iterations: 2_000_000, salt, hash: 'SHA-512' }, key, 8 * 1024 * 1024)",
    'a long key for an HMAC':
      "crypto.subtle.deriveKey({ name: 'PBKDF2', iterations: 2_000_000, salt, hash: { name: 'SHA-512' } }, key, { name: 'HMAC', hash: 'SHA-256', length: 100_000 }, false, ['sign'])",
    'more bits than memory':
      "crypto.subtle.deriveBits({ name: 'PBKDF2', iterations: 1, salt, hash: 'SHA-512' }, key, 2 ** 31 - 8)",
    'an HMAC key of 256 MB':
      "crypto.subtle.generateKey({ name: 'HMAC', hash: 'SHA-256', length: 2 ** 31 - 8 }, false, ['sign'])",
  };
  for (const [name, attempt] of Object.entries(attempts)) {
    const answer = await resultOf(`
      const salt = new Uint8Array(8);
      const key = await crypto.subtle.importKey('raw', salt, 'PBKDF2', false, ['deriveBits', 'deriveKey']);
      return ${attempt}.then(() => 'done', (error) => error.name + ': ' + error.message);
    `);
    assert.match(String(answer), /^OperationError: More than \d+ (rounds|bits)/, name);
  }
  const usual = await resultOf(`
    const salt = new Uint8Array(8);
    const key = await crypto.subtle.importKey('raw', salt, 'PBKDF2', false, ['deriveBits', 'deriveKey']);
    const bits = await crypto.subtle.deriveBits({ name: 'PBKDF2', iterations: 1000, salt, hash: 'SHA-512' }, key, 512);
    const hmac = await crypto.subtle.deriveKey({ name: 'PBKDF2', iterations: 1000, salt, hash: 'SHA-1' }, key, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
    return [bits.byteLength, hmac.type];
  `);
  assert.deepEqual(usual, [64, 'secret']);
});

test('who makes many keys holds up neither what others digest nor, when it has ended, the keys of others', async () => {
  const greedy = createNative();
  const modest = createNative();
  after(() => modest.dispose());
  const rsa = (bits: number) =>
    `{"method":"generateKey","args":[{"t":"object","v":[["name","RSA-PSS"],["modulusLength",${bits}],["publicExponent",{"t":"bytes","at":0,"n":3}],["hash","SHA-256"]]},true,{"t":"list","v":["sign"]}]}`;
  const exponent = () => Uint8Array.of(1, 0, 1).buffer;
  let made = 0;
  const many = Array.from({ length: 16 }, async () => {
    await greedy.async['web.crypto']?.(rsa(4096), exponent());
    made++;
  });
  const digest = '{"method":"digest","args":["SHA-256",{"t":"bytes","at":0,"n":3}]}';
  await modest.async['web.crypto']?.(digest, exponent());
  assert.equal(made, 0);
  greedy.dispose();
  await modest.async['web.crypto']?.(rsa(1024), exponent());
  const ended = await Promise.allSettled(many);
  assert.ok(made <= 1, `${made} keys for nobody`);
  assert.match(String((ended.at(-1) as PromiseRejectedResult).reason), /has ended/);
});
