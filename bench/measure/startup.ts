import type { Figure } from '../lib/figures.ts';
import { fn, inTurn } from '../lib/in-turn.ts';

/** `fn --version` and `fn --help` beside a Node that does nothing. */
export async function measure(runs: number): Promise<Figure[]> {
  const { node, version, help } = await inTurn(runs * 2, {
    node: () => ({ argv: [process.execPath, '-e', '0'] }),
    version: () => ({ argv: fn('--version') }),
    help: () => ({ argv: fn('--help') }),
  });
  const limit = { limit: node?.wallMs ?? Number.NaN, limitName: 'node -e 0', unit: 'ms' } as const;
  return [
    { name: 'fn --version', ours: version?.wallMs ?? Number.NaN, target: '≤ 1.3×', ...limit },
    { name: 'fn --help', ours: help?.wallMs ?? Number.NaN, target: '≤ 1.5×', ...limit },
    { name: 'fn --help, peak RSS', unit: 'MiB', ours: help?.peakMib ?? Number.NaN, target: '≤ 52 MiB' },
  ];
}
