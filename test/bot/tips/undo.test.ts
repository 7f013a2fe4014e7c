import { afterEach, beforeEach, expect, test } from 'vitest';
import type { CancelAnswer } from '../../../bot/requests/cancellations.ts';
import { eq } from 'drizzle-orm';
import { markShown, noteNews } from '../../../db/tips/orders.ts';
import { START_MS, usdc } from '../harness.ts';
import { openChatStage, type ChatStage } from '../core/chat-stage.ts';

const TXN = 4711;
let stage: ChatStage;
let answer: CancelAnswer;
let asked: { txnId: number; signature: string; validBefore: number }[];

beforeEach(async () => {
  stage = await openChatStage({ faucet: true });
  answer = { kind: 'done' };
  asked = [];
  stage.deps.cancellations = {
    cancel: async (txnId, signed) => {
      asked.push({ txnId, ...signed });
      return answer;
    },
  };
  await putLine('escrowed');
});
afterEach(() => stage.close());

/** The payment as the API has it in the books. */
async function putLine(status: 'escrowed' | 'paying'): Promise<void> {
  const { lines } = stage.store.tables;
  const row = {
    txnId: TXN,
    paymentId: 'payment',
    position: 0,
    identityId: 'identity',
    platform: 'x',
    receiver: 'alice',
    recipientKey: 'alice',
    display: 'alice',
    amountMicroUsdc: usdc(1),
    status,
    slug: 'slug',
    publicSlug: 'public',
    expiresAtMs: START_MS,
  } as typeof lines.$inferInsert;
  await stage.store.tx((db) =>
    db.insert(lines).values(row).onConflictDoUpdate({ target: lines.txnId, set: { status } }),
  );
}

const UNDO = 'Take it back';
const tip = () => stage.say('/tip x:alice 1', 'tip');

test('a tip that waits to be collected can be taken back by its payer', async () => {
  await tip();
  expect(stage.labels('tip')).toEqual(['Open the receipt', UNDO]);
  expect(await stage.press('tip', UNDO, 'chat:mallory')).toContain('Only whoever asked for this');
  expect(asked).toEqual([]);
  expect(await stage.press('tip', UNDO)).toBeUndefined();
  expect(stage.shown('tip').text).toBe('Taken back: 1.00 USDC for @alice on X. It is on its way to your wallet.');
  const validBefore = Math.floor(START_MS / 1_000) + 120;
  expect(asked).toEqual([{ txnId: TXN, signature: `0xchat:user-1/${TXN}/${validBefore}`, validBefore }]);
});

test('what becomes true later is shown in the same message, also where that happens while it is being shown', async () => {
  await tip();
  expect(stage.shown('tip').text).toContain('1.00 USDC is waiting for @alice on X.');
  const before = (await stage.orderOf('tip'))!;
  await putLine('paying');
  expect(await noteNews(stage.store, before.id)).toBe(true);
  // A process that showed what was known before has not shown this.
  expect(await markShown(stage.store, before, START_MS)).toBe(false);
  await stage.bot.resume();
  await stage.bot.idle();
  expect(stage.shown('tip').text).toBe('Sent 1.00 USDC to @alice on X.');
  expect((await stage.orderOf('tip'))?.shownAtMs).not.toBeNull();
});

test('one that is on its way to its recipient cannot', async () => {
  await putLine('paying');
  await tip();
  expect(stage.labels('tip')).toEqual(['Open the receipt']);
});

test('too late is said, and the message stays as it is', async () => {
  await tip();
  answer = { kind: 'too_late' };
  expect(await stage.press('tip', UNDO)).toBe('Too late: @alice on X has it, or has begun to collect it.');
  expect(stage.shown('tip').text).toMatch(/^Sent 1\.00 USDC to @alice on X\.\n1\.00 USDC is waiting for @alice on X\./);
});

test('when nobody answers it can be pressed again', async () => {
  await tip();
  answer = { kind: 'unknown', reason: 'status none' };
  expect(await stage.press('tip', UNDO)).toContain('please press again in a minute');
  answer = { kind: 'done' };
  expect(await stage.press('tip', UNDO)).toBeUndefined();
  expect(stage.shown('tip').text).toContain('Taken back');
});

test('a crash after the API took it back is made good by the next press', async () => {
  await tip();
  const { cancellations } = stage.deps;
  stage.deps.cancellations = {
    cancel: async (txnId, signed) => {
      await cancellations?.cancel(txnId, signed);
      throw new Error('the process ends here');
    },
  };
  expect(await stage.press('tip', UNDO)).toContain('Something went wrong on my side');
  if (cancellations) stage.deps.cancellations = cancellations;
  expect(await stage.press('tip', UNDO)).toBeUndefined();
  expect(stage.shown('tip').text).toContain('Taken back');
  expect(asked).toHaveLength(2);
});

test('a crash before the chat has shown it is made good by the next start', async () => {
  await tip();
  const { orders } = stage.store.tables;
  const change = { undoneAtMs: START_MS, shownAtMs: null };
  await stage.store.tx((db) => db.update(orders).set(change).where(eq(orders.eventId, 'tip')));
  await stage.bot.resume();
  await stage.bot.idle();
  expect(stage.shown('tip').text).toContain('Taken back');
});

test('works while spending is locked: it only brings money home', async () => {
  await tip();
  await stage.say('/lock', 'lock');
  expect(await stage.press('tip', UNDO)).toBeUndefined();
  expect(asked).toHaveLength(1);
});

test('is signed for payments of its own order only, and only once that was paid', async () => {
  await tip();
  const { id: orderId, userId } = (await stage.orderOf('tip'))!;
  const { signer } = stage.deps;
  await expect(signer.signCancellation({ orderId, txnId: TXN + 1, userId })).rejects.toThrow(
    `a payment of the order: ${TXN}, found ${TXN + 1}`,
  );
  await expect(signer.signCancellation({ orderId: 'order_of_nobody', txnId: TXN, userId })).rejects.toThrow(
    'an order of ours',
  );
  const { orders } = stage.store.tables;
  const forge = (change: Partial<typeof orders.$inferSelect>) =>
    stage.store.tx((db) => db.update(orders).set(change).where(eq(orders.id, orderId)));
  const stranger = 'discord:stranger';
  await expect(signer.signCancellation({ orderId, txnId: TXN, userId: stranger })).rejects.toThrow('a wallet that');
  await forge({ payerAddress: `0x${'ab'.repeat(20)}` });
  await expect(signer.signCancellation({ orderId, txnId: TXN, userId })).rejects.toThrow('in the order');
  await forge({ header: null });
  await expect(signer.signCancellation({ orderId, txnId: TXN, userId })).rejects.toThrow('its wallet has paid');
  await forge({ status: 'signed' });
  await expect(signer.signCancellation({ orderId, txnId: TXN, userId })).rejects.toThrow('an order that was paid');
});
