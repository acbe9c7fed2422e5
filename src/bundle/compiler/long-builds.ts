import { monotonicMs } from '../../std/index.ts';

/** When the first notice about a long build is given, and the interval of further ones. */
const patience = { firstMs: 2_000, againMs: 10_000 };

/** Reports long builds, all together, as still running: from outside, a busy compiler looks the same as a hanging one. */
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
