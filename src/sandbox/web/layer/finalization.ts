import { defineProperty, uncurry } from './primordials.ts';

const addTo = uncurry(WeakSet.prototype.add);
const deleteFrom = uncurry(WeakSet.prototype.delete);
const isTarget = (value: unknown): value is WeakKey =>
  (typeof value === 'object' && value !== null) || typeof value === 'function' || typeof value === 'symbol';

/**
 * Never calls back, which ECMAScript allows. V8 would call during garbage collection, outside any invocation and its limits, where an
 * endless callback would block its isolate for ever.
 */
export class InertFinalizationRegistry {
  readonly #tokens = new WeakSet<WeakKey>();

  constructor(cleanup: unknown) {
    if (typeof cleanup !== 'function') throw new TypeError('FinalizationRegistry: cleanup must be callable');
  }

  register(target: unknown, held?: unknown, token?: unknown): void {
    if (!isTarget(target)) throw new TypeError('FinalizationRegistry.prototype.register: invalid target');
    if (target === held)
      throw new TypeError('FinalizationRegistry.prototype.register: target and holdings must not be same');
    if (token === undefined) return;
    if (!isTarget(token)) throw new TypeError(`Invalid unregisterToken ('${typeof token}')`);
    addTo(this.#tokens, token);
  }

  unregister(token: unknown): boolean {
    if (!isTarget(token)) throw new TypeError(`Invalid unregisterToken ('${typeof token}')`);
    return deleteFrom(this.#tokens, token);
  }
}

defineProperty(InertFinalizationRegistry, 'name', { value: 'FinalizationRegistry', configurable: true });
defineProperty(InertFinalizationRegistry.prototype, Symbol.toStringTag, {
  value: 'FinalizationRegistry',
  configurable: true,
});
