import { pino } from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ChatTopic, OutboxHandlers } from '../../../core/outbox.ts';
import { dueItems, enqueue } from '../../../db/store/outbox.ts';
import { NotYet } from '../../../worker/outbox/not-yet.ts';
import { startRelay } from '../../../worker/outbox/relay.ts';
import { openBooks, type Books } from '../../support/books.ts';

const PATIENCE = { timeout: 60_000 };

let books: Books;
beforeEach(async () => {
  books = await openBooks();
});
afterEach(() => books.close());

const settled = ({ store, clock }: Books, paymentId: string) =>
  store.tx((db) => enqueue(db, store.tables, 'payment_settled', { paymentId }, clock.nowMs));
const reserved = ({ store, clock }: Books, paymentId: string) =>
  store.tx((db) => enqueue(db, store.tables, 'payment_reserved', { paymentId }, clock.nowMs));

const nothing = async () => undefined;
const NO_ROUNDS = {
  payment_reserved: () => undefined,
  payout_queued: () => undefined,
  refund_owed: () => undefined,
  event_due: () => undefined,
};
const IDLE: OutboxHandlers<ChatTopic> = {
  payment_settled: nothing,
  line_settled: nothing,
  line_resolved: nothing,
  payout_landed: nothing,
  line_paid: nothing,
  line_rewarded: nothing,
  order_logged: nothing,
  payment_reported: nothing,
  report_notice: nothing,
  link_paid_twice: nothing,
  small_tips_due: nothing,
  withdrawal_requested: nothing,
  withdrawal_notice: nothing,
  holder_added: nothing,
  holder_notice: nothing,
  treasury_address_set: nothing,
  treasury_address_notice: nothing,
  passkey_changed: nothing,
  closing_notice: nothing,
  passkey_notice: nothing,
};

test('a chat that hangs holds up neither money nor other chats, and is not asked twice meanwhile', async () => {
  const { store, clock } = books;
  const done: string[] = [];
  let looks = 0;
  let begun = 0;
  let release = () => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  for (let count = 0; count < 5; count++) await settled(books, `hanging-${count}`);
  await settled(books, 'quick');
  await reserved(books, 'money-1');
  const relay = startRelay({
    hold: { isHeld: () => true },
    store,
    now: () => clock.nowMs,
    log: pino({ level: 'silent' }),
    notify: () => false,
    wakes: { ...NO_ROUNDS, payment_reserved: () => void (looks += 1) },
    handlers: {
      ...IDLE,
      payment_settled: async ({ paymentId }) => {
        if (!paymentId.startsWith('hanging')) return void done.push(paymentId);
        begun += 1;
        await released;
      },
    },
  });
  await expect.poll(() => [done, looks], PATIENCE).toEqual([['quick'], 1]);
  // What comes while the chat still hangs has its turn as well.
  await reserved(books, 'money-2');
  relay.wake();
  await expect.poll(() => looks, PATIENCE).toBe(2);
  expect(begun).toBe(5);
  release();
  await relay.close();
  expect(begun).toBe(5);
});

test('one look serves all rows about money that are due, and they are done without the queue', async () => {
  const { store, clock } = books;
  const COUNT = 1_100;
  for (let count = 0; count < COUNT; count++) await reserved(books, `payment-${count}`);
  await settled(books, 'payment');
  let looks = 0;
  const notified: string[] = [];
  const relay = startRelay({
    hold: { isHeld: () => false },
    store,
    now: () => clock.nowMs,
    log: pino({ level: 'silent' }),
    notify: (items) => (notified.push(...items.map(({ topic }) => topic)), true),
    wakes: { ...NO_ROUNDS, payment_reserved: () => void (looks += 1) },
    handlers: IDLE,
  });
  // A wake-up through the queue names one row; the others are due as well.
  await relay.handle({ id: 1, topic: 'payment_reserved' });
  const open = async () => (await dueItems(store, clock.nowMs, 2_000)).map(({ topic }) => topic);
  await expect.poll(open, PATIENCE).toEqual(['payment_settled']);
  expect(looks).toBeLessThanOrEqual(5);
  expect(new Set(notified)).toEqual(new Set(['payment_settled']));
  await relay.close();
});

test('a row of a topic that only a newer version knows is left to one', async () => {
  const { store, clock } = books;
  const { outbox } = store.tables;
  const unknown = { topic: 'of_tomorrow' as 'payment_settled', key: '{}', nextAtMs: clock.nowMs, tries: 0 };
  await store.tx(async (db) => void (await db.insert(outbox).values(unknown)));
  await settled(books, 'payment');
  const relay = startRelay({
    hold: { isHeld: () => true },
    store,
    now: () => clock.nowMs,
    log: pino({ level: 'silent' }),
    notify: () => false,
    wakes: NO_ROUNDS,
    handlers: IDLE,
  });
  const left = async () =>
    (await dueItems(store, clock.nowMs + 3_600_000, 10)).map(({ topic, tries }) => [topic, tries]);
  await expect.poll(left, PATIENCE).toEqual([['of_tomorrow', 1]]);
  await relay.handle({ id: 1, topic: 'of_tomorrow' });
  await relay.close();
  expect((await left()).map(([topic]) => topic)).toEqual(['of_tomorrow']);
});

test('more receipts than may be under way all have their turn', async () => {
  const { store, clock } = books;
  const done = new Set<string>();
  for (let count = 0; count < 100; count++) await settled(books, `payment-${count}`);
  const relay = startRelay({
    hold: { isHeld: () => true },
    store,
    now: () => clock.nowMs,
    log: pino({ level: 'silent' }),
    notify: () => false,
    wakes: NO_ROUNDS,
    handlers: { ...IDLE, payment_settled: async ({ paymentId }) => void done.add(paymentId) },
  });
  await expect.poll(() => done.size, PATIENCE).toBe(100);
  await relay.close();
});

test('work under way elsewhere is looked at again, without a line in the log', async () => {
  const { store, clock } = books;
  const lines: string[] = [];
  await settled(books, 'payment');
  let looks = 0;
  const lookAgain = async () => {
    if (++looks < 3) throw new NotYet('not yet');
  };
  const relay = startRelay({
    hold: { isHeld: () => true },
    store,
    // A row that is put off is due at the next look.
    now: () => (clock.nowMs += 60_000),
    log: pino({ level: 'debug' }, { write: (line) => void lines.push(line) }),
    notify: () => false,
    wakes: NO_ROUNDS,
    handlers: { ...IDLE, payment_settled: lookAgain },
  });
  await expect.poll(async () => (await dueItems(store, Number.MAX_SAFE_INTEGER, 10)).length, PATIENCE).toBe(0);
  await relay.close();
  expect([looks, lines]).toEqual([3, []]);
});
