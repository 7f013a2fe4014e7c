import { and, eq, gt, inArray, isNull, ne, notInArray, or } from 'drizzle-orm';
import { walletIdOf } from '../../core/claims/claims.ts';
import { ERASED_NAME, withoutName } from '../../core/people/erased.ts';
import { findPlatform } from '../../core/platforms/platforms.ts';
import { distributionOfOrder } from '../../core/rewards/distribution.ts';
import { OPEN_WITHDRAWAL_STATES } from '../../core/states.ts';
import { payerAccountId } from '../ledger/payer-account.ts';
import { heldByBooks } from '../limits/purse-room.ts';
import type { Db, Store } from '../store/store.ts';
import type { Person } from './find.ts';

/** Why nothing is erased yet. Waiting money goes back first, and kept money leaves first. */
export type NotYetErased =
  | { kind: 'waits'; txnIds: number[] }
  | { kind: 'under_way'; count: number }
  | { kind: 'kept'; amountMicroUsdc: bigint }
  | { kind: 'collecting' };

const LINES_MAX = 500;

/** Null where nothing stands in the way. */
export async function findObstacle(store: Store, person: Person, nowMs: number): Promise<NotYetErased | null> {
  const { read, tables } = store;
  const { claims, lines, payments, transfers, walletWithdrawals } = tables;
  const ofPerson = eq(lines.identityId, person.id);
  const isCollecting = and(
    eq(claims.identityId, person.id),
    eq(claims.status, 'verified'),
    gt(claims.expiresAtMs, nowMs),
  );
  if ((await read.$count(claims, isCollecting)) > 0) return { kind: 'collecting' };
  const waiting = await read
    .select({ txnId: lines.txnId })
    .from(lines)
    .where(and(ofPerson, inArray(lines.status, ['escrowed', 'resolving'])))
    .limit(LINES_MAX);
  if (waiting.length > 0) return { kind: 'waits', txnIds: waiting.map(({ txnId }) => txnId) };
  const open = await read
    .select({ txnId: lines.txnId })
    .from(lines)
    .innerJoin(payments, eq(payments.id, lines.paymentId))
    .leftJoin(transfers, eq(transfers.id, lines.payoutId))
    .where(
      and(
        ofPerson,
        ne(lines.status, 'void'),
        // Settled for good, and out for good.
        or(ne(payments.status, 'final'), notInArray(transfers.status, ['final', 'void'])),
        notInArray(payments.status, ['rejected']),
      ),
    )
    .limit(LINES_MAX);
  const leaving = await read.$count(
    walletWithdrawals,
    and(
      eq(walletWithdrawals.walletId, walletOf(person)),
      inArray(walletWithdrawals.status, [...OPEN_WITHDRAWAL_STATES]),
    ),
  );
  if (open.length + leaving > 0) return { kind: 'under_way', count: open.length + leaving };
  const amountMicroUsdc = await heldByBooks(read, tables, person.id);
  return amountMicroUsdc > 0n ? { kind: 'kept', amountMicroUsdc } : null;
}

/**
 * Takes the person out of every table that is not the ledger's: money stays where it was booked, under ids that name nobody.
 * In pieces, and the person's own row last, so that a crash in between is gone on with. `findObstacle` must be null.
 */
export async function erasePerson(store: Store, person: Person): Promise<{ payments: number }> {
  let count = 0;
  for (;;) {
    const erased = await eraseLines(store, person);
    count += erased;
    if (erased === 0) break;
  }
  await store.tx((db) => eraseRest(db, store, person));
  return { payments: count };
}

async function eraseLines(store: Store, person: Person): Promise<number> {
  const { distributions, erasedAnswers, lines, payments, purchases } = store.tables;
  return store.tx(async (db) => {
    const rows = await db
      .select({ line: lines, answer: payments.answer })
      .from(lines)
      .innerJoin(payments, eq(payments.id, lines.paymentId))
      .where(and(eq(lines.identityId, person.id), ne(lines.recipientKey, ERASED_NAME)))
      .limit(LINES_MAX);
    for (const { line, answer: _ } of rows) {
      const { paymentId, txnId } = line;
      // Read again: several lines of one payment may be this person's.
      const [payment] = await db.select({ answer: payments.answer }).from(payments).where(eq(payments.id, paymentId));
      const answer = payment?.answer ?? null;
      // A stored answer changes for nothing else.
      await db.insert(erasedAnswers).values({ paymentId }).onConflictDoNothing();
      const named = { txnId, platform: line.platform, key: line.recipientKey };
      const isOnly = (await db.$count(lines, eq(lines.paymentId, paymentId))) === 1;
      await db
        .update(payments)
        .set({
          ...(answer === null ? {} : { answer: withoutName(answer, named) }),
          ...(isOnly ? { description: null } : {}),
        })
        .where(eq(payments.id, paymentId));
      const gone = { recipientKey: ERASED_NAME, display: ERASED_NAME, receiver: ERASED_NAME, note: null };
      await db.update(lines).set(gone).where(eq(lines.txnId, txnId));
      const [purchase] = await db.select().from(purchases).where(eq(purchases.paymentId, paymentId));
      const distributionId = purchase === undefined ? null : distributionOfOrder(purchase.orderId);
      if (distributionId === null) continue;
      const [frozen] = await db
        .select({ shares: distributions.shares })
        .from(distributions)
        .where(eq(distributions.id, distributionId));
      if (frozen === undefined) continue;
      const shares = frozen.shares.map((share) =>
        share.userId === person.stableId ? { ...share, userId: '', username: ERASED_NAME, walletAddress: null } : share,
      );
      await db.update(distributions).set({ shares }).where(eq(distributions.id, distributionId));
    }
    return rows.length;
  });
}

async function eraseRest(db: Db, { tables }: Store, person: Person): Promise<void> {
  const { blockedPayers, claims, closingWallets, codeMails, identities, notices, passkeys } = tables;
  const { depositWatches, walletChanges, walletDeposits, walletHolders, wallets, walletWithdrawals } = tables;
  const walletId = walletOf(person);
  for (const table of [wallets, walletChanges, notices, blockedPayers, claims])
    await db.delete(table).where(eq(table.identityId, person.id));
  for (const table of [walletHolders, passkeys, closingWallets, depositWatches, walletDeposits])
    await db.delete(table).where(eq(table.walletId, walletId));
  // Of claims that were only opened no identity is known, and anyone can open them. A proven one of this name may be of
  // the person who has it now.
  const isOfName = and(eq(claims.platform, person.platform), eq(claims.key, person.key));
  await db.delete(claims).where(and(isOfName, isNull(claims.identityId)));
  await db.delete(codeMails).where(eq(codeMails.address, person.key));
  const nobody = `erased:${payerAccountId(person.id)}`;
  const withdrawals = await db
    .select({ id: walletWithdrawals.id })
    .from(walletWithdrawals)
    .where(eq(walletWithdrawals.walletId, walletId));
  for (const { id } of withdrawals)
    await db
      .update(walletWithdrawals)
      .set({ walletId: nobody, holderId: nobody, requestKey: id, passkeyId: null })
      .where(eq(walletWithdrawals.id, id));
  const gone = { stableId: nobody, key: ERASED_NAME, display: ERASED_NAME, language: null, sinceMs: null };
  await db
    .update(identities)
    .set({ ...gone, optedOutAtMs: null, noticesOffAtMs: null })
    .where(eq(identities.id, person.id));
}

function walletOf({ platform: name, stableId }: Person): string {
  const platform = findPlatform(name);
  return platform === null ? '' : walletIdOf(platform, stableId);
}
