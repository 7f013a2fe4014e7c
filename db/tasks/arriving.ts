import { and, eq, isNull } from 'drizzle-orm';
import type { Store } from '../store/store.ts';
import { fitsOffer, isOfferedTo } from './fitting.ts';

/**
 * Whether an unexplained transfer that fits this task has landed: it pays the task once it can no longer vanish.
 * Another payment in the meantime would pay twice.
 */
export async function isTransferArriving({ read, tables }: Store, taskId: string): Promise<boolean> {
  const { taskOffers, tasks, transfers } = tables;
  for (const asked of fitsOffer(tables)) {
    const [found] = await read
      .select({ fact: transfers.fact })
      .from(tasks)
      .innerJoin(taskOffers, eq(taskOffers.taskId, tasks.id))
      .innerJoin(transfers, and(isOfferedTo(tables), asked))
      .where(
        and(
          eq(tasks.id, taskId),
          eq(transfers.landed, true),
          eq(transfers.outgoing, false),
          eq(transfers.returnWanted, false),
          isNull(transfers.consumedBy),
        ),
      )
      .limit(1);
    if (found) return true;
  }
  return false;
}
