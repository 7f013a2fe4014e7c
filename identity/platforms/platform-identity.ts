import type { Config } from '../../core/config/sections.ts';
import type { Network } from '../../core/networks.ts';
import type { Dns } from '../dns.ts';
import type { LookupTools } from '../lookup.ts';
import type { Resolver } from '../port.ts';
import type { OauthProvider } from './oauth-provider.ts';
import type { FindPublishedWallets } from './published-wallets.ts';
import type { FindVerifiedAddresses } from './verified-addresses.ts';

/** What has to be asked about the people of one platform. */
export type PlatformIdentity = {
  /** Makes the resolver of its names. Null: what that needs is not configured. */
  resolving: (identity: Config['identity']) => ((tools: LookupTools & { dns: Dns }) => Resolver) | null;
  /** Finds the addresses that its people have published. Absent: there is nowhere to ask for them. */
  findPublished?: (
    sources: PublishedSources,
    person: { stableId: string; key: string },
    signal: AbortSignal,
  ) => Promise<Published>;
};

/** Where people sign in with their provider. */
export type OauthPlatformIdentity = PlatformIdentity & { provider: OauthProvider };

export type PublishedSources = {
  /** Null: no hub is configured. */
  findVerified: FindVerifiedAddresses | null;
  findWallets: FindPublishedWallets;
};

/** Valid by form only: what it is on its chain is asked there. */
export type PublishedAddress = {
  network: Network;
  address: string;
  /** Its owner proved that they can use it on this very chain, as only wallets with code there need to. */
  isProvenHere: boolean;
};

export type Published =
  | { kind: 'published'; addresses: readonly PublishedAddress[] }
  /** The platform did not answer, or not with anything usable: it says nothing about the person. */
  | { kind: 'unavailable' };
