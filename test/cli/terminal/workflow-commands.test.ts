import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openIo } from '../../../src/cli/io.ts';
import { stopCommandsIn, stopCommandsInJson } from '../../../src/cli/terminal/workflow-commands.ts';
import { anApp } from '../../deploy/elsewhere.ts';
import fc from '../../properties.ts';
import { aHost, runFn } from '../context.ts';

const github = { GITHUB_ACTIONS: 'true' };

/** Whether GitHub's runner would try to obey a line, as its ActionCommand does. */
const isObeyed = (line: string) => line.trimStart().startsWith('::') || line.includes('##[');

const method = `export const config = { type: 'server-side-method' };
export default async (sdk) => {
  sdk.log.info('first line\\n::add-mask::x\\n  ::set-output name=a::b');
  sdk.log.info('##[add-mask]x');
  const { fail } = await sdk.request.json();
  if (fail) throw new Error('failed\\n::error::forged');
  return new Response('::stop-commands::x\\n::error::y');
};
`;

async function output(argv: readonly string[]) {
  const folder = anApp({ 'functions/a.js': method });
  const { exitCode, out, err } = await runFn(argv, { cwd: folder, env: { ...github, XDG_CONFIG_HOME: folder } });
  return { exitCode, lines: `${out}\n${err}`.split(/\r\n|\r|\n/), out };
}

test('no line of a function is a workflow command on GitHub Actions', async () => {
  for (const input of ['{}', '{"fail": true}']) {
    const { lines } = await output(['invoke', 'a', '--data', input]);
    assert.deepEqual(lines.filter(isObeyed), []);
    assert.ok(lines.some((line) => line.includes('add-mask')));
  }
});

test('with --json the values are the same', async () => {
  const { lines, out } = await output(['invoke', 'a', '--data', '{}', '--json']);
  assert.deepEqual(lines.filter(isObeyed), []);
  const { result, logs } = JSON.parse(out);
  assert.match(JSON.stringify(result), /::stop-commands::x/);
  assert.equal(logs[1].text, '##[add-mask]x');
});

test('whatever the text, no line of it is obeyed; elsewhere it stays as it is', () => {
  const hostile = fc.string({ unit: fc.constantFrom(':', '#', '[', ' ', '\t', '\n', 'a', '\u00a0', ']') });
  fc.assert(
    fc.property(hostile, (text) => {
      assert.ok(!stopCommandsIn(github)(text).split('\n').some(isObeyed));
      assert.equal(JSON.parse(stopCommandsInJson(github)(JSON.stringify(text))), text);
      assert.equal(stopCommandsIn({})(text), text);
    }),
  );
});

test('an annotation of our own is passed on, in one line', () => {
  const { host, err } = aHost({ env: github });
  openIo(host, false).annotate('::error file=a.js::wrong\n::add-mask::x');
  assert.equal(err(), '::error file=a.js::wrong ::add-mask::x\n');
});

test('a test run prints no workflow command of a function, unless a reporter was chosen', {
  timeout: 120_000,
}, async () => {
  const file = `import { test } from 'node:test';
test('speaks', () => { console.log('::add-mask::x'); console.error('::add-mask::y'); });
`;
  const folder = anApp({ 'test/a.test.js': file });
  const run = async (...argv: string[]) => {
    const env = { ...process.env, ...github, XDG_CONFIG_HOME: folder, NODE_TEST_CONTEXT: undefined } as never;
    const { out, err } = await runFn(['test', ...argv], { cwd: folder, env });
    return `${out}\n${err}`.split('\n').filter(isObeyed);
  };
  assert.deepEqual(await run(), []);
  assert.ok((await run('--', '--test-reporter=spec')).length > 0);
});
