import type { Network } from '../core/networks.ts';
import type { Platform } from '../core/platforms/platforms.ts';
import { createFindVerifiedAddresses, type FindVerifiedAddresses, type VerifiedAddress } from './decsocial.ts';
import { createGuardedFetch } from './guarded-fetch.ts';
import type { FindPublishedWallets } from './proofs/published-wallets.ts';
import { createTroubleReport, type Log } from './trouble.ts';

/** Valid by form only: what it is on its chain is asked there. */
export type PublishedAddress = {
  network: Network;
  address: string;
  /** Its owner proved that he can use it on this very chain, as only wallets with code there need to. */
  isProvenHere: boolean;
};

export type Published =
  | { kind: 'published'; addresses: readonly PublishedAddress[] }
  /** Somebody else did not answer, or not with anything usable: it says nothing about the person. */
  | { kind: 'unavailable' };

/** The addresses that a person or place has published, the first ones first. Most have none. */
export type FindPublished = (
  person: { platform: Platform; stableId: string; key: string },
  signal: AbortSignal,
) => Promise<Published>;

/** The platforms whose people publish addresses that can be asked for. */
export const PUBLISHING_PLATFORMS = ['decsocial', 'web'] as const satisfies readonly Platform[];

const BASE_CHAIN_ID = 8_453;
/** Each one that is looked at costs questions to a chain. */
const ADDRESSES_MAX = 5;

/** Nobody waits for these answers. */
const TIMEOUT_MS = 10_000;
/** A page of verified addresses has about 70 KiB. */
const BYTES_MAX = 256 * 1024;

/** With a connection of its own to the hub, which the operator may run on this machine. No hub: nobody is asked for. */
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

export function createFindPublished(sources: {
  /** Null: no hub is configured. */
  findVerified: FindVerifiedAddresses | null;
  findWallets: FindPublishedWallets;
}): FindPublished {
  const { findVerified, findWallets } = sources;
  return async ({ platform, stableId, key }, signal) => {
    if (platform === 'web') {
      // A host that cannot be read publishes nothing that we could go by.
      const { base, solana } = (await findWallets(key, signal)) ?? { base: [], solana: [] };
      return published([
        ...base.map((address) => ({ network: 'base' as const, address, isProvenHere: false })),
        ...solana.map((address) => ({ network: 'solana' as const, address, isProvenHere: false })),
      ]);
    }
    if (platform !== 'decsocial' || findVerified === null) return published([]);
    const verified = await findVerified(stableId, signal);
    return verified === null ? { kind: 'unavailable' } : published(verified.flatMap(toPublished));
  };
}

/** A key is the same person on every chain; a contract only where it was verified. */
function toPublished({ network, address, isContract, chainId }: VerifiedAddress): PublishedAddress[] {
  if (network === 'solana') return [{ network: 'solana', address, isProvenHere: false }];
  if (isContract && chainId !== BASE_CHAIN_ID) return [];
  return [{ network: 'base', address, isProvenHere: isContract }];
}

function published(addresses: readonly PublishedAddress[]): Published {
  const first = (network: Network) => addresses.filter((each) => each.network === network).slice(0, ADDRESSES_MAX);
  return { kind: 'published', addresses: [...first('base'), ...first('solana')] };
}
