import { and, eq, isNull } from 'drizzle-orm';
import { costCounters } from '../costs/counters.ts';
import { countEndedPayments } from '../counts/ended.ts';
import { tellTasksOf } from '../events/tell.ts';
import { dayOf } from '../limits/daily.ts';
import { addWithin } from '../store/counters.ts';
import { move } from '../store/move.ts';
import type { PaymentRow } from './records/find.ts';
import { endLookupsOf } from '../identities/lookups.ts';
import type { Db, Store } from '../store/store.ts';
import type { Tables } from '../schema/tables.ts';
import { releaseLoads } from './settle.ts';

/**
 * Refuses a proof that no signed transaction ever contained. The reservation is released: no answer is stored, and the
 * same proof may come again. Answers false when the payment has moved on meanwhile.
 */
export async function releaseClaim(store: Store, paymentId: string, reason: string, nowMs: number): Promise<boolean> {
  return store.tx(async (db) => {
    const { tables } = store;
    const [payment] = await move(db, tables.payments, {
      from: ['received'],
      where: and(eq(tables.payments.id, paymentId), isNull(tables.payments.carrierId)),
      set: { status: 'rejected', rejectReason: reason },
    });
    if (!payment) return false;
    await voidLines(db, tables, paymentId);
    await releaseLoads(db, tables, [payment.payer]);
    await giveBackCost(db, tables, payment);
    // Aliases stay reserved: they were promised never to settle, and answer like this payment.
    await db.delete(tables.proofs).where(and(eq(tables.proofs.paymentId, paymentId), eq(tables.proofs.alias, false)));
    await tellRefused(db, tables, payment, nowMs);
    await countEndedPayments(db, store, 'rejected', [payment]);
    return true;
  });
}

/** Refuses a proof that provably can never land. It stays reserved: the same proof gets the same refusal for ever. */
export async function declareDead(store: Store, paymentId: string, reason: string, nowMs: number): Promise<boolean> {
  return store.tx((db) => rejectWithin(db, store.tables, paymentId, reason, nowMs));
}

/** The same inside the caller's transaction. */
export async function rejectWithin(
  db: Db,
  tables: Tables,
  paymentId: string,
  reason: string,
  nowMs: number,
): Promise<boolean> {
  const [payment] = await move(db, tables.payments, {
    from: ['settling'],
    where: eq(tables.payments.id, paymentId),
    set: { status: 'rejected', rejectReason: reason },
  });
  if (!payment) return false;
  await voidLines(db, tables, paymentId);
  await releaseLoads(db, tables, [payment.payer]);
  await giveBackCost(db, tables, payment);
  await tellRefused(db, tables, payment, nowMs);
  await countEndedPayments(db, { tables }, 'rejected', [payment]);
  return true;
}

/** Its tasks wait for their callers again, unless it was answered once: an answer stays. */
async function tellRefused(db: Db, tables: Tables, payment: PaymentRow, nowMs: number): Promise<void> {
  if (payment.answer === null) await tellTasksOf(db, tables, payment, 'task_input_required', nowMs);
}

/** Its grant goes back to the day that it came from. The chain may still have cost us something. */
async function giveBackCost(db: Db, tables: Tables, payment: PaymentRow): Promise<void> {
  const { id, network, costPrepaid, costMicroUsdc, createdAtMs } = payment;
  if (costPrepaid === 0n || costMicroUsdc > 0n) return;
  await db.update(tables.payments).set({ costPrepaid: 0n }).where(eq(tables.payments.id, id));
  await addWithin(db, { tables }, costCounters.gas(network, dayOf(createdAtMs)), -costPrepaid);
}

/** `escrowed` lines can be met here only after a reorganisation took their money away again. */
async function voidLines(db: Db, tables: Tables, paymentId: string): Promise<void> {
  await move(db, tables.lines, {
    from: ['accepted', 'resolving', 'escrowed'],
    where: eq(tables.lines.paymentId, paymentId),
    set: { status: 'void' },
  });
  await endLookupsOf(db, tables, paymentId);
}
