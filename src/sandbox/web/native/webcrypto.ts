import { KeyObject, webcrypto } from 'node:crypto';
import { types } from 'node:util';
import { Turnstile } from '../../../std/index.ts';
import type { CryptoAnswer, CryptoRequest, KeyInfo, Wire, WireObject } from '../wire.ts';
import { ownBuffer, refuse, tooManyRounds } from './arguments.ts';
import { tooLargeKey } from './key-cost.ts';

const maxKeys = 10_000;
const maxIterations = 2_000_000;
const maxModulusBits = 4096;
const maxKeyBits = 8 * 1024 * 1024;
/** Default length of a derived key: a block of SHA-512, as for an HMAC. */
const usualKeyBits = 1024;
const methods = new Set([
  'encrypt',
  'decrypt',
  'sign',
  'verify',
  'digest',
  'generateKey',
  'deriveKey',
  'deriveBits',
  'importKey',
  'exportKey',
  'wrapKey',
  'unwrapKey',
]);

/** Node has four worker threads for a whole child: operations that take seconds never use more than two of them. */
const slowAtOnce = new Turnstile(2);

/** WebCrypto for one invocation: keys are kept here by number, and dropped with it. */
export class WebCrypto {
  readonly #keys = new Map<number, webcrypto.CryptoKey>();
  /** One at a time, so that other functions get their turn in between. */
  readonly #slow = new Turnstile(1);
  #disposed = false;
  #next = 1;

  async run(request: CryptoRequest, bytes: ArrayBuffer | undefined): Promise<{ json: string; bytes?: ArrayBuffer }> {
    const { args, method } = request;
    if (typeof method !== 'string' || !methods.has(method) || !Array.isArray(args)) throw refuse('unknown operation');
    const data = new Uint8Array(bytes ?? new ArrayBuffer(0));
    const given = args.map((wire) => this.#decode(wire, data, 0));
    for (const value of given) checkCost(value);
    if (method === 'deriveBits' || method === 'deriveKey') checkRounds(given[0], given[2]);
    const { subtle } = webcrypto;
    const run = subtle[method as keyof typeof subtle] as unknown as (...args: unknown[]) => Promise<unknown>;
    const work = async () => {
      if (this.#disposed) throw refuse('The invocation has ended');
      return await Reflect.apply(run, subtle, given);
    };
    const isSlow = method.startsWith('derive') || (method === 'generateKey' && isRsa(given[0]));
    return this.#encode(await (isSlow ? this.#slow.pass(() => slowAtOnce.pass(work)) : work()));
  }

  dispose(): void {
    this.#disposed = true;
    this.#keys.clear();
  }

  #decode(wire: Wire, data: Uint8Array<ArrayBuffer>, depth: number): unknown {
    if (depth > 6) throw refuse('nested too deeply');
    if (wire === null || typeof wire !== 'object') return wire;
    switch (wire.t) {
      case 'undefined':
        return undefined;
      case 'number':
        return Number(wire.v);
      case 'bytes': {
        const { at, n } = wire;
        if (!Number.isInteger(at) || !Number.isInteger(n) || at < 0 || n < 0 || at + n > data.byteLength)
          throw refuse('bad extent');
        return data.slice(at, at + n);
      }
      case 'key': {
        const key = this.#keys.get(wire.id);
        if (!key) throw refuse('The key is not known any more');
        return key;
      }
      case 'list':
        return wire.v.map((item) => this.#decode(item, data, depth + 1));
      case 'object': {
        const object: Record<string, unknown> = Object.create(null);
        for (const [name, value] of wire.v) object[String(name)] = this.#decode(value, data, depth + 1);
        return object;
      }
      default:
        throw refuse('unknown value');
    }
  }

  #encode(value: unknown): { json: string; bytes?: ArrayBuffer } {
    if (value instanceof ArrayBuffer) return { json: answer({ kind: 'bytes' }), bytes: value };
    if (ArrayBuffer.isView(value)) {
      return {
        json: answer({ kind: 'bytes' }),
        bytes: ownBuffer(new Uint8Array(value.buffer, value.byteOffset, value.byteLength)),
      };
    }
    if (types.isCryptoKey(value)) return { json: answer({ kind: 'key', key: this.#keep(value) }) };
    if (value !== null && typeof value === 'object' && 'publicKey' in value && 'privateKey' in value) {
      const { privateKey, publicKey } = value as webcrypto.CryptoKeyPair;
      return { json: answer({ kind: 'pair', publicKey: this.#keep(publicKey), privateKey: this.#keep(privateKey) }) };
    }
    return { json: answer({ kind: 'json', value }) };
  }

  #keep(key: webcrypto.CryptoKey): KeyInfo {
    if (this.#keys.size >= maxKeys) throw new RangeError(`A function may hold at most ${maxKeys} keys`);
    const unaffordable = key.type === 'secret' ? undefined : tooLargeKey(KeyObject.from(key));
    if (unaffordable !== undefined) throw new CostError(unaffordable);
    const id = this.#next++;
    this.#keys.set(id, key);
    return {
      id,
      type: key.type,
      extractable: key.extractable,
      usages: [...key.usages],
      algorithm: plain(key.algorithm as unknown as Record<string, unknown>),
    };
  }
}

function answer(value: CryptoAnswer): string {
  return JSON.stringify(value);
}

function plain(value: Record<string, unknown>): WireObject {
  const object: WireObject = {};
  for (const [name, item] of Object.entries(value)) {
    if (item instanceof Uint8Array) object[name] = { bytes: [...item] };
    else if (item !== null && typeof item === 'object') object[name] = plain(item as Record<string, unknown>);
    else if (typeof item === 'string' || typeof item === 'number' || typeof item === 'boolean') object[name] = item;
  }
  return object;
}

/** Limits algorithms whose cost depends on a parameter, since they run on threads shared by the whole child. */
function checkCost(value: unknown): void {
  // The length of the data is not such a parameter.
  if (value === null || typeof value !== 'object' || ArrayBuffer.isView(value)) return;
  const { iterations, length, memory, modulusLength, passes } = value as Record<string, unknown>;
  if (Number(iterations) > maxIterations) {
    throw new CostError(`More than ${maxIterations} iterations are not available in functions`);
  }
  if (Number(length) > maxKeyBits) throw new CostError(`More than ${maxKeyBits} bits are not available in functions`);
  if (Number(modulusLength) > maxModulusBits) {
    throw new CostError(`Keys of more than ${maxModulusBits} bits are not available in functions`);
  }
  if (Number(memory) > 64 * 1024 || Number(passes) > 16) {
    throw new CostError('More than 64 MiB of memory or 16 passes are not available in functions');
  }
}

function isRsa(algorithm: unknown): boolean {
  return Object(algorithm).modulusLength !== undefined;
}

/** PBKDF2 does all of its iterations for each hash-sized block of the key. */
function checkRounds(algorithm: unknown, derived: unknown): void {
  const { iterations, hash } = Object(algorithm) as Record<string, unknown>;
  const bits = Number(typeof derived === 'object' ? (Object(derived).length ?? usualKeyBits) : derived);
  checkCost({ length: bits });
  const name = String(typeof hash === 'object' && hash !== null && 'name' in hash ? hash.name : hash);
  const hashBits = Number(/^SHA-(256|384|512)$/i.exec(name)?.[1] ?? 160);
  const unaffordable = tooManyRounds(Number(iterations), bits, hashBits);
  if (unaffordable !== undefined) throw new CostError(unaffordable);
}

class CostError extends DOMException {
  constructor(message: string) {
    super(message, 'OperationError');
  }
}
