import { randomBytes } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ReturnReason } from '../../core/states.ts';
import { taskOrderId } from '../../core/tasks.ts';
import { plainText } from '../../core/view.ts';
import { messagesAfter, postOnce } from '../../db/chats/chat.ts';
import { factsOfLines } from '../../db/notices/line-facts.ts';
import { createOrder, findOrderByTxn } from '../../db/tips/orders.ts';
import { handleEvent, isChatTopic } from '../../core/outbox.ts';
import { dueItems } from '../../db/store/outbox.ts';
import type { LineRow } from '../../db/payments/records/find.ts';
import { landTransfer } from '../../db/scan/land-transfer.ts';
import { createRefundPayout } from '../../db/refunds/create-payouts.ts';
import { refundWithin } from '../../db/refunds/refund-line.ts';
import type { DeliveryDependencies } from '../../worker/receipt-delivery.ts';
import { receiptHandlers } from '../../worker/receipts.ts';
import { receiptLines, toReceiptFacts } from '../../texts/receipts/receipt.ts';
import { openBooks, type Books } from '../support/books.ts';

const PAYER = `0x${'99'.repeat(20)}`;

let books: Books;
beforeEach(async () => {
  books = await openBooks();
});
afterEach(() => books.close());

/** Tips from the chat `chat`, each by an order of its own, and settled. */
async function tip(...names: string[]): Promise<LineRow[]> {
  const { lines } = await books.pay({ payees: names.map((name) => ({ name, stableId: name })) });
  for (const line of lines) {
    const id = books.ids.slug();
    const wallet = {
      userId: 'user',
      walletId: 'wallet',
      walletName: null,
      language: null,
      network: 'base' as const,
      payerAddress: PAYER,
    };
    const request = { route: '/payments/x/pay', body: {}, recipient: `x:${line.recipientKey}` };
    const place = { transport: 'web', eventId: id, chatId: 'chat', messageId: id };
    const amountMicroUsdc = line.amountMicroUsdc;
    await createOrder(books.store, { id, ...place, ...wallet, ...request, amountMicroUsdc, createdAtMs: 0 });
    const { orders } = books.store.tables;
    const answered = { status: 'answered', txnId: line.txnId, shownAtMs: 1 } as const;
    await books.store.tx((db) => db.update(orders).set(answered).where(eq(orders.id, id)));
  }
  return lines;
}

/** What the message of a tip says beneath "Sent …" when it is shown now. */
async function message(line: LineRow | undefined, isAccepted = true): Promise<string> {
  const { store } = books;
  const [facts] = await factsOfLines(store, [line?.txnId ?? 0]);
  const order = await findOrderByTxn(store, line?.txnId ?? 0);
  if (facts === undefined || order === null) throw new Error('there is no such tip');
  const receiptUrl = `https://pay.example.com/receipts/${line?.slug ?? ''}`;
  const lines = receiptLines(toReceiptFacts({ line: facts, order, receiptUrl, isAccepted }));
  return lines.map((spans) => spans.map(({ text }) => text).join('')).join('\n');
}

/** How often the messages of all tips have news, and whether they are to be shown once more. */
async function news(): Promise<{ count: number; waiting: number }> {
  const rows = await books.store.read.select().from(books.store.tables.orders);
  return {
    count: rows.reduce((sum, { newsCount }) => sum + newsCount, 0),
    waiting: rows.filter(({ shownAtMs }) => shownAtMs === null).length,
  };
}

/** Every payout on its way lands. */
async function land(): Promise<void> {
  const { store } = books;
  const { transfers } = store.tables;
  const onTheirWay = (await books.payouts()).filter(({ landedTransaction }) => landedTransaction === null);
  for (const { id, network, fromAddress: from, toAddress: to, amountMicroUsdc: value } of onTheirWay) {
    const [transaction, nonce] = [randomBytes(32), randomBytes(32)].map((bytes) => `0x${bytes.toString('hex')}`);
    if (transaction === undefined || nonce === undefined) throw new Error('two of two are missing');
    const place = { transaction, logIndex: 0, position: 0, block: 2, blockHash: '0x2' };
    const transfer = { ...place, from, to, value, authorizer: from, nonce };
    await store.tx(async (db) => {
      await db.update(transfers).set({ status: 'broadcast', nonce }).where(eq(transfers.id, id));
      await landTransfer(db, store, network, transfer, { fact: nonce, landing: 1, transaction, block: 2 }, 0);
    });
  }
}

/** Handles all that was asked for, twice, and answers what was posted beside the tips' own messages. */
async function chat(): Promise<string[]> {
  const { store, clock } = books;
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
          void (await postOnce(store, {
            chatId,
            onceKey,
            view,
            id: books.ids.slug(),
            author: 'bot',
            nowMs: clock.nowMs,
          })),
      },
    },
  };
  // What one asks for is found by the second round.
  for (let round = 0; round < 2; round++) {
    for (const { topic, key } of await dueItems(store, clock.nowMs, 100)) {
      if (isChatTopic(topic)) await handleEvent(receiptHandlers(dependencies), { topic, key });
    }
  }
  return (await messagesAfter(store, 'chat', 0, 100)).map(({ view }) => plainText(view));
}

async function giveBack(line: LineRow | undefined, reason: ReturnReason | null): Promise<void> {
  const { store, clock, ids } = books;
  const refund = { txnId: line?.txnId ?? 0, from: ['escrowed'] as const, reason };
  await store.tx((db) => refundWithin(db, store, refund, clock.nowMs));
  const owed = { network: 'base' as const, payer: PAYER, payerAccount: null, minMicroUsdc: 1n };
  await createRefundPayout(store, owed, ids.payoutId, clock.nowMs);
  await land();
}

test('a tip that waits comes with a text to send, in a line of its own', async () => {
  const [line] = await tip('alice');
  expect(await chat()).toEqual([]);
  expect(await message(line)).toBe(
    [
      '1.00 USDC is waiting for @alice on X.',
      'Send them this:',
      `I sent you 1.00 USDC, a digital dollar. Collect it here: https://pay.example.com/receipts/${line?.slug}`,
      'If nobody collects it, it comes back to you on 14 February 2027 (UTC).',
    ].join('\n'),
  );
});

test.each([
  ['a person of this very platform', { communityId: 'guild', platform: 'web' }, true],
  ['a person elsewhere', { communityId: 'guild', platform: 'x' }, false],
  ['the two who talk alone', { communityId: null, platform: 'web' }, false],
])('what was written with it is read by those who read along alone: %s', async (_who, where, isRead) => {
  const [line] = await tip('alice');
  const { orders, lines } = books.store.tables;
  const { communityId, platform } = where;
  await books.store.tx((db) => db.update(orders).set({ communityId, body: { description: 'a secret' } }));
  await books.store.tx((db) => db.update(lines).set({ platform }));
  expect((await message(line)).includes('“a secret”')).toBe(isRead);
  // No words of a giver whom the recipient does not know.
  expect(await message(line, false)).not.toContain('secret');
  // What rings its payer says it without.
  await giveBack(line, 'declined');
  expect((await chat()).at(-1)).not.toContain('secret');
});

describe('what waited and has arrived', () => {
  test('was collected, where its recipient claimed it: said once', async () => {
    const [line] = await tip('alice');
    await books.link(line?.identityId ?? '');
    const { claimLines } = books.store.tables;
    const values = { claimId: 'claim_1', txnId: line?.txnId ?? 0 };
    await books.store.tx((db) => db.insert(claimLines).values(values));
    expect(await message(line)).not.toContain('collected');
    await land();
    expect(await chat()).toEqual([]);
    expect(await message(line)).toBe('@alice on X collected 1.00 USDC.');
  });

  test('was received, where nobody had to come for it; the message is shown once more', async () => {
    const [line] = await tip('alice');
    await chat();
    expect(await news()).toEqual({ count: 0, waiting: 0 });
    await books.link(line?.identityId ?? '');
    await land();
    expect(await chat()).toEqual([]);
    expect((await news()).waiting).toBe(1);
    expect(await message(line)).toBe('@alice on X received 1.00 USDC.');
  });
});

describe('what came back', () => {
  test.each<[string[], ReturnReason | null, number]>([
    [['@alice on X did not collect it in time.'], null, 30 * 86_400_000],
    [['@alice on X did not want it.'], 'declined', 60_000],
    [['@alice on X wants no payments.'], 'opted_out', 60_000],
    // As after a restore: nothing tells why.
    [[], null, 60_000],
  ])('is told once, when it has landed: %s', async (why, reason, afterMs) => {
    const [line] = await tip('alice');
    books.clock.nowMs += afterMs;
    const before = await chat();
    await giveBack(line, reason);
    const text = ['1.00 USDC for @alice on X came back to you.', ...why].join('\n');
    expect((await chat()).slice(before.length)).toEqual([text]);
    expect(await message(line)).toBe(text);
  });

  test('rings nobody where its payer has taken it back; the message says it', async () => {
    const [line] = await tip('alice');
    await giveBack(line, 'taken_back');
    expect(await chat()).toEqual([]);
    expect((await news()).waiting).toBe(1);
    expect(await message(line)).toContain('You took it back before it was collected.');
  });

  test('in one transfer is told of each tip', async () => {
    const [alice, bob] = await tip('alice', 'bob');
    await chat();
    const { store, clock } = books;
    const refund = { txnId: bob?.txnId ?? 0, from: ['escrowed'] as const, reason: 'opted_out' as const };
    await store.tx((db) => refundWithin(db, store, refund, clock.nowMs));
    await giveBack(alice, 'declined');
    expect(await books.payouts()).toHaveLength(1);
    expect((await chat()).filter((text) => text.includes('came back'))).toEqual([
      '1.00 USDC for @alice on X came back to you.\n@alice on X did not want it.',
      '1.00 USDC for @bob on X came back to you.\n@bob on X wants no payments.',
    ]);
  });
});

describe('a tip for several people', () => {
  /** One order for all of them, as the bot makes it; its answer has not come yet. */
  async function tipSeveral(...names: string[]): Promise<LineRow[]> {
    const { lines, paymentId } = await books.pay({ payees: names.map((name) => ({ name, stableId: name })) });
    const { orders, payments, lines: table } = books.store.tables;
    const id = books.ids.slug();
    await createOrder(books.store, {
      id,
      transport: 'web',
      eventId: id,
      chatId: 'chat',
      messageId: id,
      communityId: 'guild',
      userId: 'user',
      walletId: 'wallet',
      walletName: null,
      language: null,
      network: 'base' as const,
      payerAddress: PAYER,
      route: '/payments/x/batch-pay',
      body: {},
      recipient: `${names.length} people`,
      amountMicroUsdc: 1_000_000n * BigInt(names.length),
      lines: lines.map((line) => ({ recipient: `x:${line.recipientKey}`, amountMicroUsdc: '1000000' })),
      createdAtMs: 0,
    });
    await books.store.tx(async (db) => {
      await db.update(payments).set({ idempotencyKey: id }).where(eq(payments.id, paymentId));
      await db.update(orders).set({ status: 'answered', shownAtMs: 1 }).where(eq(orders.id, id));
      // Members of the community, each of whom a tip of their own would ring.
      await db.update(table).set({ platform: 'web' }).where(eq(table.paymentId, paymentId));
    });
    return lines;
  }

  test('posts nothing beside its message, but what came back', async () => {
    const bob = await books.meet('bob', 'bob');
    await books.link(bob);
    const [alice, , carol] = await tipSeveral('alice', 'bob', 'carol');
    await land();
    expect(await chat()).toEqual([]);
    await books.link(alice?.identityId ?? '');
    await land();
    await giveBack(carol, 'declined');
    expect(await chat()).toEqual(['1.00 USDC for @carol on X came back to you.\n@carol on X did not want it.']);
    expect((await news()).waiting).toBe(1);
  });
});

test('tips for one message post nothing but what came back', async () => {
  const [alice] = await tip('alice', 'bob');
  const { orders } = books.store.tables;
  await books.store.tx((db) => db.update(orders).set({ tippedMessageId: 'message' }));
  expect(await chat()).toEqual([]);
  await giveBack(alice, 'declined');
  expect(await chat()).toEqual(['1.00 USDC for @alice on X came back to you.\n@alice on X did not want it.']);
});

test('a member who had their tips erased hears nothing more about them', async () => {
  const [alice] = await tip('alice');
  const { orders } = books.store.tables;
  await books.store.tx((db) => db.update(orders).set({ erasedAtMs: 1 }));
  await giveBack(alice, 'declined');
  expect(await chat()).toEqual([]);
});

test('a payment over a link is reported in the chat of its order, whose wallet did not pay it', async () => {
  const id = 'order_of_a_link_0123456789';
  const { purchases, payLinks, payments } = books.store.tables;
  const place = { transport: 'web', eventId: id, chatId: 'chat', messageId: id };
  const wallet = { userId: 'user', walletId: 'wallet', walletName: null, language: null, network: 'base' as const };
  const request = { route: '/payments/x/pay', body: {}, recipient: 'x:alice', amountMicroUsdc: 1_000_000n };
  const payerAddress = `0x${'77'.repeat(20)}`;
  await createOrder(books.store, { id, ...place, ...wallet, ...request, payerAddress, createdAtMs: 0 });
  const { paymentId, lines } = await books.pay({ payees: [{ name: 'alice', stableId: 'alice' }] });
  await books.store.tx(async (db) => {
    await db
      .insert(payLinks)
      .values({ orderId: id, status: 'presented', untilMs: 1, taskId: 'task_1', createdAtMs: 0 });
    await db.insert(purchases).values({ orderId: taskOrderId('task_1'), paymentId });
    await db.update(payments).set({ idempotencyKey: id }).where(eq(payments.id, paymentId));
  });
  expect(await chat()).toEqual([]);
  await giveBack(lines[0], 'declined');
  expect((await chat()).join()).toContain('1.00 USDC for @alice on X came back to you.');
});
