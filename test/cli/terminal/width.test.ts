import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openIo } from '../../../src/cli/io.ts';
import { table } from '../../../src/cli/terminal/table.ts';
import { cutTo, padTo, widthOf, wrap, wrapLongLines } from '../../../src/cli/terminal/width.ts';
import { aHost } from '../context.ts';

test('what a person sees as one character is measured as one', () => {
  const widths: Record<string, number> = {
    Ann: 3,
    'Zoë Müller …': 12,
    'e\u0301': 1,
    顧客: 4,
    𠮷野: 4,
    한국: 4,
    '\u1112\u1161\u11ab': 2,
    '🇩🇪🇫🇷': 4,
    '👨‍👩‍👧‍👦': 2,
    '👍🏽': 2,
    '❤️': 2,
    '❤': 1,
    '1️⃣': 2,
    'a\u200bb': 2,
    นี้: 1,
  };
  for (const [text, width] of Object.entries(widths)) assert.equal(widthOf(text), width, text);
});

test('a text is cut between characters, never inside of one', () => {
  assert.equal(cutTo('👨‍👩‍👧‍👦👨‍👩‍👧‍👦👨‍👩‍👧‍👦', 5), '👨‍👩‍👧‍👦👨‍👩‍👧‍👦…');
  assert.equal(cutTo('🇩🇪🇫🇷🇮🇹', 4), '🇩🇪…');
  assert.equal(cutTo('re\u0301sume\u0301', 4), 're\u0301s…');
  assert.equal(cutTo('顧客', 4), '顧客');
});

test('a text is padded to the width it is drawn with', () => {
  assert.equal(padTo('👍🏽', 4), '👍🏽  ');
  assert.equal(padTo('long', 2), 'long');
});

test('columns stay aligned behind flags, families and tabs', () => {
  const rows = [
    ['👨‍👩‍👧‍👦', 'x'],
    ['🇩🇪', 'x'],
    ['a\tb', 'x'],
  ];
  assert.equal(table(rows), '👨‍👩‍👧‍👦   x\n🇩🇪   x\na b  x');
});

test('a line of progress is cut to the terminal by what is drawn', () => {
  const { host, err } = aHost({ terminal: { err: true }, columns: 10, env: { TERM: 'xterm' } });
  openIo(host, false).progress('顧客顧客顧客顧客');
  assert.equal(err(), '顧客顧客…');
});

test('a paragraph is broken at spaces, and colours take no room', () => {
  assert.equal(wrap('one two three', 7), 'one two\nthree');
  assert.equal(wrap('\u001b[1mone\u001b[22m two three', 7), '\u001b[1mone\u001b[22m two\nthree');
  assert.equal(wrap('顧客 顧客 x', 9), '顧客 顧客\nx');
});

test('only lines that are too long are wrapped; the others keep their indent', () => {
  assert.equal(wrapLongLines('  1 Talk\none two three', 10), '  1 Talk\none two\nthree');
  assert.equal(wrapLongLines('\u001b[1mone two\u001b[22m', 7), '\u001b[1mone two\u001b[22m');
});
