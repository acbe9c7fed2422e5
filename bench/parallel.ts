/**
 * 200 clients at once on reads, writes, apps of ours and a method of an app, on one running `fn dev`. Every answer must be a success;
 * afterwards what each client was told is compared with what is there. Prints requests a second and latencies.
 * Run: `node bench/parallel.ts [seconds, 10] [clients, 200]`
 */
import { App } from '../test/flows/app.ts';
import { askInParallel, parallelApp } from '../test/flows/parallel-clients.ts';

const seconds = Math.min(Number(process.argv[2] ?? 10), 120);
const clients = Math.min(Number(process.argv[3] ?? 200), 1_000);
const app = new App(parallelApp);
const dev = await app.dev();
try {
  const figures = await askInParallel(dev, clients, seconds * 1000);
  const row = (...cells: (string | number)[]) =>
    process.stdout.write(`${cells.map((cell, i) => String(cell)[i === 0 ? 'padEnd' : 'padStart'](12)).join('')}\n`);
  row('', 'requests', 'a second', 'median ms', 'p99 ms');
  for (const { kind, requests, perSecond, medianMs, p99Ms } of figures)
    row(kind, requests, perSecond.toFixed(0), medianMs.toFixed(1), p99Ms.toFixed(1));
  const sum = (of: (one: (typeof figures)[number]) => number) => figures.reduce((all, one) => all + of(one), 0);
  row(
    'all',
    sum((one) => one.requests),
    sum((one) => one.perSecond).toFixed(0),
  );
  process.stdout.write('No error, no lost and no doubled row.\n');
} finally {
  await dev.stop();
}
