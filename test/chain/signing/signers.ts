import type { Keypair } from '@solana/web3.js';
import { localSolanaKey } from '../../../chain/signing/keys.ts';
import { createFeePayer, createSolanaSigners, type SolanaSigners } from '../../../chain/signing/solana.ts';
import { toBase58 } from '../../../chain/solana/messages/base58.ts';
import type { SolanaProfile } from '../../../chain/solana/messages/profile.ts';
import type { SolanaSigner } from '../../../chain/solana/messages/signer.ts';

type Key = Pick<Keypair, 'secretKey'>;
const keyOf = ({ secretKey }: Key) => localSolanaKey(toBase58(secretKey));

/** Our fee payer, as the service makes it. */
export function feePayerOf(key: Key, profile: SolanaProfile): SolanaSigner {
  return createFeePayer(keyOf(key), profile);
}

/** Our keys, as the service makes them; the treasury stands in for a fee payer that is not given. */
export function signersOf(
  { treasury, feePayer, task, formers = [] }: { treasury: Key; feePayer?: Key; task?: Key; formers?: readonly Key[] },
  profile: SolanaProfile,
): SolanaSigners {
  const keys = { treasury: keyOf(treasury), feePayer: keyOf(feePayer ?? treasury), task: task ? keyOf(task) : null };
  return createSolanaSigners({ ...keys, formers: formers.map(keyOf) }, profile);
}
