import assert from 'node:assert/strict';
import { test } from 'node:test';
import { blockedInView, deniedInView } from '../../src/emulator/pages/view-blocked.ts';

const cases: [directive: string, address: string, says: RegExp][] = [
  [
    'connect-src',
    'http://shop.example/',
    /request of this view to http:\/\/shop\.example\/: .* https: and wss: addresses only\. Reach/,
  ],
  ['script-src-elem', 'https://cdn.example/x.js', /script from https:\/\/cdn\.example\/x\.js: .* Install the package/],
  ['script-src-attr', 'inline', /inline script: .* Listen with addEventListener/],
  ['worker-src', 'blob', /a worker: a view may not start any/],
  ['frame-src', 'https://maps.example', /a frame with https:\/\/maps\.example: .* other pages/],
  ['img-src', 'http://shop.example/a.png', /blocked http:\/\/shop\.example\/a\.png: .* https: addresses only/],
  ['style-src-elem', 'http://shop.example/a.css', /styles of http:\/\/shop\.example\/a\.css/],
  ['manifest-src', 'https://x.example/', /policy of views \(manifest-src\)/],
];

for (const [directive, address, says] of cases) {
  test(`what ${directive} refuses a view (${address}) is said in words`, () => {
    assert.match(blockedInView(directive, address), says);
  });
}

const denied: [message: string, says: RegExp][] = [
  [
    "Failed to read the 'localStorage' property from 'Window': The document is sandboxed",
    /no storage.*Server Side Method/,
  ],
  ["Failed to execute 'open' on 'IDBFactory': access to the Indexed Database API is denied", /no storage/],
  ["Failed to set the 'cookie' property on 'Document': The document is sandboxed", /no cookies/],
  ["Failed to execute 'pushState' on 'History': A history state object", /no address of its own.*MemoryRouter/],
  ['Blocked a frame with origin "null" from accessing a cross-origin frame.', /the page around it\. Use sdk/],
  ['The operation is insecure.', /no storage, cookies, workers/],
];

for (const [message, says] of denied) {
  test(`what a frame denies a view is explained: ${message}`, () => {
    assert.match(deniedInView(message), says);
  });
}
