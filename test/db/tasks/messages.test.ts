import { afterEach, beforeEach, expect, test } from 'vitest';
import { taskOrderId } from '../../../core/tasks.ts';
import {
  cancelMessageTask,
  extendMessageTask,
  findMessageTask,
  keepPaymentOf,
  noteRefusal,
  openMessageTask,
} from '../../../db/tasks/messages.ts';
import { releaseClaim } from '../../../db/payments/reject.ts';
import { openBooks, type Books } from '../../support/books.ts';
import { onBothDatabases } from '../../support/postgres.ts';

const HOUR_MS = 3_600_000;
const ALICE = { name: 'alice', stableId: '1' };

let books: Books;

onBothDatabases((fresh, isSqlite) => {
  beforeEach(async () => {
    books = await openBooks(await fresh());
  });
  afterEach(async () => {
    await books.assertSound();
    await books.close();
  });

  async function open(openedBy = '203.0.113.7', openMax: number | null = null) {
    const nowMs = books.clock.nowMs;
    const id = books.ids.slug();
    const task = {
      id,
      contextId: 'c',
      isOurContext: true,
      skillId: 'pennypost.pay.x',
      params: { note: 'a\u0000b' },
      openedBy,
    };
    const result = await openMessageTask(
      books.store,
      { ...task, createdAtMs: nowMs, expiresAtMs: nowMs + HOUR_MS },
      openMax,
    );
    return { id, result };
  }
  const find = (id: string) => findMessageTask(books.store, id);

  /** What a signed payment for the task leaves, before anybody has written it on the task. */
  async function order(id: string, paymentId: string): Promise<void> {
    const { store } = books;
    await store.tx((db) => db.insert(store.tables.purchases).values({ orderId: taskOrderId(id), paymentId }));
  }
  async function claim(): Promise<string> {
    const claimed = await books.claim({ payees: [ALICE] });
    if (claimed.kind !== 'reserved') throw new Error(`expected a reservation, found ${claimed.kind}`);
    return claimed.paymentId;
  }

  test('a task is found as it was opened, and an unknown one is not', async () => {
    const { id } = await open();
    const found = await find(id);
    expect(found).toMatchObject({ task: { id, params: { note: 'a\u0000b' }, refusals: [] }, payment: null });
    expect(await find('nobody')).toBeNull();
  });

  test('a payment that took the task is found although nothing was written on the task', async () => {
    const { id } = await open();
    const paymentId = await claim();
    await order(id, paymentId);
    expect((await find(id))?.payment?.id).toBe(paymentId);
    expect(await cancelMessageTask(books.store, id, 0)).toBe(false);
  });

  test('of a dead payment and a living one the living counts', async () => {
    const { id } = await open();
    const [dead, living] = [await claim(), await claim()];
    await releaseClaim(books.store, dead, 'insufficient_funds', books.clock.nowMs);
    await keepPaymentOf(books.store, id, { paymentId: dead, generation: 2, nowMs: books.clock.nowMs });
    expect((await find(id))?.payment).toMatchObject({ id: dead, status: 'rejected' });
    await order(id, living);
    expect((await find(id))?.payment?.id).toBe(living);
  });

  test('a caller with too many open tasks opens no more until some expire or are paid', async () => {
    const first = await open('one', 2);
    await open('one', 2);
    expect((await open('one', 2)).result).toEqual({ kind: 'too-many-open', freeAtMs: books.clock.nowMs + HOUR_MS });
    expect((await open('two', 2)).result.kind).toBe('opened');
    await keepPaymentOf(books.store, first.id, { paymentId: await claim(), generation: 2, nowMs: books.clock.nowMs });
    expect((await open('one', 2)).result.kind).toBe('opened');
    expect((await open('one', 2)).result).toMatchObject({ kind: 'too-many-open' });
    books.clock.nowMs += HOUR_MS;
    expect((await open('one', 2)).result.kind).toBe('opened');
  });

  test('unpaid tasks are forgotten some time after they expired; paid and extended ones are not', async () => {
    const [unpaid, ordered, written, extended] = [await open(), await open(), await open(), await open()];
    await order(ordered.id, await claim());
    await keepPaymentOf(books.store, written.id, { paymentId: await claim(), generation: 2, nowMs: books.clock.nowMs });
    await extendMessageTask(books.store, extended.id, books.clock.nowMs + 3 * HOUR_MS);
    books.clock.nowMs += 2 * HOUR_MS;
    await open();
    expect(await find(unpaid.id)).not.toBeNull();
    books.clock.nowMs += 1;
    await open();
    const left = await Promise.all([unpaid, ordered, written, extended].map(({ id }) => find(id)));
    expect(left.map((found) => found !== null)).toEqual([false, true, true, true]);
  });

  test('refusals are kept in their order, the last ten of them', async () => {
    const { id } = await open();
    for (let number = 1; number <= 12; number += 1) {
      const refusal = { success: false, errorReason: `reason-${number}`, network: 'base', transaction: '' } as const;
      await noteRefusal(books.store, id, refusal);
    }
    const kept = (await find(id))?.task.refusals.map(({ errorReason }) => errorReason);
    expect(kept).toEqual(Array.from({ length: 10 }, (_, index) => `reason-${index + 3}`));
  });

  if (!isSqlite) return;

  test('a payment that it shares with an earlier task is the one that was written on it', async () => {
    const { id } = await open();
    const { paymentId } = await books.pay({ payees: [ALICE] });
    await keepPaymentOf(books.store, id, { paymentId, generation: 2, nowMs: books.clock.nowMs });
    const found = await find(id);
    expect(found?.payment).toMatchObject({ id: paymentId, answer: { code: 200 } });
    // An address is kept no longer than it is needed.
    expect(found?.task.openedBy).toBe('');
  });

  test('an unpaid task is called off once', async () => {
    const { id } = await open();
    expect(await cancelMessageTask(books.store, id, 7)).toBe(true);
    expect(await cancelMessageTask(books.store, id, 8)).toBe(false);
    expect((await find(id))?.task.canceledAtMs).toBe(7);
  });
});
