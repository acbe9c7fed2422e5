import type { Any, Fn, Kit } from './kit.ts';

export type StandIn = ReturnType<typeof standIn>;

/**
 * An object in the place of one of the platform's, which is made when somebody asks for more than `known` tells. It passes for the real
 * one: `instanceof` holds, and what a program sets on it stays its own.
 */
export function standIn({ apply, get, getPrototypeOf, has, hasOwn, ProxyClass }: Kit) {
  /** @param known what a property is without the real one; undefined asks that */
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
          // Taken from the real one, a method must also be called on it.
          return typeof value === 'function' && key !== 'constructor'
            ? (...args: unknown[]) => apply(value as Fn, real(), args)
            : value;
        },
        has: (target, key) => hasOwn(target, key) || has(real(), key),
        getPrototypeOf: () => getPrototypeOf(real()),
      } as ProxyHandler<Any>,
    );
}
