import { sql, type SQL } from 'drizzle-orm';
import { NETWORKS } from '../../core/networks.ts';
import { ask, checkpointOf, isWithin, type Check, type Keys, type Scope, type View } from './question.ts';

/** Whether the ledger agrees with itself. */
export const LEDGER_CHECKS: readonly Check[] = [
  entriesSumToZero,
  weiSumToZero,
  balancesAreSums,
  nothingOverdrawn,
  ...NETWORKS.map(
    (network): Check =>
      (view) =>
        assetsEqualLiabilities(view, network),
  ),
];

/** Only over everything. */
export const WHOLE_LEDGER_CHECKS: readonly Check[] = [weiBalancesAreSums];

const ZERO = 'postings sum to zero';
const SUMS = 'cached balance = sum';

function entriesSumToZero(...[view, scope]: Parameters<Check>) {
  const { postings } = view.tables;
  return ask(
    view,
    ZERO,
    sql`'entry ' || entry_id || ' sums to ' || sum(amount)`,
    sql`${postings} where ${entriesOf(view, scope)} group by entry_id, unit having sum(amount) <> 0`,
    { keys: byEntry(view) },
  );
}

/** Sums of wei outgrow 64 bits. */
function weiSumToZero(...[view, scope]: Parameters<Check>) {
  const { postings } = view.tables;
  return ask(
    view,
    ZERO,
    sql`'entry ' || entry_id || ' does not sum to 0 wei'`,
    sql`${postings} where unit = 'wei' and ${entriesOf(view, scope)}
      group by entry_id having ${isNotZero(view, sql`amount_wei`)}`,
    { keys: byEntry(view) },
  );
}

const byEntry = ({ tables: { postings } }: View): Keys => ({ table: sql`${postings}`, column: sql`entry_id` });
const byAccount = ({ tables: { postings } }: View): Keys => ({ table: sql`${postings}`, column: sql`account` });

const entriesOf = (view: View, scope: Scope): SQL =>
  scope === 'changed' ? sql`entry_id > ${checkpointOf(view.tables)}` : isWithin(scope, sql`entry_id`);

/**
 * All accounts against all postings; otherwise those that hold something, against the checkpoint and what came after. An
 * account that is grouped as an expression cannot use the index, which leads to all of its postings.
 */
function balancesAreSums(...[view, scope]: Parameters<Check>) {
  const { accounts, postings, auditedBalances } = view.tables;
  const held = sql`select name, balance as cached, 0 as summed from ${accounts}`;
  const parts =
    scope === 'changed'
      ? sql`${held} where balance <> 0
          union all select account, 0, amount from ${auditedBalances}
          union all select account || '', 0, sum(amount) from ${postings}
            where entry_id > ${checkpointOf(view.tables)} group by account || ''`
      : sql`${held} where ${isWithin(scope, sql`name`)}
          union all select account, 0, sum(amount) from ${postings}
            where ${isWithin(scope, sql`account`)} group by account`;
  return ask(
    view,
    SUMS,
    sql`name || ' caches ' || sum(cached) || ', postings ' || sum(summed)`,
    sql`(${parts}) as parts group by name having sum(cached) <> sum(summed)`,
    { keys: byAccount(view) },
  );
}

function weiBalancesAreSums(...[view, scope]: Parameters<Check>) {
  const { accounts, postings } = view.tables;
  const negative = sql`case when balance_wei = '0' then '0' when balance_wei like '-%' then substr(balance_wei, 2) else '-' || balance_wei end`;
  return ask(
    view,
    SUMS,
    sql`name || ' caches another sum of wei'`,
    sql`(select name, ${negative} as wei from ${accounts} where unit = 'wei' and ${isWithin(scope, sql`name`)}
      union all select account, amount_wei from ${postings} where unit = 'wei' and ${isWithin(scope, sql`account`)}) as parts
      group by name having ${isNotZero(view, sql`wei`)}`,
    { keys: byAccount(view) },
  );
}

/** The digits are added in two halves on SQLite, whose numbers are too short for them. */
function isNotZero({ dialect }: View, wei: SQL): SQL {
  if (dialect === 'postgres') return sql`sum(cast(${wei} as numeric)) <> 0`;
  const sign = sql`(case when ${wei} like '-%' then -1 else 1 end)`;
  const digits = sql`('000000000000000' || ltrim(${wei}, '-'))`;
  const low = sql`sum(${sign} * cast(substr(${digits}, -15) as integer))`;
  const high = sql`sum(${sign} * cast(substr(${digits}, 1, length(${digits}) - 15) as integer))`;
  return sql`(${low} % 1000000000000000 <> 0 or ${high} + ${low} / 1000000000000000 <> 0)`;
}

function nothingOverdrawn(view: View) {
  const { accounts } = view.tables;
  return ask(
    view,
    'nothing below zero',
    sql`name || ' stands at ' || balance`,
    sql`${accounts} where balance <> 0 and ((side = 'asset' and balance < 0) or (side = 'liability' and balance > 0))`,
  );
}

/** Per network: what the chain holds for us, plus what a reorganisation cost, is what we owe there. */
function assetsEqualLiabilities(view: View, network: string) {
  const { accounts } = view.tables;
  return ask(
    view,
    'assets = liabilities',
    sql`${sql.raw(`'${network} stands at '`)} || sum(balance) || ', expected 0'`,
    sql`${accounts} where balance <> 0 and unit = 'usdc' and name || ':' like ${sql.raw(`'%:${network}:%'`)} having sum(balance) <> 0`,
  );
}
