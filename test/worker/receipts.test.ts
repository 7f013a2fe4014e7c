import { randomBytes } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ReturnReason } from '../../core/states.ts';
import { taskOrderId } from '../../core/tasks.ts';
import { plainText } from '../../core/view.ts';
import { messagesAfter, postOnce } from '../../db/chats/chat.ts';
import { createOrder } from '../../db/tips/orders.ts';
import { handleEvent, isChatTopic } from '../../core/outbox.ts';
import { dueItems } from '../../db/store/outbox.ts';
import type { LineRow } from '../../db/payments/records/find.ts';
import { landTransfer } from '../../db/scan/land-transfer.ts';
import { createRefundPayout } from '../../db/refunds/create-payouts.ts';
import { refundWithin } from '../../db/refunds/refund-line.ts';
import type { DeliveryDependencies } from '../../worker/receipt-delivery.ts';
import { receiptHandlers } from '../../worker/receipts.ts';
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
    await books.store.tx((db) => db.update(orders).set({ txnId: line.txnId }).where(eq(orders.id, id)));
  }
  return lines;
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

/** Handles every receipt that was asked for, twice, and answers what the chat shows. */
async function chat(): Promise<string[]> {
  const { store, clock } = books;
  const dependencies: DeliveryDependencies = {
    store,
    baseUrl: 'https://pay.example.com',
    now: () => clock.nowMs,
    log: pino({ level: 'silent' }),
    failpoint: () => undefined,
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
  return (await messagesAfter(store, 'chat', 0, 100)).map(({ view }) =>
    plainText(view).replace(/\nTransaction .*/, ''),
  );
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
  expect(await chat()).toEqual([
    [
      '1.00 USDC is waiting for x:alice.',
      'Send them this:',
      `I sent you 1.00 USDC, a digital dollar. Collect it here: https://pay.example.com/receipts/${line?.slug}`,
      'They can collect it until 14 February 2027. After that it comes back to you.',
    ].join('\n'),
  ]);
});

test.each([
  ['somebody of this very platform', { communityId: 'guild', platform: 'web' }, true],
  ['somebody elsewhere', { communityId: 'guild', platform: 'x' }, false],
  ['the two who talk alone', { communityId: null, platform: 'web' }, false],
])('what was written with it is in the receipt for those who read along alone: %s', async (_who, where, isRead) => {
  const [line] = await tip('alice');
  const { orders, lines } = books.store.tables;
  const { communityId, platform } = where;
  await books.store.tx((db) => db.update(orders).set({ communityId, body: { description: 'a secret' } }));
  await books.store.tx((db) => db.update(lines).set({ platform }));
  const [receipt] = await chat();
  expect(receipt?.includes('“a secret”')).toBe(isRead);
  // Said once: what becomes of it later is told without it.
  await giveBack(line, 'declined');
  expect((await chat()).at(-1)).not.toContain('secret');
});

describe('what waited and has arrived', () => {
  test('was collected, where somebody claimed it: said once', async () => {
    const [line] = await tip('alice');
    await books.link(line?.identityId ?? '');
    const { claimLines } = books.store.tables;
    const values = { claimId: 'claim_1', txnId: line?.txnId ?? 0 };
    await books.store.tx((db) => db.insert(claimLines).values(values));
    expect((await chat()).filter((text) => text.includes('collected'))).toEqual([]);
    await land();
    expect((await chat()).filter((text) => text.includes('collected'))).toEqual(['x:alice collected 1.00 USDC.']);
  });

  test('was received, where nobody had to come for it', async () => {
    const [line] = await tip('alice');
    await books.link(line?.identityId ?? '');
    await land();
    expect((await chat()).at(-1)).toBe('x:alice received 1.00 USDC.');
  });
});

describe('what came back', () => {
  test.each<[string, ReturnReason | null, number]>([
    ['x:alice did not collect it in time.', null, 30 * 86_400_000],
    ['You took it back before it was collected.', null, 60_000],
    ['x:alice did not want it.', 'declined', 60_000],
    ['x:alice wants no payments.', 'opted_out', 60_000],
  ])('is told once, when it has landed: %s', async (why, reason, afterMs) => {
    const [line] = await tip('alice');
    books.clock.nowMs += afterMs;
    const before = await chat();
    await giveBack(line, reason);
    expect((await chat()).slice(before.length)).toEqual([`1.00 USDC for x:alice came back to you.\n${why}`]);
  });

  test('in one transfer is told of each tip', async () => {
    const [alice, bob] = await tip('alice', 'bob');
    await chat();
    const { store, clock } = books;
    const refund = { txnId: bob?.txnId ?? 0, from: ['escrowed'] as const, reason: null };
    await store.tx((db) => refundWithin(db, store, refund, clock.nowMs));
    await giveBack(alice, 'declined');
    expect(await books.payouts()).toHaveLength(1);
    expect((await chat()).filter((text) => text.includes('came back'))).toEqual([
      '1.00 USDC for x:alice came back to you.\nx:alice did not want it.',
      '1.00 USDC for x:bob came back to you.\nYou took it back before it was collected.',
    ]);
  });
});

describe('a tip for several people', () => {
  /** One order for all of them, as the bot makes it; its answer has not come yet. */
  async function tipSeveral(...names: string[]): Promise<LineRow[]> {
    const { lines, paymentId } = await books.pay({ payees: names.map((name) => ({ name, stableId: name })) });
    const { orders, payments } = books.store.tables;
    const id = books.ids.slug();
    await createOrder(books.store, {
      id,
      transport: 'web',
      eventId: id,
      chatId: 'chat',
      messageId: id,
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
      await db.update(orders).set({ status: 'answered' }).where(eq(orders.id, id));
    });
    return lines;
  }

  test('has one receipt, whatever became of each', async () => {
    const bob = await books.meet('bob', 'bob');
    await books.link(bob);
    const lines = await tipSeveral('alice', 'bob', 'carol');
    expect(await chat()).toEqual([
      [
        '3.00 USDC for 3 people.',
        'On its way to x:bob.',
        'Waiting for x:alice, x:carol.',
        'Send each of them their receipt: that is where they collect it until 14 February 2027. After that it comes back to you.',
      ].join('\n'),
    ]);
    const [message] = await messagesAfter(books.store, 'chat', 0, 10);
    expect(message?.view.actions).toEqual(
      lines.map(({ slug, recipientKey }) => ({
        kind: 'link',
        label: `x:${recipientKey}`,
        url: `https://pay.example.com/receipts/${slug}`,
      })),
    );
  });

  test('says nothing more of those to whom it just went, and of the others what became of each', async () => {
    const bob = await books.meet('bob', 'bob');
    await books.link(bob);
    const [alice, , carol] = await tipSeveral('alice', 'bob', 'carol');
    await land();
    expect((await chat()).length).toBe(1);
    await books.link(alice?.identityId ?? '');
    const { claimLines } = books.store.tables;
    await books.store.tx((db) => db.insert(claimLines).values({ claimId: 'claim_1', txnId: alice?.txnId ?? 0 }));
    await land();
    await giveBack(carol, 'declined');
    expect((await chat()).slice(1)).toEqual([
      'x:alice collected 1.00 USDC.',
      '1.00 USDC for x:carol came back to you.\nx:carol did not want it.',
    ]);
  });

  test('for a hundred names as many as fit one message, and links ten receipts', async () => {
    await tipSeveral(...Array.from({ length: 100 }, (_, index) => `person${String(index).padStart(3, '0')}`));
    const [text = '', ...more] = await chat();
    expect(more).toEqual([]);
    expect(text).toMatch(/^100\.00 USDC for 100 people\.\nWaiting for x:person000, .* and \d+ more\./);
    expect(text).toContain('The payer finds the other 90 receipts with /history.');
    expect(text.length).toBeLessThan(1_000);
    const [message] = await messagesAfter(books.store, 'chat', 0, 10);
    expect(message?.view.actions.length).toBe(10);
  });
});

test('tips that are told together under a message have no receipt each, and later news of each', async () => {
  const [alice] = await tip('alice', 'bob');
  const { orders } = books.store.tables;
  await books.store.tx((db) => db.update(orders).set({ tippedMessageId: 'message' }));
  expect(await chat()).toEqual([]);
  await giveBack(alice, 'declined');
  expect(await chat()).toEqual(['1.00 USDC for x:alice came back to you.\nx:alice did not want it.']);
});

test('whoever had his tips erased hears nothing more of them', async () => {
  const [alice] = await tip('alice');
  const { orders } = books.store.tables;
  await books.store.tx((db) => db.update(orders).set({ erasedAtMs: 1 }));
  await giveBack(alice, 'declined');
  expect(await chat()).toEqual([]);
});

test('what came over a link is told in the chat of its order, whose wallet has not paid it', async () => {
  const id = 'order_of_a_link_0123456789';
  const { purchases, payLinks, payments } = books.store.tables;
  const place = { transport: 'web', eventId: id, chatId: 'chat', messageId: id };
  const wallet = { userId: 'user', walletId: 'wallet', walletName: null, language: null, network: 'base' as const };
  const request = { route: '/payments/x/pay', body: {}, recipient: 'x:alice', amountMicroUsdc: 1_000_000n };
  const payerAddress = `0x${'77'.repeat(20)}`;
  await createOrder(books.store, { id, ...place, ...wallet, ...request, payerAddress, createdAtMs: 0 });
  const { paymentId } = await books.pay({ payees: [{ name: 'alice', stableId: 'alice' }] });
  await books.store.tx(async (db) => {
    await db
      .insert(payLinks)
      .values({ orderId: id, status: 'presented', untilMs: 1, taskId: 'task_1', createdAtMs: 0 });
    await db.insert(purchases).values({ orderId: taskOrderId('task_1'), paymentId });
    await db.update(payments).set({ idempotencyKey: id }).where(eq(payments.id, paymentId));
  });
  expect((await chat()).join()).toContain('1.00 USDC is waiting for x:alice.');
});
