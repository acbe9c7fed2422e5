import assert from 'node:assert/strict';
import { test } from 'node:test';
import { App } from './app.ts';
import { askInParallel, parallelApp } from './parallel-clients.ts';

// bench/parallel.ts does the same for ten seconds, with figures.
test('200 clients at once: every answer is a success, and no row is lost or doubled', async () => {
  const app = new App(parallelApp);
  const dev = await app.dev();
  const figures = await askInParallel(dev, 200, 1_500);
  for (const { kind, requests } of figures) assert.ok(requests > 0, `no ${kind} was asked`);
  await dev.stop();
});
