import type { Network } from '../../core/networks.ts';
import { and, asc, eq, exists, gt, inArray, isNull, lte, or, sql, type SQL } from 'drizzle-orm';
import { placeholder, prepare } from '../store/prepare.ts';
import type { Db, Store } from '../store/store.ts';
import type { Tables } from '../schema/tables.ts';
import type { TaskRow } from './open.ts';

export type ObservedRow = Tables['observedTransfers']['$inferSelect'];

/** A transfer, and the task that it pays. */
export type Fit = { task: TaskRow; transfer: ObservedRow };

/**
 * The two ways a transfer can fit the task of the surrounding query. Never join them in one condition: an OR over two
 * tables uses no index, and then a stranger's small transfers would be compared with every open task.
 */
export const WAYS_TO_FIT: readonly Way[] = [byAmount, byMemo];

export type Way = (tables: Tables) => SQL | undefined;

/** It has arrived with us, and nothing explains it. */
export const isUnexplained = ({ observedTransfers: seen }: Tables): SQL | undefined =>
  and(eq(seen.landed, true), eq(seen.outgoing, false), isNull(seen.consumedBy));

/**
 * Transfers that nothing explains yet, that can no longer vanish, and that are what an unpaid task asks for; the first to
 * land first. An expired task counts as long as its amount is reserved and not given out again: the money is there, and was meant for it.
 */
export async function fittingTransfers(store: Store, network: Network, limit: number): Promise<Fit[]> {
  const found = await Promise.all(FITS.map((find) => find(store.read, { network, limit })));
  const inOrder = found
    .flat()
    .toSorted((a, b) => a.transfer.block - b.transfer.block || a.transfer.logIndex - b.transfer.logIndex);
  return inOrder.slice(0, limit);
}

const fitsBy = (wayToFit: Way) =>
  prepare((db, tables) => {
    const { scanCursors, taskOffers, tasks, observedTransfers } = tables;
    return db
      .select({ task: tasks, transfer: observedTransfers })
      .from(observedTransfers)
      .innerJoin(
        scanCursors,
        and(eq(scanCursors.network, observedTransfers.network), lte(observedTransfers.block, scanCursors.safeBlock)),
      )
      .innerJoin(taskOffers, isOfferedTo(tables))
      .innerJoin(tasks, and(eq(tasks.id, taskOffers.taskId), isUnpaid(tables)))
      .where(
        and(
          eq(observedTransfers.network, placeholder('network')),
          isUnexplained(tables),
          eq(observedTransfers.returnWanted, false),
          wayToFit(tables),
        ),
      )
      .orderBy(asc(observedTransfers.block), asc(observedTransfers.logIndex))
      .limit(placeholder('limit'));
  });

const FITS = WAYS_TO_FIT.map(fitsBy);

/** Whether the transfer of the surrounding query is what an unpaid task asks for: it waits for that task then. */
export function fitsTask(db: Db, tables: Tables): SQL {
  const { taskOffers, tasks } = tables;
  const isAskedFor = (asked: SQL | undefined) =>
    exists(
      db
        .select({ id: tasks.id })
        .from(taskOffers)
        .innerJoin(tasks, and(eq(tasks.id, taskOffers.taskId), isUnpaid(tables)))
        .where(and(isOfferedTo(tables), asked)),
    );
  return sql`(${isAskedFor(byAmount(tables))} or ${isAskedFor(byMemo(tables))})`;
}

export function isOfferedTo({ taskOffers, observedTransfers }: Tables): SQL | undefined {
  return and(
    eq(taskOffers.network, observedTransfers.network),
    eq(taskOffers.address, observedTransfers.toAddress),
    gt(observedTransfers.block, taskOffers.headBlock),
  );
}

function isUnpaid({ tasks }: Tables): SQL {
  return inArray(tasks.status, ['open', 'expired']);
}

/** Its own amount, in a block in which no other task had it. */
function byAmount({ taskOffers, observedTransfers }: Tables): SQL | undefined {
  return and(
    eq(taskOffers.amountMicroUsdc, observedTransfers.amountMicroUsdc),
    or(isNull(taskOffers.untilBlock), lte(observedTransfers.block, taskOffers.untilBlock)),
  );
}

/** Its price with the memo that names it. */
function byMemo({ taskOffers, tasks, observedTransfers }: Tables): SQL | undefined {
  return and(eq(tasks.memo, observedTransfers.memo), eq(taskOffers.priceMicroUsdc, observedTransfers.amountMicroUsdc));
}
