import { and, eq, inArray, isNull, like, sql } from 'drizzle-orm';
import {
  dailyCountersMatch,
  floatKeepsPromises,
  outflightMatchesPayouts,
  paidMeansLanded,
} from '../transfers/checks.ts';
import { counterOf } from '../identities/lookups.ts';
import { landsOnce, settledMeansLanded, transfersExplained } from '../scan/checks.ts';
import type { Db, Store } from '../store/store.ts';
import { paidTasksHavePayments, taskLoadsMatch } from '../tasks/checks.ts';

/** One broken rule, in words an operator can act on. An empty list is what every moment must show. */
export type Violation = { rule: string; detail: string };

/** A view of the database at one moment, or a suspicion of one. */
type View = Pick<Store, 'tables'> & { read: Db };

/**
 * The invariants of the money model that the database can judge alone (ARCHITECTURE.md, "Money"); the comparison with
 * the chain needs a node and is the worker's. Each is a query over everything, so it is run every minute, not per event.
 * The first look reads table by table while others write; only what a second look within one transaction confirms is
 * a violation.
 */
export async function findViolations(store: Store): Promise<Violation[]> {
  const suspected = await look(store);
  return suspected.length === 0 ? [] : store.tx((db) => look({ tables: store.tables, read: db }));
}

async function look(view: View): Promise<Violation[]> {
  const found: Violation[] = [];
  for (const check of CHECKS) found.push(...(await check(view)));
  return found;
}

const CHECKS: readonly ((view: View) => Promise<Violation[]>)[] = [
  entriesSumToZero,
  balancesAreSums,
  nothingOverdrawn,
  weiSums,
  settledLinesAddUp,
  onePayoutPerLine,
  landsOnce,
  transfersExplained,
  assetsEqualLiabilities,
  escrowMatchesLines,
  lookupsMatchLines,
  placeholdersNameNobody,
  paidMeansLanded,
  settledMeansLanded,
  outflightMatchesPayouts,
  floatKeepsPromises,
  dailyCountersMatch,
  taskLoadsMatch,
  paidTasksHavePayments,
];

async function entriesSumToZero({ read, tables }: View): Promise<Violation[]> {
  const { postings } = tables;
  const rows = await read
    .select({ entryId: postings.entryId, sum: sql<string>`sum(${postings.amount})` })
    .from(postings)
    .groupBy(postings.entryId, postings.unit)
    .having(sql`sum(${postings.amount}) <> 0`);
  return rows.map(({ entryId, sum }) => violation('postings sum to zero', `entry ${entryId} sums to ${sum}`));
}

async function balancesAreSums({ read, tables }: View): Promise<Violation[]> {
  const { accounts, postings } = tables;
  const rows = await read
    .select({ name: accounts.name, balance: accounts.balance, sum: sql<string>`coalesce(sum(${postings.amount}), 0)` })
    .from(accounts)
    .leftJoin(postings, eq(postings.account, accounts.name))
    .groupBy(accounts.name, accounts.balance);
  return rows
    .filter(({ balance, sum }) => balance !== BigInt(sum))
    .map(({ name, balance, sum }) => violation('cached balance = sum', `${name} caches ${balance}, postings ${sum}`));
}

async function nothingOverdrawn({ read, tables }: View): Promise<Violation[]> {
  const { accounts } = tables;
  const rows = await read
    .select({ name: accounts.name, balance: accounts.balance })
    .from(accounts)
    .where(
      sql`(${accounts.side} = 'asset' and ${accounts.balance} < 0) or (${accounts.side} = 'liability' and ${accounts.balance} > 0)`,
    );
  return rows.map(({ name, balance }) => violation('nothing below zero', `${name} stands at ${balance}`));
}

/** Sums of wei outgrow the database's integers, so they are added here. */
async function weiSums({ read, tables }: View): Promise<Violation[]> {
  const { accounts, postings } = tables;
  const rows = await read
    .select({ account: postings.account, entryId: postings.entryId, wei: postings.amountWei })
    .from(postings)
    .where(eq(postings.unit, 'wei'));
  const byAccount = new Map<string, bigint>();
  const byEntry = new Map<number, bigint>();
  for (const { account, entryId, wei } of rows) {
    byAccount.set(account, (byAccount.get(account) ?? 0n) + BigInt(wei));
    byEntry.set(entryId, (byEntry.get(entryId) ?? 0n) + BigInt(wei));
  }
  const cached = await read
    .select({ name: accounts.name, balanceWei: accounts.balanceWei })
    .from(accounts)
    .where(eq(accounts.unit, 'wei'));
  return [
    ...[...byEntry]
      .filter(([, sum]) => sum !== 0n)
      .map(([entryId, sum]) => violation('postings sum to zero', `entry ${entryId} sums to ${sum} wei`)),
    ...cached
      .filter(({ name, balanceWei }) => BigInt(balanceWei) !== (byAccount.get(name) ?? 0n))
      .map(({ name, balanceWei }) => violation('cached balance = sum', `${name} caches ${balanceWei} wei`)),
  ];
}

async function settledLinesAddUp({ read, tables }: View): Promise<Violation[]> {
  const { lines, payments } = tables;
  const rows = await read
    .select({
      id: payments.id,
      wanted: payments.sumMicroUsdc,
      sum: sql<string>`coalesce(sum(${lines.amountMicroUsdc}), 0)`,
    })
    .from(payments)
    .leftJoin(lines, eq(lines.paymentId, payments.id))
    .groupBy(payments.id, payments.sumMicroUsdc);
  return rows
    .filter(({ wanted, sum }) => wanted !== BigInt(sum))
    .map(({ id, wanted, sum }) =>
      violation('lines sum to the payment', `${id} is for ${wanted}, its lines for ${sum}`),
    );
}

async function onePayoutPerLine({ read, tables }: View): Promise<Violation[]> {
  const { lines } = tables;
  const rows = await read
    .select({ payoutId: lines.payoutId, count: sql<string>`count(*)` })
    .from(lines)
    // A refund gathers many lines; a recipient is paid line by line.
    .where(eq(lines.status, 'paying'))
    .groupBy(lines.payoutId)
    .having(sql`count(*) > 1`);
  return rows.map(({ payoutId, count }) => violation('one line per payout', `${payoutId} serves ${count} lines`));
}

/** Per network: what the chain holds for us, and what a reorganisation cost, is what we owe there. */
async function assetsEqualLiabilities({ read, tables }: View): Promise<Violation[]> {
  const { accounts } = tables;
  const rows = await read
    .select({ name: accounts.name, balance: accounts.balance })
    .from(accounts)
    .where(eq(accounts.unit, 'usdc'));
  const sums = new Map<string, bigint>();
  for (const { name, balance } of rows) {
    const network = name.split(':')[1] ?? '';
    sums.set(network, (sums.get(network) ?? 0n) + balance);
  }
  return [...sums]
    .filter(([, sum]) => sum !== 0n)
    .map(([network, sum]) => violation('assets = liabilities', `${network} stands at ${sum}, expected 0`));
}

/** What a person is owed in the ledger is what waits for them in lines. */
async function escrowMatchesLines({ read, tables }: View): Promise<Violation[]> {
  const { accounts, lines, payments } = tables;
  const balances = await read
    .select({ name: accounts.name, balance: accounts.balance })
    .from(accounts)
    .where(like(accounts.name, 'escrow:%'));
  const waiting = await read
    .select({
      network: payments.network,
      identityId: lines.identityId,
      sum: sql<string>`sum(${lines.amountMicroUsdc})`,
    })
    .from(lines)
    .innerJoin(payments, eq(payments.id, lines.paymentId))
    .where(and(inArray(lines.status, ['escrowed', 'resolving']), inArray(payments.status, ['settled', 'final'])))
    .groupBy(payments.network, lines.identityId);
  const owed = new Map(waiting.map(({ network, identityId, sum }) => [`escrow:${network}:${identityId}`, BigInt(sum)]));
  const names = new Set([...owed.keys(), ...balances.map(({ name }) => name)]);
  const inBooks = new Map(balances.map(({ name, balance }) => [name, -balance]));
  return [...names]
    .filter((name) => (owed.get(name) ?? 0n) !== (inBooks.get(name) ?? 0n))
    .map((name) =>
      violation('escrow = waiting lines', `${name}: ${inBooks.get(name)} in books, ${owed.get(name)} waiting`),
    );
}

/** Every line that waits for its platform is asked for, nothing else is, and the counter that caps them is right. */
async function lookupsMatchLines({ read, tables }: View): Promise<Violation[]> {
  const { counters, lines, lookups } = tables;
  const unasked = await read
    .select({ txnId: lines.txnId })
    .from(lines)
    .leftJoin(lookups, eq(lookups.txnId, lines.txnId))
    .where(and(eq(lines.status, 'resolving'), isNull(lookups.txnId)));
  const rows = await read
    .select({ txnId: lookups.txnId, platform: lookups.platform, status: lines.status })
    .from(lookups)
    .leftJoin(lines, eq(lines.txnId, lookups.txnId));
  const counted = await read
    .select()
    .from(counters)
    .where(like(counters.name, counterOf('%')));
  const counts = new Map(counted.map(({ name, used }) => [name, Number(used)]));
  for (const { platform } of rows) counts.set(counterOf(platform), (counts.get(counterOf(platform)) ?? 0) - 1);
  const rule = 'lookups = resolving lines';
  return [
    ...unasked.map(({ txnId }) => violation(rule, `nobody is asked for line ${txnId}`)),
    ...rows
      .filter(({ status }) => status !== 'resolving')
      .map(({ txnId, status }) => violation(rule, `line ${txnId} is ${status} and still asked for`)),
    ...[...counts]
      .filter(([, difference]) => difference !== 0)
      .map(([name, difference]) => violation(rule, `${name} is off by ${difference}`)),
  ];
}

/** Money of a line whose owner is unknown must not be in an account that a person could collect. */
async function placeholdersNameNobody({ read, tables }: View): Promise<Violation[]> {
  const { identities, lines } = tables;
  const named = await read
    .select({ txnId: lines.txnId, identityId: lines.identityId })
    .from(lines)
    .innerJoin(identities, eq(identities.id, lines.identityId))
    .where(eq(lines.status, 'resolving'));
  return named.map(({ txnId, identityId }) => violation('placeholders name nobody', `line ${txnId}: ${identityId}`));
}

/**
 * What the books say an address holds: its ledger balance plus transfers seen there that nothing explains yet. One
 * statement, because a transfer that is explained between two would be counted in neither.
 */
export async function expectedBalance(store: Store, network: string, address: string): Promise<bigint> {
  const { accounts, observedTransfers } = store.tables;
  const rows = await store.read
    .select({ held: sql<string>`cast(${accounts.balance} as text)` })
    .from(accounts)
    .where(eq(accounts.name, `chain:${network}:${address}`))
    .unionAll(
      store.read
        .select({ held: sql<string>`cast(coalesce(sum(${observedTransfers.amountMicroUsdc}), 0) as text)` })
        .from(observedTransfers)
        .where(
          and(
            eq(observedTransfers.network, network),
            eq(observedTransfers.toAddress, address),
            eq(observedTransfers.landed, true),
            isNull(observedTransfers.consumedBy),
          ),
        ),
    );
  return rows.reduce((sum, { held }) => sum + BigInt(held), 0n);
}

function violation(rule: string, detail: string): Violation {
  return { rule, detail };
}
