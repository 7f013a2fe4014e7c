import { and, asc, eq, inArray, or } from 'drizzle-orm';
import { distributionOrderId } from '../../core/rewards/distribution.ts';
import type { TransferRow } from '../payments/records/find.ts';
import type { Tables } from '../schema/tables.ts';
import type { Store } from '../store/store.ts';
import type { OtherKind } from './others.ts';
import { actionsAbout, type ActionRow } from './story.ts';

type Row<Name extends keyof Tables> = Tables[Name]['$inferSelect'];

/** Of an order, what became of it. What it was signed with, and what was typed, is left out. */
export type OrderEnd = Pick<Row<'orders'>, 'id' | 'status' | 'failure' | 'network' | 'payerAddress'> & {
  paymentId: string | null;
};

/** Everything that is known of what is no payment. `paymentId`: the one that it led to. */
export type OtherStory =
  | {
      kind: 'reward';
      distribution: Omit<Row<'distributions'>, 'secretHash' | 'caller'>;
      card: Omit<Row<'rewardCards'>, 'header'> | null;
      confirmations: Row<'rewardConfirmations'>[];
      paymentId: string | null;
    }
  | { kind: 'drop'; drop: Row<'drops'>; takers: Row<'dropTakers'>[]; order: OrderEnd | null }
  | { kind: 'request'; requests: { request: Row<'moneyRequests'>; order: OrderEnd | null }[] }
  | {
      kind: 'withdrawal';
      /** Out of a community's treasury, as its members were asked. */
      proposal: Row<'treasuryWithdrawals'> | null;
      confirmations: Row<'treasuryConfirmations'>[];
      withdrawal: Row<'walletWithdrawals'> | null;
      transfer: Omit<TransferRow, 'signature'> | null;
      hashes: string[];
      actions: ActionRow[];
    };

export async function otherStory(
  store: Store,
  { kind, id }: { kind: OtherKind; id: string },
): Promise<OtherStory | null> {
  switch (kind) {
    case 'reward':
      return rewardStory(store, id);
    case 'drop':
      return dropStory(store, id);
    case 'request':
      return requestStory(store, id);
    case 'withdrawal':
      return withdrawalStory(store, id);
  }
}

async function rewardStory({ read, tables }: Store, id: string): Promise<OtherStory | null> {
  const { distributions, purchases, rewardCards, rewardConfirmations } = tables;
  const [found] = await read.select().from(distributions).where(eq(distributions.id, id));
  if (found === undefined) return null;
  const { secretHash: _secretHash, caller: _caller, ...distribution } = found;
  const [stored] = await read.select().from(rewardCards).where(eq(rewardCards.distributionId, id));
  const [taken] = await read
    .select()
    .from(purchases)
    .where(eq(purchases.orderId, distributionOrderId(id)));
  const confirmations =
    stored === undefined
      ? []
      : await read.select().from(rewardConfirmations).where(eq(rewardConfirmations.cardId, stored.id));
  return {
    kind: 'reward',
    distribution,
    card: withoutHeader(stored),
    confirmations,
    paymentId: taken?.paymentId ?? null,
  };
}

function withoutHeader(card: Row<'rewardCards'> | undefined): Omit<Row<'rewardCards'>, 'header'> | null {
  if (card === undefined) return null;
  const { header: _header, ...shown } = card;
  return shown;
}

async function dropStory(store: Store, id: string): Promise<OtherStory | null> {
  const { drops, dropTakers } = store.tables;
  const [drop] = await store.read.select().from(drops).where(eq(drops.id, id));
  if (drop === undefined) return null;
  const takers = await store.read
    .select()
    .from(dropTakers)
    .where(eq(dropTakers.dropId, id))
    .orderBy(asc(dropTakers.position));
  return { kind: 'drop', drop, takers, order: await orderEnd(store, drop.orderId) };
}

async function requestStory(store: Store, id: string): Promise<OtherStory | null> {
  const { moneyRequests: table } = store.tables;
  const rows = await store.read
    .select()
    .from(table)
    .where(or(eq(table.id, id), eq(table.billId, id)))
    .orderBy(asc(table.id));
  if (rows.length === 0) return null;
  const requests = await Promise.all(
    rows.map(async (request) => ({ request, order: await orderEnd(store, request.orderId) })),
  );
  return { kind: 'request', requests };
}

/** Its payment, of an answered order by its first line, of any other by the key that it was sent with. */
async function orderEnd({ read, tables }: Store, id: string | null): Promise<OrderEnd | null> {
  if (id === null) return null;
  const { idempotencyKeys: keys, lines, orders } = tables;
  const { status, failure, network, payerAddress, txnId } = orders;
  const [order] = await read
    .select({ id: orders.id, status, failure, network, payerAddress, txnId })
    .from(orders)
    .where(eq(orders.id, id));
  if (order === undefined) return null;
  const { txnId: firstLine, ...shown } = order;
  const [line] =
    firstLine === null ? [] : await read.select({ id: lines.paymentId }).from(lines).where(eq(lines.txnId, firstLine));
  const isIts = and(inArray(keys.payer, [order.payerAddress, order.payerAddress.toLowerCase()]), eq(keys.key, id));
  const [sent] = line === undefined ? await read.select({ id: keys.paymentId }).from(keys).where(isIts) : [line];
  return { ...shown, paymentId: sent?.id ?? null };
}

async function withdrawalStory(store: Store, id: string): Promise<OtherStory | null> {
  const { carrierItems, carrierTransactions, transfers, treasuryConfirmations } = store.tables;
  const { treasuryWithdrawals, walletWithdrawals } = store.tables;
  const { read } = store;
  const [proposal] = await read.select().from(treasuryWithdrawals).where(eq(treasuryWithdrawals.id, id));
  const [withdrawal] = await read.select().from(walletWithdrawals).where(eq(walletWithdrawals.id, id));
  if (proposal === undefined && withdrawal === undefined) return null;
  const [row] = await read.select().from(transfers).where(eq(transfers.id, id));
  const carried = await read
    .selectDistinct({ hash: carrierTransactions.hash })
    .from(carrierItems)
    .innerJoin(carrierTransactions, eq(carrierTransactions.carrierId, carrierItems.carrierId))
    .where(eq(carrierItems.itemId, id));
  return {
    kind: 'withdrawal',
    proposal: proposal ?? null,
    confirmations: await read.select().from(treasuryConfirmations).where(eq(treasuryConfirmations.withdrawalId, id)),
    withdrawal: withdrawal ?? null,
    transfer: withoutSignature(row),
    hashes: carried.map(({ hash }) => hash),
    actions: await actionsAbout(store, [id]),
  };
}

function withoutSignature(row: TransferRow | undefined): Omit<TransferRow, 'signature'> | null {
  if (row === undefined) return null;
  const { signature: _signature, ...transfer } = row;
  return transfer;
}
