import { and, eq, inArray, isNull, sql } from 'drizzle-orm';
import { taskOrderId } from '../../core/tasks.ts';
import type { Db, Store } from '../store/store.ts';

type View = Pick<Store, 'tables'> & { read: Db };
type Finding = { rule: string; detail: string };

/** The counters that limit unpaid tasks say how many there are. */
export async function taskLoadsMatch({ read, tables }: View): Promise<Finding[]> {
  const { taskLoads, tasks } = tables;
  const counted = await read.select().from(taskLoads);
  const rows = await read
    .select({ caller: tasks.caller, count: sql<string>`count(*)` })
    .from(tasks)
    .where(inArray(tasks.status, ['open', 'expired']))
    .groupBy(tasks.caller);
  const differences = new Map(counted.map(({ caller, unpaid }) => [caller, unpaid]));
  for (const { caller, count } of rows) {
    if (caller !== null) differences.set(caller, (differences.get(caller) ?? 0) - Number(count));
  }
  const wrong = [...differences.values()].filter((difference) => difference !== 0);
  // Callers are known by their addresses, which a log must not name.
  return wrong.map((difference) => ({ rule: 'task loads = unpaid tasks', detail: `one is off by ${difference}` }));
}

/** A task names its payment, or `purchases` does where an earlier task of that payer has the same one. */
export async function paidTasksHavePayments({ read, tables }: View): Promise<Finding[]> {
  const { purchases, payments, tasks } = tables;
  const rows = await read
    .select({ id: tasks.id })
    .from(tasks)
    .leftJoin(purchases, eq(purchases.orderId, sql`${taskOrderId('')} || ${tasks.id}`))
    .leftJoin(payments, eq(payments.id, sql`coalesce(${tasks.paymentId}, ${purchases.paymentId})`))
    .where(and(eq(tasks.status, 'paid'), isNull(payments.id)));
  // Who knows a task's id may see it, so it is not named here.
  return rows.length === 0 ? [] : [{ rule: 'a paid task has its payment', detail: `${rows.length} have none` }];
}
