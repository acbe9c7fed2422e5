import { planOneLiner, runProcess } from './cli/index.ts';

/**
 * `send-template`, `fn template send` and `fn link` to a workspace elsewhere: the same commands as in `main`, bundled into one file,
 * because every file more costs a millisecond, and these are called in loops.
 * @returns false when all of `fn` is needed; nothing was done then
 */
export async function main(argv: readonly string[]): Promise<boolean> {
  const run = await planOneLiner(argv, process.env);
  return run !== undefined && (await runProcess(argv, (_, host) => run(host)));
}
