import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listing, table } from '../../../src/cli/terminal/table.ts';
import { aContext } from '../context.ts';

const rows = [
  ['ID', 'NAME', 'SCOPES', ''],
  ['tok_01M81J8NW5PB848QG3CRRV8TBK', 'This machine', 'read write send deploy admin', ''],
  ['tok_01M81J8NW5PB848QG3CRRV8TBL', 'ci', 'deploy', ''],
];

const shown = (terminal: boolean, columns: number, elastic: readonly number[] = [1, 2]) =>
  listing(aContext({ terminal: { out: terminal }, columns, env: { NO_COLOR: '1' } }).context.io, rows, elastic);

const widest = (text: string) => Math.max(...text.split('\n').map((line) => line.length));

test('a table on a terminal takes its width from the widest column that may be shortened', () => {
  const text = shown(true, 60);
  assert.equal(widest(text), 60);
  assert.match(text, /^tok_01M81J8NW5PB848QG3CRRV8TBK {2}This machine {2}read write se…$/m);
  assert.match(text, /^tok_01M81J8NW5PB848QG3CRRV8TBL {2}ci {12}deploy$/m);
});

test('a table that fits, and one that is piped, is shown whole', () => {
  assert.match(shown(true, 74), /read write send deploy admin$/m);
  assert.match(shown(false, 20), /read write send deploy admin$/m);
});

test('ids are never shortened, and no column to nothing', () => {
  const text = shown(true, 20);
  assert.match(text, /^tok_01M81J8NW5PB848QG3CRRV8TBK {2}This mach… {2}read writ…$/m);
  assert.equal(shown(true, 20, []), shown(false, 20, []));
});

test('wide characters are counted as they are drawn when a cell is cut', () => {
  const cells = [['顧客の名前がとても長いので', 'x']];
  assert.equal(table(cells, undefined, { width: 15, elastic: [0] }), '顧客の名前…   x');
});
