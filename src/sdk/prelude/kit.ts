/**
 * What the parts of the prelude need from a context, captured before user code runs. Each part is sent into the sandbox as text
 * (`String(part)`), so it may use only its parameters, above all this kit.
 */

export type Any = Record<PropertyKey, unknown>;
export type Fn = (...args: unknown[]) => unknown;
/** A call of one invocation. */
export type Call = (operation: string, input: unknown) => Promise<unknown>;

/** What the sandbox's web layer lets the prelude reach. */
export interface Platform {
  /**
   * The platform's original global, even if the function has replaced it; woken at its first use.
   * @param wake false: returns undefined if the global is not awake yet
   */
  original(name: string, wake?: boolean): unknown;
  /** The body of a Response if it is text or bytes and has not been read. */
  bodyAtHand(response: object): string | ArrayBuffer | undefined;
  /** Registers `stand`, which returns the real Request behind a stand-in wherever a Request is expected. */
  requests(stand: (value: unknown) => object | undefined): void;
}

export type Kit = ReturnType<typeof kit>;

export function kit() {
  const { apply, defineProperty, getPrototypeOf, getOwnPropertyDescriptor, ownKeys, has, get } = Reflect;
  const { freeze, keys, prototype: objectPrototype, hasOwn } = Object;
  const { parse, stringify } = JSON;
  const { isArray, prototype: arrayPrototype } = Array;
  const ErrorClass = Error;
  const captureStackTrace = (ErrorClass as unknown as { captureStackTrace?: (target: object, above: Fn) => void })
    .captureStackTrace;
  let platform: Platform | undefined;

  function own(target: object, key: PropertyKey, value: unknown): void {
    defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
  }

  return {
    __proto__: null, // a dictionary: with a prototype, V8 makes a hidden class for each of these, in every context
    apply,
    defineProperty,
    getPrototypeOf,
    getOwnPropertyDescriptor,
    ownKeys,
    has,
    get,
    freeze,
    hasOwn,
    objectPrototype,
    arrayPrototype,
    parse,
    stringify,
    isArray,
    ErrorClass,
    captureStackTrace,
    TypeErrorClass: TypeError,
    BytesClass: Uint8Array,
    ProxyClass: Proxy,
    isView: ArrayBuffer.isView,
    keys,
    toStringTag: Symbol.toStringTag as symbol,
    charCodeAt: String.prototype.charCodeAt as unknown as Fn,
    indexOf: String.prototype.indexOf as unknown as Fn,
    toLowerCase: String.prototype.toLowerCase as unknown as Fn,
    slice: String.prototype.slice as unknown as Fn,
    own,
    /** Called once the web globals exist, before any user code runs. */
    connect(given: Platform): void {
      platform = given;
    },
    original: (name: string, wake = true): unknown => platform?.original(name, wake),
    bodyAtHand: (response: object) => platform?.bodyAtHand(response),
    requests: (stand: (value: unknown) => object | undefined) => platform?.requests(stand),
  };
}
