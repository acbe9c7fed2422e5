/** `sdk.request` is an object of its own until somebody needs a real Request; the prelude says for which one it stands. */
let stand: ((value: unknown) => object | undefined) | undefined;

export function standFor(given: (value: unknown) => object | undefined): void {
  stand = given;
}

/** The value, or the Request that it stands for. */
export function real(value: unknown): unknown {
  return stand?.(value) ?? value;
}
