import assert from 'node:assert/strict';
import { test } from 'node:test';
import { allCommands } from '../../../src/cli/commands.ts';
import { markdownText } from '../../../src/cli/terminal/markdown.ts';
import { styleFor } from '../../../src/cli/terminal/style.ts';
import { runFn } from '../context.ts';

const widest = (text: string) => Math.max(...text.split('\n').map((line) => line.length));

test('the overview fits a terminal of 80 columns', async () => {
  assert.ok(widest((await runFn(['help'])).out) <= 80);
});

for (const { name } of await allCommands()) {
  test(`fn help ${name} fits a narrow terminal, but for what has to stand on one line`, async () => {
    const { out } = await runFn(['help', ...name.split(' ')], { columns: 40, terminal: { out: true } });
    const [prose = ''] = out.split('\nExamples\n');
    const lines = prose.split('\n').slice(4);
    // Words that are longer, and lines that are shown as they are typed.
    const broken = lines.filter((line) => line.length > 40 && /\S\s+\S/.test(line.trim()) && !line.startsWith('  '));
    assert.deepEqual(broken, []);
  });
}

test('a page of the guide is as wide as the terminal, and its code as it is', () => {
  const page = [
    '# Title',
    '',
    'One sentence that is written on',
    'two lines of the page.',
    '- an item that is longer than the',
    '  terminal is wide',
    '```sh',
    'fn logs --since 1h --level warn --json | jq .text',
    '```',
  ].join('\n');
  const text = markdownText(page, { style: styleFor(false), outIsTerminal: true, columns: 24 });
  assert.equal(
    text,
    [
      'Title',
      '',
      'One sentence that is',
      'written on two lines of',
      'the page.',
      '• an item that is longer',
      '  than the terminal is',
      '  wide',
      '    fn logs --since 1h --level warn --json | jq .text',
    ].join('\n'),
  );
  assert.equal(markdownText(page, { style: styleFor(false), outIsTerminal: false, columns: 24 }), page);
});

test('a table that is wider than the terminal is wrapped within its cells, between words only', () => {
  const page = [
    '| code | meaning |',
    '| --- | --- |',
    '| `not_found` | there is no such thing here |',
    '| `gone` | left |',
  ];
  const at = (columns: number) =>
    markdownText(page.join('\n'), { style: styleFor(false), outIsTerminal: true, columns }).split('\n');
  assert.deepEqual(at(80), ['code       meaning', 'not_found  there is no such thing here', 'gone       left']);
  assert.deepEqual(at(24), [
    'code       meaning',
    'not_found  there is no',
    '           such thing',
    '           here',
    'gone       left',
  ]);
  assert.deepEqual(at(1).slice(1, 4), ['not_found  there', '           is no', '           such']);
});

test('a page shows no pictures in a terminal and in a pipe', () => {
  const page = '# Console\n\n<picture>\n  <img src="a.png" alt="The inbox">\n</picture>\n\nWhat it shows.';
  for (const outIsTerminal of [true, false]) {
    const text = markdownText(page, { style: styleFor(false), outIsTerminal, columns: 80 });
    assert.equal(text.replace('# ', ''), 'Console\n\nWhat it shows.');
  }
});
