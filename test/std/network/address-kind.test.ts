import assert from 'node:assert/strict';
import { BlockList, isIPv6 } from 'node:net';
import { test } from 'node:test';
import { type AddressKind, addressKind } from '../../../src/std/index.ts';
import fc from '../../properties.ts';

const known: Readonly<Record<AddressKind, readonly string[]>> = {
  public: [
    '93.184.216.34',
    '1.1.1.1',
    '9.255.255.255',
    '11.0.0.0',
    '172.15.255.255',
    '172.32.0.0',
    '100.63.255.255',
    '100.128.0.0',
    '2606:4700:4700::1111',
    '2a00:1450:4001:80b::200e',
    '::ffff:8.8.8.8',
    '64:ff9b::808:808',
  ],
  loopback: ['127.0.0.1', '127.255.255.254', '::1', '::ffff:127.0.0.1', '::ffff:7f00:1', '0:0:0:0:0:0:0:1'],
  private: [
    '10.0.0.1',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '100.64.0.1',
    '100.100.100.200',
    '168.63.129.16',
    'fd00:ec2::254',
    'fd20:ce::254',
    'fc00::1',
    'fec0::1',
    '::ffff:10.1.2.3',
    '64:ff9b::10.0.0.1',
  ],
  'link-local': ['169.254.169.254', 'fe80::1', 'fe80::1%eth0', '::ffff:169.254.169.254', '64:ff9b::a9fe:a9fe'],
  multicast: ['224.0.0.1', '239.255.255.250', 'ff02::1'],
  unspecified: ['0.0.0.0', '0.1.2.3', '::', '::ffff:0.0.0.0'],
  reserved: [
    '192.0.0.192',
    '192.0.2.1',
    '198.18.0.1',
    '198.51.100.1',
    '203.0.113.9',
    '240.0.0.1',
    '255.255.255.255',
    '::127.0.0.1',
    '64:ff9b:1::1',
    '100::1',
    '2001::1',
    '2001:db8::1',
    '2002:7f00:1::',
    '3fff::1',
    '4000::1',
    '5f00::1',
  ],
};

for (const [kind, addresses] of Object.entries(known)) {
  test(`an address that is ${kind} is recognized in every spelling`, () => {
    assert.deepEqual(
      addresses.map((address) => [address, addressKind(address)]),
      addresses.map((address) => [address, kind]),
    );
  });
}

test('what is not an address is an error', () => {
  for (const text of ['', 'localhost', '127.1', '0x7f.0.0.1', '[::1]', '1.2.3.4.5', ':::'])
    assert.throws(() => addressKind(text), RangeError);
});

test('Node’s own list of networks agrees about every address of IPv6', () => {
  const global = new BlockList();
  global.addSubnet('2000::', 3, 'ipv6');
  const special = new BlockList();
  for (const [start, length] of [
    ['2001::', 23],
    ['2001:db8::', 32],
    ['2002::', 16],
    ['3fff::', 20],
  ] as const)
    special.addSubnet(start, length, 'ipv6');
  const group = fc.oneof(fc.nat(0xffff), fc.constantFrom(0, 0x2000, 0x2001, 0x2002, 0x3fff, 0xdb8, 0xffff));
  fc.assert(
    fc.property(fc.array(group, { minLength: 8, maxLength: 8 }), (groups) => {
      const address = groups.map((part) => part.toString(16)).join(':');
      assert.ok(isIPv6(address));
      // Node takes a mapped address for one of IPv4.
      fc.pre(!address.startsWith('0:0:0:0:0:ffff:'));
      const isPublic = global.check(address, 'ipv6') && !special.check(address, 'ipv6');
      assert.equal(addressKind(address) === 'public', isPublic, address);
    }),
  );
});
