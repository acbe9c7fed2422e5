import { median } from './figures.ts';
import { type Command, run } from './process.ts';

export const fn = (...args: string[]): string[] => [
  process.execPath,
  new URL('../../bin/fn.js', import.meta.url).pathname,
  ...args,
];
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
