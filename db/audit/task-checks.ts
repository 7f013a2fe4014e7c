import { sql } from 'drizzle-orm';
import { taskOrderId } from '../../core/tasks.ts';
import { ask, fed, isAmong, isWithin, type Check, type View } from './question.ts';

export const TASK_CHECKS: readonly Check[] = [taskLoadsMatch, paidTasksHavePayments];

/** The counters that limit open tasks say how many there are. */
function taskLoadsMatch(view: View) {
  const { taskLoads, tasks } = view.tables;
  return ask(
    view,
    'task loads = unpaid tasks',
    // Callers are known by their addresses, which a log must not name.
    sql`'one is off by ' || sum(unpaid)`,
    sql`(select caller, unpaid from ${taskLoads} where unpaid <> 0
      union all select caller, -1 from ${tasks} where status = 'open' and caller is not null) as parts
      group by caller having sum(unpaid) <> 0`,
  );
}

/** A task names its payment, or `purchases` does where an earlier task of that payer has the same one. */
function paidTasksHavePayments(...[view, scope]: Parameters<Check>) {
  const { purchases, payments, tasks } = view.tables;
  const which = scope === 'changed' ? sql`t.id in (${fed(view.tables, 'task')})` : isWithin(scope, sql`t.id`);
  return ask(
    view,
    'a paid task has its payment',
    // Who knows a task's id may see it, so it is not named here.
    sql`count(*) || ' have none'`,
    sql`${tasks} as t left join ${purchases} as b on b.order_id = ${sql.raw(`'${taskOrderId('')}'`)} || t.id
      left join ${payments} as p on p.id = coalesce(t.payment_id, b.payment_id)
      where ${isAmong(scope, sql`t.status`, ['paid'])} and ${which} and p.id is null having count(*) > 0`,
    { keys: { table: sql`${tasks} as t`, column: sql`t.id` } },
  );
}
