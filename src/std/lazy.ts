/** Something that is made when it is first asked for, and kept. */
export interface Lazy<T> {
  (): T;
  /** Undefined as long as nobody has asked. */
  readonly made: T | undefined;
}

/** @param make called once. If it throws, the next call tries again; a promise that rejects stays as it is. */
export function lazy<T>(make: () => T): Lazy<T> {
  let made: { readonly value: T } | undefined;
  const get = () => {
    made ??= { value: make() };
    return made.value;
  };
  return Object.defineProperty(get, 'made', { get: () => made?.value }) as unknown as Lazy<T>;
}
