/** Why Solana leaves the terms. */
import { expect, test } from 'vitest';
import { solanaProfile } from '../../../chain/solana/messages/profile.ts';
import type { TokenAccountView } from '../../../chain/solana/rpc/rpc.ts';
import { findSolanaOutage } from '../../../worker/solana/outage.ts';

const PROFILE = solanaProfile('local');
const LAG = PROFILE.lagMaxSlots;
const FEE_PAYER = { address: 'fees' };
const TREASURY = { address: 'treasury' };
const USDC: TokenAccountView = { kind: 'usdc', owner: 'treasury', amount: 5n, frozen: false };
const ENOUGH = { fees: 10n ** 9n, treasury: 10n ** 9n, account: USDC, lag: LAG };

test.each<[string, Partial<Omit<typeof ENOUGH, 'account'>> & { account?: TokenAccountView }, string | null]>([
  ['what settles payments has none', {}, null],
  ['the fee payer is nearly empty', { fees: 1_000_000n }, 'no_gas'],
  ['the treasury cannot pay for an account', { treasury: 3_000_000n }, 'treasury_unfunded'],
  ['our USDC account is not there yet', { account: { kind: 'none' } }, 'behind'],
  ['the issuer has frozen our USDC account', { account: { ...USDC, frozen: true } }, 'treasury_barred'],
  ['slots take too long to become final', { lag: LAG + 1 }, 'finality'],
])('%s', async (_, change, outage) => {
  const { fees, treasury, account, lag } = { ...ENOUGH, ...change };
  const rpc = {
    settlingState: async (wallets: readonly string[]) => ({
      slot: 1_000 + lag,
      lamports: wallets.map((address) => (address === FEE_PAYER.address ? fees : treasury)),
      account,
    }),
    slot: async () => 1_000,
  };
  const watched = { rpc, profile: PROFILE, treasury: TREASURY, feePayer: FEE_PAYER, treasuryAccount: 'account' };
  const coins: { role: string; units: bigint }[] = [];
  expect(await findSolanaOutage(watched, (found) => void coins.push(...found))).toBe(outage);
  expect(coins.map(({ role, units }) => [role, units])).toEqual([
    ['fee payer', fees],
    ['treasury', treasury],
  ]);
});
