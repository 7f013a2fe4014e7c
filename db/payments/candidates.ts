import type { Network } from '../../core/networks.ts';
import { and, asc, eq, inArray, isNull, lte } from 'drizzle-orm';
import type { PaymentState } from '../../core/states.ts';
import type { Store } from '../store/store.ts';
import type { PaymentRow } from './records/find.ts';

/**
 * Payments in one of these states that may go into a carrier now, oldest first: no carrier has them, and they are not put
 * off, because those that have to wait must not take the place of those that could go.
 */
export async function inboundCandidates(
  store: Store,
  network: Network,
  { states, nowMs, limit }: { states: readonly PaymentState[]; nowMs: number; limit: number },
): Promise<PaymentRow[]> {
  const { payments } = store.tables;
  return store.read
    .select()
    .from(payments)
    .where(
      and(
        inArray(payments.status, [...states]),
        isNull(payments.carrierId),
        lte(payments.nextTryAtMs, nowMs),
        eq(payments.network, network),
        // Paid by a plain transfer: there is no authorization to send.
        isNull(payments.landedAddress),
      ),
    )
    .orderBy(asc(payments.createdAtMs))
    .limit(limit);
}

/** Puts off candidates that go into no carrier: their simulation says "not now", and only the chain may say "never". */
export async function postponePayments(store: Store, ids: readonly string[], nowMs: number): Promise<void> {
  if (ids.length === 0) return;
  const { payments } = store.tables;
  await store.tx((db) =>
    db
      .update(payments)
      .set({ nextTryAtMs: nowMs + 1_000 })
      .where(and(inArray(payments.id, [...ids]), isNull(payments.carrierId))),
  );
}

/** What is on its way out of a token account by transactions that have not ended. */
export async function inFlightFrom(store: Store, network: Network, payerAccount: string): Promise<bigint> {
  const { payments } = store.tables;
  const rows = await store.read
    .select({ sum: payments.sumMicroUsdc, fee: payments.feeMicroUsdc })
    .from(payments)
    .where(
      and(eq(payments.network, network), eq(payments.payerAccount, payerAccount), eq(payments.status, 'settling')),
    );
  return rows.reduce((total, { sum, fee }) => total + sum + fee, 0n);
}
