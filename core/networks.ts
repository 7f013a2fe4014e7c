/** Networks as the program names them. The wire names of both x402 generations live in `core/x402.ts`. */
export const NETWORKS = ['base', 'solana'] as const;
export type Network = (typeof NETWORKS)[number];

/** Hex addresses are compared in lower case; base58 (Solana) has one spelling only. */
export function canonicalAddress(network: string, address: string): string {
  return network === 'base' ? address.toLowerCase() : address;
}
