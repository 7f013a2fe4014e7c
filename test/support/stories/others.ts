/** What is no payment, and what an operator finds of it: a reward, a drop, a bill, and withdrawals. */
import { distributionOrderId } from '../../../core/rewards/distribution.ts';
import type { Store } from '../../../db/store/store.ts';
import { START_MS } from '../books.ts';

export const OTHERS = {
  FROM: `0x${'Ab'.repeat(20)}`,
  TO: `0x${'66'.repeat(20)}`,
  HASH: `0x${'ab'.repeat(32)}`,
  WITHDRAWAL: 'cd'.repeat(16),
  PROPOSAL: 'ef'.repeat(16),
} as const;
const TIMES = { createdAtMs: START_MS, expiresAtMs: START_MS };
const CHAT = { transport: 'telegram', chatId: '-1', communityId: '-1' };

/** The payment that all of them led to. */
type Paid = { payer: string; paymentId: string; txnId: number };

/** A reward that a card paid, a drop and a bill whose order was answered, and withdrawals of a person and a community. */
export async function fillOthers(store: Store, { payer, paymentId, txnId }: Paid): Promise<void> {
  const { tables } = store;
  const order = {
    id: 'order_1',
    ...CHAT,
    eventId: '1',
    messageId: '1',
    userId: 'telegram:1',
    walletId: 'telegram:1',
    network: 'base' as const,
    payerAddress: payer,
    route: '/x',
    body: {},
    recipient: 'x:alice',
    amountMicroUsdc: 1n,
    status: 'answered' as const,
    header: 'secret',
    txnId,
    createdAtMs: START_MS,
  };
  const card = {
    id: 'reward_1',
    requestKey: 'k',
    distributionId: 'dist_1',
    walletId: 'telegram-group:1',
    ...CHAT,
    proposedBy: 'telegram:1',
    post: 'p',
    excluded: [],
    budgetMicroUsdc: 5n,
    totalMicroUsdc: 5n,
    preview: {},
    costMaxMicroUsdc: 0n,
    status: 'paid' as const,
    header: 'secret',
    payerAddress: OTHERS.FROM,
    ...TIMES,
  };
  const drop = {
    id: 'drop_1',
    eventKey: 'k',
    ...CHAT,
    giverId: 'telegram:1',
    amountMicroUsdc: 3n,
    people: 2,
    status: 'agreed' as const,
    orderId: 'order_1',
    createdAtMs: START_MS,
    closesAtMs: 1,
    endsAtMs: 2,
  };
  const ask = {
    billId: 'ask_1',
    eventKey: 'k',
    ...CHAT,
    askerId: 'telegram:1',
    amountMicroUsdc: 2n,
    reason: 'rent',
    createdAtMs: START_MS,
    endsAtMs: START_MS,
  };
  const transfer = {
    id: OTHERS.WITHDRAWAL,
    network: 'base' as const,
    purpose: 'wallet_withdrawal' as const,
    fromAddress: OTHERS.FROM,
    toAddress: OTHERS.TO,
    amountMicroUsdc: 4n,
    generation: 0,
    status: 'assigned' as const,
    signature: 'secret',
    nextTryAtMs: 0,
    tries: 0,
    exposed: false,
    createdAtMs: START_MS,
  };
  const out = { network: 'base' as const, toAddress: OTHERS.TO, amountMicroUsdc: 4n, createdAtMs: START_MS };
  await store.tx(async (db) => {
    await db.insert(tables.distributions).values({
      id: 'dist_1',
      secretHash: 'secret',
      platform: 'x',
      contentId: '1',
      postUrl: 'https://x.com/a/status/1',
      authorId: '1',
      excerpt: '',
      publishedAtMs: 1,
      budgetMicroUsdc: 5n,
      recipientsMax: 1,
      caller: '10.0.0.1',
      weights: { like: 1, comment: 1, repost: 1 },
      shares: [],
      leftOut: [],
      ...TIMES,
    });
    await db.insert(tables.rewardCards).values(card as unknown as typeof tables.rewardCards.$inferInsert);
    await db.insert(tables.purchases).values({ orderId: distributionOrderId('dist_1'), paymentId });
    await db.insert(tables.orders).values(order);
    await db.insert(tables.drops).values(drop);
    const taker = { dropId: 'drop_1', userId: 'telegram:2', position: 0, names: ['x:alice'], isStruck: false };
    await db.insert(tables.dropTakers).values(taker);
    await db.insert(tables.moneyRequests).values([
      { ...ask, id: 'ask_1', askedId: 'telegram:2', status: 'agreed', orderId: 'order_1' },
      { ...ask, id: 'ask_1.01', askedId: 'telegram:3', status: 'open' },
    ]);
    await db.insert(tables.transfers).values(transfer);
    await db.insert(tables.walletWithdrawals).values({
      ...out,
      id: OTHERS.WITHDRAWAL,
      holderId: 'telegram:2',
      requestKey: 'k',
      walletId: 'x:1',
      fromAddress: OTHERS.FROM,
      status: 'leaving',
      notBeforeMs: START_MS,
    });
    const holder = { holderId: 'telegram:2', walletId: 'x:1', identityId: 'p', name: 'x:alice' };
    await db.insert(tables.walletHolders).values({ ...holder, sinceMs: 1, spendsFromMs: 0, looksFromMs: 0 });
    await db.insert(tables.carrierItems).values({ carrierId: 'c', itemId: OTHERS.WITHDRAWAL });
    await db
      .insert(tables.carrierTransactions)
      .values({ hash: OTHERS.HASH, carrierId: 'c', bytes: 'secret', signedAtMs: 1 });
    await db.insert(tables.treasuryWithdrawals).values({
      ...out,
      id: OTHERS.PROPOSAL,
      requestKey: 'k',
      walletId: 'telegram-group:1',
      addressId: 'a',
      ...CHAT,
      status: 'proposed',
      proposedBy: 'telegram:1',
    });
  });
}
