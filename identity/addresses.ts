import { BlockList, isIP } from 'node:net';

/** IANA's special-purpose registry of IPv4, with multicast and what was never assigned. */
const SPECIAL_IP_V4: readonly (readonly [network: string, bits: number])[] = [
  ['0.0.0.0', 8], // this host
  ['10.0.0.0', 8], // private
  ['100.64.0.0', 10], // carrier-grade NAT
  ['127.0.0.0', 8], // loopback
  ['168.63.129.16', 32], // Azure's host, a public address that only its own guests reach
  ['169.254.0.0', 16], // link-local, and the metadata of every cloud
  ['172.16.0.0', 12], // private
  ['192.0.0.0', 24], // protocol assignments
  ['192.0.2.0', 24], // documentation
  ['192.88.99.0', 24], // 6to4 relays
  ['192.168.0.0', 16], // private
  ['198.18.0.0', 15], // benchmarks
  ['198.51.100.0', 24], // documentation
  ['203.0.113.0', 24], // documentation
  ['224.0.0.0', 4], // multicast
  ['240.0.0.0', 4], // reserved, broadcast
];

/** Within 2000::/3, the only part of IPv6 that is global unicast today. */
const SPECIAL_IP_V6: readonly (readonly [network: string, bits: number])[] = [
  ['2001::', 23], // Teredo, ORCHID, benchmarks: each reaches something else than it says
  ['2001:db8::', 32], // documentation
  ['2002::', 16], // 6to4: an IPv4 address inside
  ['3fff::', 20], // documentation
];

const specialV4 = toBlockList(SPECIAL_IP_V4, 'ipv4');
const specialV6 = toBlockList(SPECIAL_IP_V6, 'ipv6');
const unicastV6 = toBlockList([['2000::', 3]], 'ipv6');

/**
 * Whether an address belongs to the public internet, so that asking it cannot reach this machine, its network or its
 * cloud. Takes what a resolver or the URL parser answers; anything that is no address is not global. IPv6 is an allow
 * list: IPv4-mapped, NAT64, link-local, unique-local and multicast addresses all lie outside 2000::/3.
 */
export function isGlobalAddress(address: string): boolean {
  const version = isIP(address);
  if (version === 4) return !specialV4.check(address, 'ipv4');
  if (version !== 6 || address.includes('%')) return false;
  return unicastV6.check(address, 'ipv6') && !specialV6.check(address, 'ipv6');
}

function toBlockList(networks: readonly (readonly [string, number])[], family: 'ipv4' | 'ipv6'): BlockList {
  const blockList = new BlockList();
  for (const [network, bits] of networks) blockList.addSubnet(network, bits, family);
  return blockList;
}
