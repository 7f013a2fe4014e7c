/** A person blocks a payer who gave them something: under every name of theirs, and what waits goes back. */
import { randomBytes } from 'node:crypto';
import { isNotNull } from 'drizzle-orm';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { blockView, pressBlock } from '../../../bot/tips/blocking.ts';
import type { CoreDeps } from '../../../bot/conversation/dependencies.ts';
import type { Origin } from '../../../bot/shared/messenger.ts';
import { plainText } from '../../../core/view.ts';
import { ensureChatAccount } from '../../../db/chats/chat-account.ts';
import { pressButton } from '../../../db/chats/buttons.ts';
import { linesOf } from '../../../db/payments/records/find.ts';
import { textsEn } from '../../../texts/en.ts';
import type { WorkerContext } from '../../../worker/dependencies.ts';
import { refundRound } from '../../../worker/refunds.ts';
import { openTaskBooks, type TaskBooks } from '../../db/tasks/world.ts';

const [GIVER, OTHER] = [`0x${'99'.repeat(20)}`, `0x${'88'.repeat(20)}`];
const ME = 'telegram:7';

let books: TaskBooks;
let deps: CoreDeps;
beforeEach(async () => {
  books = await openTaskBooks();
  const { store, ids, clock } = books;
  const account = { platform: 'telegram', stableId: '7', display: '@anna', walletAddress: '0x7' } as const;
  await ensureChatAccount({ store, ids, nowMs: clock.nowMs }, account);
  const random = (count: number) => new Uint8Array(randomBytes(count));
  deps = { store, texts: textsEn, clock: { now: () => clock.nowMs }, networks: [], random } as unknown as CoreDeps;
});
afterEach(async () => {
  await books.assertSound();
  await books.close();
});

const origin = (userId = ME) =>
  ({ userId, walletId: userId, transport: 'telegram', eventId: 'e', chatId: '7' }) as Origin;
const pay = (payer: string, stableId = '7') =>
  books.payDirect({ payer, payees: [{ platform: 'telegram', name: stableId, stableId }] });
const statesOf = async ({ paymentId }: { paymentId: string }) =>
  (await linesOf(books.store, paymentId)).map(({ line }) => [line.status, line.returnReason]);

async function press(index: number, userId = ME) {
  const view = await blockView(deps, origin());
  const button = view.actions[index];
  if (button?.kind !== 'button') throw new Error('there is no such button');
  const action = await pressButton(books.store, { buttonId: button.id, userId: ME, eventId: `press-${index}` });
  if (action?.action !== 'block_giver' && action?.action !== 'allow_giver') throw new Error('it does something else');
  return pressBlock(deps, origin(userId), { txnId: action.txnId, isBlocked: action.action === 'block_giver' });
}

function round(): Promise<number> {
  const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
  const { store, clock, transferIdOf } = books;
  const worker = { store, now: () => clock.nowMs, log, transferIdOf, settings: { refundMinMicroUsdc: 1n } };
  return refundRound(worker as unknown as WorkerContext, []);
}

test('nobody is listed before anything came', async () => {
  expect(plainText(await blockView(deps, origin()))).toContain('Nobody has sent you anything yet.');
});

test('what waits from the blocked one goes back, what others gave stays, and it can be undone', async () => {
  const theirs = await pay(GIVER);
  const others = [await pay(OTHER), await pay(GIVER, '8')];
  const at =
    plainText(await blockView(deps, origin())).indexOf(GIVER) <
    plainText(await blockView(deps, origin())).indexOf(OTHER)
      ? 0
      : 1;
  expect(plainText(await press(at))).toContain('Nothing of theirs reaches you');
  await round();
  expect(await statesOf(theirs)).toEqual([['returning', 'opted_out']]);
  for (const one of others) expect(await statesOf(one)).toEqual([['escrowed', null]]);
  // Paid before the block, and settled after it.
  const late = await pay(GIVER);
  await round();
  expect(await statesOf(late)).toEqual([['returning', 'opted_out']]);
  expect(plainText(await blockView(deps, origin()))).toContain('(blocked)');
  const view = await blockView(deps, origin());
  const again = view.actions.findIndex((one) => one.kind === 'button' && one.label.startsWith('Allow'));
  await press(again);
  const later = await pay(GIVER);
  await round();
  expect(await statesOf(later)).toEqual([['escrowed', null]]);
});

test('a tip to another person names nobody to block', async () => {
  await pay(GIVER);
  expect(plainText(await press(0, 'telegram:8'))).toContain('no longer works');
});

/** A tip to me by plain transfer from an exchange; of this tipper's order, or of nobody whom a chat knows. */
async function transfer(tipper: string | null): Promise<{ paymentId: string }> {
  const { offer } = await books.open();
  await books.land({ value: offer.amountMicroUsdc, from: GIVER });
  const before = await transfersSeen();
  expect(await books.round({ platform: 'telegram', name: '7', stableId: '7' })).toEqual(['paid']);
  const paymentId = (await transfersSeen()).find((id) => !before.includes(id)) ?? '';
  const [line] = await books.linesFor(paymentId);
  if (tipper !== null) await orderOf(tipper, line?.txnId ?? 0);
  return { paymentId };
}

async function transfersSeen(): Promise<string[]> {
  const { payments } = books.store.tables;
  const rows = await books.store.read
    .select({ id: payments.id })
    .from(payments)
    .where(isNotNull(payments.landedAddress));
  return rows.map(({ id }) => id);
}

async function orderOf(userId: string, txnId: number): Promise<void> {
  const { store, clock } = books;
  const place = { transport: 'telegram', eventId: `event-${txnId}`, chatId: '8', messageId: 'm' };
  const paying = { walletId: userId, network: 'base', payerAddress: '0x8', amountMicroUsdc: 1_000_000n } as const;
  const wanted = { route: '/payments/telegram/pay', body: {}, recipient: 'telegram:7', status: 'answered' } as const;
  const row = { id: `order_${txnId}`, ...place, userId, ...paying, ...wanted, txnId, createdAtMs: clock.nowMs };
  await store.tx((db) => db.insert(store.tables.orders).values(row));
}

test('of an exchange that pays for many, one customer is blocked and the others are not', async () => {
  const theirs = await transfer('telegram:8');
  const others = [await transfer('telegram:9'), await transfer(null)];
  const view = await blockView(deps, origin());
  expect(plainText(view)).not.toContain(GIVER);
  const lines = plainText(view).split('\n');
  const at =
    lines.findIndex((line) => line.includes('telegram:8')) < lines.findIndex((line) => line.includes('telegram:9'))
      ? 0
      : 1;
  await press(at);
  await round();
  expect(await statesOf(theirs)).toEqual([['returning', 'opted_out']]);
  for (const one of others) expect(await statesOf(one)).toEqual([['escrowed', null]]);
  expect(plainText(await blockView(deps, origin()))).toContain('telegram:8 (blocked)');
  // Sent before the block, and arrived after it.
  const late = [await transfer('telegram:8'), await transfer('telegram:9')];
  await round();
  expect(await Promise.all(late.map(statesOf))).toEqual([[['returning', 'opted_out']], [['escrowed', null]]]);
});
