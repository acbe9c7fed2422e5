/**
 * Free names of the layer's wrapper (see build.ts): `__root` is the context's global object, `__web` holds the layer's own web
 * classes behind lazy getters, `__lib` is what bundled libraries see as `globalThis`;
 * `__shared` names what `__web` must hold, `__part` gives the exports of a late part, evaluated at its first use.
 */
declare global {
  const __root: Record<PropertyKey, unknown>;
  const __web: Record<string, unknown>;
  const __lib: Record<string, unknown>;
  const __shared: Record<string, 1>;
  function __part(name: string): Record<string, unknown>;
}

export {};
