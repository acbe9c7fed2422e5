import assert from 'node:assert/strict';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { runFn } from './context.ts';
import { aFolder } from './fn-process.ts';

const home = aFolder();
const cwd = join(home, 'shop');
const env = { HOME: home, PATH: process.env['PATH'] ?? '' };

before(async () => {
  const made = await runFn(['init', 'refund', '--type', 'tool', '--yes', '--app', 'shop'], { cwd: home, env });
  assert.equal(made.exitCode, 0, made.err);
});

const asked: [argv: string[], code: string][] = [
  [['template', 'show', 'no-such'], 'template_not_found'],
  [['template', 'show', 'order_shipped', '--lang', 'fr'], 'template_language_unknown'],
  [['send-template', 'no-such', '--to', '+4930901820'], 'template_not_found'],
  [['send-template', 'no-such', '--to', '+4930901820', '--dry-run'], 'template_not_found'],
  [['token', 'revoke', 'no-such', '--yes'], 'token_not_found'],
  [['channel', 'disconnect', 'no-such'], 'channel_not_found'],
  [['link', '--phone', '+4930901820', '--channel', 'no-such'], 'channel_not_found'],
  [['secret', 'delete', 'NO_SUCH'], 'secret_not_found'],
];

for (const [argv, code] of asked) {
  test(`fn ${argv.join(' ')}: what the workspace does not have is its refusal, not a wrong command line`, async () => {
    const words = argv[0] === 'send-template' ? ['template', 'send', ...argv.slice(1)] : argv;
    const { exitCode, err } = await runFn([...words, '--json'], { cwd, env });
    const { error } = JSON.parse(err) as { error: { code: string; exitCode: number } };
    assert.deepEqual([exitCode, error.exitCode, error.code], [1, 1, code]);
  });
}

test('fn api with a path and no method says that the method is missing', async () => {
  const { exitCode, err } = await runFn(['api', '/customers'], { cwd, env });
  assert.deepEqual(
    [exitCode, err],
    [2, 'error A method is missing before the path /customers\n→ For example: fn api GET /customers\n'],
  );
});

for (const [flag, shown] of [
  ['-i', '--include'],
  ['-Ha:b', '--header'],
] as const) {
  test(`fn api OPERATION does not ignore ${flag}, which needs a path`, async () => {
    const { exitCode, err } = await runFn(['api', 'customers.list', flag], { cwd, env });
    assert.equal(exitCode, 2);
    assert.match(err, new RegExp(`^error ${shown} only works with a path\\n→ As in: fn api GET /customers `));
  });
}

for (const argv of [
  ['cron', 'list'],
  ['secret', 'list'],
  ['var', 'list'],
]) {
  test(`fn ${argv.join(' ')} of nothing leaves standard output empty, and says beside it how to make one`, async () => {
    const { exitCode, out, err } = await runFn(argv, { cwd, env });
    assert.deepEqual([exitCode, out], [0, '']);
    assert.match(err, /fn (?:init|secret set|var set) /);
    const machine = await runFn([...argv, '--json'], { cwd, env });
    assert.deepEqual([machine.out, machine.err], ['{"items":[]}\n', '']);
  });
}

test('a list of one language says that it is this language that has none', async () => {
  const { exitCode, out, err } = await runFn(['template', 'list', '--lang', 'fr'], { cwd, env });
  assert.deepEqual([exitCode, out, err], [0, '', 'There is no approved template in the language fr.\n']);
});

test('fn channel disconnect takes the kind of a channel, as fn channel connect and fn link do', async () => {
  for (const [argv, shown] of [
    [['connect', 'sms'], 'Connected: SMS'],
    [['disconnect', 'sms'], 'Disconnected: SMS'],
    [['connect', 'sms'], 'Connected: SMS'],
    [['connect', 'sms', '--name', 'Shop SMS'], 'Connected: Shop SMS'],
  ] as const) {
    const { exitCode, out, err } = await runFn(['channel', ...argv], { cwd, env });
    assert.equal(exitCode, 0, err);
    assert.ok(out.startsWith(shown), out);
  }
  const { exitCode, err } = await runFn(['channel', 'disconnect', 'sms'], { cwd, env });
  assert.equal(exitCode, 2);
  assert.match(err, /2 channels are connected and of the kind "sms"\n→ Use its id/);
});

test('fn test with the name of a function says which file tests it', async () => {
  for (const named of ['refund', 'tools/refund', 'test/tools/refnd.test.js']) {
    const { exitCode, err } = await runFn(['test', named], { cwd, env });
    assert.deepEqual([exitCode, err], [2, `error There is no ${named}\n→ Did you mean test/tools/refund.test.js?\n`]);
  }
  const { err } = await runFn(['test', 'no-such-test'], { cwd, env });
  assert.match(err, /→ The path is relative to the current folder/);
});
