import { setImmediate } from 'node:timers/promises';
import { asc, eq, gt, inArray } from 'drizzle-orm';
import type { ClaimRow } from '../claims/find.ts';
import type { LineRow, PaymentRow, TransferRow } from '../payments/records/find.ts';
import type { Store } from '../store/store.ts';

/** From one moment until before another. */
export type Period = { fromMs: number; untilMs: number };

const ROWS_AT_ONCE = 1_000;

/** In the order of their ids, and each question by its table's key: none of them holds up others, however long the period. */
async function* inPieces<Row extends { id: string; createdAtMs: number }>(
  ask: (afterId: string) => Promise<Row[]>,
  { fromMs, untilMs }: Period,
): AsyncGenerator<Row[]> {
  for (let afterId = ''; ;) {
    const rows = await ask(afterId);
    const last = rows.at(-1);
    if (last === undefined) return;
    const wanted = rows.filter(({ createdAtMs }) => createdAtMs >= fromMs && createdAtMs < untilMs);
    if (wanted.length > 0) yield wanted;
    afterId = last.id;
    // SQLite answers without a pause, and payments wait meanwhile.
    await setImmediate();
  }
}

/** A part of a payment for one person, as the books have it now. */
export type ExportedLine = { payment: PaymentRow; line: LineRow };

export async function* exportPayments(store: Store, period: Period): AsyncGenerator<ExportedLine[]> {
  const { lines, payments } = store.tables;
  const ask = (afterId: string) =>
    store.read.select().from(payments).where(gt(payments.id, afterId)).orderBy(asc(payments.id)).limit(ROWS_AT_ONCE);
  for await (const rows of inPieces(ask, period)) {
    const byId = new Map(rows.map((payment) => [payment.id, payment]));
    const theirs = await store.read
      .select()
      .from(lines)
      .where(inArray(lines.paymentId, [...byId.keys()]))
      .orderBy(asc(lines.paymentId), asc(lines.position));
    yield theirs.flatMap((line) => {
      const payment = byId.get(line.paymentId);
      return payment === undefined ? [] : [{ payment, line }];
    });
  }
}

/** What leaves for recipients and payers, and the operator's own withdrawals; with the line that a payout is for. */
export type ExportedPayout = { payout: TransferRow; line: LineRow | null };

const LEAVING: readonly TransferRow['purpose'][] = ['payout', 'refund', 'operator_withdrawal'];

export async function* exportPayouts(store: Store, period: Period): AsyncGenerator<ExportedPayout[]> {
  const { lines, transfers } = store.tables;
  const ask = (afterId: string) =>
    store.read.select().from(transfers).where(gt(transfers.id, afterId)).orderBy(asc(transfers.id)).limit(ROWS_AT_ONCE);
  for await (const rows of inPieces(ask, period)) {
    const ours = rows.filter(({ purpose }) => LEAVING.includes(purpose));
    const ids = ours.flatMap(({ id, purpose }) => (purpose === 'payout' ? [id] : []));
    const theirs = await store.read.select().from(lines).where(inArray(lines.payoutId, ids));
    const byPayout = new Map(theirs.map((line) => [line.payoutId, line]));
    yield ours.map((payout) => ({ payout, line: byPayout.get(payout.id) ?? null }));
  }
}

/** With what it released: how many lines, and their sum. */
export type ExportedClaim = { claim: ClaimRow; lineCount: number; amountMicroUsdc: bigint };

export async function* exportClaims(store: Store, period: Period): AsyncGenerator<ExportedClaim[]> {
  const { claimLines, claims, lines } = store.tables;
  const ask = (afterId: string) =>
    store.read.select().from(claims).where(gt(claims.id, afterId)).orderBy(asc(claims.id)).limit(ROWS_AT_ONCE);
  for await (const rows of inPieces(ask, period)) {
    const ids = rows.map(({ id }) => id);
    const released = await store.read
      .select({ claimId: claimLines.claimId, amount: lines.amountMicroUsdc })
      .from(claimLines)
      .innerJoin(lines, eq(lines.txnId, claimLines.txnId))
      .where(inArray(claimLines.claimId, ids));
    yield rows.map((claim) => {
      const own = released.filter(({ claimId }) => claimId === claim.id);
      return { claim, lineCount: own.length, amountMicroUsdc: own.reduce((sum, { amount }) => sum + amount, 0n) };
    });
  }
}
