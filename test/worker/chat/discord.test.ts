import { pino } from 'pino';
import { describe, expect, onTestFinished, test } from 'vitest';
import { formatAnswer, type Answer } from '../../../core/discord/answer.ts';
import { line, strong, type View } from '../../../core/view.ts';
import { dueMessages } from '../../../db/chats/expiring-messages.ts';
import { createDiscordSender } from '../../../worker/chat/discord.ts';
import type { ChatPost } from '../../../worker/chat/sender.ts';
import { openDiscord } from '../../fakes/discord/bot.ts';
import { openBooks } from '../../support/books.ts';

const NOW_MS = 1_800_000_000_000;
const EMOJI = '💸';

async function openPlace(chosen: Parameters<typeof openDiscord>[0] = {}) {
  const discord = await openDiscord(chosen);
  const books = await openBooks();
  const { store } = books;
  onTestFinished(() => books.close());
  const guild = discord.guild();
  const channel = discord.channel(guild);
  const [alice, bob] = [discord.user('alice'), discord.user('bob')];
  discord.join(guild, alice);
  discord.join(guild, bob);
  const logged: string[] = [];
  const log = pino({ level: 'debug' }, { write: (text) => void logged.push(text) });
  const { token, apiUrl } = discord;
  const sender = createDiscordSender({ token, apiUrl, store, now: () => NOW_MS, log });
  return { discord, store, guild, channel, alice, bob, sender, logged };
}

const receipt = (recipient: string, chosen: Partial<View> = {}): View => ({
  state: 'ok',
  audience: 'everyone',
  paragraphs: [line`${strong(recipient)} received ${strong('1.00 USDC')}.`, line`${'not discord:1 nor @everyone'}`],
  actions: [{ kind: 'link', label: 'Open the receipt', url: 'https://pay.example/receipts/a' }],
  ...chosen,
});

const post = (chatId: string, onceKey: string, chosen: Partial<ChatPost> = {}): ChatPost => ({
  chatId,
  onceKey,
  view: receipt('x:carol'),
  ringsRecipients: false,
  lifetimeSeconds: null,
  ...chosen,
});

test('a message rings those who are paid where it is to, and nobody else ever', async () => {
  const { discord, channel, alice, bob, sender } = await openPlace();
  const chatId = `guild:${channel.id}`;
  const view = receipt(`discord:${bob.id}`);
  await sender.post(post(chatId, 'settled:p1', { view, ringsRecipients: true }));
  await sender.post(post(chatId, 'paid:p1:1', { view }));
  expect(discord.sees(alice, channel)).toMatchObject([
    { notifiedIds: [bob.id], buttons: [{ label: 'Open the receipt', url: 'https://pay.example/receipts/a' }] },
    { notifiedIds: [] },
  ]);
  expect(discord.sees(alice, channel)[0]?.text).toContain(`**<@${bob.id}>** received **1.00 USDC**.`);
});

test('the same key is one message, however often, and another key another', async () => {
  const { discord, channel, sender } = await openPlace();
  const all = ['settled:p1', 'settled:p1', 'settled:p1', 'settled:p2'];
  await Promise.all(all.map((onceKey) => sender.post(post(`guild:${channel.id}`, onceKey))));
  expect(discord.everything(channel)).toHaveLength(2);
});

test.each([
  ['closed', { kind: 'lose-reply', how: 'close' }],
  ['reset', { kind: 'lose-reply', how: 'reset' }],
  ['answered by a proxy', { kind: 'status', status: 502, after: true }],
] as const)('a reply that is lost (%s) is asked for again without a second message', async (_how, what) => {
  const { discord, channel, sender } = await openPlace();
  discord.fault({ method: 'POST', path: /\/messages$/, what });
  const message = post(`guild:${channel.id}`, 'settled:p1');
  await expect(sender.post(message)).rejects.toThrow();
  await sender.post(message);
  expect(discord.everything(channel)).toHaveLength(1);
});

test('a member who can be reached directly gets it only there', async () => {
  const { discord, alice, sender } = await openPlace();
  await sender.post(post(`person:${alice.id}`, 'settled:p1'));
  await sender.post(post(`direct:${discord.direct(alice).id}`, 'paid:p1'));
  const told = await sender.tell?.({ userId: `discord:${alice.id}`, onceKey: 'paid:p2', view: receipt('x:carol') });
  expect(told).toBe('told');
  expect(discord.sees(alice, discord.direct(alice))).toHaveLength(3);
});

describe('a lifetime', () => {
  test('is posted where others read along, once per message, and nowhere else', async () => {
    const { discord, store, channel, alice, sender } = await openPlace();
    const chatId = `guild:${channel.id}`;
    const message = post(chatId, 'settled:p1', { lifetimeSeconds: 60 });
    await sender.post(message);
    await sender.post(message);
    await sender.post(post(`person:${alice.id}`, 'settled:p2', { lifetimeSeconds: 60 }));
    await sender.post(post(chatId, 'settled:p3'));
    const [first] = discord.everything(channel);
    expect(await dueMessages(store, 'discord', NOW_MS + 59_999, 10)).toEqual([]);
    expect(await dueMessages(store, 'discord', NOW_MS + 60_000, 10)).toEqual([
      { transport: 'discord', chatId, messageId: first?.id, dueAtMs: NOW_MS + 60_000 },
    ]);
  });
});

const answer = (chosen: Partial<Answer>): string =>
  formatAnswer({
    audience: 'everyone',
    via: 'reply',
    interactionId: '1',
    channelId: '2',
    messageId: '3',
    userId: '4',
    token: 'token',
    communityId: '5',
    ...chosen,
  });

test('who gave is hidden where only they see the answer', async () => {
  const { sender } = await openPlace();
  const hides = (audience: Answer['audience']) => sender.hidesGiver?.({ messageId: answer({ audience }) });
  expect([hides('everyone'), hides('person'), hides('direct')]).toEqual([false, true, false]);
});

describe('a reaction', () => {
  const sign = { onceKey: 'settled:p1', otherwise: null };

  test('stands once on the message that was tipped, however often it is put there', async () => {
    const { discord, channel, alice, bob, sender } = await openPlace();
    const tipped = discord.say(bob, channel, 'a good answer');
    const order = { chatId: `guild:${channel.id}`, messageId: answer({}), tippedMessageId: tipped.id };
    await sender.react?.(order, sign);
    await sender.react?.(order, sign);
    const [seen] = discord.sees(alice, channel);
    expect(seen?.reactions).toEqual([{ emoji: EMOJI, userIds: [discord.bot.id] }]);
    expect(discord.refusals()).toEqual([]);
  });

  test('stands on what shows the order, where no message was tipped', async () => {
    const { discord, channel, alice, sender } = await openPlace();
    const chatId = `guild:${channel.id}`;
    await sender.post(post(chatId, 'any'));
    const [shown] = discord.sees(alice, channel);
    const messageId = answer({ channelId: channel.id, messageId: shown?.id ?? '' });
    await sender.react?.({ chatId, messageId, tippedMessageId: null }, sign);
    expect(discord.sees(alice, channel)[0]?.reactions).toEqual([{ emoji: EMOJI, userIds: [discord.bot.id] }]);
  });

  test('is left out where only its payer sees the message, and where nobody may', async () => {
    const { discord, guild, channel, bob, sender, logged } = await openPlace();
    const chatId = `guild:${channel.id}`;
    await sender.react?.({ chatId, messageId: answer({ audience: 'person' }), tippedMessageId: null }, sign);
    expect(discord.requests()).toEqual([]);
    const tipped = discord.say(bob, channel, 'a good answer');
    const everybody = guild.roles.get(guild.id);
    if (!everybody) throw new Error('expected the role of everybody');
    discord.overwrite(channel, everybody, discord.permissions.AddReactions);
    await sender.react?.({ chatId, messageId: answer({}), tippedMessageId: tipped.id }, sign);
    expect(logged).toHaveLength(1);
  });
});

describe('where nobody can be told', () => {
  test('it is logged and given up, without a token in the log', async () => {
    const { discord, guild, channel, alice, sender, logged } = await openPlace();
    const everybody = guild.roles.get(guild.id);
    if (!everybody) throw new Error('expected the role of everybody');
    discord.overwrite(channel, everybody, discord.permissions.SendMessages);
    await sender.post(post(`guild:${channel.id}`, 'settled:p1', { lifetimeSeconds: 60 }));
    discord.deleteChannel(channel);
    await sender.post(post(`guild:${channel.id}`, 'settled:p2'));
    alice.acceptsMessages = false;
    await sender.post(post(`person:${alice.id}`, 'settled:p3'));
    const told = await sender.tell?.({ userId: `discord:${alice.id}`, onceKey: 'paid:p3', view: receipt('x:carol') });
    expect(told).toBe('unreachable');
    expect(discord.everything(channel)).toEqual([]);
    expect(logged).toHaveLength(4);
    expect(logged.join()).not.toContain(discord.token);
  });

  test('what is for one person is never posted where others read along', async () => {
    const { discord, channel, sender } = await openPlace();
    const view = receipt('x:carol', { audience: 'person' });
    await sender.post(post(`guild:${channel.id}`, 'settled:p1', { view }));
    expect(discord.everything(channel)).toEqual([]);
  });
});

describe('limits of Discord', () => {
  test('a short wait is waited for', async () => {
    const { discord, channel, sender } = await openPlace();
    const what = { kind: 'rate-limit', retryAfterMs: 50, scope: 'shared' } as const;
    discord.fault({ method: 'POST', path: /\/messages$/, times: 2, what });
    await sender.post(post(`guild:${channel.id}`, 'settled:p1'));
    expect(discord.everything(channel)).toHaveLength(1);
  });

  test('a long one is left to the outbox, which comes again', async () => {
    const { discord, channel, sender } = await openPlace();
    const what = { kind: 'rate-limit', retryAfterMs: 60_000, scope: 'shared' } as const;
    discord.fault({ method: 'POST', path: /\/messages$/, what });
    const message = post(`guild:${channel.id}`, 'settled:p1');
    await expect(sender.post(message)).rejects.toThrow('60000');
    await sender.post(message);
    expect(discord.everything(channel)).toHaveLength(1);
  });
});
