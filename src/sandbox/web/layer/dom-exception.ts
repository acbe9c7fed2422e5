import { expose } from './expose.ts';
import { freeze } from './primordials.ts';

/** Legacy codes of https://webidl.spec.whatwg.org/#dfn-error-names-table */
const codes: Record<string, number> = {
  __proto__: null as never,
  IndexSizeError: 1,
  HierarchyRequestError: 3,
  WrongDocumentError: 4,
  InvalidCharacterError: 5,
  NoModificationAllowedError: 7,
  NotFoundError: 8,
  NotSupportedError: 9,
  InUseAttributeError: 10,
  InvalidStateError: 11,
  SyntaxError: 12,
  InvalidModificationError: 13,
  NamespaceError: 14,
  InvalidAccessError: 15,
  TypeMismatchError: 17,
  SecurityError: 18,
  NetworkError: 19,
  AbortError: 20,
  URLMismatchError: 21,
  QuotaExceededError: 22,
  TimeoutError: 23,
  InvalidNodeTypeError: 24,
  DataCloneError: 25,
};

const constants: Record<string, number> = {
  INDEX_SIZE_ERR: 1,
  DOMSTRING_SIZE_ERR: 2,
  HIERARCHY_REQUEST_ERR: 3,
  WRONG_DOCUMENT_ERR: 4,
  INVALID_CHARACTER_ERR: 5,
  NO_DATA_ALLOWED_ERR: 6,
  NO_MODIFICATION_ALLOWED_ERR: 7,
  NOT_FOUND_ERR: 8,
  NOT_SUPPORTED_ERR: 9,
  INUSE_ATTRIBUTE_ERR: 10,
  INVALID_STATE_ERR: 11,
  SYNTAX_ERR: 12,
  INVALID_MODIFICATION_ERR: 13,
  NAMESPACE_ERR: 14,
  INVALID_ACCESS_ERR: 15,
  VALIDATION_ERR: 16,
  TYPE_MISMATCH_ERR: 17,
  SECURITY_ERR: 18,
  NETWORK_ERR: 19,
  ABORT_ERR: 20,
  URL_MISMATCH_ERR: 21,
  QUOTA_EXCEEDED_ERR: 22,
  TIMEOUT_ERR: 23,
  INVALID_NODE_TYPE_ERR: 24,
  DATA_CLONE_ERR: 25,
};

const captureStackTrace = Error.captureStackTrace;

/** https://webidl.spec.whatwg.org/#idl-DOMException. A real exotic Error is not possible in plain JavaScript; `stack` is own, as in V8. */
export class DOMException {
  #name: string;
  #message: string;
  declare readonly stack: string;

  constructor(message: unknown = '', options: unknown = 'Error') {
    this.#message = `${message}`;
    if (options !== null && typeof options === 'object') {
      const { name, cause } = options as { name?: unknown; cause?: unknown };
      this.#name = name === undefined ? 'Error' : `${name}`;
      if ('cause' in options) {
        Reflect.defineProperty(this, 'cause', { value: cause, configurable: true, writable: true, enumerable: false });
      }
    } else {
      this.#name = `${options}`;
    }
    captureStackTrace(this, new.target);
  }

  get name(): string {
    return this.#name;
  }

  get message(): string {
    return this.#message;
  }

  get code(): number {
    return codes[this.#name] ?? 0;
  }
}

Object.setPrototypeOf(DOMException.prototype, Error.prototype);
expose(DOMException, 'DOMException');
for (const key of Object.keys(constants)) {
  const descriptor = freeze({ value: constants[key], enumerable: true, configurable: false, writable: false });
  Reflect.defineProperty(DOMException, key, descriptor);
  Reflect.defineProperty(DOMException.prototype, key, descriptor);
}
