/** Networks as the program names them. The wire names of both x402 generations live in `core/x402.ts`. */
export const NETWORKS = ['base', 'solana'] as const;
export type Network = (typeof NETWORKS)[number];
