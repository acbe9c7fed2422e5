import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newId } from '../../src/std/index.ts';
import fc from '../properties.ts';

test('an id names its kind and is a ULID', () => {
  assert.match(newId('cus'), /^cus_[0-7][0-9A-HJKMNP-TV-Z]{25}$/);
});

test('ids sort in the order they were made, whatever the clock does meanwhile', () => {
  fc.assert(
    fc.property(fc.array(fc.double({ min: 0, max: 4e12, noNaN: true }), { maxLength: 50 }), (moments) => {
      const made = moments.map((ms) => newId('msg', ms));
      assert.deepEqual(made.toSorted(), made);
      assert.equal(new Set(made).size, made.length);
      for (const id of made) assert.match(id, /^msg_[0-7][0-9A-HJKMNP-TV-Z]{25}$/);
    }),
  );
});
