import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkEndpointUrl } from '../../../src/contract/index.ts';

const local = { allowLoopback: true };
const remote = { allowLoopback: false };

for (const [given, url] of [
  ['https://shop.example/hook', 'https://shop.example/hook'],
  ['  HTTPS://Shop.Example:443/Hook?a=%20b ', 'https://shop.example/Hook?a=%20b'],
  ['https://bücher.example', 'https://xn--bcher-kva.example/'],
  ['https://93.184.216.34:8443/', 'https://93.184.216.34:8443/'],
  ['https://[2606:4700:4700::1111]/', 'https://[2606:4700:4700::1111]/'],
] as const) {
  test(`${given} can be an endpoint of any workspace`, () => {
    assert.deepEqual(checkEndpointUrl(given, local), { url });
    assert.deepEqual(checkEndpointUrl(given, remote), { url });
  });
}

for (const [given, url] of [
  ['http://localhost:9000/hook', 'http://localhost:9000/hook'],
  ['http://127.0.0.1:9000', 'http://127.0.0.1:9000/'],
  ['http://2130706433:9000', 'http://127.0.0.1:9000/'],
  ['http://127.1:9000', 'http://127.0.0.1:9000/'],
  ['http://[::1]:9000', 'http://[::1]:9000/'],
  ['http://shop.localhost:9000', 'http://shop.localhost:9000/'],
  ['https://localhost:9000', 'https://localhost:9000/'],
] as const) {
  test(`${given} can be an endpoint of a local workspace only`, () => {
    assert.deepEqual(checkEndpointUrl(given, local), { url });
    const refused = checkEndpointUrl(given, remote);
    assert.ok('code' in refused);
    assert.equal(refused.code, 'webhook_url_private');
    assert.match(refused.hint, /fn webhook listen/);
  });
}

for (const [given, code, says] of [
  ['', 'webhook_url_invalid', /not an address/],
  ['shop.example/hook', 'webhook_url_invalid', /not an address/],
  ['ftp://shop.example', 'webhook_url_invalid', /ftp: is neither https nor http/],
  ['javascript:alert(1)', 'webhook_url_invalid', /neither https nor http/],
  ['https://', 'webhook_url_invalid', /not an address/],
  ['https://shop.example\r\n/x', 'webhook_url_invalid', /control characters/],
  ['https://shop.example/a b', 'webhook_url_invalid', /spaces/],
  ['https://shop.example/#top', 'webhook_url_invalid', /fragment/],
  ['https://ann:hunter2@shop.example/', 'webhook_url_invalid', /user name or a password/],
  [`https://shop.example/${'a'.repeat(2_048)}`, 'webhook_url_invalid', /longer than 2048/],
  ['http://shop.example/hook', 'webhook_url_insecure', /not encrypted/],
  ['http://localhost.example/hook', 'webhook_url_insecure', /not encrypted/],
  ['https://10.0.0.5/hook', 'webhook_url_private', /10\.0\.0\.5 is a private address/],
  ['http://10.0.0.5/hook', 'webhook_url_private', /private/],
  ['https://0xa000005/hook', 'webhook_url_private', /10\.0\.0\.5/],
  ['https://169.254.169.254/latest/meta-data', 'webhook_url_private', /link-local/],
  ['http://0.0.0.0:9000/', 'webhook_url_private', /unspecified/],
  ['https://[::ffff:10.0.0.5]/', 'webhook_url_private', /private/],
  ['https://[fd00:ec2::254]/', 'webhook_url_private', /private/],
  ['https://[::]/', 'webhook_url_private', /unspecified/],
] as const) {
  test(`${JSON.stringify(given.slice(0, 60))} cannot be an endpoint`, () => {
    const refused = checkEndpointUrl(given, local);
    assert.ok('code' in refused);
    assert.equal(refused.code, code);
    assert.match(refused.message, says);
    assert.doesNotMatch(refused.message, /hunter2/);
  });
}
