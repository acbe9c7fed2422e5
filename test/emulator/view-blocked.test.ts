import assert from 'node:assert/strict';
import { test } from 'node:test';
import { blockedInView } from '../../src/emulator/pages/view-blocked.ts';

const cases: [directive: string, address: string, says: RegExp][] = [
  ['connect-src', 'http://shop.example/', /may not ask http:\/\/shop\.example\/: it reaches https: and wss:/],
  ['script-src-elem', 'https://cdn.example/x.js', /script of https:\/\/cdn\.example\/x\.js: install the package/],
  ['script-src-attr', 'inline', /inline script: listen with addEventListener/],
  ['worker-src', 'blob', /may not start workers/],
  ['frame-src', 'https://maps.example', /other pages in itself \(https:\/\/maps\.example\)/],
  ['img-src', 'http://shop.example/a.png', /may not load http:\/\/shop\.example\/a\.png/],
  ['style-src-elem', 'http://shop.example/a.css', /styles of http:\/\/shop\.example\/a\.css/],
  ['manifest-src', 'https://x.example/', /policy of views \(manifest-src\)/],
];

for (const [directive, address, says] of cases) {
  test(`what ${directive} refuses a view (${address}) is said in words`, () => {
    assert.match(blockedInView(directive, address), says);
  });
}
