/**
 * Source text that open compiler contexts may hold together. A context keeps some thirty times its sources in the compiler's
 * memory, each function its own copy of the packages it shares with others: a hundred functions that import the same few large
 * packages would otherwise come to gigabytes.
 */
const maxSourceBytes = 4 * 1024 * 1024;

/** The builds of one function. */
interface Build {
  /** Bytes of source text behind the open compiler context; 0 when none is open. */
  readonly sourceBytes: number;
  readonly isBusy: boolean;
  /** Frees the compiler's memory. */
  release(): Promise<void>;
}

/** Which functions have a compiler context open, the one used last at the end. */
export class OpenBuilds {
  readonly #open = new Map<Build, number>();

  /** Says that a function was just built; frees the contexts of those not used for longest when all are too much together. */
  async used(build: Build): Promise<void> {
    this.#open.delete(build);
    if (build.sourceBytes === 0) return;
    this.#open.set(build, build.sourceBytes);
    let total = 0;
    for (const bytes of this.#open.values()) total += bytes;
    const freed: Promise<void>[] = [];
    for (const [oldest, bytes] of this.#open) {
      if (total <= maxSourceBytes || oldest === build) break;
      if (oldest.isBusy) continue;
      this.#open.delete(oldest);
      total -= bytes;
      freed.push(oldest.release());
    }
    await Promise.all(freed);
  }

  get size(): number {
    return this.#open.size;
  }

  closed(build: Build): void {
    this.#open.delete(build);
  }
}
