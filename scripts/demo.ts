/**
 * `npm run demo`: makes the demo app in `demo/` (a second run keeps what you changed), and starts `fn dev` on it.
 * `npm run demo -- --once`: a fresh one in a folder of its own, checks each of the six types by a real request, ends.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { packageRoot, removeLeftovers } from '../src/std/index.ts';
import { checkDemo } from './demo/check.ts';
import { startDev } from './demo/start-dev.ts';

const root = packageRoot();
const fn = join(root, 'bin', 'fn.js');
const mark = 'demo-once-';
const { values } = parseArgs({ options: { once: { type: 'boolean' }, port: { type: 'string' } } });
process.exitCode = values.once ? await checkOnce() : await serve();

async function scaffold(folder: string): Promise<void> {
  // What it says on standard output is what comes next for somebody who has called it by hand: here that follows by itself.
  const init = spawn(process.execPath, [fn, 'init', '--example', 'order-desk', '--app', folder, '--yes'], {
    stdio: ['inherit', 'ignore', 'inherit'],
  });
  const [code] = await once(init, 'exit');
  if (code !== 0) throw new Error(`fn init ended with ${code}`);
}

async function serve(): Promise<number> {
  const folder = join(root, 'demo');
  if (!existsSync(join(folder, 'fn.config.json'))) await scaffold(folder);
  process.stderr.write(`The demo app is in ${relative(process.cwd(), folder)}: edit a function and save.\n`);
  const args = ['dev', ...(values.port === undefined ? [] : ['--port', values.port])];
  const dev = spawn(process.execPath, [fn, ...args], { cwd: folder, stdio: 'inherit' });
  // Ctrl-C reaches both; this process waits for the other one to clean up.
  process.on('SIGINT', () => {});
  for (const signal of ['SIGTERM', 'SIGHUP'] as const) process.on(signal, () => dev.kill(signal));
  const [code] = await once(dev, 'exit');
  return code ?? 1;
}

/** Inside the repository, so that the packages of the demo app resolve to those installed here. */
async function checkOnce(): Promise<number> {
  removeLeftovers(root, mark);
  const folder = mkdtempSync(join(root, `${mark}${process.pid}-`));
  for (const [signal, code] of Object.entries({ SIGINT: 130, SIGTERM: 143, SIGHUP: 143 }))
    process.once(signal, () => process.exit(code));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  await scaffold(folder);
  const dev = await startDev(fn, folder);
  try {
    return await checkDemo(dev);
  } finally {
    await dev.stop();
  }
}
