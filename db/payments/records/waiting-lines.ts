import { and, eq, inArray, sql, type SQL } from 'drizzle-orm';
import type { NetworkSum } from '../../../core/claims/claims.ts';
import { microUsdc, type MicroUsdc } from '../../../core/money.ts';
import { NETWORKS, type Network } from '../../../core/networks.ts';
import { returnedBecause } from '../../../core/payments/returned-because.ts';
import type { ReturnReason, TransferState } from '../../../core/states.ts';
import type { Db, Store } from '../../store/store.ts';
import type { Tables } from '../../schema/tables.ts';

/** Lines in escrow whose payment has settled; while a reorganisation has taken the money away nothing waits. */
export async function waitingLines(db: Db, { lines, payments }: Tables, which: SQL | undefined) {
  return db
    .select({ txnId: lines.txnId, network: payments.network, amount: lines.amountMicroUsdc })
    .from(lines)
    .innerJoin(payments, eq(payments.id, lines.paymentId))
    .where(and(eq(lines.status, 'escrowed'), inArray(payments.status, ['settled', 'final']), which));
}

/** What waits for a person, by the network that it came in on. */
export async function waitingFor(store: Store, identityId: string): Promise<NetworkSum[]> {
  const { lines } = store.tables;
  return sumUp(await waitingLines(store.read, store.tables, eq(lines.identityId, identityId)));
}

/**
 * True of a line whose proven recipient is about to collect it. Until that claim is over the payer cannot take it back
 * and it does not expire. A claim that is only open has no effect: strangers can open as many as they like. Nor has one that
 * signs in: it collects nothing.
 */
export function isBeingCollected({ claims, lines }: Tables, nowMs: number): SQL {
  return sql`(${lines.status} = 'escrowed' and exists (select 1 from ${claims} where ${claims.identityId} = ${lines.identityId} and ${claims.status} = 'verified' and ${claims.expiresAtMs} > ${nowMs} and cast(${claims.payout} as text) not like '{"open"%'))`;
}

/** How many rows a statement takes at once. */
const NOTED_AT_ONCE = 500;

export async function noteClaimLines(
  db: Db,
  { claimLines }: Tables,
  claimId: string,
  txnIds: readonly number[],
): Promise<void> {
  for (let from = 0; from < txnIds.length; from += NOTED_AT_ONCE) {
    const rows = txnIds.slice(from, from + NOTED_AT_ONCE).map((txnId) => ({ claimId, txnId }));
    await db.insert(claimLines).values(rows);
  }
}

const ARRIVED: ReadonlySet<TransferState> = new Set(['confirmed', 'final']);

export type ClaimProgress = {
  txnIds: number[];
  /** By the network that it goes out on. */
  sums: NetworkSum[];
  transactionHashes: string[];
  /** Everything has arrived, even if there was nothing. What is kept back has not. */
  isPaid: boolean;
  /**
   * What lies on a network that the person has no address on, and what we hold of our own elsewhere does not cover; or what
   * their purse has no room for.
   */
  waitsForRoute: WaitsForRoute | null;
  /** What the claim had released and went back to its payer after all. */
  returned: ReturnedLines | null;
};

/** `isThere`: it has arrived. `isLate`: no address took it in time; otherwise it was taken back or declined. */
export type ReturnedLines = { amount: MicroUsdc; isThere: boolean; isLate: boolean };

/**
 * `untilMs`: when the first of it goes back to its payer. `purseMaxMicroUsdc`: the purse has no room for it, as it may have no
 * more than this; null where it is the address that is missing.
 */
export type WaitsForRoute = { sums: NetworkSum[]; untilMs: number; purseMaxMicroUsdc: bigint | null };

/** A purse with a limit: the networks that are paid into it, and what it still takes. */
export type PurseRoom = { networks: readonly Network[]; room: bigint; maxMicroUsdc: bigint };

/** What a confirmed claim has brought so far; `reached`: the networks that its person has an address on. */
export async function claimProgress(
  store: Store,
  { claimId, reached, purse = null }: { claimId: string; reached: readonly Network[]; purse?: PurseRoom | null },
): Promise<ClaimProgress> {
  const { claimLines, lines, payments, refunds, transfers } = store.tables;
  const all = await store.read
    .select({
      txnId: lines.txnId,
      amount: lines.amountMicroUsdc,
      lineStatus: lines.status,
      expiresAtMs: lines.expiresAtMs,
      cameIn: payments.network,
      goesOut: transfers.network,
      status: transfers.status,
      transaction: transfers.landedTransaction,
      returnReason: lines.returnReason,
      refundedAtMs: refunds.createdAtMs,
    })
    .from(claimLines)
    .innerJoin(lines, eq(lines.txnId, claimLines.txnId))
    .innerJoin(payments, eq(payments.id, lines.paymentId))
    .leftJoin(transfers, eq(transfers.id, lines.payoutId))
    .leftJoin(refunds, and(eq(refunds.paymentId, lines.paymentId), eq(refunds.txnId, lines.txnId)))
    .where(and(eq(claimLines.claimId, claimId), inArray(lines.status, ['escrowed', 'paying', 'returning'])))
    .orderBy(lines.txnId);
  const rows = all.filter(({ lineStatus }) => lineStatus !== 'returning');
  const escrowed = rows.filter(({ lineStatus }) => lineStatus === 'escrowed');
  const isOver = (row: { cameIn: Network; amount: bigint }) =>
    purse !== null && purse.networks.includes(row.cameIn) && row.amount > purse.room;
  const tooMuch = escrowed.filter(isOver);
  const unreached = escrowed.filter((row) => !reached.includes(row.cameIn) || isOver(row));
  return {
    txnIds: rows.map(({ txnId }) => txnId),
    sums: sumUp(rows.map(({ amount, cameIn, goesOut }) => ({ amount, network: goesOut ?? cameIn }))),
    transactionHashes: [...new Set(rows.flatMap(({ transaction }) => transaction ?? []))],
    isPaid: rows.every(({ status }) => status !== null && ARRIVED.has(status)),
    waitsForRoute:
      unreached.length === 0
        ? null
        : {
            sums: sumUp(unreached.map(({ amount, cameIn: network }) => ({ amount, network }))),
            untilMs: Math.min(...unreached.map(({ expiresAtMs }) => expiresAtMs)),
            purseMaxMicroUsdc: tooMuch.length > 0 && purse !== null ? purse.maxMicroUsdc : null,
          },
    returned: returnedOf(all.filter(({ lineStatus }) => lineStatus === 'returning')),
  };
}

type ReturnedRow = {
  amount: bigint;
  status: TransferState | null;
  returnReason: ReturnReason | null;
  refundedAtMs: number | null;
  expiresAtMs: number;
};

function returnedOf(rows: readonly ReturnedRow[]): ReturnedLines | null {
  if (rows.length === 0) return null;
  return {
    amount: microUsdc(rows.reduce((sum, { amount }) => sum + amount, 0n)),
    isThere: rows.every(({ status }) => status !== null && ARRIVED.has(status)),
    isLate: rows.every((row) => returnedBecause(row, row.refundedAtMs) === 'not_collected'),
  };
}

function sumUp(rows: readonly { network: Network; amount: bigint }[]): NetworkSum[] {
  const sumOn = (network: Network) =>
    rows.filter((row) => row.network === network).reduce((sum, { amount }) => sum + amount, 0n);
  return NETWORKS.map((network) => ({ network, amount: microUsdc(sumOn(network)) })).filter(
    ({ amount }) => amount > 0n,
  );
}
