import { monotonicMs } from '../../std/index.ts';

/** When somebody who waits for a build is told that it still goes on, and how long until the next time. */
const patience = { firstMs: 2_000, againMs: 10_000 };

/** Says of builds that take long that they go on, of all together. Whether the compiler is busy or hangs looks the same from outside. */
export class LongBuilds {
  readonly #say: (names: readonly string[], ms: number) => void;
  readonly #firstMs: number;
  readonly #againMs: number;
  /** What is built, and since when. */
  readonly #going = new Map<object, { name: string; since: number }>();
  #timer: NodeJS.Timeout | undefined;

  constructor(say: (names: readonly string[], ms: number) => void, { firstMs, againMs } = patience) {
    this.#say = say;
    this.#firstMs = firstMs;
    this.#againMs = againMs;
  }

  async during<T>(name: string, work: () => Promise<T>): Promise<T> {
    const key = {};
    this.#going.set(key, { name, since: monotonicMs() });
    this.#timer ??= this.#wait(this.#firstMs);
    try {
      return await work();
    } finally {
      this.#going.delete(key);
      if (this.#going.size === 0) {
        clearTimeout(this.#timer);
        this.#timer = undefined;
      }
    }
  }

  #wait(ms: number): NodeJS.Timeout {
    return setTimeout(() => {
      const now = monotonicMs();
      const long = [...this.#going.values()].filter(({ since }) => now - since >= this.#firstMs - clockGrainMs);
      const oldest = Math.min(...[...this.#going.values()].map(({ since }) => since));
      if (long.length > 0) this.#say([...new Set(long.map(({ name }) => name))], Math.round(now - oldest));
      this.#timer = this.#wait(long.length > 0 ? this.#againMs : this.#firstMs - (now - oldest));
    }, ms);
  }
}

/** Timers may come this much early. */
const clockGrainMs = 5;
