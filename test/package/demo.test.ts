import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { packageFile, packageRoot } from '../../src/std/index.ts';
import { childrenOf } from '../flows/processes.ts';
import { until } from '../until.ts';

test('a demo that checks itself and is stopped leaves neither its server nor its folder', {
  skip: process.platform !== 'linux' && 'looks for processes in /proc',
}, async () => {
  const demo = spawn(process.execPath, [packageFile('scripts/demo.ts'), '--once'], { stdio: 'ignore' });
  const ended = once(demo, 'exit');
  const mark = `demo-once-${demo.pid}-`;
  const folder = await until('the app', () => readdirSync(packageRoot()).find((name) => name.startsWith(mark)));
  const server = await until('fn dev', () =>
    childrenOf(demo.pid ?? 0).find(({ command }) => command.includes('dev') && command.includes('--json')),
  );
  demo.kill('SIGTERM');
  assert.deepEqual(await ended, [143, null]);
  await until('the server has ended', () => !existsSync(`/proc/${server.pid}`));
  assert.ok(!existsSync(join(packageRoot(), folder)));
});
