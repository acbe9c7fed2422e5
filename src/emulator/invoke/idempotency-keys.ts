import { createHash } from 'node:crypto';
import type { Caller } from '../../contract/index.ts';
import { isRecord } from '../../std/index.ts';

/** The key from which the keys of a request's writes are derived; its length does not depend on the caller's key. */
export function onceKeyOf(caller: Caller, key: string | undefined): string | undefined {
  if (key === undefined) return undefined;
  return `once_${createHash('sha256').update(`${caller.type} ${caller.id} ${key}`).digest('base64url')}`;
}

/** Fields that identify the target of a write: `id`, `customerId`, a recipient, the key in a store, the path of a method. */
const naming = /^(?:id|[a-z]\w*Id|to|phone|email|key|name|app|path)$/;

/**
 * Keys for the writes of one request. The second write of an operation to a target has the same key in every repeat, whatever else the
 * function does before it: a loop over the remaining work starts further on in a repeat. If that write then has different content it is
 * refused, because it cannot be told whether it is the same one with a new timestamp or another one.
 */
export class WriteKeys {
  readonly #onceKey: string;
  readonly #counts = new Map<string, number>();

  constructor(onceKey: string) {
    this.#onceKey = onceKey;
  }

  next(operation: string, input: unknown): string {
    const fields = isRecord(input) ? input : {};
    // What a method is called for is in the body that it is called with.
    const names = Object.entries(isRecord(fields['body']) ? { ...fields['body'], ...fields } : fields)
      .filter(([field, value]) => naming.test(field) && typeof value === 'string')
      .sort(([a], [b]) => (a < b ? -1 : 1));
    const target = createHash('sha256')
      .update(JSON.stringify([operation, names]))
      .digest('base64url');
    const count = (this.#counts.get(target) ?? 0) + 1;
    this.#counts.set(target, count);
    return `${this.#onceKey}#${target}#${count}`;
  }
}
