import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chosenFrom, type PaletteEntry } from '../../src/console/model/palette-choice.ts';

const invoke = (name: string): PaletteEntry => ({ group: 'Do', icon: 'play', title: `Invoke ${name}`, isAlways: true });
const entries: PaletteEntry[] = [
  { group: 'Go to', icon: 'inbox', title: 'Inbox', isAlways: true },
  { group: 'Go to', icon: 'messaging', title: 'Ann Refundsen' },
  { group: 'Say it in the terminal', icon: 'terminal', title: 'fn invoke tools/refund' },
  { group: 'Waits for you', icon: 's-waiting', title: 'Refund an order for Ann?', isAlways: true },
  { group: 'Do', icon: 'editor', title: 'Open files in Zed' },
  ...['a', 'b', 'c', 'd', 'e', 'f', 'tools/refund'].map(invoke),
];
const titles = (typed: string) => chosenFrom(entries, typed).map(({ title }) => title);

test('before anything is typed, the palette offers some functions, what waits, and the pages', () => {
  const first = ['a', 'b', 'c', 'd', 'e'].map((name) => `Invoke ${name}`);
  assert.deepEqual(titles(''), [...first, 'Refund an order for Ann?', 'Inbox']);
});

test('what is typed finds anything, group by group', () => {
  assert.deepEqual(titles('refund'), [
    'Invoke tools/refund',
    'Refund an order for Ann?',
    'Ann Refundsen',
    'fn invoke tools/refund',
  ]);
  assert.deepEqual(titles('zed'), ['Open files in Zed']);
});

test('a > in front leaves what does something', () => {
  assert.deepEqual(titles('>refund'), ['Invoke tools/refund', 'fn invoke tools/refund']);
  assert.ok(titles('>').every((title) => /^(?:Invoke|Open|fn )/.test(title)));
});

test('a # in front is for ids, and what else has it in its name', () => {
  assert.deepEqual(titles('#zed'), ['Open files in Zed']);
});

test('no more than twelve are offered', () => {
  assert.equal(
    chosenFrom(
      [...Array(20).keys()].map((n) => invoke(`many ${n}`)),
      'many',
    ).length,
    12,
  );
});
