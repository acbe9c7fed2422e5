/** Messages to the child, which does not answer. */
export interface Tell {
  (what: 'start', invocation: number, id: number, name: string, json: string, bytes: unknown): void;
  (what: 'log', invocation: number, level: string, text: string): void;
  /** Loading has ended. @param error JSON of what was thrown, if anything */
  (what: 'loaded', error: string | undefined): void;
  /**
   * An invocation or a description has ended. `used`: the late parts of the layer that it used; `unanswered`: ids of its calls
   * and fetches that were still open.
   */
  (
    what: 'done',
    invocation: number,
    status: string,
    json: string | undefined,
    bytes: unknown,
    leftOpen: boolean,
    used: string,
    unanswered: string,
  ): void;
}

/**
 * What the child passes in, as globals with these names prefixed by `__`, which are removed before user code runs: functions of the
 * context, made by isolated-vm, and a text. Each costs every context twice as much as a line of the bridge.
 */
export interface HandedIn {
  /** Returns [value] or [undefined, name, message, code]; its arguments are copied. */
  sync: (...args: unknown[]) => readonly [unknown, string?, string?, (string | undefined)?];
  tell: Tell;
  /** Names of late parts of the layer that the next run is likely to use, separated by spaces. */
  preload: string;
  /** Only set if a debugger may be attached. */
  inspected?: true;
}

/** How the child enters the context: `enter('invoke', …)` and so on. */
export type Enter = (kind: string, a?: unknown, b?: unknown, c?: unknown, d?: unknown) => void;
