import type { Any, Fn, Kit } from './kit.ts';

export type StandIn = ReturnType<typeof standIn>;

/**
 * Makes a stand-in for a platform object, which is created only when a property is read that `known` cannot answer. It passes for
 * the real object: `instanceof` holds, and properties that a program sets on it are kept.
 */
export function standIn({ apply, get, getPrototypeOf, has, hasOwn, ProxyClass }: Kit) {
  /** @param known the value of a property without the real object; undefined: read it from the real object */
  return (known: (key: PropertyKey) => unknown, real: () => Any): object =>
    new ProxyClass(
      {} as Any,
      {
        __proto__: null, // what a function puts on Object.prototype is no trap
        get(target, key) {
          if (hasOwn(target, key)) return target[key];
          const quick = known(key);
          if (quick !== undefined || key === 'then') return quick;
          const value = get(real(), key, real());
          // A method of the real object must also be called on it.
          return typeof value === 'function' && key !== 'constructor'
            ? (...args: unknown[]) => apply(value as Fn, real(), args)
            : value;
        },
        has: (target, key) => hasOwn(target, key) || has(real(), key),
        getPrototypeOf: () => getPrototypeOf(real()),
      } as ProxyHandler<Any>,
    );
}
