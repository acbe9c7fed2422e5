/** Weight of one invocation in the moving average. */
const weight = 0.1;
/** A part is loaded ahead if this share of the invocations used it. */
const usual = 0.3;
/** More than the layer has. Names come from a context, so their number is bounded. */
export const mostParts = 50;

/** Learns which late parts of the web layer a program uses, so that its next contexts load them in advance. */
export class Habits {
  readonly #shares = new Map<string, number>();
  #parts = '';

  /** Names of the parts to load, separated by spaces. */
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
