type Deadline = 'connect' | 'firstByte' | 'total';

/** The deadlines of one request that run. The first that is missed ends all of them. */
export class DeadlineTimers {
  readonly #running = new Map<Deadline, NodeJS.Timeout>();
  readonly #onEnd: (what: Deadline) => void;

  constructor(onEnd: (what: Deadline) => void) {
    this.#onEnd = onEnd;
  }

  set(name: Deadline, ms: number): void {
    this.clear(name);
    this.#running.set(
      name,
      setTimeout(() => {
        this.clearAll();
        this.#onEnd(name);
      }, ms),
    );
  }

  clear(name: Deadline): void {
    clearTimeout(this.#running.get(name));
    this.#running.delete(name);
  }

  clearAll(): void {
    for (const name of [...this.#running.keys()]) this.clear(name);
  }
}
