import { and, eq, isNull } from 'drizzle-orm';
import type { Store } from '../store/store.ts';
import { isOfferedTo, WAYS_TO_FIT } from './fitting.ts';

/**
 * Whether an unexplained transfer that fits this task has landed: it pays the task once it can no longer vanish.
 * Another payment in the meantime would pay twice.
 */
export async function isTransferArriving({ read, tables }: Store, taskId: string): Promise<boolean> {
  const { taskOffers, tasks, observedTransfers } = tables;
  for (const wayToFit of WAYS_TO_FIT) {
    const [found] = await read
      .select({ fact: observedTransfers.fact })
      .from(tasks)
      .innerJoin(taskOffers, eq(taskOffers.taskId, tasks.id))
      .innerJoin(observedTransfers, and(isOfferedTo(tables), wayToFit(tables)))
      .where(
        and(
          eq(tasks.id, taskId),
          eq(observedTransfers.landed, true),
          eq(observedTransfers.outgoing, false),
          eq(observedTransfers.returnWanted, false),
          isNull(observedTransfers.consumedBy),
        ),
      )
      .limit(1);
    if (found) return true;
  }
  return false;
}
