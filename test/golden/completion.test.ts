import { test } from 'node:test';
import { runFn } from '../cli/context.ts';
import { matchesGolden } from './golden.ts';

for (const shell of ['bash', 'zsh', 'fish']) {
  test(`fn completion ${shell}`, async () => {
    matchesGolden(`completion/${shell}.txt`, (await runFn(['completion', shell])).out);
  });
}

const lines: readonly (readonly string[])[] = [
  [''],
  ['te'],
  ['template', ''],
  ['template', 's'],
  ['--json', 'pack', ''],
  ['-'],
  ['pack', 'add', '--'],
  ['channel', 'connect', ''],
  ['channel', 'connect', 'sms', '--name', ''],
  ['completion', ''],
  ['help', 'pack '],
  ['api', 'customers.'],
  ['pack', 'add', '--', ''],
  ['xyzzy', ''],
];

test('what is completed where', async () => {
  const parts: string[] = [];
  for (const words of lines) {
    const { out } = await runFn(['__complete', ...words]);
    parts.push(`$ fn ${words.join(' ')}⇥\n${out}`);
  }
  matchesGolden('completion/candidates.txt', parts.join('\n'));
});
