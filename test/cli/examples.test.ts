import assert from 'node:assert/strict';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { allCommands } from '../../src/cli/commands.ts';
import { runFn } from './context.ts';
import { aFolder, runProcess } from './fn-process.ts';

/** Examples that stand in help and must work as they stand, in an app made by `fn init`. */
const examples: { name: string; line: string }[] = [];
for (const { name, command } of await allCommands()) {
  for (const { line, runs } of command.examples ?? []) if (runs) examples.push({ name, line });
}

/** These start processes of their own or hold the terminal: run as a process. */
const apart = ['dev', 'test'];

const home = aFolder();
const shop = join(home, 'shop');
const env = { HOME: home, PATH: process.env['PATH'] ?? '' };

before(async () => {
  const made = await runFn(['init', 'tools/refund', '--type', 'ai-tool', '--yes', '--app', 'shop'], { cwd: home, env });
  assert.equal(made.exitCode, 0, made.err);
  const method = await runFn(['init', 'api/orders/find', '--type', 'method', '--yes'], { cwd: shop, env });
  assert.equal(method.exitCode, 0, method.err);
});

/** Words of a line as a shell would read them; enough for quotes, not for pipes or variables. */
function wordsOf(line: string): string[] {
  assert.doesNotMatch(line, /[|$<>;&]/, 'an example that runs is one plain command');
  return [...line.matchAll(/"([^"]*)"|'([^']*)'|((?:[^\s"']|"[^"]*")+)/g)].map(([, double, single, plain]) =>
    (double ?? single ?? plain ?? '').replaceAll('"', ''),
  );
}

// One after the other: they share an app, as the examples of a person would.
for (const { name, line } of examples) {
  test(`${line}   (fn help ${name})`, async () => {
    const [program, ...words] = wordsOf(line);
    const argv = program === 'send-template' ? ['template', 'send', ...words] : words;
    const { exitCode, err } = apart.includes(name)
      ? await runProcess(argv, { cwd: shop, env })
      : await runFn(argv, { cwd: shop, env });
    // Making what the app was made with is refused, and that is what the example shows there.
    const expected = name === 'init' && /already/.test(err) ? [0, 2] : [0];
    assert.ok(expected.includes(exitCode ?? -1), `${exitCode}: ${err}`);
  });
}
