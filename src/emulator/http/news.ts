/** Lets a loop that reads what is new sleep until there is more. What comes while it reads, or sends, keeps it awake. */
export class News {
  #hasCome = false;
  #wake = () => {};

  /** Something has come, or the loop has to look whether it goes on. */
  come(): void {
    this.#hasCome = true;
    this.#wake();
  }

  /** Called before reading: what comes from now on may not be in it. */
  begin(): void {
    this.#hasCome = false;
  }

  /** Resolves when something has come since `begin`. */
  next(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
      if (this.#hasCome) resolve();
    });
  }
}
