import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { makeApp } from '../lib/app.ts';
import type { Figure } from '../lib/figures.ts';
import { fn, inTurn, limit } from '../lib/in-turn.ts';

/** `fn invoke` as a whole process: with nothing cached, and with the bundle on disk. */
export async function measure(runs: number): Promise<Figure[]> {
  const cold = makeApp(1);
  const cached = makeApp(1);
  const { once, first, again } = await inTurn(runs, {
    once: () => ({ argv: limit('one-shot.mjs', join(cold.plain, 'f000.js')) }),
    first: () => {
      rmSync(join(cold.root, '.fn'), { recursive: true, force: true });
      return { argv: fn('invoke', 'f000', '-q', 'n=7'), cwd: cold.root };
    },
    again: () => ({ argv: fn('invoke', 'f000', '-q', 'n=7'), cwd: cached.root }),
  });
  const limits = { limit: once?.wallMs ?? Number.NaN, limitName: 'esbuild + isolate', unit: 'ms' } as const;
  return [
    { name: 'fn invoke, nothing cached', ours: first?.wallMs ?? Number.NaN, target: '≤ 1.8×', ...limits },
    { name: 'fn invoke, cached', unit: 'ms', ours: again?.wallMs ?? Number.NaN, target: '≤ 130 ms' },
  ];
}
