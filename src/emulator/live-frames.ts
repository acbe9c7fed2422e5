import type { LiveFrameKind } from '../contract/index.ts';

type Listener = (type: `live.${LiveFrameKind}`, frame: object) => void;

/** What is going on right now, for whoever looks: told once, never kept. What it leads to is in the journal and the records. */
export class LiveFrames {
  readonly #followers = new Map<Listener, ReadonlySet<LiveFrameKind>>();

  /** Whether somebody wants frames of this kind: they need not be made otherwise. */
  wants(kind: LiveFrameKind): boolean {
    for (const kinds of this.#followers.values()) if (kinds.has(kind)) return true;
    return false;
  }

  send(kind: LiveFrameKind, frame: object): void {
    for (const [listener, kinds] of this.#followers) if (kinds.has(kind)) listener(`live.${kind}`, frame);
  }

  /** Returns a function that ends it. */
  follow(kinds: readonly LiveFrameKind[], listener: Listener): () => void {
    this.#followers.set(listener, new Set(kinds));
    return () => this.#followers.delete(listener);
  }
}
