import { and, eq, inArray, isNull, sql, type SQL } from 'drizzle-orm';
import { accounts as names } from '../../core/ledger.ts';
import type { Network } from '../../core/networks.ts';
import { leftFormer } from '../rotations/formers.ts';
import type { Store } from '../store/store.ts';

/** The books of one network, as of the block up to which the chain is read. */
export type Books = {
  block: number;
  blockHash: string;
  /** What they say each address holds: its account, and what came in there, or left a former one, and is not explained yet. */
  held: ReadonlyMap<string, bigint>;
  /** The part that nothing explains yet, and the part in suspense: both are owed to their senders. */
  unexplained: bigint;
  /** The operator's own money that was put in. */
  float: bigint;
  /** Paid out against payments that the chain then took back. */
  reorgLoss: bigint;
};

type Part = { name: string; value: string };

/**
 * Null before the first scan. One statement, so that sums and block are of the same moment; it reads these accounts by
 * their names, however many people the books know.
 */
export async function readBooks(store: Store, network: Network, addresses: readonly string[]): Promise<Books | null> {
  const { accounts, observedTransfers, scanCursors } = store.tables;
  const single = { suspense: names.suspense(network), float: names.float(network), loss: names.reorgLoss(network) };
  const accountNames = [...addresses.map((address) => names.chain(network, address)), ...Object.values(single)];
  const rows: Part[] = await store.read
    .select({ name: sql<string>`'block'`, value: text(sql`${scanCursors.block}`) })
    .from(scanCursors)
    .where(eq(scanCursors.network, network))
    .unionAll(
      store.read
        .select({ name: sql<string>`'hash'`, value: sql<string>`${scanCursors.blockHash}` })
        .from(scanCursors)
        .where(eq(scanCursors.network, network)),
    )
    .unionAll(
      store.read
        .select({ name: sql<string>`${accounts.name}`, value: text(sql`${accounts.balance}`) })
        .from(accounts)
        .where(and(inArray(accounts.name, accountNames), eq(accounts.unit, 'usdc'))),
    )
    .unionAll(
      store.read
        .select({
          name: sql<string>`${observedTransfers.toAddress}`,
          value: text(sql`sum(${observedTransfers.amountMicroUsdc})`),
        })
        .from(observedTransfers)
        .where(
          and(
            eq(observedTransfers.network, network),
            inArray(observedTransfers.toAddress, [...addresses]),
            eq(observedTransfers.landed, true),
            isNull(observedTransfers.consumedBy),
          ),
        )
        .groupBy(observedTransfers.toAddress),
    )
    .unionAll(leftUnbooked(store, network, addresses));
  const part = new Map(rows.map(({ name, value }) => [name, value]));
  const [block, blockHash] = [part.get('block'), part.get('hash')];
  if (block === undefined || blockHash === undefined) return null;
  const amount = (name: string) => BigInt(part.get(name) ?? '0');
  // What left a former address and is not booked yet took what came there first.
  const openAt = (address: string) => amount(address) - amount(`left:${address}`);
  const waiting = addresses.reduce((sum, address) => sum + (openAt(address) > 0n ? openAt(address) : 0n), 0n);
  return {
    block: Number(block),
    blockHash,
    held: new Map(addresses.map((address) => [address, amount(names.chain(network, address)) + openAt(address)])),
    unexplained: waiting - amount(single.suspense),
    float: -amount(single.float),
    reorgLoss: amount(single.loss),
  };
}

/** What left former addresses and is not booked yet. */
function leftUnbooked({ read, tables }: Store, network: Network, addresses: readonly string[]) {
  const { observedTransfers } = tables;
  return read
    .select({
      name: sql<string>`'left:' || ${observedTransfers.fromAddress}`,
      value: text(sql`sum(${observedTransfers.amountMicroUsdc})`),
    })
    .from(observedTransfers)
    .where(
      and(
        eq(observedTransfers.network, network),
        inArray(observedTransfers.fromAddress, [...addresses]),
        eq(observedTransfers.landed, true),
        eq(observedTransfers.outgoing, true),
        isNull(observedTransfers.consumedBy),
        leftFormer(tables),
      ),
    )
    .groupBy(observedTransfers.fromAddress);
}

/** As text, because sums outgrow the doubles that one driver hands out and the types of the other. */
const text = (value: SQL) => sql<string>`cast(${value} as text)`;
