import { prepare } from '../store/prepare.ts';
import type { Network } from '../../core/networks.ts';
import { and, asc, eq } from 'drizzle-orm';
import type { PaymentRow } from '../payments/records/find.ts';
import type { Store } from '../store/store.ts';
import type { OfferRow, TaskRow } from './open.ts';

export type FoundTask = {
  task: TaskRow;
  offers: OfferRow[];
  /** What has paid it; a payment that is `settling` again was taken away by a reorganisation. */
  payment: PaymentRow | null;
};

/** Null for an unknown id, and for an unpaid task whose amounts are free again. */
export async function findTask(store: Store, id: string): Promise<FoundTask | null> {
  const { payments, taskOffers, tasks } = store.tables;
  const [found] = await store.read
    .select({ task: tasks, payment: payments })
    .from(tasks)
    .leftJoin(payments, eq(payments.id, tasks.paymentId))
    .where(eq(tasks.id, id));
  if (!found) return null;
  const mine = eq(taskOffers.taskId, id);
  const offers = await store.read.select().from(taskOffers).where(mine).orderBy(asc(taskOffers.network));
  return { ...found, offers };
}

export type SeenTransfer = {
  fact: string;
  toAddress: string;
  amountMicroUsdc: bigint;
  block: number;
  /** `payment:{id}` and the like; null while nothing explains it. */
  consumedBy: string | null;
};

/** A transaction's transfers to us in the books, to see whether they can still pay for something. */
export async function transfersSeen(store: Store, network: Network, transaction: string): Promise<SeenTransfer[]> {
  const { observedTransfers } = store.tables;
  const { fact, toAddress, amountMicroUsdc, block, consumedBy } = observedTransfers;
  return store.read
    .select({ fact, toAddress, amountMicroUsdc, block, consumedBy })
    .from(observedTransfers)
    .where(
      and(
        eq(observedTransfers.network, network),
        eq(observedTransfers.transaction, transaction),
        eq(observedTransfers.landed, true),
        eq(observedTransfers.outgoing, false),
      ),
    )
    .orderBy(asc(observedTransfers.logIndex));
}

const openTask = prepare((db, { tasks }) =>
  db.select({ id: tasks.id }).from(tasks).where(eq(tasks.status, 'open')).limit(1),
);

/** Whether a plain transfer may pay, which only the scan sees. */
export async function hasOpenTasks({ read }: Pick<Store, 'read'>): Promise<boolean> {
  return (await openTask(read, {})).length > 0;
}
