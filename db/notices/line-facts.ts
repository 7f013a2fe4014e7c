import { eq, inArray } from 'drizzle-orm';
import { wireStatus, type ReturnedBecause, type WireStatus } from '../../core/states.ts';
import type { LineWithPayout } from '../payments/records/find.ts';
import type { Store } from '../store/store.ts';
import { wasCollected, whyReturned } from './line-end.ts';

/** Where the money of one line is now, as payer and chat may know it. */
export type LineFacts = {
  txnId: number;
  platform: string;
  position: number;
  amountMicroUsdc: bigint;
  status: WireStatus;
  heldReason: string | null;
  /** Until then it can be collected; only while it waits. */
  claimUntilMs: number | null;
  wasCollected: boolean;
  returnedBecause: ReturnedBecause | null;
};

export async function lineFacts(store: Store, { line, payout }: LineWithPayout): Promise<LineFacts> {
  const { txnId, platform, position, amountMicroUsdc } = line;
  const status = wireStatus(line.status, payout?.status ?? null);
  return {
    txnId,
    platform,
    position,
    amountMicroUsdc,
    status,
    heldReason: payout?.heldReason ?? null,
    claimUntilMs: status === 'pending_claim' ? line.expiresAtMs : null,
    wasCollected: status === 'paid' && (await wasCollected(store, txnId)),
    returnedBecause: status === 'refunded' ? await whyReturned(store, line) : null,
  };
}

/** The same by their numbers, at most those of one order; without unknown ones. */
export async function factsOfLines(store: Store, txnIds: readonly number[]): Promise<LineFacts[]> {
  const { lines, transfers } = store.tables;
  const rows = await store.read
    .select({ line: lines, payout: transfers })
    .from(lines)
    .leftJoin(transfers, eq(transfers.id, lines.payoutId))
    .where(inArray(lines.txnId, [...txnIds]));
  const facts: LineFacts[] = [];
  for (const row of rows) facts.push(await lineFacts(store, row));
  return facts;
}
