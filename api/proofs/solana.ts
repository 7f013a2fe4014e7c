import { isForbiddenAddress, tokenAccountOf } from '../../chain/solana/messages/addresses.ts';
import { isCancelledBySolana } from '../../chain/solana/transactions/cancellation.ts';
import { endpointText, isEndpointOfSolana } from '../../chain/solana/transactions/endpoint-consent.ts';
import { checkSolanaPayment, readSolanaPayment } from '../../chain/solana/transactions/inbound.ts';
import type { SolanaProfile } from '../../chain/solana/messages/profile.ts';
import type { SolanaRpc } from '../../chain/solana/rpc/rpc.ts';
import { ChainUnavailable } from '../../chain/errors.ts';
import type { TransferRefusal } from '../../core/payments/refusals.ts';
import type { Authorization, ProofChecker, ReadPayload } from './proof-check.ts';

/** For a payer whose account has had more transactions since, there is no certain answer. */
const LOOKED_AT_MAX = 25;

type SolanaProofs = {
  profile: SolanaProfile;
  rpc: Pick<SolanaRpc, 'tokenAccounts' | 'simulate' | 'newestSignatures' | 'transaction'>;
  payTo: string;
  /** What the treasury has replaced, and whether a proof may name one of them in its place. Absent: it has replaced none. */
  formerTreasuries?: readonly string[];
  takesFormer?: (address: string, nowMs: number) => boolean;
  /** Pays the transaction's fee, so that only we can land what was presented. */
  feePayer: string;
  /** Addresses that can never pay. */
  ownAddresses: readonly string[];
};

/**
 * Proofs on Solana: the payer's partly signed transaction. It lives as long as its blockhash, which only the chain can
 * tell, so it has no window in seconds; the worker's simulation refuses one that is too old.
 */
export function createSolanaProofs(options: SolanaProofs): ProofChecker {
  const { profile, rpc, payTo, formerTreasuries = [], takesFormer, feePayer, ownAddresses } = options;
  // A transaction names token accounts only.
  const formerOf = new Map(formerTreasuries.map((address) => [tokenAccountOf(address, profile), address]));
  return {
    read(payload) {
      const payment = readSolanaPayment(payload);
      if (payment === null) return null;
      return {
        authorization: {
          from: payment.payer,
          to: formerOf.get(payment.destination) ?? payTo,
          value: payment.amount,
          validAfter: 0,
          validBefore: 0,
          nonce: payment.messageHash,
          payerAccount: payment.source,
        },
        signature: payment.wire,
      };
    },
    async check({ authorization, signature }, total, nowSeconds) {
      const payment = readSolanaPayment({ transaction: signature });
      if (payment === null) throw new Error('a payment that was read before cannot be read again');
      if (isForbiddenAddress(authorization.from, ownAddresses)) return 'payer_not_allowed';
      const { to } = authorization;
      if (to !== payTo && takesFormer?.(to, nowSeconds * 1_000) !== true) {
        return 'invalid_exact_svm_payload_recipient_mismatch';
      }
      return checkSolanaPayment(payment, { profile, payTo: to, feePayer, amount: total });
    },
    isCancelledBy: async (payer, cancellation, signature) =>
      isCancelledBySolana(payer, { ...cancellation, network: profile.caip2 }, signature),
    isEndpointOf: async (payer, consent, signature) =>
      isEndpointOfSolana(payer, { ...consent, network: profile.caip2 }, signature),
    endpointWords: (consent) => `this text: ${endpointText({ ...consent, network: profile.caip2 })}`,
    // It needs our own signature to land, and we sign only what is reserved.
    isUsed: async () => false,
    lookUp: (authorization) => lookUp(rpc, authorization),
    tryOut: (proof) => tryOut(rpc, proof),
    isBound: () => true,
  };
}

/**
 * The signature that names a payment on the chain is ours, and only the worker signs. So it is looked for by its message,
 * in what has last touched the payer's account.
 */
async function lookUp(
  rpc: Pick<SolanaProofs['rpc'], 'newestSignatures' | 'transaction'>,
  { payerAccount, nonce: messageHash }: Authorization,
): Promise<'used' | 'unused' | 'unknown'> {
  if (payerAccount === null) throw new Error('a payment on Solana names no token account');
  try {
    const listed = await rpc.newestSignatures(payerAccount, LOOKED_AT_MAX);
    for (const { signature, failed } of listed) {
      const transaction = await rpc.transaction(signature);
      if (transaction === null) return 'unknown';
      // One that is in a block and failed can never land again.
      if (transaction.messageHash === messageHash) return failed ? 'unused' : 'used';
    }
    return listed.length < LOOKED_AT_MAX ? 'unused' : 'unknown';
  } catch (error) {
    if (error instanceof ChainUnavailable) return 'unknown';
    throw error;
  }
}

/** The worker's check without the blockhash: a node that lags does not know a fresh one yet. */
async function tryOut(
  rpc: SolanaProofs['rpc'],
  { authorization: { payerAccount, value }, signature }: ReadPayload,
): Promise<'ok' | TransferRefusal> {
  if (payerAccount === null) throw new Error('a payment on Solana names no token account');
  try {
    const simulated = await rpc.simulate(signature);
    if (simulated.ok || simulated.reason === 'already-processed') return 'ok';
    const [account] = await rpc.tokenAccounts([payerAccount]);
    if (account?.kind === 'usdc' && account.frozen) return 'payer_barred';
    if (account?.kind !== 'usdc' || account.amount < value) return 'insufficient_funds';
    return simulated.reason === 'failed' ? 'invalid_transaction_state' : 'ok';
  } catch (error) {
    if (error instanceof ChainUnavailable) return 'ok';
    throw error;
  }
}
