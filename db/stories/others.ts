import { desc, eq, inArray, or, sql, type SQL } from 'drizzle-orm';
import { distributionOfOrder } from '../../core/rewards/distribution.ts';
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core';
import { findPlatform } from '../../core/platforms/platforms.ts';
import type { Tables } from '../schema/tables.ts';
import type { Store } from '../store/store.ts';
import { FORMS } from './forms.ts';

/** What is no payment, and may lead to one. */
export type OtherKind = 'reward' | 'drop' | 'request' | 'withdrawal';
export type Other = { kind: OtherKind; id: string; amountMicroUsdc: bigint; atMs: number };

/** Of each kind. */
const ROWS_MAX = 50;

/** By an id, an account of a chat (`discord:42`) or a name, an address, or a transaction; the newest of each kind. */
export async function searchOthers(store: Store, wanted: string): Promise<Other[]> {
  return found(store, await conditionsOf(store, wanted.trim()));
}

async function found(store: Store, where: Conditions): Promise<Other[]> {
  const { distributions, drops, moneyRequests, treasuryWithdrawals, walletWithdrawals } = store.tables;
  const bill = sql<string>`coalesce(${moneyRequests.billId}, ${moneyRequests.id})`;
  const rows = await Promise.all([
    select(store, distributions, { kind: 'reward', amount: distributions.budgetMicroUsdc, where: where.reward }),
    select(store, drops, { kind: 'drop', amount: drops.amountMicroUsdc, where: where.drop }),
    select(store, moneyRequests, {
      kind: 'request',
      id: bill,
      amount: moneyRequests.amountMicroUsdc,
      where: where.request,
    }),
    select(store, walletWithdrawals, {
      kind: 'withdrawal',
      amount: walletWithdrawals.amountMicroUsdc,
      where: where.withdrawal,
    }),
    select(store, treasuryWithdrawals, {
      kind: 'withdrawal',
      amount: treasuryWithdrawals.amountMicroUsdc,
      where: where.proposal,
    }),
  ]);
  return together(rows.flat());
}

/** The requests of a bill are one, and so are a withdrawal from a treasury and what it became. */
function together(rows: readonly Other[]): Other[] {
  const all = new Map<string, Other>();
  for (const one of rows) {
    const known = all.get(one.id);
    if (known === undefined) all.set(one.id, one);
    else if (one.kind === 'request')
      all.set(one.id, { ...known, amountMicroUsdc: known.amountMicroUsdc + one.amountMicroUsdc });
  }
  return [...all.values()].toSorted((one, other) => other.atMs - one.atMs);
}

type Named = Tables['distributions' | 'drops' | 'moneyRequests' | 'walletWithdrawals' | 'treasuryWithdrawals'];
type Selected = {
  kind: OtherKind;
  id?: SQL<string>;
  amount: SQLiteColumn;
  where: SQL | undefined;
};

async function select(
  { read }: Store,
  table: Named,
  { kind, id = sql<string>`${table.id}`, amount, where }: Selected,
): Promise<Other[]> {
  if (where === undefined) return [];
  const rows = await read
    .select({ id, amount: sql<string>`cast(${amount} as text)`, atMs: table.createdAtMs })
    .from(table)
    .where(where)
    .orderBy(desc(table.createdAtMs))
    .limit(ROWS_MAX);
  return rows.map((row) => ({ kind, id: row.id, amountMicroUsdc: BigInt(row.amount), atMs: row.atMs }));
}

type Conditions = Partial<Record<OtherKind | 'proposal', SQL | undefined>>;

async function conditionsOf(store: Store, text: string): Promise<Conditions> {
  const { drops, moneyRequests: asks, treasuryWithdrawals, walletWithdrawals } = store.tables;
  if (FORMS.reward.test(text)) return { reward: byReward(store, text) };
  if (FORMS.drop.test(text)) return { drop: eq(drops.id, text) };
  if (FORMS.request.test(text)) return { request: or(eq(asks.id, text), eq(asks.billId, text)) };
  if (FORMS.payout.test(text)) {
    const id = text.toLowerCase();
    return { withdrawal: eq(walletWithdrawals.id, id), proposal: eq(treasuryWithdrawals.id, id) };
  }
  if (FORMS.evmAddress.test(text)) return byAddress(store, text.toLowerCase());
  if (FORMS.svmAddress.test(text)) return byAddress(store, text);
  if (FORMS.evmHash.test(text)) return byTransaction(store, text.toLowerCase());
  if (FORMS.svmHash.test(text)) return byTransaction(store, text);
  return FORMS.name.test(text) ? byPerson(store, text.replace(/^@/, '')) : {};
}

function byReward({ read, tables: { distributions, rewardCards } }: Store, id: string): SQL | undefined {
  const ofCard = read.select({ id: rewardCards.distributionId }).from(rewardCards).where(eq(rewardCards.id, id));
  return or(eq(distributions.id, id), inArray(distributions.id, ofCard));
}

/** Bots keep the addresses of an EVM network with the upper case of their checksum. */
function byAddress({ read, tables }: Store, address: string): Conditions {
  const { distributions, rewardCards, treasuryWithdrawals, walletWithdrawals: left } = tables;
  const isIt = (column: SQLiteColumn): SQL =>
    address.startsWith('0x') ? sql`lower(${column}) = ${address}` : eq(column, address);
  const paid = read.select({ id: rewardCards.distributionId }).from(rewardCards).where(isIt(rewardCards.payerAddress));
  return {
    reward: inArray(distributions.id, paid),
    withdrawal: or(isIt(left.toAddress), isIt(left.fromAddress)),
    proposal: isIt(treasuryWithdrawals.toAddress),
  };
}

async function byTransaction({ read, tables }: Store, hash: string): Promise<Conditions> {
  const { carrierItems, carrierTransactions, walletWithdrawals } = tables;
  const carried = await read
    .select({ id: carrierItems.itemId })
    .from(carrierTransactions)
    .innerJoin(carrierItems, eq(carrierItems.carrierId, carrierTransactions.carrierId))
    .where(eq(carrierTransactions.hash, hash));
  const ids = carried.map(({ id }) => id);
  return { withdrawal: inArray(walletWithdrawals.id, ids) };
}

/** A person as a chat knows them, or by the name that they have proven. */
function byPerson({ read, tables }: Store, text: string): Conditions {
  const { distributions, dropTakers, drops, moneyRequests, rewardCards, walletHolders, walletWithdrawals } = tables;
  const [word = '', ...rest] = text.split(/[:/]/);
  const person = `${findPlatform(word) ?? word}:${rest.join(':').replace(/^@/, '')}`;
  const isTaker = or(eq(dropTakers.userId, person), sql`cast(${dropTakers.names} as text) like ${`%"${person}"%`}`);
  const taken = read.select({ id: dropTakers.dropId }).from(dropTakers).where(isTaker);
  const proposed = read
    .select({ id: rewardCards.distributionId })
    .from(rewardCards)
    .where(eq(rewardCards.proposedBy, person));
  const held = read.select({ id: walletHolders.walletId }).from(walletHolders).where(eq(walletHolders.name, person));
  return {
    reward: inArray(distributions.id, proposed),
    drop: or(eq(drops.giverId, person), inArray(drops.id, taken)),
    request: or(eq(moneyRequests.askerId, person), eq(moneyRequests.askedId, person)),
    withdrawal: or(
      eq(walletWithdrawals.walletId, person),
      eq(walletWithdrawals.holderId, person),
      inArray(walletWithdrawals.walletId, held),
    ),
  };
}

/** What led to this payment: the reward that it paid, or the drop or request whose order it was. */
export async function othersBehind(store: Store, paymentId: string, txnIds: readonly number[]): Promise<Other[]> {
  const { distributions, drops, moneyRequests, orders, purchases } = store.tables;
  const { read } = store;
  const bought = await read
    .select({ orderId: purchases.orderId })
    .from(purchases)
    .where(eq(purchases.paymentId, paymentId));
  const rewards = bought.flatMap(({ orderId }) => distributionOfOrder(orderId) ?? []);
  const ordered = read
    .select({ id: orders.id })
    .from(orders)
    .where(inArray(orders.txnId, [...txnIds]));
  return found(store, {
    reward: inArray(distributions.id, rewards),
    drop: inArray(drops.orderId, ordered),
    request: inArray(moneyRequests.orderId, ordered),
  });
}
