import { microUsdc } from '../../core/money.ts';
import type { DepositReads, SeenDeposit } from '../../core/wallets/deposits.ts';
import { tokenAccountOf } from '../solana/messages/addresses.ts';
import type { SolanaProfile } from '../solana/messages/profile.ts';
import type { SolanaRpc } from '../solana/rpc/rpc.ts';

/** About a minute: each address is a question of its own. */
const SLOTS_MIN = 150;
/** What touches one address, by anyone: more of it stands in no statement, and keeps no other from being looked at. */
const SIGNATURES_MAX = 20_000;
/** Each is a question. The rest comes with the next look. */
const TRANSACTIONS_AT_ONCE = 100;

/** What leaves an address of ours is a payout or a refund, and has its own place in a statement. */
export function createSolanaDeposits(
  rpc: Pick<SolanaRpc, 'slot' | 'blockTime' | 'signaturesFor' | 'transactionOf'>,
  profile: SolanaProfile,
  ownAddresses: readonly string[],
  transactionsAtOnce = TRANSACTIONS_AT_ONCE,
): DepositReads {
  const own = new Set(ownAddresses);

  async function depositsIn(signature: string, slot: number, address: string): Promise<SeenDeposit[]> {
    const account = { account: tokenAccountOf(address, profile), owner: address };
    const landed = await rpc.transactionOf(signature, [account]);
    const found = (landed?.transfers ?? []).filter(({ to, from }) => to === address && !own.has(from));
    if (found.length === 0) return [];
    const atMs = (await rpc.blockTime(slot)) * 1_000;
    return found.map(({ position, value }) => ({
      transaction: signature,
      place: position,
      to: address,
      amount: microUsdc(value),
      atMs,
    }));
  }

  return {
    knowsAll: true,
    addressesMax: 1,
    blocksMin: SLOTS_MIN,
    // A list of one address has no gaps, however long it is not asked for.
    blocksMax: Number.MAX_SAFE_INTEGER,
    newestBlock: () => rpc.slot('finalized'),
    blockBefore: () => Promise.resolve(0),

    async depositsTo(addresses, fromBlock, toBlock) {
      const found: SeenDeposit[] = [];
      let upTo = toBlock;
      for (const address of addresses) {
        const since = { until: null, minContextSlot: toBlock, max: SIGNATURES_MAX };
        const listed = await rpc.signaturesFor(tokenAccountOf(address, profile), since);
        const open = listed.found.filter(({ slot, failed }) => !failed && slot >= fromBlock && slot <= upTo);
        // Those of one slot stay together.
        upTo = open[transactionsAtOnce - 1]?.slot ?? upTo;
        for (const { signature, slot } of open) {
          if (slot <= upTo) found.push(...(await depositsIn(signature, slot, address)));
        }
      }
      return { found, upTo };
    },
  };
}
