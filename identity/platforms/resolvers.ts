import type { Config } from '../../core/config/sections.ts';
import { PLATFORM_NAMES, recordOf, type Platform } from '../../core/platforms/platforms.ts';
import { createDns } from '../dns.ts';
import { createGuardedFetch } from '../guarded-fetch.ts';
import type { Resolver } from '../port.ts';
import { platformIdentity } from './platforms.ts';
import { createTroubleReport, type Log } from '../trouble.ts';

/** Limits the whole exchange with a provider. `createResolver` ends it earlier for a caller who waits. */
const TIMEOUT_MS = 5_000;
/** A user object has about 2 KiB, a page of verifications about 70. */
const BYTES_MAX = 256 * 1024;
/** GitHub redirects a renamed login, once. */
const REDIRECTS_MAX = 2;

export type Resolvers = {
  /** Null: what the platform needs is not configured. */
  resolvers: Readonly<Record<Platform, Resolver | null>>;
  close: () => Promise<void>;
};

/** A resolver for each configured platform, at the configured endpoints. */
export function createResolvers(
  identity: Config['identity'],
  dependencies: { log: Log; now: () => number },
): Resolvers {
  // The operator chooses these endpoints, maybe on this machine; strangers only choose a name on them.
  const fetch = createGuardedFetch({
    timeoutMs: TIMEOUT_MS,
    bytesMax: BYTES_MAX,
    redirectsMax: REDIRECTS_MAX,
    allowsAddress: () => true,
  });
  const dns = createDns({ servers: identity.dnsServers });
  const resolverOf = (platform: Platform): Resolver | null => {
    const create = platformIdentity(platform).resolving(identity);
    return create?.({ fetch, dns, report: createTroubleReport(platform, dependencies) }) ?? null;
  };
  return { resolvers: recordOf(PLATFORM_NAMES, resolverOf), close: () => fetch.close() };
}
