import type { SolanaChain } from '../support/chains/solana-chain.ts';
import type { SolanaService } from '../support/solana-service.ts';

/** What was sent has landed, or lands in the next of these blocks; they make it final. */
export async function hurryOpen(chain: SolanaChain, { store }: SolanaService): Promise<void> {
  const { carriers } = store.tables;
  const sent = await store.read.select({ status: carriers.status }).from(carriers);
  if (sent.some(({ status }) => status === 'open')) chain.mine(5);
}
