/** Data for mapping a view's stack to its sources. */
interface SentFrame {
  readonly build: string;
  readonly sourceMap: string | undefined;
  /** Line of the program in the frame. */
  readonly programLine: number;
}

/** The last two frames sent for each view: the visible one, and the one before, which may fail while it is closed. */
export class SentFrames {
  readonly #frames = new Map<string, readonly SentFrame[]>();

  /** @param view app and name */
  add(view: string, frame: SentFrame): void {
    const others = (this.#frames.get(view) ?? []).filter(({ build }) => build !== frame.build);
    this.#frames.set(view, [frame, ...others.slice(0, 1)]);
  }

  /** The frame of this build, or else the last one. */
  of(view: string, build: unknown): SentFrame | undefined {
    const frames = this.#frames.get(view) ?? [];
    return frames.find((frame) => frame.build === build) ?? frames[0];
  }
}
