import type { SolanaRpc } from '../../../chain/solana/rpc/rpc.ts';

/** What a usual payout worker allows a transaction before it signs another one. */
const PATIENCE_MS = 1_000;

/**
 * The control: a node that lets the worker believe that what it has not seen for a while can never land. It then does
 * what usual workers do, and re-signs on a time-out.
 */
export function reSigning(rpc: SolanaRpc): SolanaRpc {
  const firstAskedMs = new Map<string, number>();
  return {
    ...rpc,
    finalized: async () => ({ ...(await rpc.finalized()), height: Number.MAX_SAFE_INTEGER }),
    async statuses(signatures) {
      const answer = await rpc.statuses(signatures);
      const statuses = answer.statuses.map((status, index) => {
        const signature = signatures[index] ?? '';
        const askedMs = firstAskedMs.get(signature) ?? Date.now();
        firstAskedMs.set(signature, askedMs);
        const isPatient = Date.now() - askedMs < PATIENCE_MS;
        return status ?? (isPatient ? { slot: 0, failed: false, commitment: 'processed' as const } : null);
      });
      return { ...answer, statuses };
    },
  };
}
