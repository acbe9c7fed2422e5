/** How much of something may be in memory at once, whoever it is for. */
export class HeldBytes {
  readonly #most: number;
  #held = 0;

  constructor(most: number) {
    this.#most = most;
  }

  /** What one of them has. */
  hold(): Hold {
    let own = 0;
    let ended = false;
    return {
      add: (bytes) => {
        if (ended) return true;
        if (this.#held + bytes > this.#most) return false;
        this.#held += bytes;
        own += bytes;
        return true;
      },
      end: () => {
        this.#held -= own;
        own = 0;
        ended = true;
      },
    };
  }
}

export interface Hold {
  /** @returns whether there was room */
  add(bytes: number): boolean;
  /** Gives all of it back. */
  end(): void;
}
