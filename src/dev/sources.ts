import type { Watcher } from '../bundle/index.ts';

/** Tells the watcher which files functions were built from; remembers them until there is a watcher. */
export class Sources {
  readonly #before = new Set<string>();
  #watcher: Watcher | undefined;

  /** @param files absolute paths */
  built(files: readonly string[]): void {
    if (this.#watcher) this.#watcher.follow(files);
    else for (const file of files) this.#before.add(file);
  }

  watchedBy(watcher: Watcher): void {
    this.#watcher = watcher;
    watcher.follow([...this.#before]);
    this.#before.clear();
  }
}
