import { isSubscribed } from '../contract/index.ts';
import type { FnError } from '../std/index.ts';

export const maxWaitMs = 30_000;

/** Events that come one after another; each is handed out once. */
export class Arrivals<T> {
  readonly #typeOf: (arrived: T) => string;
  readonly #untaken: T[] = [];
  readonly #waiting = new Set<() => void>();

  constructor(typeOf: (arrived: T) => string) {
    this.#typeOf = typeOf;
  }

  add(arrived: T): void {
    this.#untaken.push(arrived);
    for (const wake of this.#waiting) wake();
    this.#waiting.clear();
  }

  /**
   * The first that fits and was not handed out yet; waits for it.
   * @param pattern `message.received`, or `message.*`; undefined: any
   * @param missing makes the error that is thrown after 30 s
   */
  async next(pattern: string | undefined, missing: () => FnError): Promise<T> {
    const deadline = Promise.withResolvers<'late'>();
    const timer = setTimeout(deadline.resolve, maxWaitMs, 'late');
    try {
      for (;;) {
        const at = this.#untaken.findIndex(
          (one) => pattern === undefined || isSubscribed([pattern], this.#typeOf(one)),
        );
        const [found] = at < 0 ? [] : this.#untaken.splice(at, 1);
        if (found !== undefined) return found;
        const arrival = Promise.withResolvers<void>();
        this.#waiting.add(arrival.resolve);
        if ((await Promise.race([arrival.promise, deadline.promise])) === 'late') throw missing();
      }
    } finally {
      clearTimeout(timer);
    }
  }
}
