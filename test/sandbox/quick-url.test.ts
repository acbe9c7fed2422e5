import assert from 'node:assert/strict';
import test from 'node:test';
import { quickParts } from '../../src/sandbox/web/layer/quick-url.ts';
import fc from '../properties.ts';

const partsOf = (url: URL) => [
  url.href,
  url.origin,
  url.protocol,
  url.username,
  url.password,
  url.host,
  url.hostname,
  url.port,
  url.pathname,
  url.search,
  url.hash,
];

const pieces = [
  'http://',
  'https://',
  'HTTP://',
  'a',
  'b-c',
  'xn--a',
  'example.com',
  '127.0.0.1',
  '127.1',
  '256.1.1.1',
  '0x7f.1',
  '1.2.3.4.',
  '.',
  '..',
  '/',
  '//',
  '/.',
  '/..',
  '/%2e',
  '/.%2E/',
  '/a.b',
  '%41',
  '%',
  '?',
  '#',
  '@',
  ':',
  ':80',
  ':443',
  ':0',
  ':8080',
  ':65536',
  '[::1]',
  'ä',
  ' ',
  "'",
  '"',
  '|',
  '\\',
  '\t',
  '{}',
  '?n=7',
  '&a=b+c',
  '#x',
  'A',
  '_',
  '-',
  '~',
  '1',
  '09',
];

test('what is told quickly is what the parser of Node tells, whatever the text is', () => {
  const address = fc.array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 9 }).map((parts) => parts.join(''));
  const url = fc.oneof(
    address,
    address.map((rest) => `http://${rest}`),
    address.map((rest) => `https://a.example:8080/${rest}`),
  );
  fc.assert(
    fc.property(url, (text) => {
      const quick = quickParts(text);
      if (quick) assert.deepEqual(quick, partsOf(new URL(text)));
    }),
    { numRuns: 20_000 },
  );
});

test('the addresses that functions meet most are told quickly', () => {
  for (const text of [
    'http://127.0.0.1:4400/api/dev/custom-functions/shop/orders/find.js?n=7',
    'http://localhost:4400/a.js',
    'https://api.example.com/v1/orders?page=2&limit=50#top',
    'https://example.com',
  ])
    assert.deepEqual(quickParts(text), partsOf(new URL(text)));
});
