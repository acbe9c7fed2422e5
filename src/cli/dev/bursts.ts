/** After this long without an event of a kind, the next one is reported separately again. */
const quietMs = 100;

interface Burst {
  readonly followers: { name: string; text: string }[];
  readonly together: (names: readonly string[]) => string;
  readonly mostApart: number;
}

/**
 * Groups events that concern many functions at once – a branch is checked out, a file that fifty of them import is saved: the first
 * one is reported at once, the others together.
 */
export class Bursts {
  readonly #say: (text: string) => void;
  readonly #open = new Map<string, Burst>();
  #timer: NodeJS.Timeout | undefined;

  constructor(say: (text: string) => void) {
    this.#say = say;
  }

  /**
   * @param kind     events of the same kind are grouped
   * @param together reports the events after the first, if there are more than `mostApart`
   */
  tell(
    kind: string,
    { name, text }: { name: string; text: string },
    together: (names: readonly string[]) => string,
    mostApart = 4,
  ): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.end(), quietMs).unref();
    const burst = this.#open.get(kind);
    if (burst) {
      burst.followers.push({ name, text });
      return;
    }
    this.#open.set(kind, { followers: [], together, mostApart });
    this.#say(text);
  }

  /** Flushes pending events before something else is printed, to keep the order. */
  end(): void {
    clearTimeout(this.#timer);
    const bursts = [...this.#open.values()];
    this.#open.clear();
    for (const { followers, together, mostApart } of bursts) {
      if (followers.length > mostApart) this.#say(together(followers.map(({ name }) => name)));
      else for (const { text } of followers) this.#say(text);
    }
  }
}
