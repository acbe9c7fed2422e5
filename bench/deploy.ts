/**
 * `fn deploy` of 100 functions as a whole process – nothing changed, one changed, all changed – beside `fn build` of the same folder with the
 * same cache, in turn, against a workspace in this process. Run: `npm run build && node bench/deploy.ts [rounds] [--json]`
 */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { elsewhere } from '../test/deploy/elsewhere.ts';
import { makeApp } from './lib/app.ts';
import { type Figure, figureTable } from './lib/figures.ts';
import { fn, inTurn } from './lib/in-turn.ts';

const rounds = Number(process.argv[2] ?? 5);
const remote = await elsewhere();
const app = makeApp(100);
const env = { ...remote.env, HOME: app.root };
let edits = 0;

function change(names: readonly string[]): void {
  edits++;
  for (const name of names) {
    const file = join(app.root, 'functions', `${name}.js`);
    writeFileSync(file, readFileSync(file, 'utf8').replace(/VERSION = "[^"]*"/, `VERSION = "v${edits}"`));
  }
}

// In this order every deploy finds exactly what it is named for.
const measured = await inTurn(rounds, {
  buildAll: () => {
    change(app.names);
    return { argv: fn('build'), cwd: app.root, env };
  },
  allChanged: () => {
    change(app.names);
    return { argv: fn('deploy'), cwd: app.root, env };
  },
  build: () => ({ argv: fn('build'), cwd: app.root, env }),
  unchanged: () => ({ argv: fn('deploy'), cwd: app.root, env }),
  oneChanged: () => {
    change(app.names.slice(0, 1));
    return { argv: fn('deploy'), cwd: app.root, env };
  },
  buildOne: () => {
    change(app.names.slice(1, 2));
    return { argv: fn('build'), cwd: app.root, env };
  },
});
await remote.close();
rmSync(app.root, { recursive: true, force: true });

const row = (name: string, key: string, build: string, limitName: string, target?: string): Figure => ({
  name,
  unit: 'ms',
  ours: measured[key]?.wallMs ?? Number.NaN,
  limit: measured[build]?.wallMs ?? Number.NaN,
  limitName,
  ...(target === undefined ? {} : { target }),
});
const figures = [
  row('fn deploy, 100 functions, nothing changed', 'unchanged', 'build', 'fn build, cached', '≤ 1.3×'),
  row('fn deploy, 100 functions, one changed', 'oneChanged', 'buildOne', 'fn build after one edit', '≤ 1.3×'),
  row('fn deploy, 100 functions, all changed', 'allChanged', 'buildAll', 'fn build after an edit of all'),
];
process.stdout.write(`${process.argv.includes('--json') ? JSON.stringify(figures, null, 2) : figureTable(figures)}\n`);
process.exit(0);
