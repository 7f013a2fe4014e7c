import { and, eq, inArray, isNotNull, isNull, like, notInArray, or, sql } from 'drizzle-orm';
import { accounts as names } from '../../core/ledger.ts';
import { NETWORKS } from '../../core/networks.ts';
import { dailyCounters } from '../limits/daily.ts';
import type { Db, Store } from '../store/store.ts';
import { isBooked } from './find.ts';
import { promisedOf } from './float.ts';

type View = Pick<Store, 'tables'> & { read: Db };
type Finding = { rule: string; detail: string };

/** The newest days are compared; what was counted on older ones hardly changes any more. */
const DAYS_COMPARED = 2;

/** What is on its way out by the books is what payouts are about to pay, one by one. */
export async function outflightMatchesPayouts({ read, tables }: View): Promise<Finding[]> {
  const { accounts, transfers } = tables;
  const rows = await read
    .select({ network: transfers.network, sum: sql<string>`sum(${transfers.amountMicroUsdc})` })
    .from(transfers)
    .where(and(isNotNull(transfers.sourceAccount), notInArray(transfers.status, ['confirmed', 'final', 'void'])))
    .groupBy(transfers.network);
  const balances = await read
    .select({ name: accounts.name, balance: accounts.balance })
    .from(accounts)
    .where(like(accounts.name, 'outflight:%'));
  return NETWORKS.flatMap((network) => {
    const wanted = BigInt(rows.find((row) => row.network === network)?.sum ?? 0);
    const found = -(balances.find(({ name }) => name === names.outflight(network))?.balance ?? 0n);
    if (wanted === found) return [];
    return [
      { rule: 'outflight = payouts on their way', detail: `${network}: ${found} in books, ${wanted} in payouts` },
    ];
  });
}

/** What payouts on other networks brought to float must be there until they cannot die any more. */
export async function floatKeepsPromises({ read, tables }: View): Promise<Finding[]> {
  const { accounts } = tables;
  const found: Finding[] = [];
  for (const network of NETWORKS) {
    const promised = await promisedOf(read, tables, network);
    if (promised === 0n) continue;
    const [row] = await read
      .select({ balance: accounts.balance })
      .from(accounts)
      .where(eq(accounts.name, names.float(network)));
    const float = -(row?.balance ?? 0n);
    if (float >= promised) continue;
    found.push({ rule: 'float covers what may go back', detail: `${network}: ${float} of ${promised}` });
  }
  return found;
}

/** What the books say has left an address of ours did land. */
export async function paidMeansLanded({ read, tables }: View): Promise<Finding[]> {
  const { transfers, observedTransfers } = tables;
  const rows = await read
    .select({ id: transfers.id })
    .from(transfers)
    .leftJoin(
      observedTransfers,
      and(eq(observedTransfers.consumedBy, sql`'transfer:' || ${transfers.id}`), eq(observedTransfers.landed, true)),
    )
    .where(and(isBooked(tables), inArray(transfers.status, ['confirmed', 'final']), isNull(observedTransfers.fact)));
  return rows.map(({ id }) => ({ rule: 'paid means landed', detail: `transfer ${id} has not landed` }));
}

/** Each payout has taken its part of its day's limits, once, and none has kept a part without going out. */
export async function dailyCountersMatch({ read, tables }: View): Promise<Finding[]> {
  const { counters, lines, payments, transfers } = tables;
  const counted = await read
    .select()
    .from(counters)
    .where(or(like(counters.name, 'payer_daily:%'), like(counters.name, 'recipient_daily:%')));
  const days = [...new Set(counted.map(({ name }) => name.split(':')[1] ?? ''))].toSorted().slice(-DAYS_COMPARED);
  if (days.length === 0) return [];
  const rows = await read
    .select({
      day: transfers.countedOn,
      payer: payments.payer,
      identityId: lines.identityId,
      sum: sql<string>`sum(${transfers.amountMicroUsdc})`,
    })
    .from(transfers)
    .innerJoin(lines, eq(lines.payoutId, transfers.id))
    .innerJoin(payments, eq(payments.id, lines.paymentId))
    .where(inArray(transfers.countedOn, days))
    .groupBy(transfers.countedOn, payments.payer, lines.identityId);
  const differences = new Map<string, bigint>();
  const add = (name: string, amount: bigint) => differences.set(name, (differences.get(name) ?? 0n) + amount);
  for (const { name, used } of counted) if (days.includes(name.split(':')[1] ?? '')) add(name, used);
  for (const { day, payer, identityId, sum } of rows) {
    if (day === null) continue;
    add(dailyCounters.payer(day, payer), -BigInt(sum));
    add(dailyCounters.recipient(day, identityId), -BigInt(sum));
  }
  return [...differences]
    .filter(([, difference]) => difference !== 0n)
    .map(([name, difference]) => ({ rule: 'daily counters = payouts', detail: `${name} is off by ${difference}` }));
}
