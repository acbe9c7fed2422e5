const mostFailures = 30;
const longestPauseMs = 8_000;
/** What stood for so long was a connection: when it breaks, the workspace has not been away. */
const steadyMs = 10_000;

/** When to connect again to what is followed for hours: sooner after a connection that stood, ever later to what is not there. */
export class Reconnecting {
  #failures = 0;

  /** @param stoodMs how long the connection stood; undefined when none was made */
  broke(stoodMs: number | undefined): void {
    this.#failures = stoodMs !== undefined && stoodMs >= steadyMs ? 1 : this.#failures + 1;
  }

  /** Something came: the next break is the first one. */
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
