/** More than this that nobody has read yet, and no more is taken. */
const mostWaitingBytes = 1024 * 1024;

/** Bytes as they come in, for one reader who may be slower. */
export class Pieces {
  readonly #flow: (flows: boolean) => void;
  readonly #waiting: Uint8Array[] = [];
  #waitingBytes = 0;
  #held = false;
  #ended = false;
  #failure: Error | undefined;
  #wake: (() => void) | undefined;

  /** @param flow called with false when too much waits, with true when it was read */
  constructor(flow: (flows: boolean) => void) {
    this.#flow = flow;
  }

  push(piece: Uint8Array): void {
    this.#waiting.push(piece);
    this.#waitingBytes += piece.length;
    if (!this.#held && this.#waitingBytes > mostWaitingBytes) this.#hold(true);
    this.#wake?.();
  }

  end(): void {
    this.#ended = true;
    this.#wake?.();
  }

  /** Whoever reads meets it after what came before. */
  fail(failure: Error): void {
    this.#failure ??= failure;
    this.#wake?.();
  }

  /** @throws what `fail` was given */
  async *all(): AsyncGenerator<Uint8Array> {
    for (;;) {
      const piece = this.#waiting.shift();
      if (piece !== undefined) {
        this.#waitingBytes -= piece.length;
        if (this.#held && this.#waiting.length === 0) this.#hold(false);
        yield piece;
      } else if (this.#failure !== undefined) throw this.#failure;
      else if (this.#ended) return;
      else {
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      }
    }
  }

  #hold(held: boolean): void {
    this.#held = held;
    this.#flow(!held);
  }
}
