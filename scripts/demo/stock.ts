import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** Where the demo's seed says that the stock service is. */
export const stockPort = 4410;

/**
 * Starts the stock service of a demo app; it ends with this process, and starts again after each save of its file.
 * Where it cannot start, because its port is in use, this is said, and the agent works without it.
 */
export async function startStock(folder: string, port: number): Promise<void> {
  const file = join(folder, 'stock/server.js');
  // A demo that was made by an earlier version has none.
  if (!existsSync(file)) return;
  const stock = spawn(process.execPath, ['--watch', '--watch-preserve-output', file, String(port)], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  process.prependOnceListener('exit', () => stock.kill());
  const lines = createInterface({ input: stock.stderr });
  // All that it says, also what breaks after a save.
  lines.on('line', (line) => process.stderr.write(`${line}\n`));
  await Promise.race([once(lines, 'line'), once(stock, 'exit')]);
  // It goes on beside what this process does, and does not keep it from ending.
  stock.unref();
  (stock.stderr as Socket).unref();
}

export async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
