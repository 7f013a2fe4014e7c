import { BlockList, isIP } from 'node:net';

/** Whether an address is a proxy's that the operator trusts, and whose forwarded headers count. */
export type ProxyTrust = (address: string) => boolean;

/** `ranges`: addresses and CIDR ranges, as in TRUSTED_PROXIES. */
export function trustProxies(ranges: readonly string[]): ProxyTrust {
  if (ranges.length === 0) return () => false;
  const trusted = new BlockList();
  for (const range of ranges) {
    const [address = '', bits] = range.split('/');
    if (bits === undefined) trusted.addAddress(address, familyName(address));
    else trusted.addSubnet(address, Number(bits), familyName(address));
  }
  return (address) => isIP(address) !== 0 && trusted.check(address, familyName(address));
}

function familyName(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 6 ? 'ipv6' : 'ipv4';
}
