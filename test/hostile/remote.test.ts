/** Workspaces elsewhere that go for who asks them: by what they answer, which `fn` reads, prints and looks up in files. */
import assert from 'node:assert/strict';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { runFn } from '../cli/context.ts';
import { json, type Script, weather } from '../client/server.ts';
import { anApp } from '../deploy/elsewhere.ts';

const token = 'tok-of-this-test';
const closing: (() => unknown)[] = [];
after(() => Promise.all(closing.map((close) => close())));

const folder = anApp({ 'functions/api/greet.js': 'export default () => 1;\n' });

/** Runs a command against a workspace that answers so. */
async function against(script: Script, argv: readonly string[]) {
  const workspace = await weather(script);
  closing.push(() => workspace.close());
  const env = { FN_BASE_URL: workspace.url, FN_WORKSPACE: 'acme', FN_TOKEN: token };
  const told = await runFn(argv, { cwd: folder, env });
  assert.notEqual(told.exitCode, 70, told.err);
  assert.ok(!`${told.out}${told.err}`.includes(token), 'the token is told');
  return { ...told, arrived: workspace.arrived };
}

const live = {
  app: 'order-desk',
  name: 'api/greet',
  type: 'server-side-method',
  path: 'api/greet.js',
  url: null,
  version: '1',
  config: {},
};

/** A function of it failed, and this is what it says of that. */
const failing = (details: unknown, code = 'function_failed') =>
  against(
    ({ method }, response) =>
      method === 'GET'
        ? json(response, 200, { items: [live], nextCursor: null })
        : json(response, 500, { code, title: code, status: 500, detail: 'It failed', details }),
    ['invoke', 'greet', '--remote'],
  );
const stackOf = (stack: unknown) => failing({ invocationId: 'inv_1', logs: [], error: { stack } });

test('of a failure elsewhere the source line is shown where it lies in a file of code', async () => {
  const { err } = await stackOf('Error: no\n    at default (functions/api/greet.js:1:8)');
  assert.match(err, /1 \| export default/);
});

test('no stack makes fn quote a file that is no code, or wait for a file without an end', async () => {
  const secret = 'what-nobody-may-read';
  mkdirSync(join(folder, 'private'));
  writeFileSync(join(folder, 'private/credentials.json'), secret);
  symlinkSync('../private/credentials.json', join(folder, 'functions/linked.js'));
  symlinkSync('/dev/zero', join(folder, 'functions/endless.js'));
  for (const file of ['private/credentials.json', 'functions/linked.js', 'functions/endless.js', '../../../dev/zero']) {
    const { err } = await stackOf(`Error: no\n    at default (${file}:1:1)`);
    assert.match(err, new RegExp(`${file.replaceAll('.', '\\.')}:1:1`));
    assert.ok(!err.includes(secret), err);
  }
});

for (const [what, stack] of Object.entries({
  'line feeds': '\n'.repeat(2_000_000),
  words: `Error: no\n    at ${'a'.repeat(2_000_000)} x:1:1`,
  'errors that begin to say more': ' {\n  '.repeat(400_000),
  'causes that begin': '\ncaused by x {\n  '.repeat(100_000),
})) {
  test(`a stack of millions of ${what} is told`, async () => {
    const { err } = await stackOf(stack);
    assert.match(err, /It failed/);
  });
}

const strange: readonly unknown[] = [null, 5, 'text', [], [null], {}, { toString: 5 }, true, -1];
for (const code of ['function_failed', 'function_timeout', 'function_broken']) {
  test(`whatever stands in the details of ${code}, it is told as a refusal`, async () => {
    for (const value of strange) {
      for (const details of [
        value,
        { invocationId: value, logs: value, error: value, problem: value },
        { invocationId: 'inv_1', logs: [value], error: { stack: value } },
        { invocationId: 'inv_1', logs: [{ level: value, text: value, at: value }] },
        { problem: { code: value, message: value, hint: value, location: value } },
        { problem: { code: 'x', message: 'x', location: { file: value, line: value, column: value, text: value } } },
      ]) {
        const { exitCode, err } = await failing(details, code);
        assert.ok(exitCode > 0 && err.includes('error'), `${JSON.stringify(details)}: ${err}`);
      }
    }
  });
}
