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
