import type { Cell } from '../../../core/csv.ts';
import { networkOfAccount } from '../../../core/ledger.ts';
import { coinOf, networkNamed } from '../../../core/networks.ts';
import { readPostings, type PostingRow } from '../../../db/ledger/postings.ts';
import type { Store } from '../../../db/store/store.ts';
import { decimalText, writeCsv } from './file.ts';

const COLUMNS = ['entry', 'time', 'event', 'cause', 'network', 'account', 'currency', 'amount'] as const;
type Line = Record<(typeof COLUMNS)[number], Cell>;

const DECIMALS = { usdc: 6, wei: 18, lamports: 9 } as const;

/** How many events there are, and what they leave on our addresses, by network. */
type Written = { entries: number; held: Map<string, bigint> };

export async function writeLedger(
  store: Store,
  file: string,
  period: { fromMs: number; untilMs: number },
): Promise<Written> {
  return writeCsv(file, COLUMNS, async (add) => {
    const written: Written = { entries: 0, held: new Map() };
    const opening = await balancesBefore(store, period.fromMs);
    add(opening.map(toLine));
    addHeld(written.held, opening);
    for await (const rows of readPostings(store, period)) {
      add(rows.map(toLine));
      written.entries += new Set(rows.map(({ entryId }) => entryId)).size;
      addHeld(written.held, rows);
    }
    return written;
  });
}

/** One line for each account that was not empty. */
async function balancesBefore(store: Store, fromMs: number): Promise<PostingRow[]> {
  const sums = new Map<string, PostingRow>();
  if (fromMs === 0) return [];
  for await (const rows of readPostings(store, { fromMs: 0, untilMs: fromMs })) {
    for (const row of rows) {
      const key = `${row.account} ${row.unit}`;
      const amount = (sums.get(key)?.amount ?? 0n) + row.amount;
      sums.set(key, { ...row, entryId: 0, atMs: fromMs, cause: 'before', amount });
    }
  }
  return [...sums.values()].filter(({ amount }) => amount !== 0n);
}

function addHeld(held: Map<string, bigint>, rows: readonly PostingRow[]): void {
  for (const { account, unit, amount } of rows) {
    if (unit !== 'usdc' || !account.startsWith('chain:')) continue;
    const network = networkOfAccount(account);
    held.set(network, (held.get(network) ?? 0n) + amount);
  }
}

function toLine({ entryId, atMs, cause, account, unit, amount }: PostingRow): Line {
  const network = networkNamed(networkOfAccount(account));
  return {
    entry: entryId === 0 ? '' : String(entryId),
    time: new Date(atMs).toISOString(),
    event: cause.split(':')[0] ?? '',
    cause,
    network,
    account,
    currency: unit === 'usdc' ? 'USDC' : coinOf(network),
    amount: { number: decimalText(amount, DECIMALS[unit]) },
  };
}
