import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defineCommand } from '../../src/cli/command.ts';
import { parseLight } from '../../src/cli/command-line/light-parse.ts';
import { parse } from '../../src/cli/command-line/parse.ts';
import { UsageError } from '../../src/std/index.ts';
import fc from '../properties.ts';

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

const values = (tokens: string[], env = {}) => parse('template send', command, tokens, env).args;

function refusal(tokens: string[], env = {}): UsageError {
  try {
    parse('template send', command, tokens, env);
  } catch (error) {
    assert.ok(error instanceof UsageError);
    return error;
  }
  throw new Error('it was accepted');
}

test('flags and arguments become values under their names', () => {
  const args = values([
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

test('what is not given is undefined, false, or an empty list; --no-x is true until given', () => {
  const args = values(['welcome']);
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
  assert.equal(values(['welcome', '--no-minify'])['minify'], false);
});

test('a flag whose value may be left out is true, or the value', () => {
  assert.equal(values(['welcome', '--inspect'])['inspect'], true);
  assert.equal(values(['welcome', '--inspect=9229'])['inspect'], 9229);
  assert.equal(values(['welcome'])['inspect'], undefined);
});

test('a flag wins over its variable, and the variable over nothing', () => {
  assert.equal(values(['welcome'], { FN_LANGUAGE: 'fr' })['language'], 'fr');
  assert.equal(values(['welcome', '-l', 'de'], { FN_LANGUAGE: 'fr' })['language'], 'de');
});

test('what follows -- is an argument even when it looks like a flag', () => {
  assert.deepEqual(values(['welcome', '--', '--dry-run'])['recipients'], ['--dry-run']);
});

test('an unknown flag is refused with the one that was meant', () => {
  const error = refusal(['welcome', '--langage', 'de']);
  assert.equal(error.code, 'flag_unknown');
  assert.match(error.message, /--langage/);
  assert.match(error.hint ?? '', /--language/);
});

test('an unknown letter is taken for a flag that begins with it, and for no other letter', () => {
  assert.match(refusal(['welcome', '-m', 'fast']).hint ?? '', /^Did you mean --mode\?/);
  assert.match(refusal(['welcome', '-p', 'live']).hint ?? '', /^Did you mean --profile\?/);
  assert.equal(refusal(['welcome', '-n']).hint, 'See: fn template send --help');
});

test('another tool’s flag is answered with ours', () => {
  const hint = (tokens: string[]) => /^Did you mean (\S+)\?/.exec(refusal(tokens).hint ?? '')?.[1];
  assert.equal(hint(['welcome', '--env', 'production']), '--profile');
  assert.equal(hint(['welcome', '--format', 'json']), '--json');
  assert.equal(hint(['welcome', '--plan']), '--dry-run');
  assert.equal(hint(['welcome', '--tail']), undefined); // this command follows nothing
  assert.equal(hint(['welcome', '--constructor']), undefined);
});

test('a flag of another test runner is answered with Node’s', () => {
  const handsOn = defineCommand({ passThrough: true, run: async () => {} });
  assert.throws(
    () => parse('test', handsOn, ['-t', 'refund'], {}),
    ({ hint }: { hint?: string }) => hint === "Put Node's flags after --: fn test -- --test-name-pattern=TEXT",
  );
});

test('an unknown flag of a command that hands flags on says where they stand', () => {
  const handsOn = defineCommand({ passThrough: true, run: async () => {} });
  assert.throws(
    () => parse('test', handsOn, ['--watch'], {}),
    ({ hint }: { hint?: string }) => /fn test -- --watch/.test(hint ?? ''),
  );
});

test('a flag without its value is refused', () => {
  assert.equal(refusal(['welcome', '--language']).code, 'flag_value_missing');
});

test('a value for a flag that takes none is refused as that', () => {
  const error = refusal(['welcome', '--json=true']);
  assert.equal(error.code, 'flag_value_surplus');
  assert.equal(error.message, '--json takes no value');
});

test('a missing argument is named', () => {
  const error = refusal([]);
  assert.equal(error.code, 'argument_missing');
  assert.match(error.message, /TEMPLATE/);
});

test('a surplus argument is refused, not ignored', () => {
  const none = defineCommand({ run: async () => {} });
  assert.throws(() => parse('whoami', none, ['me'], {}), { code: 'argument_surplus' });
});

test('a value outside of its choices is refused with the nearest one', () => {
  const error = refusal(['welcome', '--mode', 'fst']);
  assert.equal(error.code, 'value_unknown');
  assert.match(error.hint ?? '', /Did you mean fast/);
});

for (const wrong of ['many', '', '-1', '1.5', '1e99', 'Infinity', '0x']) {
  test(`a count cannot be ${JSON.stringify(wrong)}`, () => {
    assert.equal(
      refusal(['welcome', `--rate=${wrong}`]).code,
      wrong === '' ? 'value_not_a_number' : 'value_not_a_number',
    );
  });
}

test('the common flags are read wherever they stand', () => {
  const { flags, folder } = parse(
    'template send',
    command,
    ['--json', 'welcome', '-C', '/tmp', '--profile', 'acme', '--no-input', '--debug'],
    {},
  );
  assert.deepEqual(flags, { json: true, input: false, debug: true, profile: 'acme' });
  assert.equal(folder, '/tmp');
});

test('a value that names a member of every object is only a value', () => {
  const args = values(['__proto__', '--body', 'constructor']);
  assert.equal(args['template'], '__proto__');
  assert.deepEqual(args['body'], ['constructor']);
});

const token = fc.oneof(
  fc.constantFrom(
    ...[
      'welcome',
      '+49301',
      '--language',
      '-l',
      'de',
      '--language=de',
      '--body',
      '--body=',
      '--rate',
      '--rate=5',
      '5',
      '--mode',
    ],
    ...[
      'fast',
      'slow',
      '--dry-run',
      '--dry',
      '--no-minify',
      '--inspect',
      '--inspect=1',
      '--',
      '-',
      '--json',
      '-C',
      '/tmp',
      '-ld',
    ],
    ...['--profile', '--no-input', '--debug', '', '--dry-run=x', '--unknown'],
  ),
  fc.string({ maxLength: 4 }),
);

test('the light parser reads a line as the real one does, or leaves it to that', () => {
  let light = 0;
  fc.assert(
    fc.property(
      fc.array(token, { maxLength: 8 }),
      fc.constantFrom({}, { FN_LANGUAGE: 'fr', FN_DEBUG: '1' }),
      (tokens, env) => {
        const read = parseLight(command, tokens, env);
        if (read === undefined) return;
        light++;
        assert.deepEqual(read, parse('template send', command, tokens, env));
      },
    ),
    { numRuns: 3000 },
  );
  assert.ok(light > 100, `it read ${light} lines`);
});
