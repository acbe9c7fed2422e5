import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hostName, pageOrigin } from '../../src/cli/values/allowed-from.ts';

const refused = { code: 'flag_invalid', exitCode: 2 };

test('a host is named as it is, with a port, or by an address that was copied', () => {
  assert.equal(hostName('desk.tunnel.example'), 'desk.tunnel.example');
  assert.equal(hostName('desk.tunnel.example:8443'), 'desk.tunnel.example');
  assert.equal(hostName('https://Desk.Tunnel.example/'), 'desk.tunnel.example');
  assert.equal(hostName('192.168.1.20'), '192.168.1.20');
  assert.equal(hostName('[fd00::1]'), '[fd00::1]');
});

test('what can be the name of no host is refused, not left without effect', () => {
  for (const given of ['', '*', '*.tunnel.example', '.tunnel.example', 'a b', 'http://'])
    assert.throws(() => hostName(given), refused, given);
});

test('an origin is one as browsers send it, whichever address of a page was given', () => {
  assert.equal(pageOrigin('https://shop.example'), 'https://shop.example');
  assert.equal(pageOrigin('https://Shop.example:443/cart?x=1'), 'https://shop.example');
  assert.equal(pageOrigin('http://localhost:5173/'), 'http://localhost:5173');
  assert.equal(pageOrigin('chrome-extension://abcdefgh'), 'chrome-extension://abcdefgh');
  assert.equal(pageOrigin('null'), 'null');
});

test('an origin with a wildcard is refused, because no browser sends one', () => {
  for (const given of ['https://*.shop.example', 'https://*', 'http://localhost:*', 'chrome-extension://*', '*'])
    assert.throws(() => pageOrigin(given), { ...refused, message: /wildcard/ }, given);
});

test('an origin without its scheme is refused, not left without effect', () => {
  for (const given of ['', '*', 'shop.example', 'localhost:5173', 'https://'])
    assert.throws(() => pageOrigin(given), refused, given);
});
