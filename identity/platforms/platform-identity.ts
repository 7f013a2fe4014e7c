import type { Config } from '../../core/config/sections.ts';
import type { VariableName } from '../../core/config/variables.ts';
import type { Network } from '../../core/networks.ts';
import type { Dns } from '../dns.ts';
import type { LookupTools } from '../lookup.ts';
import type { Resolver } from '../port.ts';
import type { OauthProvider } from './oauth-provider.ts';
import type { FindPublishedWallets } from './published-wallets.ts';
import type { FindVerifiedAddresses } from './verified-addresses.ts';

/** What one platform can tell about its people. */
export type PlatformIdentity = {
  /** The settings without which `resolving` is null. */
  needs?: readonly VariableName[];
  /** Makes the resolver of its names. Null: not configured. */
  resolving: (identity: Config['identity']) => ((tools: LookupTools & { dns: Dns }) => Resolver) | null;
  /** Finds the addresses that its people have published. Absent: it publishes none. */
  findPublished?: (
    sources: PublishedSources,
    person: { stableId: string; key: string },
    signal: AbortSignal,
  ) => Promise<Published>;
};

/** A platform where people sign in with their provider. */
export type OauthPlatformIdentity = PlatformIdentity & { provider: OauthProvider };

export type PublishedSources = {
  /** Null: no hub is configured. */
  findVerified: FindVerifiedAddresses | null;
  findWallets: FindPublishedWallets;
};

/** Valid by form only; its chain tells the rest. */
export type PublishedAddress = {
  network: Network;
  address: string;
  /** Whether its owner proved on this very chain that they can use it. Only wallets with code need that. */
  isProvenHere: boolean;
};

export type Published =
  | { kind: 'published'; addresses: readonly PublishedAddress[] }
  /** The platform gave no usable answer, which says nothing about the person. */
  | { kind: 'unavailable' };
