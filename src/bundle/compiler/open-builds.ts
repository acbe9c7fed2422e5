/**
 * Total source text of the open compiler contexts. A context takes about thirty times its sources in the compiler's memory, and
 * each function has its own copy of shared packages: a hundred functions that import the same large packages would need
 * gigabytes.
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

/** The functions with an open compiler context, least recently used first. */
export class OpenBuilds {
  readonly #open = new Map<Build, number>();

  /** Marks a function as just built, and frees the least recently used contexts if the total is too large. */
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
