import { pino } from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { dueItems, enqueue, type OutboxTopic } from '../../../db/store/outbox.ts';
import { NotYet } from '../../../worker/outbox/not-yet.ts';
import { startRelay } from '../../../worker/outbox/relay.ts';
import { openBooks, type Books } from '../../support/books.ts';

const PATIENCE = { timeout: 60_000 };

let books: Books;
beforeEach(async () => {
  books = await openBooks();
});
afterEach(() => books.close());

const ask = ({ store, clock }: Books, topic: OutboxTopic, key: string) =>
  store.tx((db) => enqueue(db, store.tables, topic, key, clock.nowMs));

test('a chat that hangs holds up neither money nor other chats, and is not asked twice meanwhile', async () => {
  const { store, clock } = books;
  const done: string[] = [];
  let begun = 0;
  let release = () => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  for (let count = 0; count < 5; count++) await ask(books, 'receipt', `hanging:${count}`);
  await ask(books, 'receipt', 'settled:quick');
  await ask(books, 'payment', 'money:1');
  const relay = startRelay({
    store,
    now: () => clock.nowMs,
    log: pino({ level: 'silent' }),
    notify: () => false,
    handlers: {
      payment: async (key) => void done.push(key),
      payout: async () => undefined,
      refund: async () => undefined,
      receipt: async (key) => {
        if (!key.startsWith('hanging')) return void done.push(key);
        begun += 1;
        await released;
      },
    },
  });
  await expect.poll(() => done.toSorted(), PATIENCE).toEqual(['money:1', 'settled:quick']);
  // What comes while the chat still hangs has its turn as well.
  await ask(books, 'payment', 'money:2');
  relay.wake();
  await expect.poll(() => done, PATIENCE).toContain('money:2');
  expect(begun).toBe(5);
  release();
  await relay.close();
  expect(begun).toBe(5);
});

test('more receipts than may be under way all have their turn', async () => {
  const { store, clock } = books;
  const done = new Set<string>();
  for (let count = 0; count < 100; count++) await ask(books, 'receipt', `settled:${count}`);
  const receipt = async (key: string) => void done.add(key);
  const nothing = async () => undefined;
  const relay = startRelay({
    store,
    now: () => clock.nowMs,
    log: pino({ level: 'silent' }),
    notify: () => false,
    handlers: { payment: nothing, payout: nothing, refund: nothing, receipt },
  });
  await expect.poll(() => done.size, PATIENCE).toBe(100);
  await relay.close();
});

test('what is under way elsewhere is looked at again, and nothing is said of it in the log', async () => {
  const { store, clock } = books;
  const nothing = async () => undefined;
  const lines: string[] = [];
  await ask(books, 'receipt', 'leaves:1');
  let looks = 0;
  const receipt = async () => {
    if (++looks < 3) throw new NotYet('not yet');
  };
  const relay = startRelay({
    store,
    // A row that is put off is due at the next look.
    now: () => (clock.nowMs += 60_000),
    log: pino({ level: 'debug' }, { write: (line) => void lines.push(line) }),
    notify: () => false,
    handlers: { payment: nothing, payout: nothing, refund: nothing, receipt },
  });
  await expect.poll(async () => (await dueItems(store, Number.MAX_SAFE_INTEGER, 10)).length, PATIENCE).toBe(0);
  await relay.close();
  expect([looks, lines]).toEqual([3, []]);
});
