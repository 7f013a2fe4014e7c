import { sql, type SQL } from 'drizzle-orm';
import { accounts as names } from '../../core/ledger.ts';
import { type Network, NETWORKS } from '../../core/networks.ts';
import { BOOKED_PURPOSES } from '../../core/transfers/purposes.ts';
import { ask, fed, isAmong, isWithin, quoted, type Check, type View } from './question.ts';

export const TRANSFER_CHECKS: readonly Check[] = [
  outflightMatchesTransfers,
  ...NETWORKS.map(
    (network): Check =>
      (view) =>
        floatKeepsPromises(view, network),
  ),
  paidMeansLanded,
  payerCountersMatch,
  recipientCountersMatch,
];

/** The newest days are compared; counts of older ones hardly change any more. */
const DAYS_COMPARED = 2;
const COUNTED = 'daily counters = payouts';
const ON_THEIR_WAY = quoted(['held', 'queued', 'assigned', 'broadcast']);

/** What the books have on its way out is what payouts are about to pay, one by one. */
function outflightMatchesTransfers(view: View) {
  const { accounts, transfers } = view.tables;
  return ask(
    view,
    'outflight = payouts on their way',
    sql`name || ': ' || sum(booked) || ' in books, ' || sum(wanted) || ' in payouts'`,
    sql`(select name, -balance as booked, 0 as wanted from ${accounts} where balance <> 0 and name like 'outflight:%'
      union all select 'outflight:' || network, 0, amount_micro_usdc from ${transfers}
        where source_account is not null and status in (${ON_THEIR_WAY})) as parts
      group by name having sum(booked) <> sum(wanted)`,
  );
}

/** What payouts on other networks brought to float must stay there until they cannot die any more. */
function floatKeepsPromises(view: View, network: Network) {
  const { accounts, lines, payments, transfers } = view.tables;
  const here = sql.raw(`'${network}'`);
  return ask(
    view,
    'float covers what may go back',
    sql`${sql.raw(`'${network}: '`)} || sum(float) || ' of ' || sum(promised)`,
    sql`(select -balance as float, 0 as promised from ${accounts} where name = ${sql.raw(`'${names.float(network)}'`)}
      union all select 0, amount_micro_usdc from ${transfers}
        where cross_from = ${here} and status in (${ON_THEIR_WAY}, 'confirmed')
      union all select 0, t.amount_micro_usdc from ${payments} as p
        join ${lines} as l on l.payment_id = p.id join ${transfers} as t on t.id = l.payout_id
        where p.status in ('settling', 'settled') and p.network = ${here} and t.cross_from = ${here} and t.status = 'final'
      ) as parts having sum(promised) > 0 and sum(float) < sum(promised)`,
  );
}

/** What the books say has left an address of ours has landed. */
function paidMeansLanded(...[view, scope]: Parameters<Check>) {
  const { transfers, observedTransfers, auditFeed } = view.tables;
  const which =
    scope === 'changed'
      ? sql`t.id in (${fed(view.tables, 'transfer')}
          union select o.id from ${transfers} as o where o.status = 'confirmed'
          union select substr(f.key, 10) from ${auditFeed} as f where f.kind = 'consumer' and f.key like 'transfer:%')`
      : isWithin(scope, sql`t.id`);
  return ask(
    view,
    'paid means landed',
    sql`'transfer ' || t.id || ' has not landed'`,
    sql`${transfers} as t left join ${observedTransfers} as s on s.consumed_by = 'transfer:' || t.id and s.landed = true
      where t.purpose in (${quoted(BOOKED_PURPOSES)}) and ${isAmong(scope, sql`t.status`, ['confirmed', 'final'])}
        and ${which} and s.fact is null`,
    { keys: { table: sql`${transfers} as t`, column: sql`t.id` } },
  );
}

/** Each payout took its part of its day's limits once, and none kept a part without going out. */
function payerCountersMatch(...[view, scope]: Parameters<Check>) {
  // As `payerAccountId` makes it.
  const payer = sql`'pennypost/payer/' || p.payer`;
  const hash =
    view.dialect === 'sqlite' ? sql`sha256_hex(${payer})` : sql`encode(sha256(convert_to(${payer}, 'UTF8')), 'hex')`;
  return countersMatch(view, scope, 'payer_daily', sql`substr(${hash}, 1, 24)`);
}

function recipientCountersMatch(...[view, scope]: Parameters<Check>) {
  return countersMatch(view, scope, 'recipient_daily', sql`l.identity_id`);
}

/** A counter that no payout has counted on is found only when everything is checked. */
function countersMatch(view: View, scope: Parameters<Check>[1], kind: string, whose: SQL) {
  const { counters, lines, payments, transfers } = view.tables;
  const prefix = sql.raw(`'${kind}:'`);
  const day = sql.raw(`substr(name, ${kind.length + 2}, 10)`);
  const newest = sql`select max(counted_on) from ${transfers}`;
  const days =
    scope === 'changed'
      ? sql`select max(counted_on) as day from ${transfers} union select max(counted_on) from ${transfers} where counted_on < (${newest})`
      : sql`select distinct ${day} as day from ${counters} where name like ${sql.raw(`'${kind}:%'`)} order by day desc limit ${sql.raw(String(DAYS_COMPARED))}`;
  const wanted = sql`select ${prefix} || t.counted_on || ':' || ${whose} as name, 0 as used, sum(t.amount_micro_usdc) as wanted
    from ${transfers} as t join ${lines} as l on l.payout_id = t.id join ${payments} as p on p.id = l.payment_id
    where t.counted_on in (select day from (${days}) as days) group by t.counted_on, ${whose}`;
  const used = sql`select name, used, 0 from ${counters} where`;
  const counted =
    scope === 'changed'
      ? sql`${used} name in (select name from (${wanted}) as counted)`
      : sql`${used} name like ${sql.raw(`'${kind}:%'`)} and ${day} in (select day from (${days}) as days)`;
  return ask(
    view,
    COUNTED,
    sql`name || ' is off by ' || (sum(used) - sum(wanted))`,
    sql`(${wanted} union all ${counted}) as parts group by name having sum(used) <> sum(wanted)`,
  );
}
