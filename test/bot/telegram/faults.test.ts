import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { User } from 'grammy/types';
import { pendingMessages } from '../../../db/chats/bot-messages.ts';
import { openEvents } from '../../../db/chats/chat-events.ts';
import { startFakeApi, type FakeApi } from '../fake-api.ts';
import type { FakeTelegram } from '../../fakes/telegram/start.ts';
import { createBot, runBot } from '../../fakes/telegram/checks/grammy-bot.ts';
import { openTestStore } from '../harness.ts';
import {
  lastText,
  quiet,
  receiptView,
  runTelegram,
  startWorld,
  texts,
  until,
  type RunningTelegram,
  listening,
} from './telegram-harness.ts';

let telegram: FakeTelegram;
let api: FakeApi;
let running: RunningTelegram[];
let alice: User;

beforeEach(async () => {
  telegram = await startWorld();
  api = await startFakeApi();
  running = [];
  alice = telegram.createUser({ firstName: 'Alice', started: true });
});
afterEach(async () => {
  for (const each of running.reverse()) await each.stop();
  await running[0]?.store.close();
  await telegram.close();
  await api.close();
});

async function go(store?: RunningTelegram['store']): Promise<RunningTelegram> {
  const each = await runTelegram({ apiUrl: api.url, telegram, ...(store ? { store } : {}) });
  running.push(each);
  return each;
}

const paidKeys = () => new Set(api.seen.filter(({ header }) => header !== null).map(({ key }) => key));
const sent = () => texts(telegram, alice, alice);

test('an update that comes three times is one order, one answer, and one press', async () => {
  telegram.deliverThrice(true);
  const each = await go();
  for (const name of ['jack', 'jill', 'joan']) telegram.say(alice, alice, `/tip x:${name} 1`);
  await until(() => expect(sent().filter((text) => text.startsWith('Sent'))).toHaveLength(3));
  await until(() => expect(telegram.unconfirmed()).toEqual([]));
  await quiet(each);
  expect(telegram.updates().map((update) => telegram.deliveries(update).length)).toEqual([3, 3, 3]);
  expect(sent()).toHaveLength(3);
  expect(paidKeys().size).toBe(3);
});

test('what was confirmed and not done is done by the next start', async () => {
  const store = await openTestStore();
  const first = await go(store);
  await listening(telegram);
  // The core fails as if the process had died there: the update is confirmed, and nothing came of it.
  Object.assign(first.bot, { handle: async () => Promise.reject(new Error('killed')) });
  telegram.say(alice, alice, '/tip x:jack 1');
  await until(() => expect(telegram.unconfirmed()).toEqual([]));
  await until(async () => expect(await openEvents(store, 'telegram', Date.now(), 10)).toHaveLength(1));
  await first.stop();
  await go(store);
  await until(() => expect(sent()).toEqual([expect.stringMatching(/^Sent 1\.00 USDC to @\u2060jack on X/)]));
  expect(paidKeys().size).toBe(1);
  await until(async () => expect(await openEvents(store, 'telegram', Date.now(), 10)).toEqual([]));
});

test('a reply to a sending that is lost costs a placeholder at most: what tells of money stands there once', async () => {
  const each = await go();
  const lost = telegram.fail('sendMessage', { kind: 'lose_reply' }, 1);
  telegram.say(alice, alice, '/tip x:jack 1');
  await until(() => expect(sent().filter((text) => text.startsWith('Sent'))).toHaveLength(1));
  await quiet(each);
  expect(lost.fired()).toBe(1);
  expect(sent().filter((text) => text.startsWith('Sent'))).toHaveLength(1);
  expect(sent()).toHaveLength(2);
});

test('a receipt comes once, whatever is lost: the sending, the edit, or the bot', async () => {
  const store = await openTestStore();
  const first = await go(store);
  const lost = [
    telegram.fail('sendMessage', { kind: 'lose_reply' }, 1),
    telegram.fail('editMessageText', { kind: 'lose_reply' }, 1),
  ];
  const post = () =>
    first.post({ chatId: String(alice.id), onceKey: 'settled:p1:7', view: receiptView('1.00 USDC is waiting.') });
  await Promise.all([post(), post(), post()]);
  await until(() => expect(lost.map((fault) => fault.fired())).toEqual([1, 1]));
  await first.stop();
  await go(store);
  await until(async () => expect(await pendingMessages(store, 'telegram', 10)).toEqual([]));
  expect(sent().filter((text) => text.includes('is waiting'))).toHaveLength(1);
  expect(telegram.fromBot(alice, alice).find(({ text }) => text.includes('waiting'))?.buttons).toEqual([
    ['Open the receipt'],
  ]);
});

test('what was said long before the bot came back is not done, and said so', async () => {
  const now = { ms: Date.now() - 16 * 60_000 };
  await telegram.close();
  telegram = await startWorld({ nowMs: () => now.ms });
  alice = telegram.createUser({ started: true });
  telegram.say(alice, alice, '/tip x:jack 1');
  now.ms = Date.now();
  telegram.say(alice, alice, '/tip x:jill 1');
  await go();
  await until(() => expect(sent()).toHaveLength(2));
  await until(() =>
    expect(sent().toSorted()).toEqual([
      expect.stringMatching(/^I was away/),
      expect.stringMatching(/^Sent .* @\u2060jill on X/),
    ]),
  );
  expect(paidKeys().size).toBe(1);
});

test('a member who sends very much is told so once, and keeps nobody else waiting', async () => {
  const each = await go();
  await listening(telegram);
  const [loud, quietly] = [telegram.createUser({ started: true }), telegram.createUser({ started: true })];
  for (let count = 0; count < 40; count++) telegram.say(loud, loud, '/help');
  telegram.say(quietly, quietly, '/help');
  await until(() => expect(texts(telegram, quietly, quietly)).toHaveLength(1));
  await until(() => expect(telegram.unconfirmed()).toEqual([]));
  await quiet(each);
  // Nothing may wait for a moment between two of their commands, which are taken one after another.
  await until(() => expect(texts(telegram, loud, loud)).toHaveLength(31));
  await quiet(each);
  const heard = texts(telegram, loud, loud);
  expect(heard).toHaveLength(31);
  expect(heard.filter((text) => text.startsWith('That was a lot at once'))).toHaveLength(1);
});

test('a message that a member has deleted is sent again, once', async () => {
  const each = await go();
  api.script(({ header }) => (header ? { do: 'hang' } : { do: 'challenge' }));
  const group = telegram.createGroup({ members: [alice], bot: 'administrator' });
  telegram.say(alice, group, '/tip x:jack 1');
  await until(() => expect(texts(telegram, alice, group)).toHaveLength(1));
  await until(() => expect(paidKeys().size).toBe(1));
  const [shown] = telegram.fromBot(alice, group);
  await createBot(telegram).api.deleteMessage(group.id, shown?.message.message_id ?? 0);
  const key = `answer:${group.id}:1`;
  const end = receiptView('It is done.');
  await each.adapter.messenger.edit(String(group.id), key, end);
  await until(() => expect(texts(telegram, alice, group)).toEqual(['It is done.']));
  const [again] = telegram.fromBot(alice, group);
  await createBot(telegram).api.deleteMessage(group.id, again?.message.message_id ?? 0);
  await each.adapter.messenger.edit(String(group.id), key, receiptView('It is really done.'));
  await until(async () => expect(await pendingMessages(each.store, 'telegram', 10)).toEqual([]));
  expect(texts(telegram, alice, group)).toEqual([]);
});

describe('Telegram says no', () => {
  test('a member who has blocked the bot is forgotten quietly', async () => {
    const each = await go();
    telegram.say(alice, alice, '/balance');
    await until(() => expect(lastText(telegram, alice, alice)).toContain('20.00'));
    telegram.block(alice);
    const view = receiptView('Too late');
    await each.post({ chatId: String(alice.id), onceKey: 'settled:p1:8', view });
    await until(async () => expect(await pendingMessages(each.store, 'telegram', 10)).toEqual([]));
    expect(telegram.calls('sendMessage').length).toBe(2);
    expect(each.logged).not.toContain('a message was refused for good');
  });

  test('a 429 is waited for, and then the newest is shown', async () => {
    await go();
    const flood = telegram.fail('editMessageText', { kind: 'flood', retryAfterSeconds: 1 }, 1);
    telegram.say(alice, alice, '/tip x:jack 1');
    await until(() => expect(sent()).toEqual([expect.stringMatching(/^Sent/)]));
    expect(flood.fired()).toBe(1);
    const [refusedAt] = telegram.refused(429);
    const edits = telegram.calls('editMessageText').filter(({ outcome }) => outcome.kind === 'done');
    expect((edits.at(-1)?.arrivedAtMs ?? 0) - (refusedAt?.arrivedAtMs ?? 0)).toBeGreaterThanOrEqual(1_000);
  });

  test('a server that fails, a poll that breaks off and one that is refused lose nothing', async () => {
    await go();
    await listening(telegram);
    const faults = [
      telegram.fail('sendMessage', { kind: 'status', status: 502 }, 1),
      telegram.fail('getUpdates', { kind: 'lose_reply' }, 2),
    ];
    telegram.cutPolls();
    telegram.say(alice, alice, '/tip x:jack 1');
    await until(() => expect(sent()).toEqual([expect.stringMatching(/^Sent/)]));
    expect(faults.map((fault) => fault.fired())).toEqual([1, 2]);
  });

  test('while another process asks for the updates it waits, and goes on after that', async () => {
    const each = await go();
    await listening(telegram);
    const other = runBot(createBot(telegram));
    await until(() => expect(each.logged).toContain('another process asks for the updates'));
    await other.stop();
    telegram.say(alice, alice, '/tip x:jack 1');
    await until(() => expect(sent()).toEqual([expect.stringMatching(/^Sent/)]), 15_000);
  });
});
