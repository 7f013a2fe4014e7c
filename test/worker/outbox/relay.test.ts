import { pino } from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { OutboxHandlers } from '../../../core/outbox.ts';
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
const IDLE: OutboxHandlers = {
  payment_reserved: nothing,
  payout_queued: nothing,
  refund_owed: nothing,
  event_due: nothing,
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
    handlers: {
      ...IDLE,
      payment_reserved: async ({ paymentId }) => void done.push(paymentId),
      payment_settled: async ({ paymentId }) => {
        if (!paymentId.startsWith('hanging')) return void done.push(paymentId);
        begun += 1;
        await released;
      },
    },
  });
  await expect.poll(() => done.toSorted(), PATIENCE).toEqual(['money-1', 'quick']);
  // What comes while the chat still hangs has its turn as well.
  await reserved(books, 'money-2');
  relay.wake();
  await expect.poll(() => done, PATIENCE).toContain('money-2');
  expect(begun).toBe(5);
  release();
  await relay.close();
  expect(begun).toBe(5);
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
    handlers: { ...IDLE, payment_settled: lookAgain },
  });
  await expect.poll(async () => (await dueItems(store, Number.MAX_SAFE_INTEGER, 10)).length, PATIENCE).toBe(0);
  await relay.close();
  expect([looks, lines]).toEqual([3, []]);
});
