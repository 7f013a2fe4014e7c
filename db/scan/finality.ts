import { and, eq, inArray, isNull, lte, not, notInArray } from 'drizzle-orm';
import { suspenseReceived } from '../../core/ledger.ts';
import type { Network } from '../../core/networks.ts';
import { finishBatches } from '../carriers/batch.ts';
import { postEntry } from '../ledger/ledger.ts';
import { move } from '../store/move.ts';
import { bookDeposits, depositAddresses } from './operator-deposits.ts';
import { giveBackExposure } from '../transfers/exposure.ts';
import { fundingOf, isSafe } from '../transfers/funding.ts';
import { startReturns } from '../refunds/return-transfer.ts';
import { returnTwicePaid } from '../refunds/return-twice-paid.ts';
import type { Db, Store } from '../store/store.ts';
import { fitsTask } from '../tasks/fitting.ts';
import { finishTransfers } from './land-transfer.ts';

/** How long a transfer that nothing explains may wait for its proof to be presented (ARCHITECTURE.md, "Money"). */
const SUSPENSE_AFTER_MS = 30 * 60_000;
/** In one step: strangers can send us thousands of small transfers, and a step that is too long rolls back for ever. */
const SUSPENSE_MAX = 500;

export type FinalityStep = { network: string; safeBlock: number; finalizedBlock: number };

/** Moves what can no longer be reorganised to its last state. Answers the payments that became final. */
export async function advanceFinality(db: Db, store: Store, step: FinalityStep, nowMs: number): Promise<string[]> {
  const finalPayments = await finishPayments(db, store, step);
  await finishTransfers(db, store, step);
  await finishBatches(db, store, step, nowMs);
  await releaseExposure(db, store, step);
  const declared = await depositAddresses(db, store.tables, step.network);
  await bookDeposits(db, store, { ...step, declared, unclaimedSinceMs: nowMs - SUSPENSE_AFTER_MS }, nowMs);
  await startReturns(db, store, step, nowMs);
  await returnTwicePaid(db, store, step, nowMs);
  await moveToSuspense(db, store, { ...step, declared }, nowMs);
  return finalPayments;
}

async function finishPayments(db: Db, store: Store, step: FinalityStep): Promise<string[]> {
  const { payments } = store.tables;
  const done = await move(db, payments, {
    where: and(eq(payments.network, step.network), lte(payments.landedBlock, step.finalizedBlock)),
    set: { status: 'final' },
  });
  return done.map((row) => row.id);
}

/** Payouts whose inbound is safe now no longer count against the cap. */
async function releaseExposure(db: Db, store: Store, step: FinalityStep): Promise<void> {
  const { transfers } = store.tables;
  const exposed = await db
    .select({ id: transfers.id, amount: transfers.amountMicroUsdc })
    .from(transfers)
    .where(and(eq(transfers.network, step.network), eq(transfers.exposed, true)));
  const funding = await fundingOf(
    db,
    store,
    exposed.map(({ id }) => id),
  );
  for (const payout of exposed) {
    if (!isSafe(funding.get(payout.id), step.safeBlock)) continue;
    const moved = await db
      .update(transfers)
      .set({ exposed: false })
      .where(and(eq(transfers.id, payout.id), eq(transfers.exposed, true)))
      .returning({ id: transfers.id });
    if (moved.length > 0) await giveBackExposure(db, store, step.network, payout.amount);
  }
}

/** What nothing has explained in time, and can no longer vanish, is ours to return: it goes to suspense. */
async function moveToSuspense(
  db: Db,
  store: Store,
  step: FinalityStep & { declared: readonly string[] },
  nowMs: number,
): Promise<void> {
  const { observedTransfers } = store.tables;
  const { declared } = step;
  const due = db
    .select({ fact: observedTransfers.fact })
    .from(observedTransfers)
    .where(
      and(
        eq(observedTransfers.network, step.network),
        isNull(observedTransfers.consumedBy),
        eq(observedTransfers.landed, true),
        lte(observedTransfers.block, step.safeBlock),
        lte(observedTransfers.seenAtMs, nowMs - SUSPENSE_AFTER_MS),
        // An outflow that no row explains is not money that arrived; it keeps signing stopped instead.
        eq(observedTransfers.outgoing, false),
        // What a task asks for is taken for it, if only its receivers can be written down.
        not(fitsTask(db, store.tables)),
        // The operator's own is explained, and waits to be final.
        ...(declared.length === 0 ? [] : [notInArray(observedTransfers.fromAddress, [...declared])]),
      ),
    )
    .limit(SUSPENSE_MAX);
  const rows = await db
    .update(observedTransfers)
    .set({ consumedBy: 'suspense' })
    .where(inArray(observedTransfers.fact, due))
    .returning();
  for (const row of rows) {
    const network = row.network as Network;
    const event = {
      network,
      address: row.toAddress,
      fact: row.fact,
      landing: row.landings,
      amount: row.amountMicroUsdc,
    };
    await postEntry(db, store.tables, suspenseReceived(event), nowMs);
  }
}
