/** One of our functions, as created by the build. */
export interface BuiltInFunction {
  readonly name: string;
  /** SHA-256 of `code`. */
  readonly id: string;
  readonly code: string;
  readonly sourceMap: string;
  readonly config: unknown;
}
