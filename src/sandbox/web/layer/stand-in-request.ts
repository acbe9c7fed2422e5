/** `sdk.request` is a special object until a real Request is needed; the prelude provides that. */
let stand: ((value: unknown) => object | undefined) | undefined;

export function standFor(given: (value: unknown) => object | undefined): void {
  stand = given;
}

/** The value, or the Request that it represents. */
export function real(value: unknown): unknown {
  return stand?.(value) ?? value;
}
