import assert from 'node:assert/strict';
import { test } from 'node:test';
import { syncFunctions as sync } from '../../src/sandbox/web/native.ts';

test('the parser answers with all components of a URL, one a line', () => {
  const answer = sync['url.parse']?.('../x?q=1#h', 'https://u:p@Example.com:8443/a/b');
  assert.deepEqual(String(answer).split('\n').slice(0, 3), [
    'https://u:p@example.com:8443/x?q=1#h',
    'https://example.com:8443',
    'https:',
  ]);
});

test('a text that is no URL is answered with null', () => {
  assert.equal(sync['url.parse']?.('http://[::1'), null);
});

test('a line feed in a URL cannot shift its components', () => {
  assert.equal(String(sync['url.parse']?.('web+x:a\nb?c\nd#e\nf')).split('\n').length, 11);
});

test('only the nine settable properties of a URL can be set', () => {
  for (const name of ['href', 'origin', '__proto__', 'toString', 7])
    assert.throws(() => sync['url.set']?.('http://a/', name, 'x'), TypeError);
});

test('arguments that are no text, or endless, are refused', () => {
  assert.throws(() => sync['url.parse']?.(new ArrayBuffer(1)), TypeError);
  assert.throws(() => sync['url.parse']?.(`data:,${'x'.repeat(16 * 1024 * 1024)}`), TypeError);
  // Six times as long once it is encoded: too much for an isolate, and that would end the child.
  const long = `http://x/${'é'.repeat(8 * 1024 * 1024)}`;
  assert.throws(() => sync['url.parse']?.(long), TypeError);
  assert.throws(() => sync['url.set']?.('http://x/', 'search', long), TypeError);
});

test('broken percent-encoding becomes replacement characters beside text that stays as it is', () => {
  assert.equal(sync['url.decode']?.('ü%zz%FFa%41'), 'ü%zz\ufffdaA');
});
