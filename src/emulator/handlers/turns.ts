import { Turnstile } from '../../std/index.ts';

/**
 * Serialises the changes of one app – installing, uninstalling, switching releases: each setup sees the result of the one before,
 * and the last settings win.
 */
export class Turns {
  readonly #turnstiles = new Map<string, Turnstile>();

  async of<T>(app: string, work: () => Promise<T>): Promise<T> {
    const turnstile = this.#turnstiles.get(app) ?? new Turnstile(1);
    this.#turnstiles.set(app, turnstile);
    try {
      return await turnstile.pass(work);
    } finally {
      if (!turnstile.isBusy) this.#turnstiles.delete(app);
    }
  }
}
