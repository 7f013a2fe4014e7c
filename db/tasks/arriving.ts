import { and, eq, isNull } from 'drizzle-orm';
import type { Store } from '../store/store.ts';
import { fitsOffer, isOfferedTo } from './fitting.ts';

/**
 * Whether a transfer has landed that is what this task asks for, and that nothing explains yet: it pays the task as soon as
 * it can no longer vanish. Whoever pays meanwhile in another way would pay twice.
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
