import { and, desc, eq, inArray, isNotNull, isNull } from 'drizzle-orm';
import { wireStatus, type WireStatus } from '../../core/states.ts';
import type { Store } from '../store/store.ts';
import type { LineResult } from '../tables/bot.ts';
import type { OrderRow } from './orders.ts';

/** A statement takes so many values at once. */
const ASKED_AT_ONCE = 500;

/** What one person was sent. */
export type SentTip = {
  txnId: number;
  sentAtMs: number;
  recipient: string;
  amountMicroUsdc: bigint;
  receipt: string;
  note: string | null;
  /** As it is now. */
  status: WireStatus;
};

/** A user's sent tips, newest first; a tip for several recipients is one for each. */
export async function sentTips(store: Store, userId: string, limit: number): Promise<SentTip[]> {
  const { orders } = store.tables;
  const rows = await store.read
    .select()
    .from(orders)
    .where(and(eq(orders.userId, userId), eq(orders.status, 'answered'), isNull(orders.erasedAtMs)))
    .orderBy(desc(orders.createdAtMs), desc(orders.id))
    .limit(limit);
  const tips = rows.flatMap((row) => tipsOf(row)).slice(0, limit);
  const states = await statesNow(store, tips);
  return tips.map((tip) => ({ ...tip, status: states.get(tip.txnId) ?? tip.status }));
}

export type WalletTip = SentTip & {
  /** Of the whole order, with its first line. */
  feeMicroUsdc: bigint;
  /** The order, where it is for one person alone. */
  orderId: string | null;
};

/** The same of all that one wallet paid, for any of its holders. */
export async function tipsFromWallet(store: Store, walletId: string, limit: number): Promise<WalletTip[]> {
  const { orders } = store.tables;
  // A pay link is paid by another wallet.
  const ownPayments = and(eq(orders.walletId, walletId), isNotNull(orders.header));
  const rows = await store.read
    .select()
    .from(orders)
    .where(and(ownPayments, eq(orders.status, 'answered'), isNull(orders.erasedAtMs)))
    .orderBy(desc(orders.createdAtMs), desc(orders.id))
    .limit(limit);
  const tips = rows
    .flatMap((row) => {
      const fee = (row.totalMicroUsdc ?? row.amountMicroUsdc) - row.amountMicroUsdc;
      const orderId = row.lines === null ? row.id : null;
      return tipsOf(row).map((tip, index) => ({ ...tip, orderId, feeMicroUsdc: index === 0 ? fee : 0n }));
    })
    .slice(0, limit);
  const states = await statesNow(store, tips);
  return tips.map((tip) => ({ ...tip, status: states.get(tip.txnId) ?? tip.status }));
}

/** The present state of these payments, without unknown ones. */
export function txnStatesNow(store: Store, txnIds: readonly number[]): Promise<Map<number, WireStatus>> {
  return statesNow(
    store,
    txnIds.map((txnId) => ({ txnId })),
  );
}

/** As the answer had it. */
function tipsOf(order: OrderRow): SentTip[] {
  const { description } = order.body;
  const common = { sentAtMs: order.createdAtMs, note: typeof description === 'string' ? description : null };
  const { recipient, amountMicroUsdc, txnId, receipt, lines, results } = order;
  if (txnId === null || receipt === null) throw new Error(`order ${order.id} is answered and has no receipt`);
  const toTip = (result: LineResult, index: number): SentTip => ({
    ...common,
    ...result,
    recipient: lines?.[index]?.recipient ?? recipient,
    amountMicroUsdc: lines ? BigInt(lines[index]?.amountMicroUsdc ?? 0) : amountMicroUsdc,
  });
  return (results ?? [{ txnId, receipt, status: 'queued' } as const]).map(toTip);
}

async function statesNow(store: Store, tips: readonly Pick<SentTip, 'txnId'>[]): Promise<Map<number, WireStatus>> {
  const { lines, transfers } = store.tables;
  const states = new Map<number, WireStatus>();
  for (let from = 0; from < tips.length; from += ASKED_AT_ONCE) {
    const txnIds = tips.slice(from, from + ASKED_AT_ONCE).map(({ txnId }) => txnId);
    const rows = await store.read
      .select({ txnId: lines.txnId, line: lines.status, payout: transfers.status })
      .from(lines)
      .leftJoin(transfers, eq(transfers.id, lines.payoutId))
      .where(inArray(lines.txnId, txnIds));
    for (const { txnId, line, payout } of rows) states.set(txnId, wireStatus(line, payout));
  }
  return states;
}
