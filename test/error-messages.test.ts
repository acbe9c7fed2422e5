import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { errorCodes } from '../src/contract/index.ts';
import { packageFile } from '../src/std/index.ts';
import { sourceFiles } from './source-tree.ts';

/** Errors for people, made with their code and the text of their message. */
const made =
  /(?:new (?:Usage|Project|Access|Function|Limit|Unreachable|UnknownOutcome|Conflict|Interrupted|Machine|Workspace)Error|\brefusal)\(\s*(?:'\w+'|\w+),\s*(?:\d+,\s*)?(?:[\w.]+\s*\?\s*)?(['`"])(.+?)\1/g;

/** A message is a sentence; a name – of a command, a flag, a file, a field – is written as it is. */
function isSentence(text: string): boolean {
  const [first = ''] = text.split(/[ ,:]/, 1);
  return !/^[a-z]+$/.test(first) || names.has(first);
}
const names: ReadonlySet<string> = new Set(['fn', 'nonce']);

test('messages of errors begin with a capital, or with a name as it is written', () => {
  const messages = sourceFiles().flatMap((file) =>
    [...readFileSync(join(packageFile('src'), file), 'utf8').matchAll(made)].map(
      ([, , text = '']) => `${file}: ${text}`,
    ),
  );
  assert.ok(messages.length > 200, `found ${messages.length}`);
  assert.deepEqual(
    messages.filter((message) => !isSentence(message.slice(message.indexOf(': ') + 2))),
    [],
  );
});

test('titles of error codes begin with a capital', () => {
  const titles = Object.values(errorCodes).map(({ title }) => title);
  assert.deepEqual(
    titles.filter((title) => !/^[A-Z]/.test(title)),
    [],
  );
});
