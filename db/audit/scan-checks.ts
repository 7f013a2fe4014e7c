import { sql } from 'drizzle-orm';
import { leftFormer } from '../rotations/formers.ts';
import { ask, fed, isAmong, isWithin, type Check, type View } from './question.ts';

export const SCAN_CHECKS: readonly Check[] = [landsOnce, outflowsExplained, settledMeansLanded];

/** Each payment and each transfer lands at most once. What changed is counted key by key, which leaves no other plan. */
function landsOnce(...[view, scope]: Parameters<Check>) {
  const { observedTransfers: observed, auditFeed: feed } = view.tables;
  const once = (key: string) =>
    sql.raw(`${key} not in ('suspense', 'lost', 'taken', 'moved') and ${key} not like 'taken:%'`);
  const landings =
    scope === 'changed'
      ? sql`select f.key, (select count(*) from ${observed} as t where t.consumed_by = f.key and t.landed = true) as times
          from ${feed} as f where f.kind = 'consumer' and ${once('f.key')} group by f.key`
      : sql`select consumed_by as key, count(*) as times from ${observed}
          where landed = true and ${once('consumed_by')} and ${isWithin(scope, sql`consumed_by`)} group by consumed_by`;
  return ask(
    view,
    'at most one landing',
    sql`key || ' landed ' || times || ' times'`,
    sql`(${landings}) as landings where times > 1`,
    { keys: { table: sql`${observed}`, column: sql`consumed_by` } },
  );
}

/**
 * An outflow must be explained in the very transaction that sees it, unless it left a former address: that is booked once it
 * is final. What left one network says nothing about another.
 */
function outflowsExplained(view: View) {
  const { observedTransfers } = view.tables;
  return ask(
    view,
    'every outflow is explained',
    sql`fact`,
    sql`${observedTransfers} where outgoing = true and landed = true and consumed_by is null
      and not ${leftFormer(view.tables)}`,
    { network: sql`${observedTransfers.network}` },
  );
}

/** What the books say was paid to us has landed. */
function settledMeansLanded(...[view, scope]: Parameters<Check>) {
  const { payments, observedTransfers } = view.tables;
  const which =
    scope === 'changed'
      ? sql`p.id in (${fed(view.tables, 'payment')}
          union select o.id from ${payments} as o where o.status = 'settled'
          union select substr(f.key, 9) from ${view.tables.auditFeed} as f where f.kind = 'consumer' and f.key like 'payment:%')`
      : isWithin(scope, sql`p.id`);
  return ask(
    view,
    'settled means landed',
    sql`'payment ' || p.id || ' has no transfer'`,
    sql`${payments} as p left join ${observedTransfers} as t on t.consumed_by = 'payment:' || p.id and t.landed = true
      where ${isAmong(scope, sql`p.status`, ['settled', 'final'])} and ${which} and t.fact is null`,
    { keys: { table: sql`${payments} as p`, column: sql`p.id` } },
  );
}
