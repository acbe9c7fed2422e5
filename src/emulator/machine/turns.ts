import { Turnstile } from '../../std/index.ts';

/**
 * What is done to one app – installed, uninstalled, switched to another release – is done one after the other: each setup sees what the
 * one before it left, and the settings that were given last are those that stay.
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
