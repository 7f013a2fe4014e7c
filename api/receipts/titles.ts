import type { Network } from '../../core/networks.ts';
import { platformRow, type Platform } from '../../core/platforms.ts';

/** Platforms as people call them. */
export const PLATFORM_TITLES = {
  x: 'X',
  decsocial: 'Farcaster',
  code: 'GitHub',
  email: 'E-mail',
  web: 'Website',
  photo: 'Instagram',
  discord: 'Discord',
  telegram: 'Telegram',
} as const satisfies Record<Platform, string>;

/** `on X`: what follows a name. Empty where the name says by itself what it is: an address, a domain. */
export function onPlatform(platform: Platform): string {
  return platformRow(platform).nameIsIdentity ? '' : `on ${PLATFORM_TITLES[platform]}`;
}

const NETWORK_TITLES = { base: 'Base', solana: 'Solana' } as const satisfies Record<Network, string>;

/** Chains by CAIP-2 name. The explorers are the ones their foundations link to (docs.base.org, "Block explorers"). */
const CHAINS: Readonly<Record<string, { title: string; transactions: string }>> = {
  'eip155:8453': { title: 'Base', transactions: 'https://basescan.org/tx/' },
  'eip155:84532': { title: 'Base Sepolia (test money)', transactions: 'https://sepolia.basescan.org/tx/' },
};

/** `Base`. A network that was switched off since keeps its general name. */
export function networkName(network: string, caip2: string | null): string {
  const chain = caip2 === null ? undefined : CHAINS[caip2];
  return chain?.title ?? NETWORK_TITLES[network as Network] ?? network;
}

/** Null where no public explorer is known. Hashes come from the chain: only their plain characters make a link. */
export function transactionUrl(caip2: string | null, transaction: string): string | null {
  const chain = caip2 === null ? undefined : CHAINS[caip2];
  if (chain === undefined || !/^[0-9A-Za-z]+$/.test(transaction)) return null;
  return chain.transactions + transaction;
}
