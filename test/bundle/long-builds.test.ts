import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LongBuilds } from '../../src/bundle/compiler/long-builds.ts';

test('builds that take long are told together, again and again until the last one is done', async () => {
  const said: string[] = [];
  const ends = Promise.withResolvers<void>();
  const long = new LongBuilds(
    (names, ms) => {
      said.push(names.join(' '));
      assert.ok(ms > 0);
      if (said.length === 3) ends.resolve();
    },
    { firstMs: 10, againMs: 1 },
  );
  await Promise.all(['one', 'two', 'two'].map((name) => long.during(name, () => ends.promise)));
  assert.deepEqual(said, ['one two', 'one two', 'one two']);
});

test('a build that fails is not told any more', async () => {
  const ends = Promise.withResolvers<void>();
  const said: string[] = [];
  const long = new LongBuilds(
    ([name = '']) => {
      said.push(name);
      ends.resolve();
    },
    { firstMs: 10, againMs: 1 },
  );
  const failed = long.during('broken', async () => {
    throw new Error('broken');
  });
  await assert.rejects(failed, { message: 'broken' });
  await long.during('slow', () => ends.promise);
  assert.deepEqual(said, ['slow']);
});
