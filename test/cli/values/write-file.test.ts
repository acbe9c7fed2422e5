import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Context } from '../../../src/cli/context.ts';
import { writeUserFile } from '../../../src/cli/values/write-file.ts';
import { temporaryFolder } from '../../temporary-folder.ts';

test('a file that is written removes what a killed run left of it, and nothing else', async () => {
  const cwd = temporaryFolder('write-file');
  const { pid: gone } = spawnSync(process.execPath, ['--version']);
  const left = `all.json.fn-draft-${gone}.0a1b2c3d.tmp`;
  const kept = [`all.json.fn-draft-${process.ppid}.0a1b2c3d.tmp`, `all.json.${gone}.tmp`, `other.fn-draft-${gone}.tmp`];
  for (const name of [left, ...kept]) writeFileSync(join(cwd, name), '');
  await writeUserFile({ cwd } as Context, 'all.json', '{}', false);
  assert.deepEqual(readdirSync(cwd).sort(), ['all.json', ...kept].sort());
});
