import { Child } from './child-process.ts';

let early: Child | undefined;

/**
 * Starts the first child at once, before anything else is loaded, so that it gets ready while the project is read.
 * `openSandbox` adopts it and reports a failure.
 */
export function forkEarly(): void {
  early ??= new Child();
}

/** Takes over the child that `forkEarly` started. Only the first call gets it. */
export function adoptEarly(): Child | undefined {
  const child = early;
  early = undefined;
  return child;
}
