/** What maps a stack of a view to its sources. */
interface SentFrame {
  readonly build: string;
  readonly sourceMap: string | undefined;
  /** Where the program stood in the frame. */
  readonly programLine: number;
}

/** The frames that were sent last of each view: the one that is seen, and the one before, which may fail while it is closed. */
export class SentFrames {
  readonly #frames = new Map<string, readonly SentFrame[]>();

  /** @param view its app and name */
  add(view: string, frame: SentFrame): void {
    const others = (this.#frames.get(view) ?? []).filter(({ build }) => build !== frame.build);
    this.#frames.set(view, [frame, ...others.slice(0, 1)]);
  }

  /** Of this build, else the last one. */
  of(view: string, build: unknown): SentFrame | undefined {
    const frames = this.#frames.get(view) ?? [];
    return frames.find((frame) => frame.build === build) ?? frames[0];
  }
}
