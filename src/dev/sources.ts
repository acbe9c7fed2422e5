import type { Watcher } from '../bundle/index.ts';

/** Tells the watcher what functions were built from, also before there is one. */
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
