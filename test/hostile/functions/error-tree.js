// Errors in errors with long texts, and a cause that makes another one whenever it is asked for.
export default async () => {
  class Endless extends Error { get cause() { return new Endless('x'.repeat(16_000)); } get errors() { return Array.from({ length: 1e5 }, () => new Endless('y')); } get stack() { return '\n'.repeat(16_000); } }
  throw Object.defineProperties(new Endless('z'), { cause: { get() { return new Endless('x'); } }, errors: { get() { return Array.from({ length: 1e5 }, () => Object.defineProperties(new Endless('y'), { cause: { value: new AggregateError(Array(1e5).fill(new Endless())) } })); } } });
};
