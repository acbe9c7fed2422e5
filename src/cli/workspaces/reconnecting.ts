const mostFailures = 30;
const longestPauseMs = 8_000;
/** A connection that lasted this long counts as successful when it breaks. */
const steadyMs = 10_000;

/** Delays for reconnecting to a stream that is followed for hours: short after a working connection, increasing while there is none. */
export class Reconnecting {
  #failures = 0;

  /** @param stoodMs how long the connection lasted; undefined if none was made */
  broke(stoodMs: number | undefined): void {
    this.#failures = stoodMs !== undefined && stoodMs >= steadyMs ? 1 : this.#failures + 1;
  }

  /** Data arrived: resets the delays. */
  came(): void {
    this.#failures = 0;
  }

  get isHopeless(): boolean {
    return this.#failures > mostFailures;
  }

  get pauseMs(): number {
    return Math.min(longestPauseMs, 250 * 2 ** this.#failures);
  }
}
