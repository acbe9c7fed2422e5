/**
 * What an IP address stands for. `reserved`: special purposes, documentation, tunnels, and what nobody was given. `link-local` includes the
 * address at which clouds hand out credentials.
 */
export type AddressKind = 'public' | 'loopback' | 'private' | 'link-local' | 'multicast' | 'unspecified' | 'reserved';

/** @see https://www.iana.org/assignments/iana-ipv4-special-registry */
const ranges4: readonly (readonly [string, number, AddressKind])[] = [
  ['127.0.0.0', 8, 'loopback'],
  ['0.0.0.0', 8, 'unspecified'],
  ['10.0.0.0', 8, 'private'],
  ['172.16.0.0', 12, 'private'],
  ['192.168.0.0', 16, 'private'],
  // Shared by the customers of a provider, and Alibaba's metadata service.
  ['100.64.0.0', 10, 'private'],
  // A public address, but that of each Azure machine's own host.
  ['168.63.129.16', 32, 'private'],
  ['169.254.0.0', 16, 'link-local'],
  ['224.0.0.0', 4, 'multicast'],
  ['192.0.0.0', 24, 'reserved'],
  ['192.0.2.0', 24, 'reserved'],
  ['192.88.99.0', 24, 'reserved'],
  ['198.18.0.0', 15, 'reserved'],
  ['198.51.100.0', 24, 'reserved'],
  ['203.0.113.0', 24, 'reserved'],
  ['240.0.0.0', 4, 'reserved'],
];

/** Of IPv6 only 2000::/3 was given to anybody. @see https://www.iana.org/assignments/iana-ipv6-special-registry */
const ranges6: readonly (readonly [string, number, AddressKind])[] = [
  ['::1', 128, 'loopback'],
  ['::', 128, 'unspecified'],
  ['fc00::', 7, 'private'],
  ['fec0::', 10, 'private'],
  ['fe80::', 10, 'link-local'],
  ['ff00::', 8, 'multicast'],
  // Protocol assignments and tunnels that can lead anywhere: Teredo, 6to4.
  ['2001::', 23, 'reserved'],
  ['2001:db8::', 32, 'reserved'],
  ['2002::', 16, 'reserved'],
  ['3fff::', 20, 'reserved'],
  ['2000::', 3, 'public'],
];

/**
 * Tells what an address stands for. An IPv4 address inside an IPv6 one (`::ffff:10.0.0.1`, NAT64) counts as what it leads to.
 * @param address IPv4 or IPv6, without brackets
 * @throws RangeError when it is not an IP address
 */
export function addressKind(address: string): AddressKind {
  const bare = address.replace(/%.*$/s, '');
  const family = process.getBuiltinModule('node:net').isIP(bare);
  if (family === 0) throw new RangeError(`"${address.slice(0, 80)}" is not an IP address`);
  if (family === 4) return kindIn(ranges4, bitsOf4(bare), 32) ?? 'public';
  const bits = bitsOf6(bare);
  const prefix = bits >> 32n;
  if (prefix === 0xffffn || prefix === 0x64_ff9b_0000_0000_0000_0000n)
    return kindIn(ranges4, bits & 0xffff_ffffn, 32) ?? 'public';
  return kindIn(ranges6, bits, 128) ?? 'reserved';
}

function kindIn(
  ranges: readonly (readonly [string, number, AddressKind])[],
  bits: bigint,
  size: number,
): AddressKind | undefined {
  return ranges.find(([start, length]) => {
    const rest = BigInt(size - length);
    return bits >> rest === (size === 32 ? bitsOf4(start) : bitsOf6(start)) >> rest;
  })?.[2];
}

function bitsOf4(address: string): bigint {
  return address.split('.').reduce((bits, part) => (bits << 8n) | BigInt(part), 0n);
}

function bitsOf6(address: string): bigint {
  const dotted = /^(.*:)(\d+\.\d+\.\d+\.\d+)$/.exec(address);
  if (dotted) return bitsOf6(`${dotted[1]}0:0`) | bitsOf4(dotted[2] ?? '');
  const [left = [], right = []] = address.split('::').map((half) => half.split(':').filter((group) => group !== ''));
  const groups = [...left, ...Array<string>(8 - left.length - right.length).fill('0'), ...right];
  return groups.reduce((bits, group) => (bits << 16n) | BigInt(`0x${group}`), 0n);
}
