import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../temporary-folder.ts';
import { buildWriter, killWhileWriting } from './durability/kill.ts';

// bench/durability.ts does the same 200 times.
test('after kill -9 at 20 random moments every acknowledged change is there, and nothing is half-done', async () => {
  const folder = temporaryFolder('fn-workspace');
  const writer = await buildWriter(folder);
  let acknowledged = 0;
  const tenTimes = async (name: string) => {
    const file = join(folder, name);
    for (let run = 0; run < 10; run++) {
      const done = await killWhileWriting(writer, file, run, randomInt(0, 120));
      acknowledged += done;
    }
  };
  await Promise.all([tenTimes('one.db'), tenTimes('two.db')]);
  assert.ok(acknowledged > 20, `only ${acknowledged} changes were acknowledged`);
});
