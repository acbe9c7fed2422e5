import { runFn, runProcess } from './cli/index.ts';

/**
 * The whole of `fn`: argv → command → exit code.
 * @param argv what stands after the executable's name; `send-template` puts its command before it
 */
export function main(argv: readonly string[]): Promise<never> {
  return runProcess(argv, runFn);
}
