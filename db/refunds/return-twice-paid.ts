import type { Network } from '../../core/networks.ts';
import { and, eq, inArray, isNull, lte, sql, type SQL } from 'drizzle-orm';
import type { Db, Store } from '../store/store.ts';
import { fitsOffer, isOfferedTo } from '../tasks/fitting.ts';
import { returnWithin } from './return-transfer.ts';

/** In one step; the rest is found by the next one. */
const TWICE_MAX = 100;

/**
 * What came for a task that something else has paid goes back at once to the address that the task gave for that. Nothing
 * else can ask for it: in its block the amount was this task's, and the payment is too deep in its chain to vanish. Never
 * to its sender, who may be an exchange: without an address it waits in suspense for the operator.
 */
export async function returnTwicePaid(
  db: Db,
  store: Store,
  step: { network: Network; safeBlock: number },
  nowMs: number,
): Promise<void> {
  for (const asked of fitsOffer(store.tables)) {
    for (const { fact, refundAddresses } of await findTwicePaid(db, store, step, asked)) {
      const given = refundAddresses.find(({ network }) => network === step.network);
      if (given) await returnWithin(db, store, { fact, to: given.address }, nowMs);
    }
  }
}

async function findTwicePaid(
  db: Db,
  { tables }: Store,
  step: { network: Network; safeBlock: number },
  asked: SQL | undefined,
) {
  const { payments, scanCursors, taskOffers, tasks, observedTransfers } = tables;
  const isSafe = and(eq(scanCursors.network, payments.network), lte(payments.landedBlock, scanCursors.safeBlock));
  return db
    .select({ fact: observedTransfers.fact, refundAddresses: tasks.refundAddresses })
    .from(observedTransfers)
    .innerJoin(taskOffers, isOfferedTo(tables))
    .innerJoin(tasks, eq(tasks.id, taskOffers.taskId))
    .innerJoin(payments, and(eq(payments.id, tasks.paymentId), inArray(payments.status, ['settled', 'final'])))
    .innerJoin(scanCursors, isSafe)
    .where(
      and(
        eq(observedTransfers.network, step.network),
        eq(observedTransfers.landed, true),
        eq(observedTransfers.outgoing, false),
        eq(observedTransfers.returnWanted, false),
        isNull(observedTransfers.consumedBy),
        lte(observedTransfers.block, step.safeBlock),
        // Transfers without a refund address must not block all others.
        sql`json_array_length(${tasks.refundAddresses}) > 0`,
        asked,
      ),
    )
    .limit(TWICE_MAX);
}
