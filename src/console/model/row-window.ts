/** Rows from `from` up to, not including, `to`. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

/** A row, and how far below the top of the view it ends: what makes it higher or lower stands at its beginning, as the day does. */
export interface Anchor {
  readonly id: string;
  readonly offset: number;
}

/**
 * Where the rows of a long list stand, of which only those near the view are in the document: by their heights as they were measured, and
 * a guess for those that never were.
 */
export class RowWindow {
  readonly #guess: number;
  readonly #heights = new Map<string, number>();
  #ids: readonly string[] = [];
  /** Where each row begins, and at the end where the last one ends. */
  #tops: number[] = [0];
  #indexOf = new Map<string, number>();

  /** @param guess height of a row in pixels, until it is measured */
  constructor(guess: number) {
    this.#guess = guess;
  }

  get height(): number {
    return this.#tops.at(-1) ?? 0;
  }

  /** Where the row with a number begins, in pixels from the beginning of the list. */
  topOf(index: number): number {
    return this.#tops[Math.min(index, this.#ids.length)] ?? 0;
  }

  /** Forgets what was measured: the list has another width. */
  forget(): void {
    this.#heights.clear();
    this.#sumUp();
  }

  /** Takes another list of rows; heights that are known stay known. */
  setRows(ids: readonly string[]): void {
    if (ids === this.#ids) return;
    this.#ids = ids;
    this.#indexOf = new Map(ids.map((id, index) => [id, index]));
    this.#sumUp();
  }

  /** @returns whether a height was another one than was thought */
  measure(measured: Iterable<readonly [id: string, height: number]>): boolean {
    let isChanged = false;
    for (const [id, height] of measured) {
      if (this.#heights.get(id) === height) continue;
      this.#heights.set(id, height);
      isChanged = true;
    }
    if (isChanged) this.#sumUp();
    return isChanged;
  }

  #sumUp(): void {
    let top = 0;
    this.#tops = [0];
    for (const id of this.#ids) {
      top += this.#heights.get(id) ?? this.#guess;
      this.#tops.push(top);
    }
  }

  /** The rows between two places, in pixels from the beginning of the list. */
  rangeBetween(top: number, bottom: number): Range {
    const { length } = this.#ids;
    return { from: this.#rowAt(top), to: Math.min(length, this.#rowAt(bottom) + 1) };
  }

  /** The row that is at the top of the view. @param scrolled by how much the list is scrolled, in pixels */
  anchorAt(scrolled: number): Anchor | undefined {
    const index = this.#rowAt(scrolled);
    const id = this.#ids[index];
    return id === undefined ? undefined : { id, offset: this.topOf(index + 1) - scrolled };
  }

  /** By how much to scroll so that a row stands where it stood; undefined if it is not in the list any more. */
  scrollTo({ id, offset }: Anchor): number | undefined {
    const index = this.#indexOf.get(id);
    return index === undefined ? undefined : this.topOf(index + 1) - offset;
  }

  /** The last row that begins at or above a place. */
  #rowAt(place: number): number {
    let low = 0;
    let high = Math.max(0, this.#ids.length - 1);
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (this.topOf(middle) <= place) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}
