import { and, asc, eq, gt, gte, inArray, like, lt, sql, type SQL } from 'drizzle-orm';
import { networkOfAccount } from '../../core/ledger.ts';
import type { Tables } from '../schema/tables.ts';
import type { Store } from '../store/store.ts';

/** One posting, with the event that it belongs to. Amounts are in the smallest part of their unit. */
export type PostingRow = {
  entryId: number;
  atMs: number;
  cause: string;
  account: string;
  unit: Tables['postings']['$inferSelect']['unit'];
  amount: bigint;
};

const ENTRIES_AT_ONCE = 1_000;

/** Every posting from one moment until before another, in the order of the entries, in pieces. */
export async function* readPostings(
  { read, tables: { entries, postings } }: Store,
  { fromMs, untilMs }: { fromMs: number; untilMs: number },
): AsyncGenerator<PostingRow[]> {
  let lastId = 0;
  for (;;) {
    const isDue = and(gt(entries.id, lastId), gte(entries.createdAtMs, fromMs), lt(entries.createdAtMs, untilMs));
    const found = await read.select().from(entries).where(isDue).orderBy(asc(entries.id)).limit(ENTRIES_AT_ONCE);
    if (found.length === 0) return;
    const byId = new Map(found.map((entry) => [entry.id, entry]));
    const rows = await read
      .select()
      .from(postings)
      .where(inArray(postings.entryId, [...byId.keys()]))
      .orderBy(asc(postings.entryId), asc(postings.position));
    yield rows.map(({ entryId, account, unit, amount, amountWei }): PostingRow => {
      const entry = byId.get(entryId);
      if (entry === undefined) throw new Error(`the posting on ${account} has no entry ${entryId}`);
      const exact = unit === 'wei' ? BigInt(amountWei) : amount;
      return { entryId, atMs: entry.createdAtMs, cause: entry.cause, account, unit, amount: exact };
    });
    lastId = found.at(-1)?.id ?? lastId;
  }
}

/** What our addresses hold by the books, and what of that was posted since a moment, as one statement sees both. */
export type HeldSince = { network: string; now: bigint; since: bigint };

export async function heldSince({ read, tables }: Store, sinceMs: number): Promise<HeldSince[]> {
  const { accounts, entries, postings } = tables;
  const rows = await read
    .select({
      part: sql<string>`'now'`,
      account: sql<string>`${accounts.name}`,
      amount: asText(sql`${accounts.balance}`),
    })
    .from(accounts)
    .where(and(like(accounts.name, 'chain:%'), eq(accounts.unit, 'usdc')))
    .unionAll(
      read
        .select({
          part: sql<string>`'since'`,
          account: sql<string>`${postings.account}`,
          amount: asText(sql`sum(${postings.amount})`),
        })
        .from(postings)
        .innerJoin(entries, eq(entries.id, postings.entryId))
        .where(and(gte(entries.createdAtMs, sinceMs), like(postings.account, 'chain:%'), eq(postings.unit, 'usdc')))
        .groupBy(postings.account),
    );
  const networks = [...new Set(rows.map(({ account }) => networkOfAccount(account)))];
  return networks.map((network) => {
    const own = rows.filter(({ account }) => networkOfAccount(account) === network);
    const sumOf = (part: string) => own.reduce((sum, row) => sum + (row.part === part ? BigInt(row.amount) : 0n), 0n);
    return { network, now: sumOf('now'), since: sumOf('since') };
  });
}

/** Sums outgrow the doubles that one driver hands out and the types of the other. */
const asText = (value: SQL) => sql<string>`cast(${value} as text)`;
