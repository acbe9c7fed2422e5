import assert from 'node:assert/strict';
import test from 'node:test';
// @ts-expect-error: plain JavaScript, which old versions of Node read as well
import { cacheHome } from '../../../bin/launch.js';
import { cacheFolder } from '../../../src/std/index.ts';

for (const [env, home] of [
  [{ XDG_CACHE_HOME: '/caches', HOME: '/home/ann' }, '/caches'],
  [{ XDG_CACHE_HOME: 'caches', HOME: '/home/ann' }, '/home/ann/.cache'],
  [{ XDG_CACHE_HOME: '', HOME: '/home/ann' }, '/home/ann/.cache'],
  [{ HOME: 'ann' }, undefined],
  [{}, undefined],
] as const) {
  test(`caches lie in ${home ?? 'no folder'}, with ${JSON.stringify(env)}`, () => {
    assert.equal(cacheFolder(env), home && `${home}/convo-fn`);
    assert.equal(cacheHome(env), home);
  });
}
