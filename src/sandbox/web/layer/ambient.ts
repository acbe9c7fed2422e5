/**
 * Free names of the layer's wrapper (see build.ts): `__root` is the context's global object, `__web` holds the layer's own web
 * classes behind lazy getters, `__late` returns what these getters return, and `__lib` is what bundled libraries see as `globalThis`.
 * `__part` returns the exports of a late part, which is evaluated on first use and kept in `__made`; `__parts` are the late
 * parts by name, `__used` the names of those requested so far.
 */
declare global {
  const __root: Record<PropertyKey, unknown>;
  const __web: Record<string, unknown>;
  const __lib: Record<string, unknown>;
  let __late: (name: string) => unknown;
  const __made: Record<string, { exports: Record<string, unknown> } | undefined>;
  /** V8's own console, which only debuggers see; defined only if one may be attached. */
  let __console: Record<string, (...args: unknown[]) => void> | undefined;
  const __parts: Record<string, unknown>;
  let __used: Record<string, 1>;
  function __part(name: string): Record<string, unknown>;
}

export {};
