import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { userFolder } from '../../src/cli/doctor/machine.ts';
import { aContext } from './context.ts';
import { aFolder } from './fn-process.ts';

test('doctor warns where a login could not be kept, and is silent where it could', async () => {
  const home = aFolder();
  const { context } = aContext({ env: { HOME: home } });
  assert.equal(await userFolder(context), undefined);
  writeFileSync(join(home, '.config'), 'a file, where a folder would be made');
  const found = await userFolder(context);
  assert.equal(found?.state, 'warning');
  assert.match(found?.message ?? '', /fn cannot be written/);
});
