import { readSolanaKey } from '../../chain/solana/messages/key.ts';
import type { LocalSolana } from './network.ts';

const LAMPORTS_PER_SOL = 1_000_000_000n;
/** Pays the fees of payouts, and the rent of token accounts that they create. */
const TREASURY_LAMPORTS = 100n * LAMPORTS_PER_SOL;
/** Pays the fees of payments that come in. */
const FEE_PAYER_LAMPORTS = 10n * LAMPORTS_PER_SOL;

export type FundedKeys = { treasuryKey: string; taskKey?: string; feePayerKey: string };

/** Gives the service's own addresses what they need to begin, and refills those that have used most of it. */
export async function fundService(
  solana: LocalSolana,
  { treasuryKey, taskKey, feePayerKey }: FundedKeys,
): Promise<void> {
  const treasury = readSolanaKey(treasuryKey).address;
  const hadEnough = [
    await fillUp(solana, treasury, TREASURY_LAMPORTS),
    await fillUp(solana, readSolanaKey(feePayerKey).address, FEE_PAYER_LAMPORTS),
  ];
  // Clients of x402 pay into it and do not create it.
  await solana.ensureUsdcAccount(treasury);
  if (taskKey !== undefined) await solana.ensureUsdcAccount(readSolanaKey(taskKey).address);
  // Reads of finalized balances would otherwise find nothing for the first seconds.
  if (hadEnough.includes(false)) await solana.finalize();
}

/** Answers whether there was enough. */
async function fillUp(solana: LocalSolana, address: string, lamports: bigint): Promise<boolean> {
  if ((await solana.solBalance(address)) >= lamports / 10n) return true;
  await solana.fundSol(address, lamports);
  return false;
}
