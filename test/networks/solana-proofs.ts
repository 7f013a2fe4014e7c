/** Payments on Solana as no stock client makes them: flawed ones, and from other accounts than the usual one. */
import { Keypair, PublicKey, TransactionMessage, VersionedTransaction } from '@solana/web3.js';
import { tokenAccountOf } from '../../chain/solana/messages/addresses.ts';
import { limitUnits, memo, priceUnits, transfer } from '../../chain/solana/messages/instructions.ts';
import { solanaProfile } from '../../chain/solana/messages/profile.ts';
import { toHeader } from '../../core/payments/x402.ts';
import type { SolanaChain } from '../support/chains/solana-chain.ts';

export const PROFILE = solanaProfile('local');

export type SolanaTerms = {
  payer: Keypair;
  payTo: string;
  feePayer: string;
  microUsdc: bigint;
  /** The payer's usual account unless told otherwise. */
  source?: string;
  mint?: string;
};

/** The payer's half of a transaction in base64; the fee payer's place is empty. */
export async function signTransfer(chain: SolanaChain, terms: SolanaTerms): Promise<string> {
  const { payer, payTo, feePayer, microUsdc, mint = PROFILE.usdc } = terms;
  const profile = { ...PROFILE, usdc: mint };
  const owner = payer.publicKey.toBase58();
  const source = terms.source ?? tokenAccountOf(owner, profile);
  const destination = tokenAccountOf(payTo, profile);
  const { blockhash } = await chain.connection().getLatestBlockhash();
  const instructions = [
    limitUnits(20_000),
    priceUnits(1),
    transfer({ source, destination, authority: owner, amount: microUsdc }, profile),
    memo(Keypair.generate().publicKey.toBase58()),
  ];
  const payerKey = new PublicKey(feePayer);
  const message = new TransactionMessage({ payerKey, recentBlockhash: blockhash, instructions });
  const transaction = new VersionedTransaction(message.compileToV0Message());
  transaction.sign([payer]);
  return Buffer.from(transaction.serialize()).toString('base64');
}

export type Accepted = { microUsdc: bigint; payTo: string; feePayer: string; asset?: string; network?: string };

export function toHeaderV2(transaction: string, { microUsdc, payTo, feePayer, asset, network }: Accepted): string {
  const accepted = {
    scheme: 'exact',
    network: network ?? PROFILE.caip2,
    amount: microUsdc.toString(),
    asset: asset ?? PROFILE.usdc,
    payTo,
    maxTimeoutSeconds: 60,
    extra: { feePayer },
  };
  return toHeader({ x402Version: 2, accepted, payload: { transaction } });
}

export function toHeaderV1(transaction: string): string {
  return toHeader({ x402Version: 1, scheme: 'exact', network: PROFILE.v1Name, payload: { transaction } });
}
