import type { FromChild, FromChildDone } from '../protocol.ts';

/** So many ends are told together, */
const mostHeld = 4;
/** or those that are there after so long. */
const heldMs = 4;

/**
 * What the child says, in its order. An end behind which others wait in the child may wait for company: the parent then answers several
 * requests in one turn, and is given as many new ones, which costs it a third less for each.
 */
export class Outbox {
  readonly #post: (message: FromChild) => void;
  #held: FromChildDone[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(post: (message: FromChild) => void) {
    this.#post = post;
  }

  /** At once, after what was held. */
  say(message: FromChild): void {
    this.#release();
    this.#post(message);
  }

  /** Soon. */
  hold(end: FromChildDone): void {
    this.#held.push(end);
    if (this.#held.length >= mostHeld) this.#release();
    else this.#timer ??= setTimeout(() => this.#release(), heldMs);
  }

  #release(): void {
    if (this.#held.length === 0) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    for (const end of this.#held.splice(0)) this.#post(end);
  }
}
