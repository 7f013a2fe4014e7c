import { z } from 'zod';
import { ChainUnavailable } from '../../errors.ts';
import type { JsonRpc } from '../../json-rpc.ts';
import { type LandedTransaction, toLandedTransaction } from '../messages/landed.ts';
import type { SolanaProfile } from '../messages/profile.ts';
import { type Commitment, count, inContext, landedAnswer, transactionError } from '../messages/rpc-shapes.ts';
import type { OwnAccount } from '../messages/transfers.ts';

export type SignatureStatus = { slot: number; failed: boolean; commitment: Commitment };

/** The limit of nodes per question. */
const STATUSES_PER_CALL = 256;
/** The newest version of transactions that `decodeTransaction` reads. */
const TRANSACTION_VERSION_MAX = 1;

const statuses = inContext(
  z.array(
    z
      .object({
        slot: count,
        err: transactionError,
        confirmationStatus: z.enum(['processed', 'confirmed', 'finalized']),
      })
      .transform(({ slot, err, confirmationStatus }) => ({
        slot,
        failed: err !== null,
        commitment: confirmationStatus,
      }))
      .nullable(),
  ),
);

/** What we ask about transactions that landed. Part of `createSolanaRpc`. */
export function signatureReads(ask: JsonRpc, profile: SolanaProfile, ownAccounts: readonly OwnAccount[]) {
  return {
    /**
     * Statuses, also of old transactions. Null where the node knows none, which proves little because a node may lag.
     * `contextSlot` says how far the slowest answer looked: refuse one that is behind what you asked before.
     */
    async statuses(
      signatures: readonly string[],
    ): Promise<{ contextSlot: number; statuses: (SignatureStatus | null)[] }> {
      const method = 'getSignatureStatuses';
      const groups = Math.max(1, Math.ceil(signatures.length / STATUSES_PER_CALL));
      const answers = await Promise.all(
        Array.from({ length: groups }, async (_, index) => {
          const group = signatures.slice(index * STATUSES_PER_CALL, (index + 1) * STATUSES_PER_CALL);
          const answer = await ask(method, [group, { searchTransactionHistory: true }], statuses);
          if (answer.value.length !== group.length) throw new ChainUnavailable(method, 'malformed');
          return answer;
        }),
      );
      return {
        contextSlot: Math.min(...answers.map(({ context }) => context.slot)),
        statuses: answers.flatMap(({ value }) => value),
      };
    },

    /** Null while the node does not show it at `confirmed`. */
    transaction: (wanted: string) => landed(wanted, ownAccounts),

    /** The same with the transfers of these accounts in place of ours. */
    transactionOf: landed,
  };

  async function landed(wanted: string, accounts: readonly OwnAccount[]): Promise<LandedTransaction | null> {
    const method = 'getTransaction';
    const config = {
      commitment: 'confirmed',
      encoding: 'base64',
      maxSupportedTransactionVersion: TRANSACTION_VERSION_MAX,
    };
    const found = await ask(method, [wanted, config], landedAnswer.nullable());
    if (!found) return null;
    const transaction = toLandedTransaction(found, accounts, profile);
    if (transaction?.signature !== wanted) throw new ChainUnavailable(method, 'malformed');
    return transaction;
  }
}
