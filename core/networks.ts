/** Networks as the program names them. The wire names of both x402 generations live in `core/x402.ts`. */
export const NETWORKS = ['base', 'solana'] as const;
export type Network = (typeof NETWORKS)[number];

/** Networks as people call them, whichever of their chains is meant. */
const NETWORK_TITLES = { base: 'Base', solana: 'Solana' } as const satisfies Record<Network, string>;

/** Chains by CAIP-2 name. The explorers are the ones their foundations link to (docs.base.org, "Block explorers"). */
const CHAINS: ReadonlyMap<string, { title: string; transactions: string }> = new Map([
  ['eip155:8453', { title: 'Base', transactions: 'https://basescan.org/tx/' }],
  ['eip155:84532', { title: 'Base Sepolia (test money)', transactions: 'https://sepolia.basescan.org/tx/' }],
]);

/** `Base`, or the chain by its own name. A network that was switched off since keeps its general one. */
export function networkTitle(network: string, caip2: string | null): string {
  const known = NETWORKS.find((name) => name === network);
  return CHAINS.get(caip2 ?? '')?.title ?? (known === undefined ? network : NETWORK_TITLES[known]);
}

/** Null where no public explorer is known. Hashes come from the chain: only their plain characters make a link. */
export function transactionUrl(caip2: string | null, transaction: string): string | null {
  const chain = CHAINS.get(caip2 ?? '');
  if (chain === undefined || !/^[0-9A-Za-z]+$/.test(transaction)) return null;
  return chain.transactions + transaction;
}

/** Hex addresses are compared in lower case; base58 (Solana) has one spelling only. */
export function canonicalAddress(network: string, address: string): string {
  return network === 'base' ? address.toLowerCase() : address;
}
