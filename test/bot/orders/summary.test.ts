import { afterEach, beforeEach, expect, test } from 'vitest';
import { parseRecipient } from '../../../core/platforms/recipient.ts';
import { plainText, type View } from '../../../core/view.ts';
import { findOrderByEvent, markUndone } from '../../../db/tips/orders.ts';
import { openTestStore, createHarness, textEvent, type Harness } from '../harness.ts';
import { startFakeApi, type FakeApi } from '../fake-api.ts';
import type { Store } from '../../../db/store/store.ts';

let api: FakeApi;
let store: Store;
let harness: Harness;
/** Answers under messages: opened once for each, and everything that they have shown. */
let replies: Map<string, View[]>;
let opened: number;

beforeEach(async () => {
  api = await startFakeApi();
  store = await openTestStore();
  replies = new Map();
  opened = 0;
  harness = await start();
});
afterEach(async () => {
  harness.closing.abort();
  await harness.bot.idle();
  await api.close();
  await store.close();
});

/** A transport that can answer messages; the same message has the same answer. */
async function start(): Promise<Harness> {
  const next = await createHarness({ apiUrl: api.url, store });
  const { messenger } = next.chat;
  const { edit } = messenger;
  messenger.reply = async ({ tippedMessageId }, view) => {
    const id = `reply-${tippedMessageId}`;
    if (!replies.has(id)) opened++;
    replies.set(id, [...(replies.get(id) ?? []), view]);
    return id;
  };
  messenger.edit = async (chatId, messageId, view) => {
    replies.get(messageId)?.push(view);
    await edit(chatId, messageId, view);
  };
  return next;
}

const bob = parseRecipient('discord', '42');
const event = (text: string, eventId: string, userId: string, repliesToMessageId = 'message-1') => ({
  ...textEvent(text, eventId, userId),
  context: { repliesTo: bob, repliesToMessageId },
});
const shown = (id = 'reply-message-1') => (replies.get(id) ?? []).map((view) => plainText(view)).at(-1);

test('many who tip one message are told together, in one answer under it', async () => {
  api.script((one) => (one.header ? { do: 'paid', txnId: api.seen.length } : { do: 'challenge' }));
  await Promise.all(
    [1, 2, 3, 4].map((n) => harness.bot.handle(event(`/tip ${n}`, `event-${n}`, `chat:user-${Math.min(n, 3)}`))),
  );
  await harness.bot.idle();
  expect(opened).toBe(1);
  expect(shown()).toBe('discord:42 got 10.00 USDC for this, from 3 people, in 4 tips.');
  for (const n of [5, 6]) {
    await harness.bot.handle(event('/tip 1', `event-${n}`, 'chat:user-5', 'message-2'));
    await harness.bot.idle();
    // A single tip has its own message.
    const second = n === 6 ? 'discord:42 got 2.00 USDC for this, from 1 person, in 2 tips.' : undefined;
    expect(shown('reply-message-2')).toBe(second);
  }
});

test('each payer has a receipt in an answer of their own', async () => {
  await harness.bot.handle(event('/tip 1', 'event-1', 'chat:user-1'));
  await harness.bot.idle();
  expect(harness.chat.last('event-1')?.actions).toMatchObject([{ kind: 'link', label: 'Open the receipt' }]);
});

test('an event that comes three times is one of the tips', async () => {
  const same = event('/tip 1', 'event-1', 'chat:user-1');
  await Promise.all([same, same, same].map((one) => harness.bot.handle(one)));
  await harness.bot.idle();
  expect(opened).toBe(0);
  await harness.bot.handle(event('/tip 1', 'event-2', 'chat:user-1'));
  await harness.bot.idle();
  expect(shown()).toBe('discord:42 got 2.00 USDC for this, from 1 person, in 2 tips.');
});

test('a crash before the answer is shown leads to it at the next start', async () => {
  api.script((one) => (one.header ? { do: 'paid', txnId: api.seen.length } : { do: 'challenge' }));
  harness.chat.messenger.reply = () => Promise.reject(new Error('killed'));
  for (const n of [1, 2]) {
    await harness.bot.handle(event('/tip 1', `event-${n}`, 'chat:user-1'));
    await harness.bot.idle();
  }
  expect(opened).toBe(0);
  expect((await findOrderByEvent(store, 'test', 'event-2'))?.shownAtMs).toBeNull();
  harness = await start();
  await harness.bot.resume();
  expect(shown()).toBe('discord:42 got 2.00 USDC for this, from 1 person, in 2 tips.');
});

test('a tip that is taken back is no longer part of it, and when nothing is left it says so', async () => {
  api.script((one) => (one.header ? { do: 'paid', txnId: api.seen.length } : { do: 'challenge' }));
  for (const n of [1, 2]) await harness.bot.handle(event(`/tip ${n}`, `event-${n}`, `chat:user-${n}`));
  await harness.bot.idle();
  expect(shown()).toBe('discord:42 got 3.00 USDC for this, from 2 people.');
  const takeBack = async (eventId: string) => {
    const order = await findOrderByEvent(store, 'test', eventId);
    await markUndone(store, order?.id ?? '', [order?.txnId ?? 0], 1);
    await harness.bot.resume();
  };
  await takeBack('event-2');
  expect(shown()).toBe('discord:42 got 1.00 USDC for this, from 1 person.');
  await takeBack('event-1');
  expect(shown()).toBe('What people gave for this was taken back.');
  await harness.bot.handle(event('/tip 5', 'event-3', 'chat:user-3'));
  await harness.bot.idle();
  expect([opened, shown()]).toEqual([1, 'discord:42 got 5.00 USDC for this, from 1 person.']);
});

test('a tip to another person than the author, and one that failed, are no part of it', async () => {
  api.script((one) => (one.header ? { do: 'paid', txnId: api.seen.length } : { do: 'challenge' }));
  await harness.bot.handle(event('/tip 1', 'event-0', 'chat:user-1'));
  await harness.bot.handle(event('/tip x:alice 1', 'event-1', 'chat:user-1'));
  await harness.bot.idle();
  api.script(() => ({ do: 'answer', status: 400, json: { error: 'receiver_not_found' } }));
  await harness.bot.handle(event('/tip 1', 'event-2', 'chat:user-1'));
  await harness.bot.idle();
  expect(opened).toBe(0);
  expect((await findOrderByEvent(store, 'test', 'event-1'))?.tippedMessageId).toBeNull();
});

test('a transport without answers keeps a receipt for each', async () => {
  delete harness.chat.messenger.reply;
  await harness.bot.handle(event('/tip 1', 'event-1', 'chat:user-1'));
  await harness.bot.idle();
  expect((await findOrderByEvent(store, 'test', 'event-1'))?.tippedMessageId).toBeNull();
  expect(harness.chat.last('event-1')?.actions).toMatchObject([{ kind: 'link' }]);
});
