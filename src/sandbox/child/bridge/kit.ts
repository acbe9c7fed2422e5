export type Any = Record<PropertyKey, unknown>;
export type Fn = (...args: unknown[]) => unknown;

export type Kit = ReturnType<typeof kit>;

/** The globals and intrinsics that the parts of the bridge need, taken before user code runs. */
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

  /** Defines an ordinary own property, whatever is on the prototype. */
  function own(target: object, key: PropertyKey, value: unknown): void {
    defineProperty(target, key, {
      __proto__: null,
      value,
      enumerable: true,
      configurable: true,
      writable: true,
    } as never);
  }

  /** An array without a prototype, so that no `toJSON` set by user code is called. */
  function bareList<T>(): T[] {
    return setPrototypeOf([], null);
  }

  /** Takes the prototype away: a getter of user code on Object.prototype would get the object as `this`, where it lacks the member. */
  function bare<T extends object>(object: T): T {
    return setPrototypeOf(object, null);
  }

  function newError(name: unknown, message: unknown): Error {
    const error = new ErrorClass(StringOf(message)) as Error & Any;
    defineProperty(error, 'name', { __proto__: null, value: name, configurable: true, writable: true } as never);
    return error;
  }

  /** Length of an ArrayBuffer or a view; 0 for undefined. */
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
    bare,
    newError,
    byteLength,
  };
}
