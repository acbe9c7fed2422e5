import type { RunEventRecord } from '../../workspace/index.ts';

/** What followers of a run are told: what was written down, and pieces of text that are not kept. */
export type RunNews = { readonly kept: true } | { readonly kept: false; readonly event: RunEventRecord['event'] };

type Listener = (news: RunNews) => void;

/** Tells followers of runs what goes on. */
export class RunFeed {
  readonly #listeners = new Map<string, Set<Listener>>();

  /** Returns a function that ends it. */
  follow(runId: string, listener: Listener): () => void {
    const listeners = this.#listeners.get(runId) ?? new Set();
    this.#listeners.set(runId, listeners.add(listener));
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0 && this.#listeners.get(runId) === listeners) this.#listeners.delete(runId);
    };
  }

  tell(runId: string, news: RunNews): void {
    for (const listener of this.#listeners.get(runId) ?? []) listener(news);
  }
}
