import { eq, sql } from 'drizzle-orm';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { NOTHING_HEARD, type Heard } from '../../../core/payments/joins.ts';
import { findPayment } from '../../../db/payments/records/find.ts';
import { reservePayment } from '../../../db/payments/reserve.ts';
import { beat, beginEpoch, countServing, forgetSilent, leave } from '../../../db/processes/lease.ts';
import {
  askResponses,
  handResponse,
  readQuestions,
  readResponses,
  renewResponses,
  type HeldResponse,
} from '../../../db/processes/responses.ts';
import { openBooks, type Books } from '../../support/books.ts';
import { onBothDatabases } from '../../support/postgres.ts';

const PAYER = `0x${'88'.repeat(20)}`;
const API = { process: 'api-1', epoch: 1, roles: ['api'], address: 'host:1', pid: 1 };
const OTHER = { process: 'api-2', epoch: 1, roles: ['api'], address: 'host:2', pid: 2 };

onBothDatabases((fresh) => {
  let books: Books;
  beforeEach(async () => {
    books = await openBooks(await fresh());
    await beginEpoch(books.store, API);
    await beginEpoch(books.store, OTHER);
  });
  afterEach(() => books.close());

  const held = (id: string, { process, epoch }: { process: string; epoch: number } = API): HeldResponse => ({
    id,
    process,
    epoch,
  });

  /** Every reservation is of the same request. */
  function reserve(response: HeldResponse, heard: Heard = NOTHING_HEARD) {
    const claim = books.toClaim({ payer: PAYER, payees: [{ name: 'alice', stableId: '1' }] });
    return reservePayment(books.store, { ...claim, requestHash: 'the same', response, heard });
  }

  async function reserveFirst(): Promise<string> {
    const first = await reserve(held('first'));
    if (first.kind !== 'reserved') throw new Error(`expected a reservation, found ${first.kind}`);
    return first.paymentId;
  }

  /** As if it had said nothing for so long. */
  async function silence(process: string, ms: number): Promise<void> {
    const { processes } = books.store.tables;
    const set = { beatAtMs: sql`${processes.beatAtMs} - ${ms}` };
    await books.store.tx((db) => db.update(processes).set(set).where(eq(processes.id, process)));
  }

  const deliveryOf = async (paymentId: string) => (await findPayment(books.store, paymentId))?.delivery;
  const rows = (paymentId: string) => readResponses(books.store.read, books.store, { paymentIds: [paymentId] });

  test('a role is served by those whose lease runs', async () => {
    await beginEpoch(books.store, { ...OTHER, process: 'worker-1', roles: ['worker'], address: 'host:3' });
    const count = () => countServing(books.store, 'api');
    expect(await count()).toBe(2);
    await silence(API.process, 10_001);
    expect(await count()).toBe(1);
    await leave(books.store, OTHER);
    expect(await count()).toBe(0);
  });

  test('a lease that is over is not renewed; a new epoch begins, and what waited in the old one is missed', async () => {
    const paymentId = await reserveFirst();
    expect(await beat(books.store, API)).toBe(true);
    await silence(API.process, 10_001);
    expect(await beat(books.store, API)).toBe(false);
    await beginEpoch(books.store, { ...API, epoch: 2 });
    expect(await beat(books.store, API)).toBe(false);
    expect(await beat(books.store, { ...API, epoch: 2 })).toBe(true);
    expect([await deliveryOf(paymentId), await rows(paymentId)]).toEqual(['missed', []]);
    expect(await handResponse(books.store, held('first'))).toBe(false);
  });

  test('what waits in a process that lives is not decided before it was asked', async () => {
    const paymentId = await reserveFirst();
    expect(await reserve(held('second', OTHER))).toEqual({ kind: 'unheard' });
    expect(await rows(paymentId)).toMatchObject([{ id: 'first', isOwnerAlive: true }]);
  });

  test('a caller that was seen after the question stands for itself', async () => {
    await reserveFirst();
    const [question] = await askResponses(books.store, ['first']);
    if (question === undefined) throw new Error('it waits');
    expect(await readQuestions(books.store, API)).toEqual([question]);
    await renewResponses(books.store, API, [question]);
    expect(await readQuestions(books.store, API)).toEqual([]);
    const heard = { ...NOTHING_HEARD, silent: new Map([['first', question.number]]) };
    expect((await reserve(held('second', OTHER), heard)).kind).toBe('reserved');
  });

  test('a renewal answers no later question', async () => {
    const paymentId = await reserveFirst();
    const [before] = await askResponses(books.store, ['first']);
    const [after] = await askResponses(books.store, ['first']);
    if (before === undefined || after === undefined) throw new Error('it waits');
    await renewResponses(books.store, API, [before]);
    expect(await readQuestions(books.store, API)).toEqual([after]);
    const heard = { ...NOTHING_HEARD, silent: new Map([['first', after.number]]) };
    expect(await reserve(held('second', OTHER), heard)).toEqual({ kind: 'joined', paymentId });
  });

  test('once a retry has joined, the first answer cannot leave', async () => {
    const paymentId = await reserveFirst();
    await silence(API.process, 10_001);
    expect(await reserve(held('second', OTHER))).toEqual({ kind: 'joined', paymentId });
    expect(await handResponse(books.store, held('first'))).toBe(false);
    expect(await handResponse(books.store, held('second', OTHER))).toBe(true);
  });

  test('an answer is handed once, under the epoch that took its connection', async () => {
    await reserveFirst();
    expect(await handResponse(books.store, held('first', { ...API, epoch: 2 }))).toBe(false);
    expect(await handResponse(books.store, held('first', OTHER))).toBe(false);
    expect(await handResponse(books.store, held('first'))).toBe(true);
    expect(await handResponse(books.store, held('first'))).toBe(false);
  });

  test('an answer that leaves while a retry joins: one of them wins', async () => {
    for (let round = 0; round < 5; round += 1) {
      const paymentId = await reserveFirst();
      const silent = { ...NOTHING_HEARD, silent: new Map([['first', 1]]) };
      const [isHanded, second] = await Promise.all([
        handResponse(books.store, held('first')),
        reserve(held('second', OTHER), silent),
      ]);
      expect(second).toEqual({ kind: 'joined', paymentId });
      // Handed first, it was joined all the same: its owner has been silent for a lease.
      if (!isHanded) expect(await handResponse(books.store, held('first'))).toBe(false);
      const { payments, waitingResponses } = books.store.tables;
      await books.store.tx(async (db) => {
        await db.delete(waitingResponses);
        await db.update(payments).set({ delivery: 'handed' });
      });
    }
  });

  test('a process that leaves has missed what it owed, and on one host also one whose address another takes', async () => {
    const first = await reserveFirst();
    await leave(books.store, API);
    expect(await deliveryOf(first)).toBe('missed');
    expect(await reserve(held('second', OTHER))).toEqual({ kind: 'joined', paymentId: first });
    await beginEpoch(books.store, { ...OTHER, process: 'api-3' });
    // Two hosts of one PostgreSQL may bear the same name.
    const isOneHost = books.store.dialect === 'sqlite';
    expect(await rows(first)).toHaveLength(isOneHost ? 0 : 1);
    expect(await beat(books.store, OTHER)).toBe(!isOneHost);
  });

  test('on one host a process whose number is gone has ended, and nobody waits for its lease', async () => {
    const first = await reserveFirst();
    await beginEpoch(
      books.store,
      { ...OTHER, process: 'api-3', address: 'host:3' },
      { hasEnded: ({ pid }) => pid === API.pid },
    );
    const isOneHost = books.store.dialect === 'sqlite';
    expect(await rows(first)).toHaveLength(isOneHost ? 0 : 1);
    expect([await beat(books.store, API), await beat(books.store, OTHER)]).toEqual([!isOneHost, true]);
  });

  test('a process that was silent for long is forgotten; one that only lost its lease is not', async () => {
    const paymentId = await reserveFirst();
    await silence(API.process, 30_000);
    await forgetSilent(books.store);
    expect(await rows(paymentId)).toHaveLength(1);
    await silence(API.process, 30_001);
    await forgetSilent(books.store);
    expect([await deliveryOf(paymentId), await rows(paymentId)]).toEqual(['missed', []]);
    const { processes } = books.store.tables;
    expect(await books.store.read.select({ id: processes.id }).from(processes)).toEqual([{ id: OTHER.process }]);
  });

  test('what was missed 15 minutes ago by the database’s clock is not joined', async () => {
    const first = await reserveFirst();
    await leave(books.store, API);
    const { payments } = books.store.tables;
    const age = (ms: number) =>
      books.store.tx((db) => db.update(payments).set({ reservedAtMs: sql`${payments.reservedAtMs} - ${ms}` }));
    await age(14 * 60_000);
    expect(await reserve(held('second', OTHER))).toEqual({ kind: 'joined', paymentId: first });
    await age(60_000);
    expect((await reserve(held('third', OTHER))).kind).toBe('reserved');
  });
});
