import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type AnyCommand, defineCommand } from '../../../src/cli/command.ts';
import { type Asked, type LineToParse, TableCommand } from '../../../src/cli/command-line/table-command.ts';
import { UsageError } from '../../../src/std/index.ts';

const command = defineCommand({
  arguments: {
    template: { summary: 'Name of the template' },
    recipients: { summary: 'Numbers', many: true, optional: true },
  },
  options: {
    language: { flag: '-l, --language <tag>', summary: 'Language', variable: 'FN_LANGUAGE' },
    body: { flag: '--body <text>', summary: 'A variable', many: true },
    rate: { flag: '--rate <count>', summary: 'So many a second', type: 'count' },
    size: { flag: '--size <number>', summary: 'How large', type: 'number' },
    mode: { flag: '--mode <mode>', summary: 'How', choices: ['fast', 'slow'] },
    dry: { flag: '--dry-run', summary: 'Only show' },
    minify: { flag: '--no-minify', summary: 'Leave it long' },
    inspect: { flag: '--inspect [port]', summary: 'Debug', bare: true, type: 'count' },
  },
  run: async () => {},
});

/** What a command is given for the tokens after its name. */
async function parse(name: string, command: AnyCommand, tokens: string[], env: Record<string, string> = {}) {
  const dash = tokens.indexOf('--');
  const line: LineToParse = {
    env,
    rest: dash === -1 ? [] : tokens.slice(dash + 1),
    asked: undefined,
    unknownWord: undefined,
  };
  const made = new TableCommand(name, line, async () => ({ name, heading: 'daily', summary: '', command }));
  await made.fill();
  await made.parseAsync(dash === -1 ? tokens : tokens.slice(0, dash), { from: 'user' });
  return line.asked as Extract<Asked, { kind: 'run' }>;
}

const values = async (tokens: string[], env = {}) => (await parse('template send', command, tokens, env)).args;

async function refusal(
  tokens: string[],
  env = {},
  of: AnyCommand = command,
  name = 'template send',
): Promise<UsageError> {
  try {
    await parse(name, of, tokens, env);
  } catch (error) {
    assert.ok(error instanceof UsageError, String(error));
    return error;
  }
  throw new Error('it was accepted');
}

test('flags and arguments become values under their names', async () => {
  const args = await values([
    'welcome',
    '+49301',
    '--language',
    'de',
    '--body',
    'Ann',
    '--body=A-17',
    '--rate',
    '5',
    '--dry-run',
    '+49302',
  ]);
  assert.equal(args['template'], 'welcome');
  assert.deepEqual(args['recipients'], ['+49301', '+49302']);
  assert.equal(args['language'], 'de');
  assert.deepEqual(args['body'], ['Ann', 'A-17']);
  assert.equal(args['rate'], 5);
  assert.equal(args['dry'], true);
});

test('what is not given is undefined, false, or an empty list; --no-x is true until given', async () => {
  const args = await values(['welcome']);
  assert.deepEqual(
    {
      language: args['language'],
      body: args['body'],
      dry: args['dry'],
      minify: args['minify'],
      recipients: args['recipients'],
    },
    { language: undefined, body: [], dry: false, minify: true, recipients: [] },
  );
  assert.equal((await values(['welcome', '--no-minify']))['minify'], false);
});

test('a flag whose value may be left out is true, or the value', async () => {
  assert.equal((await values(['welcome', '--inspect']))['inspect'], true);
  assert.equal((await values(['welcome', '--inspect=9229']))['inspect'], 9229);
  assert.equal((await values(['welcome']))['inspect'], undefined);
});

test('a flag wins over its variable, and the variable over nothing', async () => {
  assert.equal((await values(['welcome'], { FN_LANGUAGE: 'fr' }))['language'], 'fr');
  assert.equal((await values(['welcome', '-l', 'de'], { FN_LANGUAGE: 'fr' }))['language'], 'de');
});

test('what follows -- is an argument even when it looks like a flag', async () => {
  assert.deepEqual((await values(['welcome', '--', '--dry-run']))['recipients'], ['--dry-run']);
});

test('an unknown flag is refused with the one that was meant', async () => {
  const error = await refusal(['welcome', '--langage', 'de']);
  assert.equal(error.code, 'flag_unknown');
  assert.match(error.message, /--langage/);
  assert.match(error.hint ?? '', /--language/);
});

test('an unknown letter is taken for a flag that begins with it, and for no other letter', async () => {
  assert.match((await refusal(['welcome', '-m', 'fast'])).hint ?? '', /^Did you mean --mode\?/);
  assert.match((await refusal(['welcome', '-p', 'live'])).hint ?? '', /^Did you mean --profile\?/);
  assert.equal((await refusal(['welcome', '-n'])).hint, 'See: fn template send --help');
});

test('another tool’s flag is answered with ours', async () => {
  const hint = async (tokens: string[]) => /^Did you mean (\S+)\?/.exec((await refusal(tokens)).hint ?? '')?.[1];
  assert.equal(await hint(['welcome', '--env', 'production']), '--profile');
  assert.equal(await hint(['welcome', '--format', 'json']), '--json');
  assert.equal(await hint(['welcome', '--plan']), '--dry-run');
  assert.equal(await hint(['welcome', '--tail']), undefined); // this command follows nothing
  assert.equal(await hint(['welcome', '--constructor']), undefined);
});

test('a flag of another test runner is answered with Node’s', async () => {
  const handsOn = defineCommand({ passThrough: true, run: async () => {} });
  const { hint } = await refusal(['-t', 'refund'], {}, handsOn, 'test');
  assert.equal(hint, "Put Node's flags after --: fn test -- --test-name-pattern=TEXT");
});

test('an unknown flag of a command that hands flags on says where they stand', async () => {
  const handsOn = defineCommand({ passThrough: true, run: async () => {} });
  const { hint } = await refusal(['--watch'], {}, handsOn, 'test');
  assert.match(hint ?? '', /fn test -- --watch/);
});

test('a flag without its value is refused', async () => {
  assert.equal((await refusal(['welcome', '--language'])).code, 'flag_value_missing');
});

test('a value for a flag that takes none is refused as that', async () => {
  const error = await refusal(['welcome', '--json=true']);
  assert.equal(error.code, 'flag_value_surplus');
  assert.equal(error.message, '--json takes no value');
});

test('a missing argument is named', async () => {
  const error = await refusal([]);
  assert.equal(error.code, 'argument_missing');
  assert.match(error.message, /TEMPLATE/);
});

test('a surplus argument is refused, not ignored', async () => {
  const none = defineCommand({ run: async () => {} });
  assert.equal((await refusal(['me'], {}, none, 'whoami')).code, 'argument_surplus');
});

test('a value outside of its choices is refused with the nearest one', async () => {
  const error = await refusal(['welcome', '--mode', 'fst']);
  assert.equal(error.code, 'value_unknown');
  assert.match(error.hint ?? '', /Did you mean fast/);
});

for (const wrong of ['many', '', '-1', '1.5', '1e99', 'Infinity', '0x']) {
  test(`a count cannot be ${JSON.stringify(wrong)}`, async () => {
    assert.equal((await refusal(['welcome', `--rate=${wrong}`])).code, 'value_not_a_number');
  });
}

test('the common flags are read wherever they stand', async () => {
  const { flags, folder } = await parse(
    'template send',
    command,
    ['--json', 'welcome', '-C', '/tmp', '--profile', 'acme', '--no-input', '--debug'],
    {},
  );
  assert.deepEqual(flags, { json: true, input: false, debug: true, profile: 'acme' });
  assert.equal(folder, '/tmp');
});

test('a value that names a member of every object is only a value', async () => {
  const args = await values(['__proto__', '--body', 'constructor']);
  assert.equal(args['template'], '__proto__');
  assert.deepEqual(args['body'], ['constructor']);
});

test('a value that begins like a flag belongs to the flag before it', async () => {
  assert.equal((await values(['welcome', '--language', '--json']))['language'], '--json');
});

test('a number below zero is a value and not a flag, wherever it stands', async () => {
  assert.deepEqual((await values(['-1h', '-5', '--dry-run', '-7']))['recipients'], ['-5', '-7']);
});

test('a flag whose number may be left out leaves a word to the arguments', async () => {
  const args = await values(['--inspect', 'welcome', '+49301']);
  assert.deepEqual([args['template'], args['recipients'], args['inspect']], ['welcome', ['+49301'], true]);
});
