import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PackedText, packed } from '../../../src/std/index.ts';

const long = 'größe \u{1f4e6}\n'.repeat(20_000);

for (const [length, text] of Object.entries({ short: 'größe', long })) {
  test(`a ${length} text is read as it was, from its bytes alone`, () => {
    const { bytes, isDeflated } = PackedText.of(text);
    assert.equal(isDeflated, length === 'long');
    assert.ok(bytes.length <= Buffer.byteLength(text) / (isDeflated ? 10 : 1));
    const copy = Object.defineProperty({ text: '' }, 'text', new PackedText(Buffer.from(bytes), isDeflated).property);
    assert.equal(copy.text, text);
  });
}

test('of an object only the long texts are packed, and it reads as before', () => {
  const value = { id: 'a', code: long, limits: { wallMs: 1 }, map: undefined };
  const small = packed(value);
  assert.deepEqual({ ...small }, value);
  const { id, code } = Object.getOwnPropertyDescriptors(small);
  assert.deepEqual([typeof id?.get, typeof code?.get], ['undefined', 'function']);
  assert.deepEqual({ ...packed(small) }, value);
});

test('a text is compressed once, however often its object is packed', () => {
  const small = packed({ code: long });
  const text = PackedText.in(small, 'code');
  assert.equal(text?.isDeflated, true);
  assert.equal(PackedText.in(packed(small), 'code'), text);
  assert.equal(PackedText.in({ code: 'short' }, 'code')?.isDeflated, false);
  assert.equal(PackedText.in({}, 'code' as never), undefined);
});
