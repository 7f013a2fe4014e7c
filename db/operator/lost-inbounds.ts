import { and, eq, gt, isNotNull, isNull, lte, notInArray, sql } from 'drizzle-orm';
import type { Network } from '../../core/networks.ts';
import type { LostReason, LostState } from '../../core/transfers/lost.ts';
import { oweSender } from '../refunds/return-transfer.ts';
import { moveToSuspense } from '../scan/suspense.ts';
import { depositAddresses } from '../scan/operator-deposits.ts';
import { ledgerLock } from '../store/locks.ts';
import type { Db, Store } from '../store/store.ts';
import type { Tables } from '../schema/tables.ts';
import type { ObservedRow } from './suspense.ts';

type Cursor = Tables['scanCursors']['$inferSelect'];

/**
 * What reached us and is in no book goes to suspense, however young it is: only `reconcile` and the operator take it from
 * there, so no proof that is presented late can use it, and no refund that was under way gives it back.
 */
export async function markInbounds(store: Store, cursors: readonly Cursor[], nowMs: number): Promise<void> {
  const { observedTransfers: seen } = store.tables;
  for (const { network, finalizedBlock } of cursors)
    await store.tx(
      async (db) => {
        const declared = await depositAddresses(db, network);
        const isTheirs = declared.length === 0 ? undefined : notInArray(seen.fromAddress, declared);
        const isFinal = and(eq(seen.network, network), lte(seen.block, finalizedBlock));
        while ((await moveToSuspense(db, store, and(isFinal, isTheirs), nowMs)) > 0);
      },
      [ledgerLock(network)],
    );
}

/** What has left for it so far; null where it is not in suspense, or owed to its sender already. */
export async function paidSoFar(db: Db, { tables }: Store, { fact }: ObservedRow): Promise<bigint | null> {
  const { lostInbounds, observedTransfers: seen, refunds } = tables;
  const [owed] = await db
    .select({ id: refunds.id })
    .from(refunds)
    .where(eq(refunds.id, `return:${fact}`));
  const [waiting] = await db
    .select({ fact: seen.fact })
    .from(seen)
    .where(and(eq(seen.fact, fact), eq(seen.consumedBy, 'suspense')));
  if (owed !== undefined || waiting === undefined) return null;
  const [known] = await db
    .select({ paid: lostInbounds.paidMicroUsdc })
    .from(lostInbounds)
    .where(eq(lostInbounds.fact, fact));
  return known?.paid ?? 0n;
}

export async function addPaid(db: Db, store: Store, inbound: ObservedRow, more: bigint, nowMs: number): Promise<void> {
  const { lostInbounds } = store.tables;
  const { fact, amountMicroUsdc } = inbound;
  const [known] = await db.select().from(lostInbounds).where(eq(lostInbounds.fact, fact));
  const paidMicroUsdc = (known?.paidMicroUsdc ?? 0n) + more;
  const end = paidMicroUsdc === amountMicroUsdc ? { state: 'paid' as const } : held('partly_paid');
  await note(db, store, inbound, { ...end, paidMicroUsdc, nowMs });
}

type Note = { state: LostState; heldReason?: LostReason; paidMicroUsdc: bigint; nowMs: number };

const held = (heldReason: LostReason) => ({ state: 'held' as const, heldReason });

async function note(
  db: Db,
  { tables: { lostInbounds } }: Store,
  { fact, network, fromAddress: payer, amountMicroUsdc }: ObservedRow,
  { state, heldReason, paidMicroUsdc, nowMs: atMs }: Note,
): Promise<void> {
  const set = { state, heldReason: heldReason ?? null, paidMicroUsdc, atMs };
  await db
    .insert(lostInbounds)
    .values({ fact, network, payer, amountMicroUsdc, ...set })
    .onConflictDoUpdate({ target: lostInbounds.fact, set });
}

export type Judged = { returned: number; held: number };

/**
 * Money of the lost time for which nothing has left, by the id of any line that it may have had, goes back to its payer.
 * The chain is final and nothing that was signed can land any more, so it is proven unpaid. It is held where its payer got
 * a transfer that may hide it, or where it is so new that another installation may still pay for it.
 */
export async function judgeInbounds(
  db: Db,
  store: Store,
  { settledBefore, nowMs }: { settledBefore: ReadonlyMap<Network, number>; nowMs: number },
): Promise<Judged> {
  const { doubtfulPayers, lostInbounds } = store.tables;
  const doubtful = new Set((await db.select().from(doubtfulPayers)).map(({ network, payer }) => `${network}:${payer}`));
  for (const inbound of await unpaidInbounds(db, store)) {
    const { network, fromAddress, seenAtMs } = inbound;
    const isDoubtful = doubtful.has(`${network}:${fromAddress}`);
    const reason = isDoubtful ? 'gathered' : seenAtMs > (settledBefore.get(network) ?? 0) ? 'too_new' : null;
    const isOwed = reason === null && (await oweSender(db, store, inbound, nowMs));
    const end = isOwed ? { state: 'returned' as const } : held(reason ?? 'gathered');
    await note(db, store, inbound, { ...end, paidMicroUsdc: 0n, nowMs });
  }
  const states = await db.select({ state: lostInbounds.state }).from(lostInbounds);
  const count = (wanted: LostState) => states.filter(({ state }) => state === wanted).length;
  return { returned: count('returned'), held: count('held') };
}

/** Signed for, above the backup's cursor, and nothing has left under any of its names. */
async function unpaidInbounds(db: Db, { tables }: Store): Promise<ObservedRow[]> {
  const { lostInbounds, observedTransfers: seen, refunds, restoredCursors } = tables;
  const isLost = and(eq(restoredCursors.network, seen.network), gt(seen.block, restoredCursors.block));
  const rows = await db
    .select({ seen })
    .from(seen)
    .innerJoin(restoredCursors, isLost)
    .leftJoin(lostInbounds, eq(lostInbounds.fact, seen.fact))
    .leftJoin(refunds, eq(refunds.id, sql`'return:' || ${seen.fact}`))
    .where(
      and(
        eq(seen.consumedBy, 'suspense'),
        eq(seen.landed, true),
        isNotNull(seen.authorizer),
        isNull(lostInbounds.fact),
        isNull(refunds.id),
      ),
    );
  return rows.map((row) => row.seen);
}
