import { join } from 'node:path';
import type { Figure } from '../lib/figures.ts';
import { fn, inTurn, limit } from '../lib/in-turn.ts';
import { temporaryFolder } from '../lib/temporary-folder.ts';

const emptyFolder = () => temporaryFolder('scaffold');

/** `fn init` of a tool with the app around it, beside a process that writes eight files. */
export async function measure(runs: number): Promise<Figure[]> {
  const { ours, eight } = await inTurn(runs, {
    eight: () => ({ argv: limit('scaffold.mjs', join(emptyFolder(), 'app')) }),
    ours: () => ({ argv: fn('init', 'refund', '--type', 'ai-tool', '--yes'), cwd: emptyFolder() }),
  });
  return [
    {
      name: 'fn init',
      unit: 'ms',
      ours: ours?.wallMs ?? Number.NaN,
      limit: eight?.wallMs ?? Number.NaN,
      limitName: 'node writing 8 files',
      target: '≤ 1.5×',
    },
  ];
}
