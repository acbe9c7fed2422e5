/**
 * Free names of the layer's wrapper (see build.ts): `__root` is the context's global object, `__web` holds the layer's own web
 * classes behind lazy getters, `__lib` is what bundled libraries see as `globalThis`.
 */
declare global {
  const __root: Record<PropertyKey, unknown>;
  const __web: Record<string, unknown>;
  const __lib: Record<string, unknown>;
}

export {};
