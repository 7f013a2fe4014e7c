import type { SolanaRpc } from '../../chain/solana/rpc/rpc.ts';
import type { CoinLevel } from '../../core/costs/coins.ts';
import type { Outage } from '../../core/payments/outages.ts';
import type { SolanaWorker } from '../dependencies.ts';

/** A wallet must keep this much to exist (rent of an empty account). */
const RENT_LAMPORTS = 890_880n;
/** What 100 payments cost at most at one signature of ours each. */
const FEE_PAYER_LEAST = RENT_LAMPORTS + 100n * 10_000n;
/** The rent of a token account that a payout opens, and fees for some more. */
const TREASURY_LEAST = RENT_LAMPORTS + 2_039_280n + 100n * 10_000n;

type Watched = Pick<SolanaWorker, 'profile' | 'treasuryAccount'> & {
  rpc: Pick<SolanaRpc, 'settlingState' | 'slot'>;
  treasury: { address: string };
  feePayer: { address: string };
};

/** Why no payment could be settled now. `note` hears what our wallets have: lamports are billionths of the coin. */
export async function findSolanaOutage(
  worker: Watched,
  note: (coins: readonly CoinLevel[]) => void = () => undefined,
): Promise<Outage | null> {
  const { rpc, profile, treasury, feePayer, treasuryAccount } = worker;
  const [{ slot: newest, lamports, account }, finalized] = await Promise.all([
    rpc.settlingState([feePayer.address, treasury.address], treasuryAccount),
    rpc.slot('finalized'),
  ]);
  const [feePayerHas = 0n, treasuryHas = 0n] = lamports;
  note([
    { role: 'fee payer', address: feePayer.address, units: feePayerHas, leastUnits: FEE_PAYER_LEAST },
    { role: 'treasury', address: treasury.address, units: treasuryHas, leastUnits: TREASURY_LEAST },
  ]);
  if (feePayerHas < FEE_PAYER_LEAST) return 'no_gas';
  if (treasuryHas < TREASURY_LEAST) return 'treasury_unfunded';
  if (account.kind !== 'usdc') return 'behind';
  if (account.frozen) return 'treasury_barred';
  return newest - finalized > profile.lagMaxSlots ? 'finality' : null;
}
