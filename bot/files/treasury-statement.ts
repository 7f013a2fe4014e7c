import type { Network } from '../../core/networks.ts';
import { formatCsv } from '../../core/csv.ts';
import { formatUsdc, microUsdc } from '../../core/money.ts';
import { dropsOutOf, receiptsOf, rewardsOutOf } from '../../db/treasury/treasury-deposits.ts';
import type { Store } from '../../db/store/store.ts';
import { withdrawalsOfWallet } from '../../db/withdrawals/find.ts';

/** For a treasury that has sent more, the newest. */
const WITHDRAWALS_MAX = 5_000;
const REWARDS_MAX = 5_000;
const DROPS_MAX = 5_000;
const COLUMNS = ['time', 'network', 'direction', 'amount_usdc', 'what', 'status', 'address', 'transaction'] as const;

type Row = { atMs: number } & Record<(typeof COLUMNS)[number], string>;

/**
 * All that came into the wallet of a community, and all that left it, oldest first. What came in is the difference between
 * two readings of the balance: `time` is that of the later one, and no transaction is known.
 */
export async function treasuryStatement(store: Store, walletId: string, networks: readonly Network[]): Promise<string> {
  const [sent, rewarded, dropped, ...received] = await Promise.all([
    sentRows(store, walletId),
    rewardRows(store, walletId),
    dropRows(store, walletId),
    ...networks.map((network) => receivedRows(store, walletId, network)),
  ]);
  const rows = [...sent, ...rewarded, ...dropped, ...received.flat()].sort((a, b) => a.atMs - b.atMs);
  return formatCsv(COLUMNS, rows);
}

async function sentRows(store: Store, walletId: string): Promise<Row[]> {
  const withdrawals = await withdrawalsOfWallet(store, walletId, WITHDRAWALS_MAX);
  return withdrawals.map((row) => {
    const { network, toAddress: address, amountMicroUsdc, status, landedTransaction } = row;
    const atMs = row.endedAtMs ?? row.createdAtMs;
    // A failed withdrawal moved nothing, and is listed all the same: people have confirmed it.
    const said = status === 'paid' || status === 'failed' ? status : 'on its way';
    return {
      atMs,
      time: toTime(atMs),
      network,
      direction: 'out',
      amount_usdc: formatUsdc(microUsdc(amountMicroUsdc)),
      what: 'withdrawal',
      status: said,
      address,
      transaction: landedTransaction ?? '',
    };
  });
}

/** One line each, with the fee: the distribution's page says who got it. */
async function rewardRows(store: Store, walletId: string): Promise<Row[]> {
  const rewards = await rewardsOutOf(store, walletId, REWARDS_MAX);
  return rewards.map(({ network, totalMicroUsdc, status, createdAtMs, paidAtMs }) => {
    const atMs = paidAtMs ?? createdAtMs;
    return {
      atMs,
      time: toTime(atMs),
      network: network ?? '',
      direction: 'out',
      amount_usdc: formatUsdc(microUsdc(totalMicroUsdc)),
      what: 'reward',
      status: status === 'paid' ? 'paid' : 'on its way',
      address: '',
      transaction: '',
    };
  });
}

/** One line each, with the fee. */
async function dropRows(store: Store, walletId: string): Promise<Row[]> {
  const drops = await dropsOutOf(store, walletId, DROPS_MAX);
  return drops.map(({ network, totalMicroUsdc, status, createdAtMs: atMs }) => ({
    atMs,
    time: toTime(atMs),
    network,
    direction: 'out',
    amount_usdc: formatUsdc(microUsdc(totalMicroUsdc ?? 0n)),
    what: 'drop',
    status: status === 'answered' ? 'paid' : 'on its way',
    address: '',
    transaction: '',
  }));
}

async function receivedRows(store: Store, walletId: string, network: Network): Promise<Row[]> {
  const looks = await receiptsOf(store, { walletId, network });
  return looks.map(({ totalMicroUsdc, seenAtMs }, index) => ({
    atMs: seenAtMs,
    time: toTime(seenAtMs),
    network,
    direction: 'in',
    amount_usdc: formatUsdc(microUsdc(totalMicroUsdc - (looks[index - 1]?.totalMicroUsdc ?? 0n))),
    what: 'seen in the balance',
    status: 'received',
    address: '',
    transaction: '',
  }));
}

function toTime(atMs: number): string {
  return new Date(atMs).toISOString();
}
