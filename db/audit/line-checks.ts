import { sql } from 'drizzle-orm';
import { PLATFORM_NAMES } from '../../core/platforms/platforms.ts';
import { ask, fed, isAmong, isWithin, type Check, type View } from './question.ts';

/** Whether payments, lines and look-ups agree with each other and with the ledger. */
export const LINE_CHECKS: readonly Check[] = [
  linesAddUp,
  onePayoutPerLine,
  escrowMatchesLines,
  linesAreAskedFor,
  askedForAreLines,
  lookupsAreCounted,
  placeholdersNameNobody,
];

const ASKED = 'lookups = resolving lines';

function linesAddUp(...[view, scope]: Parameters<Check>) {
  const { lines, payments } = view.tables;
  const which =
    scope === 'changed'
      ? sql`p.id in (${fed(view.tables, 'payment')}
          union select o.id from ${payments} as o where o.status in ('received', 'settling', 'settled'))`
      : isWithin(scope, sql`p.id`);
  // Checked payment by payment: a join of both tables could read all of the lines.
  const sum = sql`coalesce((select sum(l.amount_micro_usdc) from ${lines} as l where l.payment_id = p.id), 0)`;
  return ask(
    view,
    'lines sum to the payment',
    sql`p.id || ' is for ' || p.sum_micro_usdc || ', its lines for ' || ${sum}`,
    sql`${payments} as p where p.sum_micro_usdc <> ${sum} and ${which}`,
    { keys: { table: sql`${payments} as p`, column: sql`p.id` } },
  );
}

/** A refund gathers many lines; a recipient is paid line by line. */
function onePayoutPerLine(...[view, scope]: Parameters<Check>) {
  const { lines, transfers } = view.tables;
  const isPaying = isAmong(scope, sql`status`, ['paying']);
  const which =
    scope === 'changed'
      ? sql`payout_id in (${fed(view.tables, 'transfer')}
          union select o.id from ${transfers} as o where o.status in ('held', 'queued', 'assigned', 'broadcast', 'confirmed'))`
      : isWithin(scope, sql`payout_id`);
  return ask(
    view,
    'one line per payout',
    sql`payout_id || ' serves ' || count(*) || ' lines'`,
    sql`${lines} where ${isPaying} and ${which} group by payout_id having count(*) > 1`,
    { keys: { table: sql`${lines}`, column: sql`payout_id` } },
  );
}

/** What the ledger owes a person is what waits for them in lines. */
function escrowMatchesLines(view: View) {
  const { accounts, lines, payments } = view.tables;
  return ask(
    view,
    'escrow = waiting lines',
    sql`name || ': ' || sum(owed) || ' in books, ' || sum(waiting) || ' waiting'`,
    sql`(select name, -balance as owed, 0 as waiting from ${accounts} where balance <> 0 and name like 'escrow:%'
      union all select 'escrow:' || p.network || ':' || l.identity_id, 0, l.amount_micro_usdc
        from ${lines} as l join ${payments} as p on p.id = l.payment_id
        where l.status in ('escrowed', 'resolving') and p.status in ('settled', 'final')) as parts
      group by name having sum(owed) <> sum(waiting)`,
  );
}

/** Every line that waits for its platform is looked up. */
function linesAreAskedFor(view: View) {
  const { lines, lookups } = view.tables;
  return ask(
    view,
    ASKED,
    sql`'nobody is asked for line ' || l.txn_id`,
    sql`${lines} as l left join ${lookups} as k on k.txn_id = l.txn_id where l.status = 'resolving' and k.txn_id is null`,
  );
}

function askedForAreLines(view: View) {
  const { lines, lookups } = view.tables;
  return ask(
    view,
    ASKED,
    sql`'line ' || k.txn_id || ' is ' || coalesce(l.status, 'not there') || ' and still asked for'`,
    sql`${lookups} as k left join ${lines} as l on l.txn_id = k.txn_id where l.status is null or l.status <> 'resolving'`,
  );
}

/** The counter that caps them is right. Counters gather with each day, so those of the platforms are asked for by name. */
function lookupsAreCounted(...[view, scope]: Parameters<Check>) {
  const { counters, lookups } = view.tables;
  const known = sql.raw(PLATFORM_NAMES.map((platform) => ` union select 'resolving:${platform}'`).join(''));
  const which =
    scope === 'changed'
      ? sql`name in (select 'resolving:' || platform from ${lookups}${known})`
      : sql`name like 'resolving:%'`;
  return ask(
    view,
    ASKED,
    sql`name || ' is off by ' || sum(used)`,
    sql`(select name, used from ${counters} where ${which}
      union all select 'resolving:' || platform, -1 from ${lookups}) as parts group by name having sum(used) <> 0`,
  );
}

/** Money of a line whose owner is unknown must not be in an account that a person could collect. */
function placeholdersNameNobody(view: View) {
  const { identities, lines } = view.tables;
  return ask(
    view,
    'placeholders name nobody',
    sql`'line ' || l.txn_id || ': ' || l.identity_id`,
    sql`${lines} as l join ${identities} as i on i.id = l.identity_id where l.status = 'resolving'`,
  );
}
