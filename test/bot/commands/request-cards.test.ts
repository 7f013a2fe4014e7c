/** Cards of money requests: presses that meet, a card that does not stand there yet, and what the books say. */
import { eq } from 'drizzle-orm';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { pressRequest } from '../../../bot/commands/request-press.ts';
import { requestCard, showRequest } from '../../../bot/money-requests/request-views.ts';
import { REQUEST_MS, REQUESTS_DAY_MS } from '../../../core/money-requests/money-requests.ts';
import { privateView } from '../../../bot/conversation/views.ts';
import { openMessage } from '../../../db/chats/bot-messages.ts';
import { eraseChatUser } from '../../../db/chats/erase.ts';
import { noteNews } from '../../../db/tips/orders.ts';
import {
  findRequest,
  forgetRequests,
  noteRequestMessage,
  openRequests,
} from '../../../db/money-requests/money-requests.ts';
import { openChatStage, type ChatStage } from '../core/chat-stage.ts';
import { allowMore, pressEvent, START_MS, usdc } from '../harness.ts';

const TXN = 4711;
const CARD = { id: 'ask_1', billId: null };
const ASKED = { transport: 'telegram', userId: 'telegram:7', walletId: 'telegram:7' };

let stage: ChatStage;
beforeEach(async () => {
  stage = await openChatStage();
  Object.assign(stage.deps.messengers, { telegram: stage.chat.messenger });
  await allowMore(stage.store, ASKED.walletId);
  const own = { holderId: ASKED.userId, walletId: ASKED.walletId, identityId: 'asked', name: 'telegram:7' };
  const since = { sinceMs: START_MS, spendsFromMs: 0, looksFromMs: 0 };
  await stage.store.tx((db) => db.insert(stage.store.tables.walletHolders).values({ ...own, ...since }));
});
afterEach(() => stage.close());

/** `isThere`: the adapter has told where its card stands. */
async function open({ isThere = true } = {}) {
  const opened = await openRequests(stage.store, [
    {
      id: 'ask_1',
      billId: null,
      eventKey: 'telegram:card',
      transport: 'telegram',
      chatId: 'chat',
      language: null,
      askerId: 'telegram:8',
      askedId: ASKED.userId,
      amountMicroUsdc: usdc(5),
      reason: 'lunch',
      createdAtMs: START_MS,
      endsAtMs: START_MS + REQUEST_MS,
    },
  ]);
  if (!('row' in opened)) throw new Error(opened.problem);
  const { view } = await requestCard(stage.deps, opened.row);
  stage.chat.messages.set('chat/card', [view]);
  if (isThere) await noteRequestMessage(stage.store, CARD, 'chat/card');
}

async function press(label: RegExp, eventId: string): Promise<void> {
  const button = stage.chat.last('card')?.actions.find((one) => one.kind === 'button' && label.test(one.label));
  if (button?.kind !== 'button') throw new Error('there is no such button');
  await stage.bot.press({ ...pressEvent(button.id, eventId), ...ASKED });
}

async function looks(): Promise<string | undefined> {
  stage.pass(61_000);
  await stage.bot.resume();
  await stage.bot.idle();
  return stage.chat.textOf('card');
}

test('of two presses at once neither is told that the button is over, and one payment is made', async () => {
  await open();
  await Promise.all([press(/^Pay/, 'one'), press(/^Pay/, 'two')]);
  await stage.bot.idle();
  const said = `${stage.chat.textOf('one')} ${stage.chat.textOf('two')}`;
  expect(said).toMatch(/Sent 5\.00 USDC/);
  expect(said).toMatch(/said yes to 5\.00 USDC for/);
  expect(stage.paid()).toBe(1);
});

test('a card that is answered before it stands there shows that once it does', async () => {
  await open({ isThere: false });
  await press(/^Decline/, 'no');
  await noteRequestMessage(stage.store, CARD, 'chat/card');
  expect(await looks()).toContain('Not this time.');
  expect((await findRequest(stage.store, 'ask_1'))?.nextLookAtMs).toBeNull();
});

test('who was stopped while it showed a card shows what was answered meanwhile', async () => {
  await open();
  const { messenger } = stage.chat;
  const { edit } = messenger;
  messenger.edit = async (chatId, messageId, view) => {
    messenger.edit = edit;
    await press(/^Decline/, 'no');
    expect(stage.chat.textOf('card')).toContain('Not this time.');
    await edit(chatId, messageId, view);
  };
  const row = await findRequest(stage.store, 'ask_1');
  if (row === null) throw new Error('there is no request');
  await showRequest(stage.deps, row);
  expect(stage.chat.textOf('card')).toContain('Not this time.');
  expect((await findRequest(stage.store, 'ask_1'))?.nextLookAtMs).toBeNull();
});

/** The payment as the API has it in the books. */
async function book(payout: 'queued' | 'held' | 'final', line: 'paying' | 'returning' = 'paying'): Promise<void> {
  const { lines, transfers } = stage.store.tables;
  const common = { amountMicroUsdc: usdc(5), status: line };
  const name = { platform: 'telegram', receiver: '8', recipientKey: '8', display: '8', identityId: 'identity' };
  const place = { txnId: TXN, paymentId: 'payment', position: 0, slug: 'slug', publicSlug: 'public', expiresAtMs: 1 };
  const transfer = {
    id: 'payout',
    network: 'base',
    purpose: 'payout',
    sourceAccount: 'escrow:base:identity',
    fromAddress: '0x1',
    toAddress: '0x2',
    amountMicroUsdc: usdc(5),
    generation: 0,
    status: payout,
    nextTryAtMs: 0,
    tries: 0,
    exposed: false,
    createdAtMs: 0,
  } as typeof transfers.$inferInsert;
  const row = { ...place, ...name, ...common, payoutId: 'payout' } as typeof lines.$inferInsert;
  await stage.store.tx(async (db) => {
    await db
      .insert(transfers)
      .values(transfer)
      .onConflictDoUpdate({ target: transfers.id, set: { status: payout } });
    await db
      .insert(lines)
      .values(row)
      .onConflictDoUpdate({ target: lines.txnId, set: { status: line } });
  });
}

test.each([
  ['paying', /paid 5\.00 USDC to/],
  ['returning', /It was not paid\./],
] as const)('a card waits for the books: what is on its way or held is not paid yet (%s)', async (line, end) => {
  await open();
  await press(/^Pay/, 'yes');
  await stage.bot.idle();
  for (const payout of ['queued', 'held'] as const) {
    await book(payout);
    expect(await looks()).toMatch(/sent 5\.00 USDC to .*It hasn’t arrived yet\./);
  }
  await book('final', line);
  expect(await looks()).toMatch(end);
  expect((await findRequest(stage.store, 'ask_1'))?.nextLookAtMs).toBeNull();
});

test('an erasure takes the words off a card that is still open, and the card stays to be answered', async () => {
  await open();
  expect(stage.chat.textOf('card')).toContain('lunch');
  await eraseChatUser(stage.store, 'telegram:8', stage.clock.now());
  const text = await looks();
  expect(text).toContain('asks you for 5.00 USDC');
  expect(text).not.toContain('lunch');
  await press(/^Pay/, 'yes');
  await stage.bot.idle();
  expect(stage.paid()).toBe(1);
});

test('what waits to be shown of an erased order is not shown, also where it has news', async () => {
  await open();
  await press(/^Pay/, 'yes');
  await stage.bot.idle();
  const { orders, botMessages } = stage.store.tables;
  const [order] = await stage.store.read.select().from(orders).where(eq(orders.userId, ASKED.userId));
  if (!order) throw new Error('there is no order');
  expect(await noteNews(stage.store, order.id)).toBe(true);
  const message = { transport: 'telegram', key: order.messageId, chatId: 'chat', eventId: 'yes', language: null };
  const view = privateView('ok', [[{ text: 'to whom, how much and why' }]]);
  await openMessage(stage.store, { ...message, userId: ASKED.userId, view, nowMs: START_MS });
  expect(await eraseChatUser(stage.store, ASKED.userId, START_MS)).toBe(1);
  const [row] = await stage.store.read.select().from(botMessages).where(eq(botMessages.key, order.messageId));
  expect(row?.view).toBeNull();
  // It still counts for the day, and tells nothing of the person.
  const left = await findRequest(stage.store, 'ask_1');
  expect(left).toMatchObject({ chatId: '', messageId: null, reason: null });
  expect(Object.values(left ?? {})).not.toContain(ASKED.userId);
  await forgetRequests(stage.store, START_MS - REQUEST_MS, START_MS + REQUESTS_DAY_MS);
  expect(await findRequest(stage.store, 'ask_1')).toBeNull();
});

test('a card that cannot be shown when its payment has ended is a line in the log, and no fault that nobody handles', async () => {
  await open();
  let isAway = false;
  const warned: string[] = [];
  const store = {
    ...stage.store,
    get read() {
      if (isAway) throw new Error('the database is away');
      return stage.store.read;
    },
  };
  const log = { ...stage.deps.log, warn: (_facts: object, text: string) => void warned.push(text) };
  let end = (): void => undefined;
  const orders = { run: () => new Promise<void>((resolve) => (end = resolve)) };
  const event = { ...pressEvent('button', 'one'), ...ASKED };
  await pressRequest({ ...stage.deps, store, log }, { orders }, event, { action: 'pay_request', requestId: CARD.id });
  isAway = true;
  end();
  await expect.poll(() => warned).toEqual(['the card of a request could not be shown']);
});
