import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { test } from 'node:test';
import { otherWords } from '../../../src/cli/command-line/other-tools.ts';
import { parseLine } from '../../../src/cli/command-line/program.ts';
import type { Asked } from '../../../src/cli/command-line/table-command.ts';
import { commonOptions, flagNames } from '../../../src/cli/command-line/usage.ts';
import { allCommands, commandsOf, headings, rows } from '../../../src/cli/commands.ts';
import { operationNames, operationOf } from '../../../src/contract/index.ts';
import { packageFile } from '../../../src/std/index.ts';
import { runFn } from '../context.ts';

const commands = await allCommands();

/** A line that runs a command. */
async function parse(argv: readonly string[]) {
  const asked = await parseLine(argv, {});
  assert.equal(asked.kind, 'run');
  return asked as Extract<Asked, { kind: 'run' }>;
}

test('a command of two words is found, and the rest left to it', async () => {
  const { entry, args } = await parse(['template', 'send', 'welcome', '--to', '+49301']);
  assert.equal(entry.name, 'template send');
  assert.deepEqual([args['template'], args['to']], ['welcome', '+49301']);
});

test('common flags may stand before the command, between its words and after them', async () => {
  for (const argv of [
    ['--json', '-C', 'pack', 'pack', 'list'],
    ['pack', '--json', '-C', 'pack', 'list'],
    ['--json', 'pack', 'list', '--app=pack'],
  ]) {
    const { entry, flags, folder } = await parse(argv);
    assert.equal(entry.name, 'pack list');
    assert.deepEqual([flags.json, folder], [true, 'pack'], argv.join(' '));
  }
});

test('of a flag that stands before and after a command the later one counts', async () => {
  const { flags } = await parse(['--profile', 'one', '--no-input', 'list', '--profile', 'two']);
  assert.deepEqual(flags, { json: false, input: false, debug: false, profile: 'two' });
});

test('a command’s own flag may have the name of a common one', async () => {
  for (const argv of [
    ['init', 'x', '--app', 'shop'],
    ['--app', 'shop', 'init', 'x'],
  ]) {
    const { args, folder } = await parse(argv);
    assert.deepEqual([args['app'], folder], ['shop', undefined], argv.join(' '));
  }
});

test('the version is asked for alone, with --json as JSON', async () => {
  assert.deepEqual(await parseLine(['--version'], {}), { kind: 'version', json: false });
  assert.deepEqual(await parseLine(['--json', '-V'], {}), { kind: 'version', json: true });
});

const refused: [argv: string[], code: string, hint: RegExp][] = [
  [['inovke', 'x'], 'command_unknown', /fn invoke/],
  [['tempalte', 'send'], 'command_unknown', /fn template/],
  [['template', 'sned'], 'command_unknown', /fn template send/],
  [['template'], 'command_incomplete', /fn help template/],
  [['xyzzy'], 'command_unknown', /fn help/],
  [['--verbose', 'dev'], 'flag_unknown', /fn help/],
  [['--json'], 'command_missing', /fn help/],
  [['version', 'dpl_1'], 'command_unknown', /fn versions/],
  [['-v', 'list'], 'flag_unknown', /fn -v/],
  [['--vesion'], 'flag_unknown', /^Did you mean --version\?$/],
  [['--jsn', 'list'], 'flag_unknown', /^Did you mean --json\?$/],
  [['--version', 'dev'], 'flag_unknown', /without a command/],
  [['--', 'dev'], 'command_missing', /fn help/],
  [['inovke', '--help'], 'command_unknown', /fn invoke/],
  [['--help', 'inovke'], 'command_unknown', /fn invoke/],
  [['--profile'], 'flag_value_missing', /fn help/],
  [['template', '--limit', '5', 'list'], 'flag_unknown', /go after the command/],
  [['secret', 'put', 'KEY'], 'command_unknown', /^Did you mean: fn secret set$/],
  [['token', 'rm', 'ci'], 'command_unknown', /^Did you mean: fn token revoke$/],
  [['secret', 'get', 'KEY'], 'command_unknown', /^It has: set, list, delete$/],
  [['run', 'refund'], 'command_unknown', /^Use instead: fn invoke NAME$/],
  [['publish'], 'command_unknown', /^Use instead: fn deploy$/],
  [['customers', 'list'], 'command_unknown', /fn api customers\.list/],
  [['__proto__'], 'command_unknown', /fn help/],
];
for (const [argv, code, hint] of refused) {
  test(`"fn ${argv.join(' ')}" is refused with what to do`, async () => {
    await assert.rejects(
      parseLine(argv, {}),
      (error: { code?: string; hint?: string; exitCode?: number }) =>
        error.code === code && error.exitCode === 2 && hint.test(error.hint ?? ''),
    );
  });
}

test('whatever a workspace has operations for is found by its name', async () => {
  const reached = operationNames.filter((name) => operationOf(name).route !== null);
  for (const area of new Set(reached.map((name) => name.split('.')[0] ?? name))) {
    await assert.rejects(
      parseLine([area], {}),
      ({ hint }: { hint?: string }) => /\bfn [a-z]/.test(hint ?? '') && hint !== 'See: fn help',
    );
  }
});

test('where other tools’ words lead to, there is a command', () => {
  const firstWords = new Set(rows.map(({ word }) => word));
  const led = [...otherWords.values()].flatMap((hint) => [...hint.matchAll(/\bfn ([a-z]+)/g)].map(([, word]) => word));
  assert.ok(led.length > 20);
  for (const word of led) assert.ok(firstWords.has(word ?? ''), word);
});

test('the daily commands are ten', () => {
  assert.equal(rows.filter(({ heading }) => heading === 'daily').length, 10);
});

test('every command stands in the list once, with a summary that fits a line of help', () => {
  const names = commands.map(({ name }) => name);
  assert.deepEqual([...new Set(names)], names);
  for (const { name, summary, heading } of commands) {
    assert.ok(Object.hasOwn(headings, heading));
    assert.ok(summary.length <= 72, `${name}: ${summary.length} characters`);
    assert.ok(!summary.endsWith('.'), name);
  }
});

for (const row of rows) {
  if (!('verbs' in row)) continue;
  test(`the verbs of fn ${row.word} are those of its file, in the same order`, async () => {
    assert.deepEqual(
      (await commandsOf(row)).map(({ name }) => name),
      row.verbs.map((verb) => `${row.word} ${verb}`),
    );
  });
}

const pages = ['docs', 'docs/guide', 'docs/reference'].flatMap((folder) => readdirSync(packageFile(folder)));

/** Common flags that a command describes in words of its own; it reads them itself. */
const wordedAnew = ['init app'];

for (const { name, command } of commands) {
  test(`fn ${name} can be loaded, and what it says of itself is whole`, () => {
    assert.equal(typeof command.run, 'function');
    assert.ok((command.examples?.length ?? 0) > 0, 'an example');
    assert.ok(command.json, 'what --json prints');
    for (const { line } of command.examples ?? []) assert.match(line, /\b(fn|send-template)\b/);
    const keys = [...Object.keys(command.arguments ?? {}), ...Object.keys(command.options ?? {})];
    for (const key of Object.keys(command.complete ?? {}))
      assert.ok(keys.includes(key), `${key} is completed, but is no argument`);
  });

  test(`fn ${name} has no name twice, and none of the flags that every command has`, () => {
    const taken = ['help', 'rest', ...Object.keys(commonOptions)];
    const keys = [...Object.keys(command.arguments ?? {}), ...Object.keys(command.options ?? {})];
    const own = keys.filter((key) => !wordedAnew.includes(`${name} ${key}`));
    assert.deepEqual(repeated([...taken, ...own]), []);
    const flags = Object.values({ ...commonOptions, ...command.options }).flatMap(flagNames);
    assert.deepEqual(repeated([...flags, '-h', '--help']), []);
  });
}

function repeated(names: readonly string[]): string[] {
  return names.filter((name, at) => names.indexOf(name) !== at);
}

test('every page that a command points to is there to be read', () => {
  const missing = new Set<string>();
  for (const { command } of commands) {
    for (const topic of command.see ?? []) if (!pages.includes(`${topic}.md`)) missing.add(topic);
  }
  assert.deepEqual([...missing], []);
});

test('the commands of a group are shown also beside a common flag, and before the word', async () => {
  const { out } = await runFn(['template', '--help']);
  for (const argv of [
    ['template', '--json', '--help'],
    ['--debug', 'template', '-h'],
    ['-h', 'template'],
  ])
    assert.equal((await runFn(argv)).out, out, argv.join(' '));
});

test('help of more words than a command has says so', async () => {
  for (const argv of [
    ['help', 'dev', 'invoke'],
    ['help', 'template', 'send', 'hello'],
  ]) {
    const { exitCode, err } = await runFn(argv);
    assert.equal(exitCode, 2);
    assert.match(err, /has no command "(?:invoke|hello)"/);
  }
});
