import { createHash } from 'node:crypto';
import type { Caller } from '../contract/index.ts';
import { isRecord } from '../std/index.ts';

/** From whose key a request's own writes get theirs; of one length, whatever the caller chose. */
export function onceKeyOf(caller: Caller, key: string | undefined): string | undefined {
  if (key === undefined) return undefined;
  return `once_${createHash('sha256').update(`${caller.type} ${caller.id} ${key}`).digest('base64url')}`;
}

/** What names a thing that is written to: `id`, `customerId`, a recipient, the key in a store. */
const naming = /^(?:id|[a-z]\w*Id|to|phone|email|key|name|app)$/;

/**
 * Keys for the writes of one request: the second write of an operation to a thing is the second one in every repeat, whatever else the
 * function does before it – a loop over what is left to do begins further on in a repeat. When the same write says something else than the
 * first time it is refused under its key: nobody can tell whether it is the old one with a new time in it or another one.
 */
export class WriteKeys {
  readonly #onceKey: string;
  readonly #counts = new Map<string, number>();

  constructor(onceKey: string) {
    this.#onceKey = onceKey;
  }

  next(operation: string, input: unknown): string {
    const names = Object.entries(isRecord(input) ? input : {})
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
