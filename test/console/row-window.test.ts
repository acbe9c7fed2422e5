import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { RowWindow } from '../../src/console/model/row-window.ts';

const ids = (from: number, to: number) => Array.from({ length: to - from }, (_, n) => `row ${from + n}`);

describe('a window of rows', () => {
  test('shows what is between two places, by a guess until heights are measured', () => {
    const rows = new RowWindow(50);
    rows.setRows(ids(0, 100));
    assert.equal(rows.height, 5_000);
    assert.deepEqual(rows.rangeBetween(1_000, 1_200), { from: 20, to: 25 });
    assert.equal(rows.measure([['row 3', 150]]), true);
    assert.equal(rows.height, 5_100);
    assert.equal(rows.topOf(20), 1_100);
    assert.deepEqual(rows.rangeBetween(1_000, 1_200), { from: 18, to: 23 });
    assert.equal(rows.measure([['row 3', 150]]), false, 'nothing is another height than before');
  });

  test('ends where its rows end, and begins where they begin', () => {
    const rows = new RowWindow(50);
    assert.deepEqual(rows.rangeBetween(-300, 900), { from: 0, to: 0 });
    rows.setRows(ids(0, 10));
    assert.deepEqual(rows.rangeBetween(-300, 900), { from: 0, to: 10 });
    assert.deepEqual(rows.rangeBetween(9_000, 9_900), { from: 9, to: 10 });
  });

  test('knows where to scroll so that the end of a row stays where it was, when earlier rows come', () => {
    const rows = new RowWindow(50);
    rows.setRows(ids(100, 200));
    rows.measure([['row 104', 80]]);
    const anchor = rows.anchorAt(220) ?? assert.fail();
    assert.deepEqual(anchor, { id: 'row 104', offset: 60 });
    rows.setRows(ids(0, 200));
    assert.equal(rows.scrollTo(anchor), 220 + 100 * 50);
    // The row itself, too, may be lower than it was: it no longer begins a day.
    rows.measure([['row 104', 56]]);
    assert.equal(rows.scrollTo(anchor), 220 + 100 * 50 - 24);
  });

  test('has no place for a row that is gone, and none at all without rows', () => {
    const rows = new RowWindow(50);
    assert.equal(rows.anchorAt(0), undefined);
    rows.setRows(ids(0, 3));
    const anchor = rows.anchorAt(60) ?? assert.fail();
    rows.setRows(ids(2, 3));
    assert.equal(rows.scrollTo(anchor), undefined);
  });

  test('measures anew once its width is another', () => {
    const rows = new RowWindow(50);
    rows.setRows(ids(0, 2));
    rows.measure([['row 0', 90]]);
    rows.forget();
    assert.equal(rows.height, 100);
  });
});
