import { type MessageV0, PublicKey, TransactionMessage } from '@solana/web3.js';
import { createWalletSecrets } from '../wallet-seed.ts';
import { isForbiddenAddress, tokenAccountOf } from './addresses.ts';
import { limitUnits, memo, priceUnits, transfer } from './instructions.ts';
import { type SolanaKey, toSolanaKey } from './key.ts';
import type { SolanaProfile } from './profile.ts';
import { SIGNATURE_BYTES } from './programs.ts';
import { unitsFor } from './transaction-limits.ts';
import { compileWithdrawal } from './withdrawal-transaction.ts';

type Terms = {
  feePayer: string;
  amountMicroUsdc: bigint;
  blockhash: string;
  memo: string;
  /** What our fee payer gives for priority; `MICRO_LAMPORTS_PER_UNIT` when left out. */
  microLamportsPerUnit?: number;
};
/** `payTo`: a wallet, whose token account is open. The memo binds the payment to its request (`boundNonce`). */
export type PaymentTerms = Terms & { payTo: string };
/** `to`: a wallet. The memo is a `withdrawalMemo`. `opensAccount`: its token account is opened first, at our cost. */
export type WithdrawalTerms = Terms & { to: string; opensAccount: boolean };

/** Each answers base64 of a transaction signed by the wallet alone: nobody can land it without our fee payer. */
export type SolanaPersonalWallets = {
  addressOf: (walletId: string) => string;
  /** What x402 calls "exact": nothing in it but the transfer, its memo, and limits on what the fee payer gives. */
  signPayment: (walletId: string, terms: PaymentTerms) => Promise<string>;
  signWithdrawal: (walletId: string, terms: WithdrawalTerms) => Promise<string>;
};

/** For a transaction of these it comes to less than a hundred lamports. */
const MICRO_LAMPORTS_PER_UNIT = 1_000;
const PAYMENT_MEMO_PATTERN = /^[\x21-\x7e]{1,128}$/;
const AMOUNT_MAX = 2n ** 64n - 1n;

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

  /** Whether it may is the caller's duty; that it can only go to a person or a treasury is ours. */
  function open(walletId: string, to: string, { feePayer, amountMicroUsdc }: Terms): SolanaKey {
    const key = keyOf(walletId);
    if (isForbiddenAddress(to, [key.address, feePayer])) throw new Error(`a wallet may not pay to ${to}`);
    if (amountMicroUsdc <= 0n || amountMicroUsdc > AMOUNT_MAX) {
      throw new Error(`a wallet must pay 1 to 2^64 - 1 micro-USDC, found ${amountMicroUsdc}`);
    }
    return key;
  }

  return {
    addressOf: (walletId) => keyOf(walletId).address,
    async signPayment(walletId, terms) {
      const key = open(walletId, terms.payTo, terms);
      return toPartlySigned(compilePayment(key.address, terms, profile), key);
    },
    async signWithdrawal(walletId, terms) {
      const key = open(walletId, terms.to, terms);
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
      return toPartlySigned(message, key);
    },
  };
}

function compilePayment(from: string, terms: PaymentTerms, profile: SolanaProfile): MessageV0 {
  const { payTo, feePayer, amountMicroUsdc, blockhash } = terms;
  if (!PAYMENT_MEMO_PATTERN.test(terms.memo)) {
    throw new Error(`a payment's memo must be 1 to 128 visible ASCII characters, found ${JSON.stringify(terms.memo)}`);
  }
  const [source, destination] = [tokenAccountOf(from, profile), tokenAccountOf(payTo, profile)];
  // x402 wants them in this order.
  const instructions = [
    limitUnits(unitsFor({ transfers: 1, bumps: [], memoBytes: terms.memo.length })),
    priceUnits(terms.microLamportsPerUnit ?? MICRO_LAMPORTS_PER_UNIT),
    transfer({ source, destination, authority: from, amount: amountMicroUsdc }, profile),
    memo(terms.memo),
  ];
  const payerKey = new PublicKey(feePayer);
  return new TransactionMessage({ payerKey, recentBlockhash: blockhash, instructions }).compileToV0Message();
}

/** Two signatures: the fee payer's place, left empty, and the wallet's. */
function toPartlySigned(message: MessageV0, key: SolanaKey): string {
  const signers = message.staticAccountKeys.slice(0, message.header.numRequiredSignatures);
  if (signers.length !== 2 || signers[1]?.toBase58() !== key.address) {
    throw new Error(`the fee payer and ${key.address} must sign, found ${signers.join(', ')}`);
  }
  const messageBytes = message.serialize();
  const signatures = [new Uint8Array(SIGNATURE_BYTES), key.sign(messageBytes)];
  return Buffer.concat([Buffer.from([2]), ...signatures, messageBytes]).toString('base64');
}
