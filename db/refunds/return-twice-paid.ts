import type { Network } from '../../core/networks.ts';
import { and, eq, inArray, lte, sql } from 'drizzle-orm';
import { placeholder, prepare } from '../store/prepare.ts';
import type { Db, Store } from '../store/store.ts';
import { isOfferedTo, isUnexplained, WAYS_TO_FIT, type Way } from '../tasks/fitting.ts';
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
  const { network, safeBlock } = step;
  for (const findTwicePaid of TWICE_PAID) {
    for (const { fact, refundAddresses } of await findTwicePaid(db, { network, safeBlock })) {
      const given = refundAddresses.find((one) => one.network === network);
      if (given) await returnWithin(db, store, { fact, to: given.address }, nowMs);
    }
  }
}

const twicePaidBy = (wayToFit: Way) =>
  prepare((db, tables) => {
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
          eq(observedTransfers.network, placeholder('network')),
          isUnexplained(tables),
          eq(observedTransfers.returnWanted, false),
          lte(observedTransfers.block, placeholder('safeBlock')),
          // Transfers without a refund address must not block all others.
          sql`json_array_length(${tasks.refundAddresses}) > 0`,
          wayToFit(tables),
        ),
      )
      .limit(TWICE_MAX);
  });

const TWICE_PAID = WAYS_TO_FIT.map(twicePaidBy);
