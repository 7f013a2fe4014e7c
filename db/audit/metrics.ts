import { and, eq, inArray, isNull, sql } from 'drizzle-orm';
import { accounts as accountNames } from '../../core/ledger.ts';
import { type Network, NETWORKS } from '../../core/networks.ts';
import { PAYMENT_STATES, TRANSFER_STATES, type PaymentState, type TransferState } from '../../core/states.ts';
import { readEnded } from '../counts/ended.ts';
import { isHolding } from '../ledger/ledger.ts';
import { signingStops } from '../store/stops.ts';
import type { Store } from '../store/store.ts';
import { isOfKind } from '../transfers/find.ts';

/** How many rows are in one state on one network. */
export type StateCount<State extends string> = {
  status: State;
  network: Network;
  /** Of payouts that are held. */
  heldReason: string | null;
  count: number;
};

export type InFlightCount<State extends string> = StateCount<State> & { oldestAtMs: number };

/** What is waiting right now. Small while all is well, and found by an index. */
export type InFlight = {
  payments: InFlightCount<PaymentState>[];
  payouts: InFlightCount<TransferState>[];
  outbox: { open: number; oldestDueAtMs: number | null };
  stops: { reason: string }[];
  cursors: { network: Network; block: number }[];
  heartbeats: { name: string; atMs: number }[];
};

/** What has landed or ended. */
export type Finished = { payments: StateCount<PaymentState>[]; payouts: StateCount<TransferState>[] };

/** The sum of the accounts of one kind, in micro-USDC and signed as in the books. */
export type LedgerSum = { account: string; network: string; sumMicroUsdc: bigint };

/**
 * States that a payer or recipient waits for. A settled payment and a confirmed payout wait only for finality, and at
 * 100 a second those of 20 minutes are no longer few.
 */
const PAYMENTS_IN_FLIGHT: readonly PaymentState[] = ['received', 'settling'];
const PAYOUTS_IN_FLIGHT: readonly TransferState[] = ['held', 'queued', 'assigned', 'broadcast'];
export const FINISHED_PAYMENTS = PAYMENT_STATES.filter((status) => !PAYMENTS_IN_FLIGHT.includes(status));
export const FINISHED_PAYOUTS = TRANSFER_STATES.filter((status) => !PAYOUTS_IN_FLIGHT.includes(status));

export async function readInFlight(store: Store): Promise<InFlight> {
  const { read, tables } = store;
  const { heartbeats, outbox, payments, transfers, scanCursors } = tables;
  const count = sql<number>`count(*)`.mapWith(Number);
  return {
    payments: await read
      .select({
        status: payments.status,
        network: payments.network,
        heldReason: sql<null>`null`,
        count,
        oldestAtMs: sql<number>`min(${payments.createdAtMs})`.mapWith(Number),
      })
      .from(payments)
      .where(inArray(payments.status, [...PAYMENTS_IN_FLIGHT]))
      .groupBy(payments.status, payments.network),
    payouts: await read
      .select({
        status: transfers.status,
        network: transfers.network,
        heldReason: transfers.heldReason,
        count,
        oldestAtMs: sql<number>`min(${transfers.createdAtMs})`.mapWith(Number),
      })
      .from(transfers)
      .where(and(inArray(transfers.status, [...PAYOUTS_IN_FLIGHT]), isOfKind(tables, 'payout')))
      .groupBy(transfers.status, transfers.network, transfers.heldReason),
    outbox: await readOutbox(store, outbox),
    stops: await signingStops(store),
    cursors: await read.select({ network: scanCursors.network, block: scanCursors.block }).from(scanCursors),
    heartbeats: await read.select({ name: heartbeats.name, atMs: heartbeats.atMs }).from(heartbeats),
  };
}

/** Its index alone answers this. A row that was put off after a failure is due again only later. */
async function readOutbox({ read }: Store, outbox: Store['tables']['outbox']): Promise<InFlight['outbox']> {
  const [row] = await read
    .select({
      open: sql<number>`count(*)`.mapWith(Number),
      oldestDueAtMs: sql<number | null>`min(${outbox.nextAtMs})`.mapWith(Number),
    })
    .from(outbox)
    .where(isNull(outbox.doneAtMs));
  return row ?? { open: 0, oldestDueAtMs: null };
}

/** What waits only for finality is found by an index, and what is over was counted as it came there. */
export async function countFinished(store: Store): Promise<Finished> {
  const { read, tables } = store;
  const { payments, transfers } = tables;
  const count = sql<number>`count(*)`.mapWith(Number);
  const [settled, confirmed, ended] = await Promise.all([
    read
      .select({ status: payments.status, network: payments.network, count })
      .from(payments)
      .where(eq(payments.status, 'settled'))
      .groupBy(payments.status, payments.network),
    read
      .select({ status: transfers.status, network: transfers.network, count })
      .from(transfers)
      .where(and(eq(transfers.status, 'confirmed'), isOfKind(tables, 'payout')))
      .groupBy(transfers.status, transfers.network),
    readEnded(store),
  ]);
  const withReason = <Row extends object>(rows: readonly Row[]) => rows.map((row) => ({ ...row, heldReason: null }));
  return {
    payments: withReason([...settled, ...ended.payments]),
    payouts: withReason([...confirmed, ...ended.payouts]),
  };
}

/**
 * One statement, so that the sums are of the same moment and add up to zero. Accounts without money are left out: most
 * people have collected theirs.
 */
export async function sumLedger(store: Store): Promise<LedgerSum[]> {
  const { accounts } = store.tables;
  const cases = BEGINNINGS.map(
    ({ beginning }) =>
      sql`when substr(${accounts.name}, 1, ${sql.raw(String(beginning.length))}) = ${beginning} then ${beginning}`,
  );
  const rows = await store.read
    .select({
      beginning: sql<string>`case ${sql.join(cases, sql` `)} else '' end`,
      // As text, because sums outgrow the doubles that one driver hands out.
      sum: sql<string>`cast(sum(${accounts.balance}) as text)`,
    })
    .from(accounts)
    .where(and(isHolding(store.tables), eq(accounts.unit, 'usdc')))
    // By position: the database cannot see that two expressions with parameters are the same.
    .groupBy(sql`1`);
  return rows.map(({ beginning, sum }) => {
    const known = BEGINNINGS.find((kind) => kind.beginning === beginning);
    return { account: known?.account ?? 'unknown', network: known?.network ?? 'unknown', sumMicroUsdc: BigInt(sum) };
  });
}

/** Accounts are told apart by how their names begin. Nearly all of them are escrow, so that is asked first. */
const BEGINNINGS = [accountNames.escrow, ...Object.values(accountNames)].flatMap((nameOf) =>
  NETWORKS.map((network) => {
    const beginning = nameOf(network, '');
    return { beginning, network, account: beginning.split(':')[0] ?? beginning };
  }),
);
