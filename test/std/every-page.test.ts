import assert from 'node:assert/strict';
import test from 'node:test';
import { everyPage } from '../../src/std/index.ts';

test('a page of more than was asked for is taken, however many', async () => {
  const items = Array.from({ length: 300_000 }, (_, i) => i);
  assert.deepEqual(await everyPage(async () => ({ items, nextCursor: null })), items);
});

for (const [what, cursorOf] of [
  ['stays the same', () => 'a'],
  ['goes in a circle', (page: number) => (page % 2 === 0 ? 'a' : 'b')],
] as const) {
  test(`a cursor that ${what} comes to an end`, async () => {
    let pages = 0;
    await everyPage(async () => ({ items: [], nextCursor: cursorOf(pages++) }));
    assert.ok(pages <= 1_000, `${pages}`);
  });
}
