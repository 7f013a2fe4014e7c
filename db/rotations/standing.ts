import { and, count, eq, gt, inArray, isNull, sql, type SQL } from 'drizzle-orm';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core';
import { accounts as names } from '../../core/ledger.ts';
import { isRetired, TAKEN_SHOWN_MS, type FormerOpen } from '../../core/payments/former-address.ts';
import type { Store } from '../store/store.ts';
import { isOfKind } from '../transfers/find.ts';
import { readFormers, type Former } from './formers.ts';
import { cameTo } from './waiting.ts';

export type FormerStanding = Former & FormerOpen & { isRetired: boolean };

/** Every address that was replaced, with what is still open there. */
export async function readFormerStandings(store: Store, nowMs: number): Promise<FormerStanding[]> {
  const formers = await readFormers(store.read, store.tables);
  return Promise.all(
    formers.map(async (former) => {
      const open = { ...(await readOpen(store, former)), ...(await readDanger(store, former, nowMs)) };
      return { ...former, ...open, isRetired: isRetired(open, former.sinceMs, nowMs) };
    }),
  );
}

type Danger = Pick<FormerOpen, 'waiting' | 'taken'>;

async function readOpen(store: Store, { network, address }: Former): Promise<Omit<FormerOpen, keyof Danger>> {
  const { read, tables } = store;
  const { accounts, observedTransfers: seen, payments, taskOffers, tasks, transfers } = tables;
  const countOf = async (table: SQLiteTable, where: SQL | undefined) =>
    (await read.select({ count: count() }).from(table).where(where))[0]?.count ?? 0;
  const leavesIt = and(eq(transfers.network, network), eq(transfers.fromAddress, address), isOfKind(tables, 'payout'));
  const paysIt = and(eq(payments.network, network), eq(payments.payTo, address));
  const isUnexplained = and(eq(seen.toAddress, address), eq(seen.landed, true), isNull(seen.consumedBy));
  const [account] = await read
    .select({ balance: accounts.balance })
    .from(accounts)
    .where(eq(accounts.name, names.chain(network, address)));
  const [unexplained] = await read
    .select({ sum: sql<string>`cast(coalesce(sum(${seen.amountMicroUsdc}), 0) as text)` })
    .from(seen)
    .where(and(eq(seen.network, network), isUnexplained));
  const [offered] = await read
    .select({ count: count() })
    .from(taskOffers)
    .innerJoin(tasks, and(eq(tasks.id, taskOffers.taskId), inArray(tasks.status, ['open', 'expired'])))
    .where(and(eq(taskOffers.network, network), eq(taskOffers.address, address)));
  return {
    held: account?.balance ?? 0n,
    unexplained: BigInt(unexplained?.sum ?? 0),
    signed: await countOf(transfers, and(leavesIt, inArray(transfers.status, ['assigned', 'broadcast']))),
    planned: await countOf(transfers, and(leavesIt, inArray(transfers.status, ['queued', 'held']))),
    payments: await countOf(payments, and(paysIt, inArray(payments.status, ['received', 'settling']))),
    tasks: offered?.count ?? 0,
  };
}

/** What someone else who knows the key has done there, and could still do. */
async function readDanger({ read, tables }: Store, { network, address }: Former, nowMs: number): Promise<Danger> {
  const { observedTransfers: seen, transfers } = tables;
  const [queued] = await read
    .select({ count: count() })
    .from(transfers)
    .where(and(eq(transfers.status, 'queued'), cameTo(tables, { network, address })));
  const left = and(eq(seen.network, network), eq(seen.fromAddress, address), eq(seen.landed, true));
  const isRecent = gt(seen.seenAtMs, nowMs - TAKEN_SHOWN_MS);
  const sumOf = async (which: SQL | undefined) => {
    const [row] = await read
      .select({ sum: sql<string>`cast(coalesce(sum(${seen.amountMicroUsdc}), 0) as text)` })
      .from(seen)
      .where(and(left, isRecent, which));
    return BigInt(row?.sum ?? 0);
  };
  const open = await sumOf(and(eq(seen.outgoing, true), isNull(seen.consumedBy)));
  // In the words of its index.
  const booked = await sumOf(sql`${seen.outgoing} = true and ${seen.consumedBy} like 'taken%'`);
  return { waiting: queued?.count ?? 0, taken: open + booked };
}
