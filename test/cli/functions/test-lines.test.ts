import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { aFolder, runProcess } from '../fn-process.ts';

function anApp(files: Readonly<Record<string, string>>): string {
  const cwd = aFolder();
  mkdirSync(join(cwd, 'test'));
  writeFileSync(join(cwd, 'fn.config.json'), '{"version": 1, "app": "shop"}');
  for (const [name, text] of Object.entries(files)) writeFileSync(join(cwd, 'test', name), text);
  return cwd;
}

test('fn test --json tells each test in a line and the sum at last, whatever tests print', async () => {
  const cwd = anApp({
    'a.test.mjs': `import { describe, test } from 'node:test';
console.log('noise');
describe('a group', () => {
  test('holds', () => {});
  test('is left out', { skip: true }, () => {});
  test('breaks', () => { throw new Error('one is not two'); });
});`,
    'b.test.mjs': 'export default (',
  });
  const { exitCode, out, err } = await runProcess(['test', '--json'], { cwd });
  assert.equal(exitCode, 5, err);
  const lines = out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { type: string; name?: string; error?: { message: string } });
  assert.deepEqual(
    lines.map(({ type, name }) => (name?.endsWith('.mjs') ? [type, 'the file'] : [type, name])),
    [
      ['passed', 'holds'],
      ['skipped', 'is left out'],
      ['failed', 'breaks'],
      ['failed', 'the file'],
      ['summary', undefined],
    ],
  );
  assert.equal(lines[2]?.error?.message, 'one is not two');
});

test('fn test --json leaves a reporter that was chosen alone', async () => {
  const cwd = anApp({ 'a.test.mjs': `import { test } from 'node:test'; test('holds', () => {});` });
  const { out } = await runProcess(['test', '--json', '--', '--test-reporter=tap'], { cwd });
  assert.match(out, /^TAP version 13\n/);
});
