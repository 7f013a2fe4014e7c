import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { User } from 'grammy/types';
import { DEFAULT_SETTINGS, type CommunitySettings } from '../../../core/communities/community-settings.ts';
import { isBanned } from '../../../db/communities/community-bans.ts';
import { changeCommunitySettings, readCommunitySettings } from '../../../db/communities/community-settings.ts';
import { dueMessages, expireMessage } from '../../../db/chats/expiring-messages.ts';
import { pendingMessages } from '../../../db/chats/bot-messages.ts';
import type { Store } from '../../../db/store/store.ts';
import { startFakeApi, type FakeApi } from '../fake-api.ts';
import type { FakeTelegram } from '../../fakes/telegram/start.ts';
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
} from './telegram-harness.ts';

const FAR_MS = Date.UTC(2100, 0);

let telegram: FakeTelegram;
let api: FakeApi;
let store: Store;
let running: RunningTelegram;
let alice: User;
let bob: User;

beforeEach(async () => {
  telegram = await startWorld();
  api = await startFakeApi();
  store = await openTestStore();
  running = await runTelegram({ apiUrl: api.url, telegram, store });
  alice = telegram.createUser({ firstName: 'Alice', started: true });
  bob = telegram.createUser({ firstName: 'Bob' });
});
afterEach(async () => {
  await running.close();
  await telegram.close();
  await api.close();
});

async function decide(group: { id: number }, settings: Partial<CommunitySettings>): Promise<void> {
  const community = { transport: 'telegram', communityId: String(group.id) };
  await changeCommunitySettings(store, community, { changedBy: 'telegram:1', nowMs: 1 }, () => ({
    kind: 'changed',
    settings: { ...DEFAULT_SETTINGS, ...settings },
  }));
}

const kept = () => dueMessages(store, 'telegram', FAR_MS, 100);

async function restart(): Promise<void> {
  await running.stop();
  running = await runTelegram({ apiUrl: api.url, telegram, store });
}

/** As if their time was over, and the bot had been away meanwhile. */
async function expire(): Promise<void> {
  await running.stop();
  for (const row of await kept()) await expireMessage(store, { ...row, dueAtMs: Date.now() - 1 });
  running = await runTelegram({ apiUrl: api.url, telegram, store });
}

const settingsOf = ({ id }: { id: number }) =>
  readCommunitySettings(store, { transport: 'telegram', communityId: String(id) });

describe('/settings in the group', () => {
  test('is obeyed where a moderator says it, also as the group, and tells nobody else', async () => {
    const group = telegram.createGroup({ members: [bob], admins: [alice], bot: 'administrator' });
    telegram.say(alice, group, '/settings lifetime 1h');
    await until(async () => expect((await settingsOf(group)).messageLifetimeSeconds).toBe(3_600));
    await quiet(running);
    expect(texts(telegram, alice, group)).toHaveLength(1);
    expect(texts(telegram, bob, group)).toEqual([]);
    telegram.say(alice, group, '/settings lifetime off', { anonymous: true });
    await until(async () => expect((await settingsOf(group)).messageLifetimeSeconds).toBeNull());
    await until(() => expect(texts(telegram, bob, group)).toHaveLength(1));
  });

  test('sets the language of all that others read there, hints and answers to nameless moderators too', async () => {
    const group = telegram.createGroup({ members: [bob], admins: [alice] });
    await decide(group, { language: 'de' });
    telegram.say(bob, group, '/balance');
    await until(() => expect(lastText(telegram, alice, group)).toContain('Öffne unseren privaten Chat'));
    telegram.say(alice, group, '/settings lifetime off', { anonymous: true });
    await until(() => expect(lastText(telegram, bob, group)).toContain('Erledigt. Ab jetzt gilt:'));
  });

  test('changes nothing where another person says it', async () => {
    const group = telegram.createGroup({ members: [alice] });
    telegram.say(alice, group, '/settings lifetime 1h');
    await until(() => expect(texts(telegram, alice, alice)).toHaveLength(1));
    await quiet(running);
    expect((await settingsOf(group)).messageLifetimeSeconds).toBeNull();
  });

  test('bans the author of the message replied to, who is told in private at the next tip', async () => {
    const group = telegram.createGroup({ members: [bob], admins: [alice], bot: 'administrator' });
    const { message } = telegram.say(bob, group, 'spam');
    telegram.say(alice, group, '/settings ban', { replyTo: message });
    const ban = { transport: 'telegram', communityId: String(group.id), userId: `telegram:${bob.id}` };
    await until(async () => expect(await isBanned(store, ban)).toBe(true));
    telegram.say(bob, group, '/tip x:jack 1');
    await until(() => expect(telegram.fromBot(bob, group)[0]?.ephemeral).toBe(true));
    await quiet(running);
    expect(telegram.fromBot(bob, group).map(({ ephemeral }) => ephemeral)).toEqual([true]);
    expect(api.seen).toEqual([]);
  });
});

describe('where messages have a lifetime', () => {
  test('what the bot has said is deleted after it, what people have said stays', async () => {
    const group = telegram.createGroup({ members: [alice, bob] });
    await decide(group, { messageLifetimeSeconds: 60 });
    const { message } = telegram.say(bob, group, 'I made this');
    const beforeMs = Date.now();
    for (const count of [1, 3]) {
      telegram.say(alice, group, '/tip 1', { replyTo: message });
      await until(() => expect(texts(telegram, bob, group)).toHaveLength(count));
      await quiet(running);
    }
    telegram.say(alice, group, '/balance');
    await until(() => expect(lastText(telegram, bob, group)).toContain('in our private chat'));
    await quiet(running);
    const rows = await kept();
    expect(rows).toHaveLength(4);
    for (const { chatId, dueAtMs } of rows) {
      expect(chatId).toBe(String(group.id));
      expect(dueAtMs).toBeGreaterThanOrEqual(beforeMs + 60_000);
      expect(dueAtMs).toBeLessThanOrEqual(Date.now() + 60_000);
    }
    expect(telegram.calls('deleteMessage')).toEqual([]);
    await expire();
    await until(() => expect(texts(telegram, bob, group)).toEqual([]));
    await until(async () => expect(await kept()).toEqual([]));
    expect(telegram.screen(bob, group).map(({ text }) => text)).toEqual([
      'I made this',
      '/tip 1',
      '/tip 1',
      '/balance',
    ]);
    // What was said to one person is that person's.
    expect(texts(telegram, alice, alice)).toHaveLength(1);
  });

  test('an order whose message was deleted goes on in a message of its own', async () => {
    const group = telegram.createGroup({ members: [alice, bob] });
    await decide(group, { messageLifetimeSeconds: 60 });
    const { message } = telegram.say(bob, group, 'I made this');
    telegram.say(alice, group, '/tip 1', { replyTo: message });
    await until(() => expect(texts(telegram, bob, group)).toHaveLength(1));
    await quiet(running);
    for (const count of [2, 3]) {
      telegram.say(alice, group, '/tip 1', { replyTo: message });
      const total = new RegExp(`Bob.*${count}\\.00 USDC`);
      await until(() => expect(texts(telegram, bob, group).filter((text) => total.test(text))).toHaveLength(1));
      await quiet(running);
      // The rows know as well that they are over: else the next tip would only find out by a refusal.
      const { botMessages } = store.tables;
      await store.tx((db) => db.update(botMessages).set({ expiresAtMs: 1 }));
      await expire();
      await until(() => expect(texts(telegram, bob, group)).toEqual([]));
    }
    expect(telegram.refused()).toEqual([]);
  });

  test('a log stays, and so does everything elsewhere', async () => {
    const group = telegram.createGroup({ members: [alice] });
    await decide(group, { messageLifetimeSeconds: 60 });
    const chatId = String(group.id);
    const view = receiptView('A line.');
    await running.sender.post({ chatId, onceKey: 'log', view, ringsRecipients: false, lifetimeSeconds: null });
    telegram.say(alice, alice, '/help');
    await until(() => expect(texts(telegram, alice, group)).toEqual(['A line.']));
    await until(() => expect(texts(telegram, alice, alice)).toHaveLength(1));
    await quiet(running);
    expect(await kept()).toEqual([]);
  });

  test('what cannot be deleted is given up, and what was flooded or lost is tried again', async () => {
    const group = telegram.createGroup({ members: [alice] });
    const other = telegram.createGroup({ members: [alice] });
    const view = receiptView('A receipt.');
    for (const { id } of [group, other]) {
      const post = { chatId: String(id), onceKey: `settled:${id}`, view };
      await running.sender.post({ ...post, ringsRecipients: false, lifetimeSeconds: 60 });
    }
    await until(async () => expect(await kept()).toHaveLength(2));
    await quiet(running);
    telegram.removeBot(other, other.owner);
    telegram.fail('deleteMessage', { kind: 'lose_reply' }, 1);
    await expire();
    await until(async () => expect((await kept()).length).toBeLessThan(2));
    telegram.fail('deleteMessage', { kind: 'flood', retryAfterSeconds: 1 }, 1);
    await restart();
    await until(() => expect(telegram.refused(429)).toHaveLength(1));
    await restart();
    await until(async () => expect(await kept()).toEqual([]));
    expect(texts(telegram, alice, group)).toEqual([]);
  });
});

describe('receipts as a sign', () => {
  const view = receiptView('1.00 USDC is waiting.');
  const sign = (group: { id: number }, tippedMessageId: string | null, message = 2) => {
    const chatId = String(group.id);
    const otherwise = { chatId, onceKey: 'settled:p1:7', view, ringsRecipients: true, lifetimeSeconds: null };
    const order = { chatId, messageId: `answer:${chatId}:${message}`, tippedMessageId };
    return { order, sign: { onceKey: 'settled:p1:7', otherwise } };
  };
  const send = async ({ order, sign: given }: ReturnType<typeof sign>) => running.sender.react?.(order, given);

  test('stand on the tipped message, else on the command, however often they are posted', async () => {
    const group = telegram.createGroup({ members: [alice, bob] });
    const { message: tipped } = telegram.say(bob, group, 'I made this');
    const { message: command } = telegram.say(bob, group, 'me too');
    await Promise.all([1, 2, 3].map(() => send(sign(group, String(tipped.message_id)))));
    await until(() => expect(telegram.look(tipped).reactions).toEqual(new Map([[telegram.bot.id, '🎉']])));
    await quiet(running);
    expect(telegram.calls('setMessageReaction')).toHaveLength(1);
    const second = sign(group, null, command.message_id);
    await running.sender.react?.(second.order, { ...second.sign, onceKey: 'settled:p2:8' });
    await until(() => expect(telegram.look(command).reactions.size).toBe(1));
    expect(texts(telegram, alice, group)).toEqual([]);
  });

  test('are put in words where there are no reactions, or not at all where that was done already', async () => {
    const group = telegram.createGroup({ members: [alice, bob], allowsReactions: false });
    const { message } = telegram.say(bob, group, 'I made this');
    const given = sign(group, String(message.message_id));
    await running.sender.react?.(given.order, { onceKey: 'settled:p0:6', otherwise: null });
    await send(given);
    await until(() => expect(texts(telegram, alice, group)).toEqual(['1.00 USDC is waiting.']));
    await quiet(running);
    expect(await pendingMessages(store, 'telegram', 10)).toEqual([]);
    expect(telegram.refused(400)).toHaveLength(2);
  });

  test('a 429 and a lost answer are waited for', async () => {
    const group = telegram.createGroup({ members: [alice, bob] });
    const { message } = telegram.say(bob, group, 'I made this');
    telegram.fail('setMessageReaction', { kind: 'flood', retryAfterSeconds: 1 }, 1);
    await send(sign(group, String(message.message_id)));
    await until(() => expect(telegram.look(message).reactions.size).toBe(1));
    const calls = telegram.calls('setMessageReaction');
    expect((calls[1]?.arrivedAtMs ?? 0) - (calls[0]?.arrivedAtMs ?? 0)).toBeGreaterThanOrEqual(1_000);
    expect(texts(telegram, alice, group)).toEqual([]);
  });

  test('what only the payer has to know is told in private, beside the sign', async () => {
    const group = telegram.createGroup({ members: [alice, bob] });
    const { message } = telegram.say(bob, group, 'I made this');
    await send(sign(group, String(message.message_id)));
    await running.sender.tell?.({ userId: `telegram:${alice.id}`, onceKey: 'settled:p1:7', view });
    await until(() => expect(texts(telegram, alice, alice)).toEqual(['1.00 USDC is waiting.']));
    await until(() => expect(telegram.look(message).reactions.size).toBe(1));
    expect(texts(telegram, alice, group)).toEqual([]);
  });
});

test('what rings nobody names people without mentioning them, and makes no sound', async () => {
  const group = telegram.createGroup({ members: [alice, bob], topics: ['Log'] });
  telegram.say(alice, group, '/help');
  await until(() => expect(telegram.calls('sendMessage')).not.toEqual([]));
  await quiet(running);
  const chatId = `${group.id}/${group.topicIds['Log'] ?? 0}`;
  const view = receiptView(`telegram:${alice.id} → x:jack`);
  await running.sender.post({ chatId, onceKey: 'logged:1', view, ringsRecipients: false, lifetimeSeconds: null });
  await until(() => expect(lastText(telegram, bob, group)).toBe('Alice → x:jack'));
  expect(telegram.fromBot(bob, group, group.topicIds['Log']).at(-1)?.mentioned).toEqual([]);
  expect(telegram.calls('sendMessage').at(-1)?.parameters['disable_notification']).toBe(true);
  await running.sender.post({ chatId, onceKey: 'settled:1', view, ringsRecipients: true, lifetimeSeconds: null });
  await until(() => expect(telegram.fromBot(bob, group).at(-1)?.mentioned).toEqual([alice.id]));
  expect(telegram.calls('sendMessage').at(-1)?.parameters['disable_notification']).toBeUndefined();
});
