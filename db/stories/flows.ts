import { and, asc, gte, like, notLike, sql } from 'drizzle-orm';
import { networkOfAccount } from '../../core/ledger.ts';
import { networkNamed, type Network } from '../../core/networks.ts';
import type { Store } from '../store/store.ts';

export const DAY_MS = 24 * 3_600_000;

/** What came to our addresses and left them on a UTC day, which is counted since 1970, and what was there at its end. */
export type DayFlow = { day: number; inMicroUsdc: bigint; outMicroUsdc: bigint; endMicroUsdc: bigint };

/** Of the last `days` UTC days, today among them; for each network that has had anything. */
export async function readFlows(store: Store, nowMs: number, days: number): Promise<Map<Network, DayFlow[]>> {
  const today = Math.floor(nowMs / DAY_MS);
  const firstDay = today - days + 1;
  const [held, moved] = await Promise.all([heldNow(store), movedSince(store, firstDay)]);
  const flows = new Map<Network, DayFlow[]>();
  for (const [network, nowHeld] of held) {
    const own = moved.filter((one) => one.network === network);
    let end = nowHeld;
    const rows: DayFlow[] = [];
    for (let day = today; day >= firstDay; day -= 1) {
      const ofDay = own.filter((one) => one.day === day);
      const inMicroUsdc = ofDay.reduce((sum, one) => sum + one.inMicroUsdc, 0n);
      const outMicroUsdc = ofDay.reduce((sum, one) => sum + one.outMicroUsdc, 0n);
      rows.unshift({ day, inMicroUsdc, outMicroUsdc, endMicroUsdc: end });
      end -= inMicroUsdc - outMicroUsdc;
    }
    flows.set(network, rows);
  }
  return flows;
}

async function heldNow({ read, tables: { accounts } }: Store): Promise<Map<Network, bigint>> {
  const rows = await read.select().from(accounts).where(like(accounts.name, 'chain:%'));
  const held = new Map<Network, bigint>();
  for (const { name, balance } of rows) {
    const network = networkNamed(networkOfAccount(name));
    held.set(network, (held.get(network) ?? 0n) + balance);
  }
  return held;
}

type Moved = Pick<DayFlow, 'day' | 'inMicroUsdc' | 'outMicroUsdc'> & { network: Network };

/** What only went from one address of ours to another is neither in nor out. */
async function movedSince(store: Store, firstDay: number): Promise<Moved[]> {
  const { entries, postings } = store.tables;
  const first = await firstEntryAt(store, firstDay * DAY_MS);
  if (first === null) return [];
  const day = sql<number>`${entries.createdAtMs} / 86400000`.mapWith(Number);
  const sumOf = (sign: 1 | -1) => {
    const which = sign === 1 ? sql`${postings.amount} > 0` : sql`${postings.amount} < 0`;
    return sql<string>`cast(sum(case when ${which} then ${postings.amount} else 0 end) as text)`;
  };
  const rows = await store.read
    .select({ account: sql<string>`${postings.account}`, day, came: sumOf(1), left: sumOf(-1) })
    .from(entries)
    .innerJoin(postings, sql`${postings.entryId} = ${entries.id}`)
    .where(
      and(
        gte(entries.id, first),
        like(postings.account, 'chain:%'),
        notLike(entries.cause, 'move:%'),
        notLike(entries.cause, 'un.move:%'),
      ),
    )
    .groupBy(postings.account, sql`${entries.createdAtMs} / 86400000`);
  return rows.map((row) => ({
    network: networkNamed(networkOfAccount(row.account)),
    day: row.day,
    inMicroUsdc: BigInt(row.came),
    outMicroUsdc: -BigInt(row.left),
  }));
}

/** Ids ascend with time, so the first entry of a time is found by halving: nothing older is read. Null: there is none. */
async function firstEntryAt({ read, tables: { entries } }: Store, atMs: number): Promise<number | null> {
  const [{ last } = { last: 0 }] = await read
    .select({ last: sql<number>`coalesce(max(${entries.id}), 0)`.mapWith(Number) })
    .from(entries);
  let [low, high] = [1, last + 1];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const [found] = await read
      .select({ createdAtMs: entries.createdAtMs })
      .from(entries)
      .where(gte(entries.id, middle))
      .orderBy(asc(entries.id))
      .limit(1);
    if (found !== undefined && found.createdAtMs < atMs) low = middle + 1;
    else high = middle;
  }
  return low > last ? null : low;
}
