import { coloursOf, loadColours, overview, processHost, styleFor } from './cli/index.ts';

/**
 * `fn`, `fn help` and `fn --help`: the same as `main`, bundled into one file, because every file more costs a millisecond and this is
 * what a newcomer waits for first.
 */
export async function main(): Promise<void> {
  const { out, err, env } = processHost('', new AbortController().signal, () => {});
  await loadColours({ env, out, err });
  out.write(`${overview(styleFor(coloursOf(env, out.isTerminal)))}\n`);
  await out.drained();
  if (out.failure === undefined) return;
  err.write(`error standard output cannot be written: ${out.failure.message}\n`);
  process.exitCode = 1;
}
