import { NETWORKS, type Network } from '../../core/networks.ts';
import { PLATFORM_NAMES, type Platform } from '../../core/platforms/platforms.ts';
import { createGuardedFetch } from '../guarded-fetch.ts';
import type { Published, PublishedSources } from './platform-identity.ts';
import { platformIdentity } from './platforms.ts';
import type { FindPublishedWallets } from './published-wallets.ts';
import { createFindVerifiedAddresses } from './verified-addresses.ts';
import { createTroubleReport, type Log } from '../trouble.ts';

/** The addresses that a person or host has published, in their order. Most have none. */
export type FindPublished = (
  person: { platform: Platform; stableId: string; key: string },
  signal: AbortSignal,
) => Promise<Published>;

/** The platforms that publish their people's addresses. */
export const PUBLISHING_PLATFORMS = PLATFORM_NAMES.filter(
  (platform) => platformIdentity(platform).findPublished !== undefined,
);

/** Each address costs requests to a chain. */
const ADDRESSES_MAX = 5;

/** No caller waits for these answers. */
const TIMEOUT_MS = 10_000;
/** A page of verified addresses has about 70 KiB. */
const BYTES_MAX = 256 * 1024;

/** Has its own connection to the hub, which the operator may run on this machine. */
export function openFindPublished(
  settings: { hubUrl: string | undefined; findWallets: FindPublishedWallets },
  dependencies: { log: Log; now: () => number },
): { find: FindPublished; close: () => Promise<void> } {
  const { hubUrl, findWallets } = settings;
  if (hubUrl === undefined) {
    return { find: createFindPublished({ findVerified: null, findWallets }), close: async () => undefined };
  }
  const limits = { timeoutMs: TIMEOUT_MS, bytesMax: BYTES_MAX, redirectsMax: 0 };
  const fetch = createGuardedFetch({ ...limits, allowsAddress: () => true });
  const report = createTroubleReport('decsocial', dependencies);
  const findVerified = createFindVerifiedAddresses({ hubUrl }, { fetch, report });
  return { find: createFindPublished({ findVerified, findWallets }), close: () => fetch.close() };
}

export function createFindPublished(sources: PublishedSources): FindPublished {
  return async ({ platform, ...person }, signal) => {
    const found = await platformIdentity(platform).findPublished?.(sources, person, signal);
    if (found?.kind === 'unavailable') return found;
    const addresses = found?.addresses ?? [];
    const firstOn = (network: Network) => addresses.filter((each) => each.network === network).slice(0, ADDRESSES_MAX);
    return { kind: 'published', addresses: NETWORKS.flatMap(firstOn) };
  };
}
