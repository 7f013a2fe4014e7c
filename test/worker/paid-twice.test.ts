/** A pay link is paid, and once more: the one who asked for it hears where the second payment went. */
import { randomBytes } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { plainText } from '../../core/view.ts';
import { messagesAfter, postOnce } from '../../db/chats/chat.ts';
import { changeCommunitySettings } from '../../db/communities/community-settings.ts';
import { createOrder } from '../../db/tips/orders.ts';
import { handleEvent, isChatTopic } from '../../core/outbox.ts';
import { dueItems } from '../../db/store/outbox.ts';
import { landTransfer } from '../../db/scan/land-transfer.ts';
import { createRefundPayout } from '../../db/refunds/create-payouts.ts';
import { returnByOperator } from '../../db/operator/suspense.ts';
import { advanceFinality } from '../../db/scan/finality.ts';
import { factOf } from '../../core/observed.ts';
import type { DeliveryDependencies } from '../../worker/receipt-delivery.ts';
import { receiptHandlers } from '../../worker/receipts.ts';
import { openTaskBooks, SENDER, type TaskBooks } from '../db/tasks/world.ts';

const BACK = `0x${'ab'.repeat(20)}`;
const HALF_HOUR_MS = 30 * 60_000;
const TOLD =
  'Your link for @alice on X was paid twice. What came too much, 1.001235 USDC, went into your wallet here; if someone else sent it, it is theirs.';

let books: TaskBooks;
/** What one person alone was told. */
let told: Map<string, string>;
beforeEach(async () => {
  told = new Map();
  books = await openTaskBooks();
});
afterEach(() => books.close());

/** A task behind a link of the chat `chat`, paid by a first transfer. */
async function paidLink(refundAddresses: { network: 'base'; address: string }[]) {
  const { store, clock } = books;
  const { task, offer } = await books.open({ refundAddresses }, () => 1_233);
  const id = books.ids.slug();
  const person = { userId: 'user', walletId: 'wallet', walletName: null, language: null, payerAddress: BACK };
  const request = { route: '/payments/x/pay', body: {}, recipient: 'x:alice', amountMicroUsdc: 1_000_000n };
  const place = { transport: 'web', eventId: id, chatId: 'chat', messageId: id, network: 'base' as const };
  await createOrder(store, { id, ...place, ...person, ...request, createdAtMs: 0 });
  const link = { orderId: id, status: 'paid' as const, taskId: task.id, untilMs: 1, createdAtMs: 0 };
  await store.tx((db) => db.insert(store.tables.payLinks).values(link));
  await books.land({ value: offer.amountMicroUsdc });
  await books.round();
  clock.nowMs += 1;
  return { offer, id };
}

async function scan(ms: number): Promise<void> {
  books.clock.nowMs += ms;
  const step = { network: 'base' as const, safeBlock: books.height(), finalizedBlock: 1 };
  await books.store.tx((db) => advanceFinality(db, books.store, step, books.clock.nowMs));
}

/** Everything owed to the payer leaves, and lands. */
async function pay(payer: string): Promise<void> {
  const { store, ids, clock } = books;
  const { transfers } = store.tables;
  const owed = { network: 'base' as const, payer, payerAccount: null, minMicroUsdc: 1n };
  const id = (await createRefundPayout(store, owed, ids.payoutId, clock.nowMs)) ?? '';
  const [payout] = await store.read.select().from(transfers).where(eq(transfers.id, id));
  if (payout === undefined) throw new Error(`nothing is owed to ${payer}`);
  const [transaction, nonce] = [`0x${randomBytes(32).toString('hex')}`, `0x${randomBytes(32).toString('hex')}`];
  const { fromAddress: from, toAddress: to, amountMicroUsdc: value } = payout;
  const transfer = { transaction, logIndex: 0, position: 0, block: 2, blockHash: 'b', from, to, value };
  await store.tx(async (db) => {
    await db.update(transfers).set({ status: 'broadcast', nonce }).where(eq(transfers.id, id));
    const landing = { fact: nonce, landing: 1, transaction, block: 2 };
    await landTransfer(db, store, 'base', { ...transfer, authorizer: from, nonce }, landing, 0);
  });
}

/** Handles every receipt that was asked for, twice, and answers what the chat shows. */
async function chat(): Promise<string[]> {
  const { store, clock, ids } = books;
  const dependencies: DeliveryDependencies = {
    store,
    baseUrl: 'https://pay.example.com',
    now: () => clock.nowMs,
    log: pino({ level: 'silent' }),
    failpoint: () => undefined,
    mail: null,
    senders: {
      web: {
        post: async ({ chatId, onceKey, view }) =>
          void (await postOnce(store, { chatId, onceKey, view, id: ids.slug(), author: 'bot', nowMs: clock.nowMs })),
        async tell({ userId, onceKey, view }) {
          told.set(onceKey, `${userId}: ${plainText(view)}`);
          return 'told';
        },
      },
    },
  };
  for (let round = 0; round < 2; round++) {
    for (const { topic, key } of await dueItems(store, clock.nowMs, 100)) {
      if (isChatTopic(topic)) await handleEvent(receiptHandlers(dependencies), { topic, key });
    }
  }
  return (await messagesAfter(store, 'chat', 0, 100)).map(({ view }) => plainText(view));
}

test('each second payment is reported once, to the member who asked for the link, when it has arrived', async () => {
  const { offer } = await paidLink([{ network: 'base' as const, address: BACK }]);
  await books.land({ value: offer.amountMicroUsdc });
  await scan(0);
  const heard = async () => {
    await chat();
    return [...told.values()].filter((text) => text.includes('twice'));
  };
  expect(await heard()).toEqual([]);
  await pay(BACK);
  expect(await heard()).toEqual([`user: ${TOLD}`]);
  await books.land({ value: offer.amountMicroUsdc });
  await scan(0);
  await pay(BACK);
  expect(await heard()).toEqual([`user: ${TOLD}`, `user: ${TOLD}`]);
});

test('money that the operator returns to its sender reaches no wallet here, so nobody is told', async () => {
  const { offer } = await paidLink([]);
  const second = await books.land({ value: offer.amountMicroUsdc });
  await scan(HALF_HOUR_MS);
  const command = { name: 'return', arguments: [], who: 'a test' };
  const fact = factOf('base', second);
  expect(await returnByOperator(books.store, fact, command, books.clock.nowMs)).toBe('returned');
  await pay(SENDER);
  expect((await chat()).filter((text) => text.includes('twice'))).toEqual([]);
});

test('where the community wants no receipts, the one who asked for the link is told it alone', async () => {
  const { store } = books;
  const { offer, id } = await paidLink([{ network: 'base' as const, address: BACK }]);
  const community = { transport: 'web', communityId: '42' };
  const by = { changedBy: 'user', nowMs: 1 };
  await changeCommunitySettings(store, community, by, (now) => ({
    kind: 'changed',
    settings: { ...now, receipts: 'none' },
  }));
  const { orders } = store.tables;
  await store.tx((db) => db.update(orders).set({ communityId: '42' }).where(eq(orders.id, id)));
  await books.land({ value: offer.amountMicroUsdc });
  await scan(0);
  await pay(BACK);
  expect((await chat()).filter((text) => text.includes('twice'))).toEqual([]);
  expect([...told.values()]).toContain(`user: ${TOLD}`);
});

test('a member who had their tips erased hears nothing more', async () => {
  const { offer, id } = await paidLink([{ network: 'base' as const, address: BACK }]);
  const { orders } = books.store.tables;
  await books.store.tx((db) => db.update(orders).set({ erasedAtMs: 1 }).where(eq(orders.id, id)));
  await books.land({ value: offer.amountMicroUsdc });
  await scan(0);
  await pay(BACK);
  expect(await chat()).toEqual([]);
});
