export type Any = Record<PropertyKey, unknown>;
export type Fn = (...args: unknown[]) => unknown;

export type Kit = ReturnType<typeof kit>;

/** What the parts of the bridge need from a context, captured before user code runs. */
export function kit() {
  const { apply, defineProperty } = Reflect;
  const { parse, stringify } = JSON;
  const { getOwnPropertyDescriptor: getDescriptor, getPrototypeOf, setPrototypeOf } = Object;
  const ErrorClass = Error;
  const PromiseClass = Promise;
  const StringOf = String;
  const promiseThen = PromiseClass.prototype.then as unknown as Fn;
  const slice = StringOf.prototype.slice as unknown as Fn;
  const bytesPrototype = getPrototypeOf(Uint8Array.prototype) as object;
  const lengthOfBytes = getDescriptor(bytesPrototype, 'byteLength')?.get as unknown as Fn;
  const lengthOfBuffer = getDescriptor(ArrayBuffer.prototype, 'byteLength')?.get as unknown as Fn;

  /** An own property like any other, whatever stands on the prototype. */
  function own(target: object, key: PropertyKey, value: unknown): void {
    defineProperty(target, key, {
      __proto__: null,
      value,
      enumerable: true,
      configurable: true,
      writable: true,
    } as never);
  }

  /** An array without a prototype: no `toJSON` that user code puts there is asked. */
  function bareList<T>(): T[] {
    return setPrototypeOf([], null);
  }

  function newError(name: unknown, message: unknown): Error {
    const error = new ErrorClass(StringOf(message)) as Error & Any;
    defineProperty(error, 'name', { __proto__: null, value: name, configurable: true, writable: true } as never);
    return error;
  }

  /** The byte length of an ArrayBuffer or a view; 0 for anything else. */
  function byteLength(bytes: unknown): number {
    if (bytes === undefined) return 0;
    try {
      return apply(lengthOfBuffer, bytes, []) as number;
    } catch {
      return apply(lengthOfBytes, bytes, []) as number;
    }
  }

  return {
    __proto__: null, // a dictionary: with a prototype, V8 makes a hidden class for each of these, in every context
    apply,
    defineProperty,
    parse,
    stringify,
    getDescriptor,
    PromiseClass,
    promiseThen,
    StringOf,
    slice,
    bytesPrototype,
    own,
    bareList,
    newError,
    byteLength,
  };
}
