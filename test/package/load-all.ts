import { runProcess } from '../cli/fn-process.ts';

/** Asks the installed package for the help of every command, four at a time. Gives what went wrong. */
export async function commandsInDist(
  { folder, fn }: { folder: string; fn: string },
  names: readonly string[],
): Promise<string[]> {
  const waiting = [...names];
  const wrong: string[] = [];
  const worker = async () => {
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
      const { exitCode, err } = await runProcess([...name.split(' '), '--help'], { cwd: folder, bin: fn });
      if (exitCode !== 0) wrong.push(`${name}: ${err}`);
    }
  };
  await Promise.all([worker(), worker(), worker(), worker()]);
  return wrong;
}
