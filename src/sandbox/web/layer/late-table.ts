import { getOwnPropertyDescriptor, ownKeys } from './primordials.ts';

/** An object that is created on first access. */
export function lateTable(make: () => object): object {
  let made: object | undefined;
  const table = () => {
    made ??= make();
    return made;
  };
  return new Proxy({}, {
    get: (_, key) => table()[key as never],
    getOwnPropertyDescriptor: (_, key) => getOwnPropertyDescriptor(table(), key),
    ownKeys: () => ownKeys(table()),
    __proto__: null,
  } as ProxyHandler<object>);
}
