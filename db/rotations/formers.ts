import { inArray, like, or, sql, type SQL, type SQLWrapper } from 'drizzle-orm';
import { NETWORKS, type Network } from '../../core/networks.ts';
import type { Tables } from '../schema/tables.ts';
import { ROTATED_STAMP } from '../store/stamp.ts';
import type { Db } from '../store/store.ts';

/** An address that was replaced, and when a process first started without it. */
export type Former = { network: Network; address: string; sinceMs: number };

/** The newest block of the chain when it was replaced. */
export const headName = (network: Network, address: string) => `${network}:former-head:${address}`;

export const formerName = (network: Network, address: string) => `${network}:former:${address}`;

/** Every address that was ever replaced: it stays ours. */
export async function readFormers(db: Db, { stamps }: Tables): Promise<Former[]> {
  const isOne = or(...NETWORKS.map((network) => like(stamps.name, formerName(network, '%'))));
  const rows = await db.select().from(stamps).where(isOne).orderBy(stamps.value);
  return rows.map(({ name, value }) => {
    const network = NETWORKS.find((one) => name.startsWith(formerName(one, '')));
    if (network === undefined) throw new Error(`the stamp ${name} is of no network`);
    return { network, address: name.slice(formerName(network, '').length), sinceMs: Number(value) };
  });
}

/** An older release would not scan what was replaced; it refuses books with this, whose name has no colon. */
const ROTATED = { name: ROTATED_STAMP, value: 'keys' };

export async function noteFormer(db: Db, { stamps }: Tables, { network, address, sinceMs }: Former): Promise<void> {
  const value = String(sinceMs);
  await db
    .insert(stamps)
    .values([{ name: formerName(network, address), value }, ROTATED])
    .onConflictDoNothing();
}

/** Whether what left this address in that block left it after it was replaced, as far as these books can know. */
export async function hasLeftFormer(
  db: Db,
  { stamps }: Tables,
  { network, address, block }: Pick<Former, 'network' | 'address'> & { block: number },
): Promise<boolean> {
  const [name, head] = [formerName(network, address), headName(network, address)];
  const rows = await db
    .select()
    .from(stamps)
    .where(inArray(stamps.name, [name, head]));
  const taken = rows.find((row) => row.name === head);
  return rows.some((row) => row.name === name) && (taken === undefined || block > Number(taken.value));
}

/** Where an address of ours stands in a row. */
type Placed = { network: SQLWrapper; address: SQLWrapper };

/**
 * Whether a rotation has replaced this address. Its key may be known to others, so what leaves it says nothing about our
 * other keys, and stops nothing. Asked of the stamps, which are the same for all processes and commands.
 */
export function isFormer({ stamps }: Tables, { network, address }: Placed): SQL {
  return sql`exists (select 1 from ${stamps} where ${stamps.name} = ${network} || ':former:' || ${address})`;
}

/** Whether it is the treasury or the task address of now: nobody else knows its key. */
export function isCurrent({ stamps }: Tables, { network, address }: Placed): SQL {
  const names = sql`${stamps.name} in (${network} || ':treasury', ${network} || ':task')`;
  return sql`exists (select 1 from ${stamps} where ${names} and ${stamps.value} = ${address})`;
}

/**
 * The transfers that were seen on the chain and left an address after it was replaced. What left it before that, by these
 * books, left the treasury: books that are a backup may not know what they paid, and signing stops as for any other.
 */
export function leftFormer(tables: Tables): SQL {
  const { network, fromAddress: address, block } = tables.observedTransfers;
  const { name, value } = tables.stamps;
  const head = sql`select cast(${value} as bigint) from ${tables.stamps} where ${name} = ${network} || ':former-head:' || ${address}`;
  return sql`(${isFormer(tables, { network, address })} and ${block} > coalesce((${head}), -1))`;
}

/** Those that went to the treasury or to the task address. */
export function wentToCurrent(tables: Tables): SQL {
  const { network, toAddress: address } = tables.observedTransfers;
  return isCurrent(tables, { network, address });
}
