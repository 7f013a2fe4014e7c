import { isGlobalAddress } from './addresses.ts';
import { createAddressLookup, createDns } from './dns.ts';
import { createGuardedFetch, type GuardedFetch } from './guarded-fetch.ts';

const TIMEOUT_MS = 10_000;
const BYTES_MAX = 64 * 1024;

/**
 * Sends to addresses that strangers have named: to the public internet only, and nowhere else than there. In local mode
 * receivers run on this machine.
 */
export function createReceiverFetch({
  isLocal,
  dnsServers,
}: {
  isLocal: boolean;
  dnsServers: readonly string[];
}): GuardedFetch {
  const limits = { timeoutMs: TIMEOUT_MS, bytesMax: BYTES_MAX, redirectsMax: 0 };
  if (isLocal) return createGuardedFetch({ ...limits, allowsAddress: () => true });
  const lookup = createAddressLookup(createDns({ servers: dnsServers }), { timeoutMs: TIMEOUT_MS });
  return createGuardedFetch({ ...limits, allowsAddress: isGlobalAddress, lookup });
}
