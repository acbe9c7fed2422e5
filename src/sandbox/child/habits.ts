/** How much one invocation says of the next ones. */
const weight = 0.1;
/** A part that this share of the invocations asked for is loaded ahead. */
const usual = 0.3;
/** The layer has fewer; what comes from a context is never trusted. */
export const mostParts = 50;

/** Which late parts of the web layer a program asks for, so that its next contexts have them before they are needed. */
export class Habits {
  readonly #shares = new Map<string, number>();
  #parts = '';

  /** Names, separated by spaces. */
  get parts(): string {
    return this.#parts;
  }

  learn(used: string): void {
    if (used === '' && this.#shares.size === 0) return;
    const names = new Set(used === '' ? [] : used.split(' ', mostParts));
    for (const name of names) if (this.#shares.size < mostParts && !this.#shares.has(name)) this.#shares.set(name, 1);
    const parts: string[] = [];
    for (const [name, share] of this.#shares) {
      const now = (1 - weight) * share + (names.has(name) ? weight : 0);
      this.#shares.set(name, now);
      if (now >= usual) parts.push(name);
    }
    this.#parts = parts.join(' ');
  }
}
