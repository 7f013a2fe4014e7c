import { PublicKey, TransactionMessage } from '@solana/web3.js';
import { tokenAccountOf } from '../messages/addresses.ts';
import { toBase58 } from '../messages/base58.ts';
import { limitUnits, memo, priceUnits, transfer } from '../messages/instructions.ts';
import { hashMessage } from '../messages/message.ts';
import type { SolanaProfile } from '../messages/profile.ts';
import type { SolanaSigner } from '../messages/signer.ts';
import { unitsFor } from '../messages/transaction-limits.ts';
import { transferNonce } from '../messages/transfers.ts';

export type SweepOptions = {
  /** Owns what is moved: the task address, or a former one. */
  owner: SolanaSigner;
  /** Receives it, and pays the fee: the owner holds no SOL. */
  treasury: SolanaSigner;
  profile: SolanaProfile;
  /** In micro-USDC. */
  amount: bigint;
  /** 22 characters of base64url. It stands in the memo, so that no two sweeps of one amount share a signature. */
  carrierId: string;
  blockhash: string;
  microLamportsPerUnit: number;
};

export type SignedSweepAttempt = {
  /** Base64. Stored before the first send; only these bytes are ever sent again. */
  wire: string;
  signature: string;
  /** The transfer's nonce on the chain (`transferNonce`). */
  nonce: string;
};

/** The transaction that moves money from an address that is swept to the treasury and can do nothing else. */
export async function signSweepTransaction(options: SweepOptions): Promise<SignedSweepAttempt> {
  const { owner, treasury, profile, amount, carrierId, blockhash, microLamportsPerUnit } = options;
  if (amount <= 0n) throw new Error(`a sweep must be of more than zero micro-USDC, found ${amount}`);
  const move = {
    source: tokenAccountOf(owner.address, profile),
    destination: tokenAccountOf(treasury.address, profile),
    authority: owner.address,
    amount,
  };
  const instructions = [
    limitUnits(unitsFor({ transfers: 1, bumps: [] })),
    ...(microLamportsPerUnit > 0 ? [priceUnits(microLamportsPerUnit)] : []),
    transfer(move, profile),
    memo(carrierId),
  ];
  const payerKey = new PublicKey(treasury.address);
  const message = new TransactionMessage({ payerKey, recentBlockhash: blockhash, instructions }).compileToV0Message();
  const messageBytes = message.serialize();
  // In the order of the message's accounts: the fee payer first, then the other signer.
  const signatures = await Promise.all([treasury, owner].map((key) => key.sign('sweep', messageBytes)));
  return {
    wire: Buffer.concat([Buffer.from([signatures.length]), ...signatures, messageBytes]).toString('base64'),
    signature: toBase58(signatures[0] ?? new Uint8Array()),
    nonce: transferNonce(hashMessage(messageBytes), 0),
  };
}
