import type { LookupAddress } from 'node:dns';
import { lookup as systemLookup } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import { buildConnector } from 'undici';
import { FetchFailure } from './fetch-failure.ts';

type AddressLookup = (host: string) => Promise<readonly string[]>;

export type Guard = {
  /**
   * The addresses that may be connected to: `isGlobalAddress` for every URL that a stranger influences; `() => true`
   * for endpoints of the configuration, because the operator may run them on this machine.
   */
  allowsAddress: (address: string) => boolean;
  /**
   * The addresses of a host. Its answer is checked and connected to without a second look-up. Absent: the system is
   * asked, on one of few threads, so strangers' hosts use `createAddressLookup`.
   */
  lookup?: AddressLookup;
};

/**
 * Opens connections to allowed addresses only; a refusal is a FetchFailure. An address inside a URL needs no look-up,
 * so it is checked separately.
 */
export function createGuardedConnector(
  { allowsAddress, lookup = lookUpBySystem }: Guard,
  timeoutMs: number,
): buildConnector.connector {
  const guardedLookup: LookupFunction = (host, { all }, done) => {
    const answer = async (): Promise<void> => {
      const addresses = await findAllowed(host, lookup, allowsAddress);
      if (addresses instanceof Error) done(addresses, []);
      else if (all) done(null, addresses);
      else done(null, addresses[0]?.address ?? '', addresses[0]?.family);
    };
    void answer();
  };
  const connect = buildConnector({ lookup: guardedLookup, timeout: timeoutMs });
  return (options, done) => {
    const { hostname } = options;
    if (isIP(hostname) !== 0 && !allowsAddress(hostname)) done(new FetchFailure('forbidden-address'), null);
    else connect(options, done);
  };
}

/** One forbidden address refuses the name: an attacker mixes them so that we fall through to the forbidden one. */
async function findAllowed(
  host: string,
  lookup: AddressLookup,
  allowsAddress: (address: string) => boolean,
): Promise<LookupAddress[] | Error> {
  try {
    const addresses = await lookup(host);
    if (!addresses.every(allowsAddress)) return new FetchFailure('forbidden-address');
    if (addresses.length === 0) return new FetchFailure('unreachable');
    return addresses.map((address) => ({ address, family: isIP(address) }));
  } catch (error) {
    return new FetchFailure('unreachable', { cause: error });
  }
}

async function lookUpBySystem(host: string): Promise<readonly string[]> {
  return (await systemLookup(host, { all: true })).map(({ address }) => address);
}
