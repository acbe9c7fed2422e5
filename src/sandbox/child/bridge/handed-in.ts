/** Told to the child, which answers nothing. */
export interface Tell {
  (what: 'start', invocation: number, id: number, name: string, json: string, bytes: unknown): void;
  (what: 'log', invocation: number, level: string, text: string): void;
  /** Loading ended: undefined, or JSON of what was thrown. */
  (what: 'loaded', error: string | undefined): void;
  /**
   * An invocation or a description ended. `used`: the layer's late parts that it asked for; `unanswered`: ids of its calls and
   * fetches that were open.
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
 * What the child hands in, as globals of these names behind `__`, which are taken away before user code runs: functions of the
 * context, made by isolated-vm, and a text. Each costs every context twice what a line of the bridge does.
 */
export interface HandedIn {
  /** Returns [value] or [undefined, name, message]; its arguments are copied. */
  sync: (...args: unknown[]) => readonly [unknown, string?, string?];
  tell: Tell;
  /** Late parts of the layer that whoever comes next is likely to ask for; names, separated by spaces. */
  preload: string;
  /** Only where a debugger may be attached. */
  inspected?: true;
}

/** What the child calls: `enter('invoke', …)` and so on. */
export type Enter = (kind: string, a?: unknown, b?: unknown, c?: unknown, d?: unknown) => void;
