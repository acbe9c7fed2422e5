import assert from 'node:assert/strict';
import { test } from 'node:test';
import { anApp } from '../../deploy/elsewhere.ts';
import { runFn } from '../context.ts';

const long = 'a'.repeat(300);

for (const argv of [
  ['init', 'desk', '--type', 'ai-tool', '--yes', '-C', long],
  ['invoke', `./${long}.js`],
  ['invoke', 'a', '--data', `@${long}`],
  ['build', '--out', long],
  ['workspace', 'export', long],
  ['workspace', 'import', long],
  ['workspace', 'reset', '--yes', '--seed', long],
  ['test', long],
  ['template', 'upload', long],
  ['template', 'send', 'hello', '--from-csv', long],
  ['list', '-C', `${long}/${long}`],
  ['list', '-C', 'a/'.repeat(3_000)],
]) {
  test(`a name that is too long is an error of use: ${argv.join(' ').replaceAll(long, 'LONG').slice(0, 60)}`, async () => {
    const cwd = anApp({
      'functions/a.js': 'export const config = { type: "server-side-method" };\nexport default () => 1;\n',
    });
    const { exitCode, err } = await runFn(argv, { cwd, env: { XDG_CONFIG_HOME: cwd, XDG_STATE_HOME: cwd } });
    assert.equal(exitCode, 2, err);
    assert.doesNotMatch(err, /ENAMETOOLONG|bug/);
  });
}

test('the message shows the beginning of the name, and says what is allowed', async () => {
  const { err } = await runFn(['workspace', 'export', long], { cwd: anApp({}) });
  assert.match(err, /The file name a{59}… is longer than this system allows/);
  assert.match(err, /at most 255 bytes/);
});
