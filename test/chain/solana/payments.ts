/** Payers' transactions for tests: those of the stock clients, and ones with a single thing wrong. */
import { createKeyPairSignerFromBytes } from '@solana/kit';
import {
  ComputeBudgetProgram,
  type Keypair,
  type PublicKey,
  type TransactionInstruction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js';
import { ExactSvmScheme } from '@x402/svm/exact/client';
import { ExactSvmSchemeV1 } from '@x402/svm/exact/v1/client';
import type { SolanaTerms } from '../../../chain/solana/transactions/inbound.ts';
import type { SolanaChain } from '../../support/chains/solana-chain.ts';
import { memo, toWire, usdcTransfer } from '../../local/solana/transfers.ts';

/** What the stock client of either generation makes of the terms, unmodified. */
export async function stockPayload(chain: SolanaChain, payer: Keypair, terms: SolanaTerms, generation: 1 | 2) {
  const signer = await createKeyPairSignerFromBytes(payer.secretKey);
  const config = { rpcUrl: chain.rpcUrl };
  const { profile, payTo, feePayer, amount } = terms;
  const shared = { scheme: 'exact', asset: profile.usdc, payTo, maxTimeoutSeconds: 60, extra: { feePayer } };
  if (generation === 2) {
    const network = profile.caip2 as `${string}:${string}`;
    const scheme = new ExactSvmScheme(signer, config);
    return (await scheme.createPaymentPayload(2, { ...shared, network, amount: amount.toString() })).payload;
  }
  const more = { resource: 'https://example.com', description: '', mimeType: 'application/json', outputSchema: {} };
  const requirements = { ...shared, ...more, network: profile.v1Name, maxAmountRequired: amount.toString() };
  const scheme = new ExactSvmSchemeV1(signer, config);
  const payment = await scheme.createPaymentPayload(1, requirements as never);
  return (payment as { payload: Record<string, unknown> }).payload;
}

export type PaymentParts = {
  payer: Keypair;
  feePayer: PublicKey;
  payTo: PublicKey;
  amount: bigint;
  blockhash: string;
};

/** The instructions that every payment has, by their names. */
export function paymentInstructions({ payer, payTo, amount }: PaymentParts) {
  return {
    limit: ComputeBudgetProgram.setComputeUnitLimit({ units: 20_000 }),
    price: ComputeBudgetProgram.setComputeUnitPrice({ microLamports: 1 }),
    transfer: usdcTransfer(payer.publicKey, payTo, amount),
    memo: memo('0123456789abcdef'),
  };
}

/** Signed by these keys only; the fee payer's place stays empty unless it is among them. */
export function toPartlySigned(
  { feePayer, blockhash }: Pick<PaymentParts, 'feePayer' | 'blockhash'>,
  instructions: TransactionInstruction[],
  signers: Keypair[],
): VersionedTransaction {
  const message = new TransactionMessage({ payerKey: feePayer, recentBlockhash: blockhash, instructions });
  const transaction = new VersionedTransaction(message.compileToV0Message());
  transaction.sign(signers);
  return transaction;
}

export function toPayload(transaction: VersionedTransaction): { transaction: string } {
  return { transaction: toWire(transaction) };
}
