/**
 * Free names of the layer's wrapper (see build.ts): `__root` is the context's global object, `__web` holds the layer's own web
 * classes behind lazy getters, `__lib` is what bundled libraries see as `globalThis`;
 * `__late` says what these getters give, `__part` gives the exports of a late part, evaluated at its first use and kept in `__made`;
 * `__parts` are the late parts by name, `__used` names those that were asked for.
 */
declare global {
  const __root: Record<PropertyKey, unknown>;
  const __web: Record<string, unknown>;
  const __lib: Record<string, unknown>;
  let __late: (name: string) => unknown;
  const __made: Record<string, { exports: Record<string, unknown> } | undefined>;
  /** V8's own, which speaks to debuggers only; there where one may be attached. */
  let __console: Record<string, (...args: unknown[]) => void> | undefined;
  const __parts: Record<string, unknown>;
  let __used: Record<string, 1>;
  function __part(name: string): Record<string, unknown>;
}

export {};
