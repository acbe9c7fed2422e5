import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
// @ts-expect-error: plain JavaScript, which old versions of Node read as well
import { isNewEnough } from '../../bin/launch.js';
import { packageFile } from '../../src/std/index.ts';

test('where npm runs no "pre" scripts, the tests say what to do instead of failing one by one', async () => {
  const { code, stderr } = await checkNode({ npm_lifecycle_event: 'test', npm_config_ignore_scripts: 'true' });
  assert.equal(code, 2);
  assert.match(stderr, /→ npm test --ignore-scripts=false\n/);
});

test('the demo runs without its "pre" script, too, only more slowly', async () => {
  const { code, stderr } = await checkNode({ npm_lifecycle_event: 'demo', npm_config_ignore_scripts: 'true' });
  assert.equal(code, 0, stderr);
});

test('the versions of Node that the npm scripts take are those of "engines"', () => {
  const taken = ['20.20.2', '22.22.0', '24.14.0', '24.15.0', '25.9.0', '26.0.0'].filter((version) =>
    isNewEnough(version),
  );
  assert.deepEqual(taken, ['24.15.0', '26.0.0']);
});

test('npm ci installs the Node that the scripts run on, whatever a user leaves out elsewhere', () => {
  const settings = readFileSync(packageFile('.npmrc'), 'utf8');
  assert.match(settings, /^include=dev$/m);
  assert.match(settings, /^engine-strict=false$/m);
});

function checkNode(env: Record<string, string>): Promise<{ code: number | string; stderr: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, [packageFile('scripts/check-node.js')], { env }, (error, _, stderr) => {
      resolve({ code: error?.code ?? 0, stderr });
    });
  });
}
