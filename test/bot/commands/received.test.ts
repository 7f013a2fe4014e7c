/** What a recipient does with a tip that they were told of. */
import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { pressQuiet, pressReceived } from '../../../bot/commands/received.ts';
import type { CoreDeps } from '../../../bot/conversation/dependencies.ts';
import type { Origin } from '../../../bot/shared/messenger.ts';
import { blockView, pressBlock } from '../../../bot/tips/blocking.ts';
import { microUsdc } from '../../../core/money.ts';
import { plainText, type View } from '../../../core/view.ts';
import { ensureChatAccount } from '../../../db/chats/chat-account.ts';
import { linesOf } from '../../../db/payments/records/find.ts';
import { isAccepted } from '../../../db/tips/accepted.ts';
import { textsEn } from '../../../texts/en.ts';
import type { WorkerContext } from '../../../worker/dependencies.ts';
import { refundRound } from '../../../worker/refunds.ts';
import { openTaskBooks, type TaskBooks } from '../../db/tasks/world.ts';

const [ME, GIVER] = ['telegram:7', 'telegram:8'];
const NOTE = 'look at example.com';

let books: TaskBooks;
let deps: CoreDeps;
let asked: string[];
beforeEach(async () => {
  books = await openTaskBooks();
  asked = [];
  const { store, ids, clock } = books;
  for (const stableId of ['7', '9']) {
    const account = { platform: 'telegram', stableId, display: '@anna', walletAddress: '0x7' } as const;
    await ensureChatAccount({ store, ids, nowMs: clock.nowMs }, account);
  }
  const random = (count: number) => new Uint8Array(randomBytes(count));
  const claims = {
    open: async () => (asked.push('open'), { kind: 'done', claimId: 'claim_1', total: microUsdc(1_000_000n) }),
    keep: async () => (asked.push('keep'), { kind: 'done' }),
  };
  const parts = { store, texts: textsEn, clock: { now: () => clock.nowMs }, networks: [], random, claims };
  deps = parts as unknown as CoreDeps;
});
afterEach(async () => {
  await books.assertSound();
  await books.close();
});

const origin = (userId = ME) =>
  ({ userId, walletId: userId, transport: 'telegram', eventId: 'e', chatId: '7' }) as Origin;

/** A tip to me that waits, with what its giver wrote. */
async function tip(): Promise<{ paymentId: string; txnId: number }> {
  const { store, clock } = books;
  const payer = `0x${'99'.repeat(20)}`;
  const { paymentId } = await books.payDirect({ payer, payees: [{ platform: 'telegram', name: '7', stableId: '7' }] });
  const [line] = await books.linesFor(paymentId);
  const txnId = line?.txnId ?? 0;
  const place = { transport: 'telegram', eventId: `event-${txnId}`, chatId: '-1', messageId: 'm', communityId: '-1' };
  const paying = { walletId: GIVER, network: 'base', payerAddress: payer, amountMicroUsdc: 1_000_000n } as const;
  const wanted = { route: '/payments/telegram/pay', body: { description: NOTE }, recipient: ME } as const;
  const order = { id: `order_${txnId}`, ...place, userId: GIVER, ...paying, ...wanted, txnId };
  const row = { ...order, status: 'answered', createdAtMs: clock.nowMs } as const;
  await store.tx((db) => db.insert(store.tables.orders).values(row));
  return { paymentId, txnId };
}

const labels = ({ actions }: View) => actions.map((one) => (one.kind === 'command' ? one.command : one.label));
const press = (action: 'read_note' | 'keep_tip' | 'decline_tip', txnId: number, userId = ME) =>
  pressReceived(deps, origin(userId), { action, txnId });

async function refund(): Promise<void> {
  const { store, clock, transferIdOf } = books;
  const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
  const worker = { store, now: () => clock.nowMs, log, transferIdOf, settings: { refundMinMicroUsdc: 1n } };
  await refundRound(worker as unknown as WorkerContext, []);
}

const stateOf = async (paymentId: string) =>
  (await linesOf(books.store, paymentId)).map(({ line }) => [line.status, line.returnReason]);

test('a note is read by a press, and nobody else’s press reads it', async () => {
  const { txnId } = await tip();
  const read = await press('read_note', txnId);
  expect(read.audience).toBe('person');
  expect(plainText(read)).toBe(`telegram:8 sent you 1.00 USDC and wrote:\n${NOTE}`);
  expect(labels(read)).toEqual(['Keep it', 'No thanks', 'Stop hearing from them']);
  const others = await press('read_note', txnId, 'telegram:9');
  expect(plainText(others)).not.toContain(NOTE);
  expect(plainText(others)).toContain('no longer works');
});

test('what is kept is collected, and its giver’s notes are shown from then on', async () => {
  const { txnId } = await tip();
  expect(await isAccepted(books.store, { userId: ME, giverId: GIVER })).toBe(false);
  expect(plainText(await press('keep_tip', txnId))).toContain('It arrives in your wallet here');
  expect(asked).toEqual(['open', 'keep']);
  expect(await isAccepted(books.store, { userId: ME, giverId: GIVER })).toBe(true);
});

test('what is declined goes back, and nothing else of the same giver does', async () => {
  const [first, second] = [await tip(), await tip()];
  expect(plainText(await press('decline_tip', first.txnId, 'telegram:9'))).toContain('no longer works');
  expect(plainText(await press('decline_tip', first.txnId))).toBe('Done. It goes back to whoever sent it.');
  expect(plainText(await press('decline_tip', first.txnId))).toContain('no longer works');
  await refund();
  expect(await stateOf(first.paymentId)).toEqual([['returning', 'declined']]);
  expect(await stateOf(second.paymentId)).toEqual([['escrowed', null]]);
});

test('whom a person blocks writes to them no more unasked', async () => {
  const { txnId } = await tip();
  await press('keep_tip', txnId);
  await pressBlock(deps, origin(), { txnId, isBlocked: true });
  expect(await isAccepted(books.store, { userId: ME, giverId: GIVER })).toBe(false);
});

test('how small tips are told is chosen where givers are blocked', async () => {
  const shown = async () => labels(await blockView(deps, origin()));
  expect(await shown()).toEqual(['One line a day']);
  expect(plainText(await pressQuiet(deps, origin(), true))).toBe(
    'Tips below 0.10 USDC: one line a day instead of a message for each.',
  );
  expect(await shown()).toEqual(['A message for each']);
  await pressQuiet(deps, origin(), false);
  expect(await shown()).toEqual(['One line a day']);
});
