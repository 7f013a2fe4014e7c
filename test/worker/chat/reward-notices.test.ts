/** Those who use the bot in a chat are told there of a reward for their name elsewhere: once, alone, and only by what is true. */
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { handleEvent, isChatTopic } from '../../../core/outbox.ts';
import { distributionOrderId } from '../../../core/rewards/distribution.ts';
import { plainText, type View } from '../../../core/view.ts';
import { addDistribution } from '../../../db/rewards/distributions.ts';
import { completeItems, dueItems } from '../../../db/store/outbox.ts';
import { addHolder } from '../../../db/wallets/holders.ts';
import type { ChatSender, Told } from '../../../worker/chat/sender.ts';
import { NotYet } from '../../../worker/outbox/not-yet.ts';
import { receiptHandlers } from '../../../worker/receipts.ts';
import { openBooks, type Books } from '../../support/books.ts';
import { newDistribution } from '../../support/rewards/distributions.ts';

let books: Books;
/** What was said alone, by its key: the same key is one message. */
let alone: Map<string, { userId: string; view: View }>;
let outcome: Told;
beforeEach(async () => {
  books = await openBooks();
  [alone, outcome] = [new Map(), 'told'];
});
afterEach(() => books.close());

const sender: ChatSender = {
  post: async () => {
    throw new Error('nobody else is told');
  },
  tell: async ({ onceKey, userId, view }) => {
    alone.set(onceKey, { userId, view });
    return outcome;
  },
};

async function handle(): Promise<unknown[]> {
  const { store, clock } = books;
  const handlers = receiptHandlers({
    store,
    baseUrl: 'https://pay.example.com',
    now: () => clock.nowMs,
    log: pino({ level: 'silent' }),
    mail: null,
    senders: { discord: sender, telegram: sender },
    failpoint: () => undefined,
  });
  const failures: unknown[] = [];
  for (let rounds = 0; rounds < 2; rounds += 1) {
    for (const { id, topic, key } of await dueItems(store, clock.nowMs, 100)) {
      if (!isChatTopic(topic)) continue;
      try {
        await handleEvent(handlers, { topic, key });
        await completeItems(store, [id], clock.nowMs);
      } catch (error) {
        failures.push(error);
      }
    }
  }
  return failures;
}

/** Bob and Carla, of whom the payment is a reward where that is said. */
async function pay(isReward: boolean): Promise<void> {
  const { store, clock } = books;
  const payees = [
    { platform: 'decsocial', name: 'bob', stableId: '11', amount: 600_000n },
    { platform: 'decsocial', name: 'carla', stableId: '12', amount: 400_000n },
  ];
  const { lines } = await books.pay({ payees });
  if (isReward) {
    const distribution = { ...newDistribution(clock.nowMs), authorName: 'marta' };
    await addDistribution(store, distribution, { secretHash: 'ab'.repeat(32), caller: null });
    const [line] = lines;
    if (!line) throw new Error('a payment has lines');
    const bought = { orderId: distributionOrderId(distribution.id), paymentId: line.paymentId };
    await store.tx((db) => db.insert(store.tables.purchases).values(bought));
  }
  const ofBob = { walletId: 'decsocial:11', identityId: lines[0]?.identityId ?? '', name: 'decsocial:bob' };
  const { tables } = store;
  await store.tx(async (db) => {
    await addHolder(db, tables, { ...ofBob, holderId: 'discord:7' }, clock.nowMs);
    await addHolder(db, tables, { ...ofBob, holderId: 'chat:browser' }, clock.nowMs);
    // May not look yet.
    await addHolder(db, tables, { ...ofBob, holderId: 'telegram:8' }, clock.nowMs, clock.nowMs + 1, clock.nowMs + 1);
  });
}

test('who has proven the name in a chat is told there; browsers, newcomers and all others are not', async () => {
  await pay(true);
  expect(await handle()).toEqual([]);
  const said = [...alone.values()].map(({ userId, view }) => ({ userId, text: plainText(view) }));
  const lines = [
    'A community rewarded you with 0.60 USDC for what you did with a post by marta.',
    '0.60 USDC is waiting for @bob on Farcaster.',
  ];
  expect(said).toEqual([{ userId: 'discord:7', text: lines.join('\n') }]);
  const [{ view } = { view: null }] = alone.values();
  expect(view).toMatchObject({ audience: 'person', actions: [{ kind: 'link', label: 'Open the receipt' }] });
});

test('is told once, however often the event is handled, and again where nobody knows whether it was', async () => {
  outcome = 'under-way';
  await pay(true);
  const failures = await handle();
  expect(failures.length).toBeGreaterThan(0);
  for (const failure of failures) expect(failure).toBeInstanceOf(NotYet);
  outcome = 'told';
  expect(await handle()).toEqual([]);
  expect(alone.size).toBe(1);
});

test('a payment that is no reward tells nobody so', async () => {
  await pay(false);
  expect(await handle()).toEqual([]);
  expect(alone.size).toBe(0);
});
