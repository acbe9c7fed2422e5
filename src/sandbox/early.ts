import { Child } from './child-process.ts';

let early: Child | undefined;

/**
 * Starts the first child at once, before anything else is loaded: it gets ready while the project is read.
 * `openSandbox` adopts it. A failure shows there.
 */
export function forkEarly(): void {
  early ??= new Child();
}

/** The child that `forkEarly` started, once. */
export function adoptEarly(): Child | undefined {
  const child = early;
  early = undefined;
  return child;
}
