import { cpSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { median } from './figures.ts';
import { type Command, run } from './process.ts';
import { temporaryFolder } from './temporary-folder.ts';

let installed: string | undefined;

/** `fn` as it is when installed, without sources beside it: in a checkout each start first compares their times with those of `dist`. */
function installedBin(): string {
  if (installed !== undefined) return installed;
  const folder = temporaryFolder('bin');
  for (const name of ['bin', 'package.json']) cpSync(join(root, name), join(folder, name), { recursive: true });
  for (const name of ['dist', 'node_modules', 'templates', 'examples', 'docs', 'types', 'schema'])
    symlinkSync(join(root, name), join(folder, name));
  installed = join(folder, 'bin/fn.js');
  return installed;
}

const root = new URL('../..', import.meta.url).pathname;

export const fn = (...args: string[]): string[] => [process.execPath, installedBin(), ...args];
export const limit = (script: string, ...args: string[]): string[] => [
  process.execPath,
  new URL(`../limits/${script}`, import.meta.url).pathname,
  ...args,
];

/** Runs every command in turn (A B C, A B C, …) after one round that is not counted; medians of wall time, and of the peak memory. */
export async function inTurn(
  runs: number,
  commands: Record<string, () => Command>,
): Promise<Record<string, { wallMs: number; peakMib: number }>> {
  const samples = new Map<string, { wall: number[]; peak: number[] }>();
  for (let round = -1; round < runs; round++) {
    for (const [name, command] of Object.entries(commands)) {
      const { wallMs, peakMib, code, output } = await run(command());
      if (code !== 0) throw new Error(`${name} ended with ${code}: ${output}`);
      if (round < 0) continue;
      const sample = samples.get(name) ?? { wall: [], peak: [] };
      sample.wall.push(wallMs);
      sample.peak.push(peakMib);
      samples.set(name, sample);
    }
  }
  return Object.fromEntries(
    [...samples].map(([name, { wall, peak }]) => [name, { wallMs: median(wall), peakMib: median(peak) }]),
  );
}
