import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot, removeLeftovers } from '../../src/std/index.ts';
import { type RunningDemo, startDev } from './start-dev.ts';
import { findFreePort, startStock, stockPort } from './stock.ts';

const root = packageRoot();
const fn = join(root, 'bin', 'fn.js');
const mark = 'demo-once-';

/** Makes the demo app in a folder. */
export async function scaffold(folder: string): Promise<void> {
  // What it says on standard output is what comes next for somebody who has called it by hand: here that follows by itself.
  const init = spawn(process.execPath, [fn, 'init', '--example', 'order-desk', '--app', folder, '--yes'], {
    stdio: ['inherit', 'ignore', 'inherit'],
  });
  const [code] = await once(init, 'exit');
  if (code !== 0) throw new Error(`fn init ended with ${code}`);
}

/**
 * Runs `fn dev` on a fresh demo app, which is gone afterwards, also where this process is stopped.
 * It lies inside the repository, so that the packages of the demo app resolve to those installed here.
 */
export async function withFreshDemo<T>(use: (demo: RunningDemo) => Promise<T>): Promise<T> {
  removeLeftovers(root, mark);
  const folder = mkdtempSync(join(root, `${mark}${process.pid}-`));
  for (const [signal, code] of Object.entries({ SIGINT: 130, SIGTERM: 143, SIGHUP: 143 }))
    process.once(signal, () => process.exit(code));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  await scaffold(folder);
  await serveStock(folder);
  const demo = await startDev(fn, folder);
  try {
    return await use(demo);
  } finally {
    await demo.stop();
  }
}

/** The stock service at a port of its own: the one that its seed names may be in use. */
async function serveStock(folder: string): Promise<void> {
  const port = await findFreePort();
  const seed = join(folder, 'seed.json');
  writeFileSync(seed, readFileSync(seed, 'utf8').replace(`:${stockPort}/sse`, `:${port}/sse`));
  await startStock(folder, port);
}
