import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { exceptions } from './exceptions.ts';
import { type Page, pagesForPeople } from './markdown.ts';
import { runPage } from './run-page.ts';

const pages = pagesForPeople();
const commandLines = pages.flatMap(({ blocks }) =>
  blocks.filter(({ language }) => language === 'sh').flatMap(({ text }) => text.split('\n')),
);

describe('a page can be followed word for word in a fresh folder', { concurrency: 2 }, () => {
  for (const page of pages.filter(({ blocks }) => blocks.some(({ language }) => language === 'sh'))) {
    test(page.path, async () => {
      const { exitCode, step, output, outputs } = await runPage(page);
      assert.equal(exitCode, 0, `${step} ended with ${exitCode}\n${output}`);
      for (const { shown, printed, where } of shownOutputs(page, outputs)) {
        for (const line of shown) assert.ok(printsLine(printed, line), `${where}: no line "${line}" in\n${printed}`);
      }
    });
  }
});

test('every exception is needed', () => {
  const bare = commandLines.map((line) => line.replace(/ +# .*$/, '').trim());
  const unused = exceptions.filter(({ line }) => !bare.some((text) => line.test(text)));
  assert.deepEqual(
    unused.map(({ line }) => String(line)),
    [],
  );
});

/** A `text` fence right behind a shell block is what that block prints; `…` stands for anything. */
function shownOutputs(page: Page, outputs: ReadonlyMap<number, string>) {
  return page.blocks.flatMap((block, index) => {
    const before = page.blocks[index - 1];
    if (block.language !== 'text' || before?.language !== 'sh') return [];
    const shown = block.text.split('\n').filter((line) => line.trim() !== '');
    return [{ shown, printed: outputs.get(before.line) ?? '', where: `${page.path}:${block.line}` }];
  });
}

function printsLine(printed: string, line: string): boolean {
  const parts = line.trim().split('…').map(RegExp.escape);
  return new RegExp(`^\\s*${parts.join('.*')}\\s*$`, 'm').test(printed);
}
