import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { makeApp } from '../lib/app.ts';
import type { Figure } from '../lib/figures.ts';
import { fn, inTurn, limit } from '../lib/in-turn.ts';

/** `fn build` with an empty cache (every bundle loaded once in the sandbox) beside the esbuild API alone. */
export async function measure(runs: number): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const count of [1, 100]) {
    const app = makeApp(count);
    const { api, ours } = await inTurn(runs, {
      api: () => ({ argv: limit('build.mjs', app.plain) }),
      ours: () => {
        rmSync(join(app.root, '.fn'), { recursive: true, force: true });
        return { argv: fn('build'), cwd: app.root };
      },
    });
    figures.push({
      name: `fn build, ${count} function${count === 1 ? '' : 's'}`,
      unit: 'ms',
      ours: ours?.wallMs ?? Number.NaN,
      limit: api?.wallMs ?? Number.NaN,
      limitName: 'esbuild API',
      target: '≤ 2×',
    });
  }
  return figures;
}
