/** Limits how many bytes of one kind are in memory at once, across all users. */
export class HeldBytes {
  readonly #most: number;
  #held = 0;

  constructor(most: number) {
    this.#most = most;
  }

  /** Opens the account of one user. */
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
  /** Returns all of its bytes. */
  end(): void;
}
