import { createWalletSecrets } from '../wallet-seed.ts';
import { tokenAccountOf } from './messages/addresses.ts';
import { toBase58 } from './messages/base58.ts';
import { cancellationText } from './messages/cancellation-text.ts';
import { toSolanaKey } from './messages/key.ts';
import {
  checkTransfer,
  MICRO_LAMPORTS_PER_UNIT,
  type PaymentTerms,
  signAsPayer,
  signPayment,
  type TransferTerms,
} from './transactions/payment-transaction.ts';
import type { SolanaProfile } from './messages/profile.ts';
import { compileWithdrawal } from './transactions/withdrawal-transaction.ts';

/** `to`: a wallet. The memo is a `withdrawalMemo`. `opensAccount`: its token account is opened first, at our cost. */
export type WithdrawalTerms = TransferTerms & { to: string; opensAccount: boolean };

/**
 * Payments and withdrawals answer base64 of a transaction signed by the wallet alone: it cannot land without our fee
 * payer.
 */
export type SolanaPersonalWallets = {
  addressOf: (walletId: string) => string;
  /** An x402 "exact" payment: only the transfer, its memo, and limits on the fee payer's cost. */
  signPayment: (walletId: string, terms: PaymentTerms) => Promise<string>;
  signWithdrawal: (walletId: string, terms: WithdrawalTerms) => Promise<string>;
  /** Base58 of the wallet's signature under the text that takes back a tip. */
  signCancellation: (walletId: string, cancellation: { txnId: number; validBefore: number }) => string;
};

/** One wallet on Solana per person, derived from the seed by `createWalletSecrets`; the 32 bytes are an ed25519 seed. */
export function createSolanaPersonalWallets({
  seed,
  profile,
}: {
  seed: Uint8Array;
  profile: SolanaProfile;
}): SolanaPersonalWallets {
  const secretOf = createWalletSecrets(seed, profile.network);
  const keyOf = (walletId: string) => toSolanaKey(secretOf(walletId));

  return {
    addressOf: (walletId) => keyOf(walletId).address,
    signPayment: async (walletId, terms) => signPayment(keyOf(walletId), terms, profile),
    async signWithdrawal(walletId, terms) {
      const key = keyOf(walletId);
      checkTransfer(key, terms.to, terms);
      const message = compileWithdrawal(
        {
          memo: terms.memo,
          from: key.address,
          account: tokenAccountOf(terms.to, profile),
          opensFor: terms.opensAccount ? terms.to : null,
          amount: terms.amountMicroUsdc,
          feePayer: terms.feePayer,
          blockhash: terms.blockhash,
          microLamportsPerUnit: terms.microLamportsPerUnit ?? MICRO_LAMPORTS_PER_UNIT,
        },
        profile,
      );
      return signAsPayer(message, key);
    },
    signCancellation(walletId, cancellation) {
      const text = cancellationText({ ...cancellation, network: profile.caip2 });
      return toBase58(keyOf(walletId).sign(Buffer.from(text)));
    },
  };
}
