import { countEndedPayments } from '../counts/ended.ts';
import { and, eq, lte, not, notInArray, type SQL } from 'drizzle-orm';
import type { Network } from '../../core/networks.ts';
import { finishBatches } from '../carriers/batch.ts';
import { move } from '../store/move.ts';
import { bookDeposits, depositAddresses } from './operator-deposits.ts';
import { giveBackExposure } from '../transfers/exposure.ts';
import { isExposed } from '../transfers/find.ts';
import { fundingOf, isSafe } from '../transfers/funding.ts';
import { startReturns } from '../refunds/return-transfer.ts';
import { returnLate } from '../refunds/return-late.ts';
import { returnTwicePaid } from '../refunds/return-twice-paid.ts';
import { placeholder, prepare } from '../store/prepare.ts';
import { isRestored } from '../store/stops.ts';
import type { Db, Store } from '../store/store.ts';
import { fitsTask, isUnexplained } from '../tasks/fitting.ts';
import { bookTaken } from './former-outflows.ts';
import { finishTransfers } from './land-transfer.ts';
import { moveToSuspense } from './suspense.ts';

/** How long a transfer that nothing explains may wait for its proof to be presented (ARCHITECTURE.md, "Money"). */
const SUSPENSE_AFTER_MS = 30 * 60_000;

export type FinalityStep = { network: Network; safeBlock: number; finalizedBlock: number };

/** Moves what can no longer be reorganised to its last state. Answers the payments that became final. */
export async function advanceFinality(db: Db, store: Store, step: FinalityStep, nowMs: number): Promise<string[]> {
  const finalPayments = await finishPayments(db, store, step);
  await finishTransfers(db, store, step);
  await finishBatches(db, store, step, nowMs);
  await releaseExposure(db, store, step);
  await bookTaken(db, store, step, nowMs);
  if (await isAnyUnexplained(db, step.network)) await explainArrivals(db, store, step, nowMs);
  return finalPayments;
}

/** Whether anything that has arrived waits for its explanation. Most blocks find nothing, and are done with that. */
async function isAnyUnexplained(db: Db, network: Network): Promise<boolean> {
  return (await selectUnexplained(db, { network })).length > 0;
}

const selectUnexplained = prepare((db, tables) => {
  const { observedTransfers: seen } = tables;
  return db
    .select({ fact: seen.fact })
    .from(seen)
    .where(and(eq(seen.network, placeholder('network')), isUnexplained(tables)))
    .limit(1);
});

/** Each of these is about transfers that `selectUnexplained` finds, and about no others. */
async function explainArrivals(db: Db, store: Store, step: FinalityStep, nowMs: number): Promise<void> {
  const declared = await depositAddresses(db, step.network);
  await bookDeposits(db, store, { ...step, declared, unclaimedSinceMs: nowMs - SUSPENSE_AFTER_MS }, nowMs);
  // Restored books do not know what was paid out for it already.
  if (!(await isRestored(db))) {
    await startReturns(db, store, step, nowMs);
    await returnTwicePaid(db, store, step, nowMs);
    await returnLate(db, store, step, nowMs);
  }
  await moveToSuspense(db, store, isOverdue(db, store, { ...step, declared }, nowMs), nowMs);
}

async function finishPayments(db: Db, store: Store, step: FinalityStep): Promise<string[]> {
  const { network, finalizedBlock } = step;
  const done = await moveToFinal(db, { network, finalizedBlock });
  await countEndedPayments(db, store, 'final', done);
  return done.map((row) => row.id);
}

const moveToFinal = prepare((db, { payments }) =>
  move(db, payments, {
    where: and(eq(payments.network, placeholder('network')), lte(payments.landedBlock, placeholder('finalizedBlock'))),
    set: { status: 'final' },
  }),
);

/** Payouts whose inbound is safe now no longer count against the cap. */
async function releaseExposure(db: Db, store: Store, step: FinalityStep): Promise<void> {
  const { transfers } = store.tables;
  const exposed = await selectExposed(db, { network: step.network });
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

const selectExposed = prepare((db, tables) => {
  const { transfers } = tables;
  return db
    .select({ id: transfers.id, amount: transfers.amountMicroUsdc })
    .from(transfers)
    .where(and(eq(transfers.network, placeholder('network')), isExposed(tables)));
});

/** What nothing has explained in time, and can no longer vanish, is ours to return: it goes to suspense. */
function isOverdue(
  db: Db,
  { tables }: Store,
  { network, safeBlock, declared }: FinalityStep & { declared: readonly string[] },
  nowMs: number,
): SQL | undefined {
  const { observedTransfers: seen } = tables;
  return and(
    eq(seen.network, network),
    lte(seen.block, safeBlock),
    lte(seen.seenAtMs, nowMs - SUSPENSE_AFTER_MS),
    // What a task asks for is taken for it, if only its receivers can be written down.
    not(fitsTask(db, tables)),
    // The operator's own is explained, and waits to be final.
    ...(declared.length === 0 ? [] : [notInArray(seen.fromAddress, [...declared])]),
  );
}
