import type { Network } from '../../core/networks.ts';
import { and, asc, eq, inArray, isNull, lte } from 'drizzle-orm';
import type { PaymentState } from '../../core/states.ts';
import { placeholder, prepare } from '../store/prepare.ts';
import type { Store } from '../store/store.ts';
import type { PaymentRow } from './records/find.ts';

/**
 * Payments that may go into a carrier now, oldest first: no carrier has them, and they are not put off, because those that
 * have to wait must not take the place of those that could go. `open`: also those that were in a carrier before.
 */
export async function inboundCandidates(
  store: Store,
  network: Network,
  { which, nowMs, limit }: { which: keyof typeof CANDIDATES; nowMs: number; limit: number },
): Promise<PaymentRow[]> {
  return CANDIDATES[which](store.read, { network, nowMs, limit });
}

const candidatesIn = (states: PaymentState[]) =>
  prepare((db, { payments }) =>
    db
      .select()
      .from(payments)
      .where(
        and(
          inArray(payments.status, states),
          isNull(payments.carrierId),
          lte(payments.nextTryAtMs, placeholder('nowMs')),
          eq(payments.network, placeholder('network')),
          // Paid by a plain transfer: there is no authorization to send.
          isNull(payments.landedAddress),
        ),
      )
      .orderBy(asc(payments.createdAtMs))
      .limit(placeholder('limit')),
  );

const CANDIDATES = { received: candidatesIn(['received']), open: candidatesIn(['received', 'settling']) };

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
