import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type TestContext, test } from 'node:test';
import { packageFile } from '../../../src/std/index.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { spawnFn } from '../fn-process.ts';

const example = packageFile('examples/order-desk');

/** The stock service of the example app in a folder of its own, where it can be changed. */
function aStockService(t: TestContext) {
  const folder = temporaryFolder('fn-stock');
  for (const path of ['stock', 'functions/_data', 'package.json'])
    cpSync(join(example, path), join(folder, path), { recursive: true });
  symlinkSync(packageFile('node_modules'), join(folder, 'node_modules'), 'junction');
  const file = join(folder, 'stock/server.js');
  return {
    file,
    /** @returns how to stop it, and its address */
    async start(port = '0') {
      const child = spawn(process.execPath, [file, port], { stdio: ['ignore', 'ignore', 'pipe'] });
      t.after(() => child.kill('SIGKILL'));
      const [said] = await once(createInterface(child.stderr), 'line');
      const url = String(said).split(' ').at(-1) ?? '';
      const stop = async () => {
        const gone = once(child, 'exit');
        child.kill('SIGKILL');
        await gone;
      };
      return { url, stop };
    },
  };
}

test('the demo’s stock service is connected and called; a changed description is withheld until it is accepted', async (t) => {
  const service = aStockService(t);
  const { url, stop } = await service.start();
  const cwd = temporaryFolder('fn-mcp');
  writeFileSync(join(cwd, 'fn.config.json'), '{"version": 1, "app": "shop"}');
  const fn = async (...argv: readonly string[]) => await spawnFn(argv, { cwd }).ended;
  const call = () => fn('mcp', 'call', 'stock', 'available', '-d', '{"article":"TNT-120"}');

  assert.equal((await fn('mcp', 'add', 'stock', '--url', url)).exitCode, 0);
  assert.match((await call()).out, /"pieces": ?12/);

  await stop();
  writeFileSync(service.file, readFileSync(service.file, 'utf8').replace('How many pieces', 'How many whole pieces'));
  await service.start(new URL(url).port);
  const diff = await fn('mcp', 'diff', 'stock', '--exit-code');
  assert.equal(diff.exitCode, 3, diff.err);
  assert.match(diff.out, /How many whole pieces/);
  const refused = await call();
  assert.notEqual(refused.exitCode, 0);
  assert.match(refused.err, /withheld/);

  assert.equal((await fn('mcp', 'accept', 'stock', 'available')).exitCode, 0);
  assert.match((await call()).out, /"pieces": ?12/);
});
