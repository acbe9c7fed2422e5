/** WebCrypto: the child does the work and keeps the keys by id; here are the classes and the copies of arguments. */
import type { CryptoAnswer, CryptoRequest, KeyInfo, Wire, WireObject } from '../wire.ts';
import { makeError, placed } from './errors.ts';
import { expose } from './expose.ts';
import { type Answer, start, sync } from './ops.ts';
import { extentOf, isArray, parse, typedArrayName } from './primordials.ts';

const making = Symbol('making');
const keys = new WeakMap<object, { info: KeyInfo; algorithm: object; usages: string[] }>();

function keyOf(key: unknown) {
  const data = keys.get(key as object);
  if (!data) throw new TypeError('Illegal invocation');
  return data;
}

export class CryptoKey {
  constructor(token?: unknown, info?: unknown) {
    if (token !== making) throw new TypeError('Illegal constructor');
    const known = info as KeyInfo;
    keys.set(this, { info: known, algorithm: revive(known.algorithm), usages: known.usages });
  }
  get type(): string {
    return keyOf(this).info.type;
  }
  get extractable(): boolean {
    return keyOf(this).info.extractable;
  }
  get algorithm(): object {
    return keyOf(this).algorithm;
  }
  get usages(): string[] {
    return keyOf(this).usages;
  }
}

function revive(value: WireObject): object {
  const object: Record<string, unknown> = {};
  for (const key of Object.keys(value)) {
    const item = value[key];
    if (typeof item !== 'object') object[key] = item;
    else if (isArray(item.bytes)) object[key] = Uint8Array.from(item.bytes as number[]);
    else object[key] = revive(item as WireObject);
  }
  return object;
}

/** Another object for the same key (structuredClone). */
export function cloneKey(key: object): CryptoKey | undefined {
  const data = keys.get(key);
  return data && new CryptoKey(making, data.info);
}

/** All members of all algorithm dictionaries; nothing else of an argument is read. */
const algorithmMembers = [
  'additionalData',
  'context',
  'counter',
  'customization',
  'functionName',
  'hash',
  'info',
  'iterations',
  'iv',
  'label',
  'length',
  'memory',
  'modulusLength',
  'name',
  'namedCurve',
  'nonce',
  'outputLength',
  'parallelism',
  'passes',
  'public',
  'publicExponent',
  'salt',
  'saltLength',
  'secretValue',
  'associatedData',
  'tagLength',
  'version',
];
const jwkMembers = [
  'alg',
  'crv',
  'd',
  'dp',
  'dq',
  'e',
  'ext',
  'k',
  'key_ops',
  'kty',
  'n',
  'oth',
  'p',
  'priv',
  'pub',
  'q',
  'qi',
  'use',
  'x',
  'y',
];

class Encoder {
  readonly pieces: Uint8Array[] = [];
  length = 0;

  encode(value: unknown, members = algorithmMembers, depth = 0): Wire {
    switch (typeof value) {
      case 'undefined':
        return { t: 'undefined' };
      case 'boolean':
      case 'string':
        return value;
      case 'number':
        return Number.isFinite(value) && !Object.is(value, -0) ? value : { t: 'number', v: `${value}` };
      case 'bigint':
      case 'symbol':
        throw new TypeError(`Cannot convert a ${typeof value} to a number`);
    }
    if (value === null) return null;
    const key = keys.get(value as object);
    if (key) return { t: 'key', id: key.info.id };
    const extent = extentOf(value);
    if (extent) {
      const copy = new Uint8Array(extent.buffer, extent.offset, extent.length).slice();
      const at = this.length;
      this.pieces.push(copy);
      this.length += copy.byteLength;
      return { t: 'bytes', at, n: copy.byteLength };
    }
    if (depth > 4) throw new TypeError('The argument is nested too deeply');
    if (isArray(value)) {
      const list: Wire[] = [];
      for (const item of value as unknown[]) list.push(this.encode(item, members, depth + 1));
      return { t: 'list', v: list };
    }
    const entries: [string, Wire][] = [];
    for (const name of members) {
      const item = (value as Record<string, unknown>)[name];
      if (item !== undefined) entries.push([name, this.encode(item, members, depth + 1)]);
    }
    return { t: 'object', v: entries };
  }

  bytes(): ArrayBuffer | undefined {
    if (this.pieces.length === 0) return undefined;
    const all = new Uint8Array(this.length);
    let at = 0;
    for (const piece of this.pieces) {
      all.set(piece, at);
      at += piece.byteLength;
    }
    return all.buffer;
  }
}

async function run(self: unknown, method: string, args: unknown[], jwkAt = -1): Promise<unknown> {
  if (self !== subtle) throw new TypeError('Illegal invocation');
  const encoder = new Encoder();
  const wires: Wire[] = [];
  for (let i = 0; i < args.length && i < 8; i++) {
    wires.push(encoder.encode(args[i], i === jwkAt ? jwkMembers : algorithmMembers));
  }
  const request: CryptoRequest = { method, args: wires };
  let done: Answer;
  try {
    done = await start('web', 'web.crypto', request, encoder.bytes());
  } catch (error) {
    throw placed(error);
  }
  const { bytes, json } = done;
  const answer = parse(json ?? 'null') as CryptoAnswer;
  switch (answer.kind) {
    case 'bytes':
      return bytes ?? new ArrayBuffer(0);
    case 'json':
      return answer.value;
    case 'key':
      return new CryptoKey(making, answer.key);
    case 'pair':
      return {
        publicKey: new CryptoKey(making, answer.publicKey),
        privateKey: new CryptoKey(making, answer.privateKey),
      };
  }
}

// The number of parameters is that of the standard; missing arguments are detected by it.
export class SubtleCrypto {
  constructor(token?: unknown) {
    if (token !== making) throw new TypeError('Illegal constructor');
  }
  encrypt(_algorithm: unknown, _key: unknown, _data: unknown): Promise<unknown> {
    return run(this, 'encrypt', [...arguments]);
  }
  decrypt(_algorithm: unknown, _key: unknown, _data: unknown): Promise<unknown> {
    return run(this, 'decrypt', [...arguments]);
  }
  sign(_algorithm: unknown, _key: unknown, _data: unknown): Promise<unknown> {
    return run(this, 'sign', [...arguments]);
  }
  verify(_algorithm: unknown, _key: unknown, _signature: unknown, _data: unknown): Promise<unknown> {
    return run(this, 'verify', [...arguments]);
  }
  digest(_algorithm: unknown, _data: unknown): Promise<unknown> {
    return run(this, 'digest', [...arguments]);
  }
  generateKey(_algorithm: unknown, _extractable: unknown, _usages: unknown): Promise<unknown> {
    return run(this, 'generateKey', [...arguments]);
  }
  deriveKey(
    _algorithm: unknown,
    _base: unknown,
    _type: unknown,
    _extractable: unknown,
    _usages: unknown,
  ): Promise<unknown> {
    return run(this, 'deriveKey', [...arguments]);
  }
  deriveBits(_algorithm: unknown, _base: unknown): Promise<unknown> {
    return run(this, 'deriveBits', [...arguments]);
  }
  importKey(
    _format: unknown,
    _data: unknown,
    _algorithm: unknown,
    _extractable: unknown,
    _usages: unknown,
  ): Promise<unknown> {
    return run(this, 'importKey', [...arguments], 1);
  }
  exportKey(_format: unknown, _key: unknown): Promise<unknown> {
    return run(this, 'exportKey', [...arguments]);
  }
  wrapKey(_format: unknown, _key: unknown, _wrapping: unknown, _algorithm: unknown): Promise<unknown> {
    return run(this, 'wrapKey', [...arguments]);
  }
  unwrapKey(
    _format: unknown,
    _wrapped: unknown,
    _unwrapping: unknown,
    _algorithm: unknown,
    _type: unknown,
    _extractable: unknown,
    _usages: unknown,
  ): Promise<unknown> {
    return run(this, 'unwrapKey', [...arguments]);
  }
}

const integerArrays = new Set([
  'Int8Array',
  'Uint8Array',
  'Uint8ClampedArray',
  'Int16Array',
  'Uint16Array',
  'Int32Array',
  'Uint32Array',
  'BigInt64Array',
  'BigUint64Array',
]);

export class Crypto {
  constructor(token?: unknown) {
    if (token !== making) throw new TypeError('Illegal constructor');
  }
  get subtle(): SubtleCrypto {
    if (this !== crypto) throw new TypeError('Illegal invocation');
    return subtle;
  }
  getRandomValues<T>(array: T): T {
    if (this !== crypto) throw new TypeError('Illegal invocation');
    if (arguments.length === 0)
      throw new TypeError("Failed to execute 'getRandomValues' on 'Crypto': 1 argument required");
    const extent = extentOf(array);
    if (!extent || !ArrayBuffer.isView(array)) {
      throw new TypeError("Failed to execute 'getRandomValues' on 'Crypto': the argument is not an ArrayBufferView");
    }
    if (!integerArrays.has(typedArrayName(array) ?? '')) {
      throw makeError({ name: 'TypeMismatchError', message: 'The data argument must be an integer-type TypedArray' });
    }
    if (extent.length > 65536) {
      throw makeError({ name: 'QuotaExceededError', message: `The requested length exceeds 65,536 bytes` });
    }
    if (extent.length > 0) {
      const random = new Uint8Array(sync('random', extent.length) as ArrayBuffer);
      new Uint8Array(extent.buffer, extent.offset, extent.length).set(random);
    }
    return array;
  }
  randomUUID(): string {
    if (this !== crypto) throw new TypeError('Illegal invocation');
    return sync('uuid') as string;
  }
}

expose(CryptoKey, 'CryptoKey');
expose(SubtleCrypto, 'SubtleCrypto');
expose(Crypto, 'Crypto');
const subtle = new SubtleCrypto(making);
export const crypto = new Crypto(making);
