import { randomBytes } from 'node:crypto';
import { Connection, Keypair, PublicKey, TransactionMessage, VersionedTransaction } from '@solana/web3.js';
import fc from 'fast-check';
import { tokenAccountOf } from '../../../chain/solana/messages/addresses.ts';
import { limitUnits, memo, priceUnits, transfer } from '../../../chain/solana/messages/instructions.ts';
import { solanaProfile } from '../../../chain/solana/messages/profile.ts';
import type { SolanaProofTerms } from './request.ts';

const PROFILE = solanaProfile('local');

/** Who is paid on Solana, who pays the fee there, and the node that knows the newest block. */
export type SolanaPlace = { payTo: string; feePayer: string; rpcUrl: string };

export const solanaTerms: fc.Arbitrary<SolanaProofTerms> = fc.record({
  version: fc.constantFrom<1 | 2>(1, 2),
  seed: fc.stringMatching(/^[0-9a-f]{64}$/),
  isToUs: fc.oneof({ weight: 5, arbitrary: fc.constant(true) }, { weight: 1, arbitrary: fc.constant(false) }),
  surplus: fc.constantFrom(0, 0, 0, 0, 0, 1, -1),
  isSigned: fc.oneof({ weight: 5, arbitrary: fc.constant(true) }, { weight: 1, arbitrary: fc.constant(false) }),
  hasNewBlock: fc.oneof({ weight: 5, arbitrary: fc.constant(true) }, { weight: 1, arbitrary: fc.constant(false) }),
  units: fc.constantFrom(20_000, 20_000, 20_000, 1_400_000),
  extraInstructions: fc.constantFrom(0, 0, 0, 1, 5),
});

/** The payer's half of a transfer as the stock client builds it, from a payer who holds nothing. */
export async function writeSolanaProof(terms: SolanaProofTerms, price: number, place: SolanaPlace): Promise<string> {
  const payer = Keypair.fromSeed(Buffer.from(terms.seed, 'hex'));
  const owner = payer.publicKey.toBase58();
  const payTo = terms.isToUs ? place.payTo : owner;
  const amount = BigInt(Math.max(0, price + terms.surplus));
  const ends = { source: tokenAccountOf(owner, PROFILE), destination: tokenAccountOf(payTo, PROFILE) };
  const instructions = [
    limitUnits(terms.units),
    priceUnits(1),
    transfer({ ...ends, authority: owner, amount }, PROFILE),
    memo(randomBytes(16).toString('hex')),
    ...Array.from({ length: terms.extraInstructions }, () => memo('more')),
  ];
  const recentBlockhash = terms.hasNewBlock ? await newestBlock(place.rpcUrl) : owner;
  const payerKey = new PublicKey(place.feePayer);
  const transaction = new VersionedTransaction(
    new TransactionMessage({ payerKey, recentBlockhash, instructions }).compileToV0Message(),
  );
  if (terms.isSigned) transaction.sign([payer]);
  const payload = { transaction: Buffer.from(transaction.serialize()).toString('base64') };
  const { caip2: network, v1Name, usdc: asset } = PROFILE;
  if (terms.version === 1) return toText({ x402Version: 1, scheme: 'exact', network: v1Name, payload });
  const extra = { feePayer: place.feePayer };
  const accepted = {
    scheme: 'exact',
    network,
    amount: String(price),
    asset,
    payTo: place.payTo,
    maxTimeoutSeconds: 60,
    extra,
  };
  return toText({ x402Version: 2, accepted, payload });
}

async function newestBlock(rpcUrl: string): Promise<string> {
  const { blockhash } = await new Connection(rpcUrl).getLatestBlockhash();
  return blockhash;
}

const toText = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64');
