import { and, eq, gt, inArray, sql } from 'drizzle-orm';
import type { OpenResponse } from '../../core/payments/joins.ts';
import type { Tables } from '../schema/tables.ts';
import { answers } from '../store/locks.ts';
import { given, placeholder, prepare } from '../store/prepare.ts';
import type { Db, Store } from '../store/store.ts';
import { isAlive, type Owner } from './owner.ts';

/** A caller's connection, under the lease of the process that holds it. */
export type HeldResponse = Owner & { id: string };

/** In the transaction that makes the caller wait for this payment. */
export async function openResponse(
  db: Db,
  _tables: Tables,
  { id, process, epoch }: HeldResponse,
  paymentId: string,
): Promise<void> {
  await insertResponse(db, { id, process, epoch, paymentId });
}

const insertResponse = prepare((db, { waitingResponses }) =>
  db
    .insert(waitingResponses)
    .values({ ...given('id', 'process', 'epoch', 'paymentId'), state: 'waiting', asked: 0, renewed: 0 }),
);

/** Before the first byte of a 200. False: another request has joined the payment meanwhile, so no answer may leave. */
export async function handResponse(store: Store, { id, process, epoch }: HeldResponse): Promise<boolean> {
  const moved = await store.tx((db) => handIfMine(db, { id, process, epoch }), [answers]);
  return moved.length > 0;
}

const handIfMine = prepare((db, { waitingResponses: rows }) =>
  db
    .update(rows)
    .set({ state: 'handing' })
    .where(
      and(
        eq(rows.id, placeholder('id')),
        eq(rows.process, placeholder('process')),
        eq(rows.epoch, placeholder('epoch')),
        eq(rows.state, 'waiting'),
      ),
    )
    .returning({ id: rows.id }),
);

/** Their answers cannot leave any more, so the payment they waited for can be joined. */
export async function closeResponses(
  db: Db,
  { payments, waitingResponses }: Pick<Tables, 'payments' | 'waitingResponses'>,
  paymentId: string,
  ids: readonly string[],
): Promise<void> {
  await db
    .update(payments)
    .set({ delivery: 'missed' })
    .where(and(eq(payments.id, paymentId), eq(payments.delivery, 'waiting')));
  if (ids.length > 0) await db.delete(waitingResponses).where(inArray(waitingResponses.id, [...ids]));
}

/** The same for all that a process holds. */
export async function closeResponsesOf(db: Db, { payments, waitingResponses }: Tables, process: string): Promise<void> {
  const gone = await db.delete(waitingResponses).where(eq(waitingResponses.process, process)).returning();
  for (const { paymentId } of gone) await closeResponses(db, { payments, waitingResponses }, paymentId, []);
}

/** Those that wait for these payments, or those of these ids. */
export async function readResponses(
  db: Db,
  store: Store,
  which: { paymentIds: readonly string[] } | { ids: readonly string[] },
): Promise<OpenResponse[]> {
  const { processes, waitingResponses: rows } = store.tables;
  const owner = and(eq(processes.id, rows.process), eq(processes.epoch, rows.epoch), isAlive(store));
  const found = await db
    .select({
      id: rows.id,
      paymentId: rows.paymentId,
      process: rows.process,
      renewed: rows.renewed,
      state: rows.state,
      owner: processes.id,
    })
    .from(rows)
    .leftJoin(processes, owner)
    .where('ids' in which ? inArray(rows.id, [...which.ids]) : inArray(rows.paymentId, [...which.paymentIds]));
  return found.map(({ owner: living, state, ...response }) => ({
    ...response,
    isHanding: state === 'handing',
    isOwnerAlive: living !== null,
  }));
}

export type Question = { id: string; paymentId: string; process: string; number: number };

/** Asks the owners of these whether their callers are still there. The numbers order questions and renewals. */
export async function askResponses(store: Store, ids: readonly string[]): Promise<Question[]> {
  const { waitingResponses: rows } = store.tables;
  return store.tx((db) =>
    db
      .update(rows)
      .set({ asked: sql`${rows.asked} + 1` })
      .where(inArray(rows.id, [...ids]))
      .returning({ id: rows.id, paymentId: rows.paymentId, process: rows.process, number: rows.asked }),
  );
}

/** What others have asked this process without a renewal since. */
export async function readQuestions(store: Store, { process, epoch }: Owner): Promise<Question[]> {
  const { waitingResponses: rows } = store.tables;
  return store.read
    .select({ id: rows.id, paymentId: rows.paymentId, process: rows.process, number: rows.asked })
    .from(rows)
    .where(and(eq(rows.process, process), eq(rows.epoch, epoch), gt(rows.asked, rows.renewed)));
}

/**
 * Answers questions about connections that were seen open after the questions were read. A later question needs a later
 * look, so it stays open.
 */
export async function renewResponses(
  store: Store,
  { process, epoch }: Owner,
  seen: readonly Question[],
): Promise<void> {
  const { waitingResponses: rows } = store.tables;
  const renew = (db: Db, { id, number }: Question) =>
    db
      .update(rows)
      .set({ renewed: number })
      .where(and(eq(rows.id, id), eq(rows.process, process), eq(rows.epoch, epoch)));
  // As a rule in the transactions of hand-overs, which lock such rows in another order.
  await store.tx((db) => Promise.all(seen.map((question) => renew(db, question))), [answers]);
}
