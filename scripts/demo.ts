/**
 * `npm run demo`: makes the demo app in `demo/` (a second run keeps what you changed), and starts its stock service and `fn dev` on it.
 * `npm run demo -- --once`: a fresh one in a folder of its own, checks each of the six types by a real request, ends.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { packageRoot } from '../src/std/index.ts';
import { checkDemo } from './demo/check.ts';
import { scaffold, withFreshDemo } from './demo/once.ts';
import { startStock, stockPort } from './demo/stock.ts';

const root = packageRoot();
const fn = join(root, 'bin', 'fn.js');
const { values } = parseArgs({ options: { once: { type: 'boolean' }, port: { type: 'string' } } });
process.exitCode = values.once ? await withFreshDemo(checkDemo) : await serve();

async function serve(): Promise<number> {
  const folder = join(root, 'demo');
  if (!existsSync(join(folder, 'fn.config.json'))) await scaffold(folder);
  process.stderr.write(`The demo app is in ${relative(process.cwd(), folder)}: edit a function and save.\n`);
  await startStock(folder, stockPort);
  const args = ['dev', ...(values.port === undefined ? [] : ['--port', values.port])];
  const dev = spawn(process.execPath, [fn, ...args], { cwd: folder, stdio: 'inherit' });
  // Ctrl-C reaches both; this process waits for the other one to clean up.
  process.on('SIGINT', () => {});
  for (const signal of ['SIGTERM', 'SIGHUP'] as const) process.on(signal, () => dev.kill(signal));
  const [code] = await once(dev, 'exit');
  return code ?? 1;
}
