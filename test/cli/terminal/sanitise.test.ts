import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inLine, sanitise, sanitiseStyled, toJson } from '../../../src/cli/terminal/sanitise.ts';
import { loadColours, styleFor } from '../../../src/cli/terminal/style.ts';
import fc from '../../properties.ts';
import { aHost } from '../context.ts';

const dangerous = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/u;
const withoutBreaks = (text: string): string => text.replace(/[\n\t]/g, '');
const hostile = fc.string({
  unit: fc.oneof(
    fc.constantFrom('\u001b', '[', ']', '\u009b', '\u0007', '\\', '\r', '2', 'J', ';', 'm', '\u202e'),
    fc.string({ unit: 'binary', maxLength: 1 }),
  ),
});

test('nothing that a terminal obeys survives, whatever the text', () => {
  fc.assert(fc.property(hostile, (text) => !dangerous.test(withoutBreaks(sanitise(text)))));
});

test('plain text stays as it is', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      fc.pre(!dangerous.test(withoutBreaks(text)));
      assert.equal(sanitise(text), text);
    }),
  );
});

test('a text within a line begins none of its own', () => {
  assert.equal(inLine('Ann\r\nLive:\tdpl_1\u2028'), 'Ann Live: dpl_1');
});

test('an escape sequence goes as a whole, not only its first byte', () => {
  assert.equal(sanitise('a\u001b[2Jb'), 'ab');
  assert.equal(sanitise('a\u001b]52;c;cm0gLXJm\u0007b'), 'ab');
  assert.equal(sanitise('a\u001b]8;;https://evil.example\u001b\\link\u001b]8;;\u001b\\b'), 'alinkb');
  assert.equal(sanitise('a\u009b31mb'), 'ab');
});

test('a carriage return cannot write over the line before', () => {
  assert.equal(sanitise('paid\rfree'), 'paid\nfree');
});

test('our own colours stay in finished text, and those of others go', async () => {
  const { host } = aHost({ env: { FORCE_COLOR: '1' } });
  await loadColours(host);
  const style = styleFor(true);
  assert.equal(style.red('no'), '\u001b[31mno\u001b[39m');
  assert.equal(sanitiseStyled(`${style.red('no')} \u001b[5mblink\u001b[8mhidden`), `${style.red('no')} blinkhidden`);
});

test('JSON keeps its value while its text is safe to show', () => {
  fc.assert(
    fc.property(fc.jsonValue(), hostile, (value, text) => {
      const json = toJson({ value, text });
      assert.ok(!dangerous.test(withoutBreaks(json)));
      assert.deepEqual(JSON.parse(json), JSON.parse(JSON.stringify({ value, text })));
    }),
  );
});
