import { and, desc, eq, gte, inArray, isNotNull, isNull, like, lt, lte, ne, not, or, sql, type SQL } from 'drizzle-orm';
import { accounts as names, factOfReturn } from '../../core/ledger.ts';
import { familyOf, type Network } from '../../core/networks.ts';
import { isOneOf, unindexed } from '../dialects/unindexed.ts';
import type { TransferRow } from '../payments/records/find.ts';
import { readFormers, wentToCurrent, type Former } from './formers.ts';
import { readStuck } from './stuck.ts';
import { isPlacedAfter, ORDERS, type Order, type Position } from './order.ts';
import type { Tables } from '../schema/tables.ts';
import type { Db, Store } from '../store/store.ts';

type Place = { network: Network; address: string };
/** Inbound money behind a payout, and where it stands on the chain; null where it is not there now. */
type Inbound = Place & { payoutId: string; at: Position | null };
type Arrival = Position & { fact: string; amount: bigint };
/** What is at a former address, each sum that was taken from there, and what came there, as far back as that matters. */
type Standing = { there: bigint; losses: readonly Loss[]; arrivals: readonly Arrival[]; order: Order };
/** `isBooked`: for good. */
type Loss = Position & { amount: bigint; isBooked: boolean };

/** `unswept`: it is there, or may be. `taken`: someone else has taken it, or nobody here can move it. */
export type Unswept = ReadonlyMap<string, 'unswept' | 'taken'>;

/**
 * Those of the payouts whose money came to a former address and was not certainly swept from there. Who knows its key
 * could pay there, be paid out by the treasury, and take the payment back. What was taken has to be swept no more where an
 * operator has let its payout go (`formerLossAtMs`).
 */
export async function unsweptPayouts(db: Db, { tables }: Store, payouts: readonly TransferRow[]): Promise<Unswept> {
  const found = new Map<string, 'unswept' | 'taken'>();
  const formers = payouts.length === 0 ? [] : await readFormers(db, tables);
  if (formers.length === 0) return found;
  const formerOf = ({ network, address }: Place) =>
    formers.find((former) => former.network === network && former.address === address);
  const ids = payouts.map(({ id }) => id);
  const stuck = await readStuck(db, tables);
  const letGo = new Set(payouts.flatMap(({ id, formerLossAtMs }) => (formerLossAtMs === null ? [] : [id])));
  const inbounds = [...(await paymentsOf(db, tables, ids)), ...(await returnsOf(db, tables, payouts))];
  for (const former of formers) {
    const there = inbounds.filter((inbound) => formerOf(inbound) === former);
    if (there.length === 0) continue;
    const oldest = Math.min(...there.flatMap(({ at }) => (at === null ? [] : [at.block])));
    const standing = await standingOf(db, tables, { former, formers, oldest });
    for (const inbound of there) {
      const { payoutId } = inbound;
      const isLetGo = letGo.has(payoutId);
      const isStuck = stuck.has(former);
      // What is stuck counts as lost, and where an operator has let its payout go, it is waited for no more.
      const shown = isLetGo ? { ...standing, losses: [], ...(isStuck ? { there: 0n } : {}) } : standing;
      const seen = endOf(inbound, shown);
      const end = seen === 'unswept' && isStuck && !isLetGo && inbound.at !== null ? 'taken' : seen;
      if (end !== 'swept' && found.get(payoutId) !== 'taken') found.set(payoutId, end);
    }
  }
  return found;
}

/** Of lines, also of those that go back to their payer. */
async function paymentsOf(db: Db, tables: Tables, payoutIds: readonly string[]): Promise<Inbound[]> {
  const { lines, observedTransfers: seen, payments } = tables;
  const rows = await db
    .select({
      payoutId: lines.payoutId,
      network: payments.network,
      address: sql<string>`coalesce(${payments.landedAddress}, ${payments.payTo})`,
      at: { block: seen.block, logIndex: seen.logIndex },
    })
    .from(lines)
    .innerJoin(payments, eq(payments.id, lines.paymentId))
    .leftJoin(seen, and(eq(seen.consumedBy, sql`'payment:' || ${payments.id}`), eq(seen.landed, true)))
    .where(inArray(lines.payoutId, [...payoutIds]));
  return rows.flatMap(({ payoutId, ...row }) => (payoutId === null ? [] : [{ ...row, payoutId }]));
}

/** Of what nothing explained, and goes back to its sender. */
async function returnsOf(db: Db, tables: Tables, payouts: readonly TransferRow[]): Promise<Inbound[]> {
  const { observedTransfers: seen, refunds } = tables;
  const ids = payouts.map(({ id }) => id);
  const networks = [...new Set(payouts.map(({ network }) => network))];
  const isReturn = and(isNull(refunds.txnId), like(refunds.id, 'return:%'));
  const rows = await db
    .select({ id: refunds.id, payoutId: refunds.payoutId })
    .from(refunds)
    .where(and(inArray(refunds.network, networks), inArray(refunds.payoutId, ids), isReturn));
  const payoutOf = new Map(rows.map(({ id, payoutId }) => [factOfReturn(id), payoutId]));
  if (rows.length === 0) return [];
  const { fact, network, toAddress: address, block, logIndex } = seen;
  const found = await db
    .select({ fact, network, address, block, logIndex })
    .from(seen)
    .where(inArray(fact, [...payoutOf.keys()]));
  return found.flatMap(({ fact: name, network: on, address: to, ...at }) => {
    const payoutId = payoutOf.get(name) ?? null;
    return payoutId === null ? [] : [{ payoutId, network: on, address: to, at }];
  });
}

/**
 * Swept is what came before all that is still there. Sweeps take the oldest first, so what others take is the newest that is
 * there at that moment: it took this money too where it is more than what came between.
 */
function endOf({ at }: Inbound, { there, losses, arrivals, order }: Standing) {
  if (at === null) return 'unswept';
  const { isAfter, mayBeAfter } = order;
  const since = losses.filter((loss) => mayBeAfter(loss, at));
  if (since.length === 0 && there <= 0n) return 'swept';
  const later = arrivals.filter((one) => isAfter(one, at));
  const broken = since.filter((loss) => {
    const lost = sumOf(since.filter((other) => !isAfter(other, loss)));
    return lost > sumOf(later.filter((one) => !mayBeAfter(one, loss)));
  });
  if (broken.some(({ isBooked }) => isBooked)) return 'taken';
  const isLeft = there + sumOf(since) > sumOf(later);
  return broken.length > 0 || isLeft ? 'unswept' : 'swept';
}

const sumOf = (some: readonly { amount: bigint }[]) => some.reduce((sum, { amount }) => sum + amount, 0n);

/** `oldest`: the block of the oldest inbound that is asked about; what was before it changes nothing. */
type Asked = { former: Former; formers: readonly Former[]; oldest: number };

async function standingOf(db: Db, tables: Tables, asked: Asked): Promise<Standing> {
  const { former, oldest } = asked;
  const order = ORDERS[familyOf(former.network)];
  const there = await leftAt(db, tables, former);
  // Of none of them is it known where it came.
  if (!Number.isFinite(oldest)) return { there, losses: [], arrivals: [], order };
  const losses = await lossesAt(db, tables, asked);
  const arrivals = there <= 0n && losses.length === 0 ? [] : await arrivalsAt(db, tables, { asked, there, losses });
  return { there, losses, arrivals, order };
}

/** What the books have there, and what left it and is not final; without what the payouts take that it has signed. */
async function leftAt(db: Db, { accounts, transfers }: Tables, { network, address }: Place): Promise<bigint> {
  const [account] = await db
    .select()
    .from(accounts)
    .where(eq(accounts.name, names.chain(network, address)));
  const sumOf = async (state: SQL | undefined) => {
    const [row] = await db
      .select({ sum: sumText(transfers.amountMicroUsdc) })
      .from(transfers)
      .where(and(eq(transfers.network, network), eq(transfers.fromAddress, address), state));
    return BigInt(row?.sum ?? 0);
  };
  const isSigned = and(inArray(transfers.status, ['assigned', 'broadcast']), ne(transfers.purpose, 'sweep'));
  return (account?.balance ?? 0n) + (await sumOf(eq(transfers.status, 'confirmed'))) - (await sumOf(isSigned));
}

/**
 * Left it without a payout or sweep of ours, less what strangers had sent there. What went to the treasury or the task address
 * is safe there; until it is booked, the books have it here still. What came to another former address is lost like what others
 * took, even by a sweep of ours: who knows that key can take it from there.
 */
async function lossesAt(db: Db, tables: Tables, { former, formers, oldest }: Asked): Promise<Standing['losses']> {
  const { network, address, sinceMs } = former;
  const { observedTransfers: seen } = tables;
  const others = formers.filter((one) => one.network === network).map((one) => [one.address, one.sinceMs] as const);
  const sinceOf = new Map(others);
  const { fact, block, logIndex, amountMicroUsdc: amount, toAddress: to, consumedBy, seenAtMs } = seen;
  const left = and(eq(seen.fromAddress, address), ne(to, address), eq(seen.outgoing, true), eq(seen.landed, true));
  const isLeft = and(left, not(wentToCurrent(tables)));
  // Asked one by one, because each has an index, and all of them together have none.
  const columns = { fact, block, logIndex, amount, to, consumedBy, seenAtMs };
  const askFor = (which: SQL | undefined) => db.select(columns).from(seen).where(and(isLeft, which));
  const isOpen = and(eq(seen.network, network), gte(block, oldest), isNull(consumedBy));
  // By its end: written so that no database takes the index of blocks, which has all that ever moved.
  const isInRange = and(eq(unindexed(seen.network), network), sql`${block} + 0 >= ${oldest}`);
  const endedAs = (end: string) => and(eq(consumedBy, end), isInRange);
  const elsewhere = [...sinceOf.keys()].filter((one) => one !== address);
  const isElsewhere = elsewhere.length === 0 ? sql`false` : isOneOf(to, elsewhere);
  // What a restored treasury had lost before it was replaced was the operator's, unless it went to another former address.
  const isLost = and(endedAs('lost'), or(gte(seenAtMs, sinceMs), isElsewhere));
  const found = [
    ...(await askFor(isOpen)),
    ...(await askFor(endedAs('taken'))),
    ...(await askFor(isLost)),
    ...(elsewhere.length === 0 ? [] : await askFor(and(endedAs('moved'), isElsewhere))),
    ...(elsewhere.length === 0
      ? []
      : await sentElsewhere(db, tables, { columns, isLeft, isInRange, former, elsewhere })),
  ];
  const rows = found.filter((row) => row.seenAtMs >= (sinceOf.get(row.to) ?? 0));
  const strangers = await strangersOf(
    db,
    tables,
    rows.map((row) => row.fact),
  );
  return rows
    .map((row) => ({
      block: row.block,
      logIndex: row.logIndex,
      amount: row.amount - (strangers.get(row.fact) ?? 0n),
      isBooked: row.consumedBy !== null,
    }))
    .filter((row) => row.amount > 0n);
}

type Outflows = Pick<Tables['observedTransfers'], 'fact' | 'block' | 'logIndex' | 'consumedBy' | 'seenAtMs'> & {
  amount: Tables['observedTransfers']['amountMicroUsdc'];
  to: Tables['observedTransfers']['toAddress'];
};

/** What we have signed from there to other former addresses: they are found as transfers, of which there are few. */
function sentElsewhere(
  db: Db,
  { observedTransfers: seen, transfers }: Tables,
  asked: {
    columns: Outflows;
    isLeft: SQL | undefined;
    isInRange: SQL | undefined;
    former: Former;
    elsewhere: string[];
  },
) {
  const { columns, isLeft, isInRange, former, elsewhere } = asked;
  const isOurs = and(
    inArray(transfers.toAddress, elsewhere),
    eq(transfers.fromAddress, former.address),
    eq(unindexed(transfers.network), former.network),
  );
  return db
    .select(columns)
    .from(transfers)
    .innerJoin(seen, eq(seen.consumedBy, sql`'transfer:' || ${transfers.id}`))
    .where(and(isOurs, isLeft, isInRange));
}

/** Others may make as many as they pay gas for, and a statement has a limit of parameters. */
const FACTS_AT_ONCE = 500;

async function strangersOf(db: Db, { observedTransfers: seen }: Tables, facts: readonly string[]) {
  const by = (fact: string) => `taken:${fact}`;
  const sums = new Map<string, bigint>();
  for (let start = 0; start < facts.length; start += FACTS_AT_ONCE) {
    const some = facts.slice(start, start + FACTS_AT_ONCE);
    const rows = await db
      .select({ by: seen.consumedBy, sum: sumText(seen.amountMicroUsdc) })
      .from(seen)
      .where(inArray(seen.consumedBy, some.map(by)))
      .groupBy(seen.consumedBy);
    for (const row of rows) if (row.by !== null) sums.set(row.by, BigInt(row.sum));
  }
  return new Map(facts.map((fact) => [fact, sums.get(by(fact)) ?? 0n]));
}

/** At once; hardly ever more than these are needed. */
const ARRIVALS_MAX = 200;

/**
 * What came, also from another address of ours, and is in the books: the newest first, back to the oldest inbound that is
 * asked about. It ends where all that is there, and all that was taken, came after it: what is older was swept.
 */
async function arrivalsAt(
  db: Db,
  tables: Tables,
  { asked, there, losses }: { asked: Asked } & Pick<Standing, 'there' | 'losses'>,
): Promise<Arrival[]> {
  const { isAfter } = ORDERS[familyOf(asked.former.network)];
  const first = losses.toSorted((one, other) => (isPlacedAfter(one, other) ? 1 : -1))[0];
  const needed = (there > 0n ? there : 0n) + sumOf(losses);
  const arrivals: Arrival[] = [];
  for (;;) {
    const page = await pageOfArrivals(db, tables, asked, arrivals.at(-1));
    arrivals.push(...page);
    const before = first === undefined ? arrivals : arrivals.filter((one) => isAfter(first, one));
    if (page.length < ARRIVALS_MAX || sumOf(before) >= needed) return arrivals;
  }
}

function pageOfArrivals(
  db: Db,
  { observedTransfers: seen }: Tables,
  { former: { network, address }, oldest }: Asked,
  last: Arrival | undefined,
): Promise<Arrival[]> {
  const isBooked = not(like(seen.consumedBy, 'taken:%'));
  const isMoved = or(eq(seen.consumedBy, 'moved'), like(seen.consumedBy, 'transfer:%'));
  const isAt = and(eq(seen.network, network), eq(seen.toAddress, address), isNotNull(seen.consumedBy));
  const isThere = and(isAt, eq(seen.landed, true));
  const isOther = ne(seen.fromAddress, address);
  const isInBlock = (here: SQL | undefined) => last && and(eq(seen.block, last.block), here);
  const isBesideIt = last && and(eq(seen.logIndex, last.logIndex), lt(seen.fact, last.fact));
  const isOlder =
    last && or(lt(seen.block, last.block), isInBlock(lt(seen.logIndex, last.logIndex)), isInBlock(isBesideIt));
  const inRange = and(gte(seen.block, oldest), last && lte(seen.block, last.block), isOlder);
  return db
    .select({ fact: seen.fact, block: seen.block, logIndex: seen.logIndex, amount: seen.amountMicroUsdc })
    .from(seen)
    .where(and(isThere, isOther, inRange, or(and(eq(seen.outgoing, false), isBooked), isMoved)))
    .orderBy(desc(seen.block), desc(seen.logIndex), desc(seen.fact))
    .limit(ARRIVALS_MAX);
}

const sumText = (amount: Tables['transfers']['amountMicroUsdc'] | Tables['observedTransfers']['amountMicroUsdc']) =>
  sql<string>`cast(coalesce(sum(${amount}), 0) as text)`;
