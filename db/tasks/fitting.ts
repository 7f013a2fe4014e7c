import { and, asc, eq, exists, gt, inArray, isNull, lte, or, type SQL } from 'drizzle-orm';
import type { Db, Store } from '../store.ts';
import type { Tables } from '../tables.ts';
import type { TaskRow } from './open.ts';

export type TransferRow = Tables['transfers']['$inferSelect'];

/** A transfer, and the task that it pays. */
export type Fit = { task: TaskRow; transfer: TransferRow };

/**
 * Transfers that nothing explains yet, that can no longer vanish, and that are what an unpaid task asks for; the first to
 * land first. An expired task counts as long as its amount is reserved: the money is there, and was meant for it.
 */
export async function fittingTransfers(store: Store, network: string, limit: number): Promise<Fit[]> {
  const { scanCursors, taskOffers, tasks, transfers } = store.tables;
  return store.read
    .select({ task: tasks, transfer: transfers })
    .from(transfers)
    .innerJoin(
      scanCursors,
      and(eq(scanCursors.network, transfers.network), lte(transfers.block, scanCursors.safeBlock)),
    )
    .innerJoin(taskOffers, isOfferedTo(store.tables))
    .innerJoin(tasks, and(eq(tasks.id, taskOffers.taskId), asksFor(store.tables)))
    .where(
      and(
        eq(transfers.network, network),
        eq(transfers.landed, true),
        eq(transfers.outgoing, false),
        eq(transfers.returnWanted, false),
        isNull(transfers.consumedBy),
      ),
    )
    .orderBy(asc(transfers.block), asc(transfers.logIndex))
    .limit(limit);
}

/** Whether the transfer of the surrounding query is what an unpaid task asks for: it waits for that task then. */
export function fitsTask(db: Db, tables: Tables): SQL {
  const { taskOffers, tasks } = tables;
  return exists(
    db
      .select({ id: tasks.id })
      .from(taskOffers)
      .innerJoin(tasks, and(eq(tasks.id, taskOffers.taskId), asksFor(tables)))
      .where(isOfferedTo(tables)),
  );
}

function isOfferedTo({ taskOffers, transfers }: Tables): SQL | undefined {
  return and(
    eq(taskOffers.network, transfers.network),
    eq(taskOffers.address, transfers.toAddress),
    gt(transfers.block, taskOffers.headBlock),
  );
}

/** Its own amount, or its price with the memo that names it. */
function asksFor({ taskOffers, tasks, transfers }: Tables): SQL | undefined {
  return and(
    inArray(tasks.status, ['open', 'expired']),
    or(
      eq(taskOffers.amountMicroUsdc, transfers.amountMicroUsdc),
      and(eq(tasks.memo, transfers.memo), eq(taskOffers.priceMicroUsdc, transfers.amountMicroUsdc)),
    ),
  );
}
