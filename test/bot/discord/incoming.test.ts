import { expect, test } from 'vitest';
import type { TextEvent } from '../../../bot/shared/messenger.ts';
import { isTokenAlive, formatAnswer, readAnswer, type Answer } from '../../../core/discord/answer.ts';
import { formatDiscordChat, readDiscordChat, type DiscordChat } from '../../../core/discord/chat.ts';
import { openPlace, texts } from './discord-harness.ts';

test('the core is told who, where, in which language, and who may moderate there', async () => {
  const events: TextEvent[] = [];
  const core = { handle: async (event: TextEvent) => void events.push(event), press: async () => undefined };
  const { discord, guild, channel, alice } = await openPlace({}, { core });
  const dora = discord.user('dora', { locale: 'pt-BR' });
  const role = discord.role(guild, 'moderators', { permissions: discord.permissions.ManageGuild });
  discord.join(guild, dora, [role]);
  const asked = discord.slash(alice, channel, 'claim', { name: 'x:alice' });
  await discord.until(() => events.length === 1, 'the event');
  discord.slash(dora, channel, 'help');
  discord.slash(alice, discord.direct(alice), 'balance');
  await discord.until(() => events.length === 3, 'more events');
  expect(events[0]).toEqual({
    transport: 'discord',
    eventId: asked.id,
    chatId: `guild:${channel.id}`,
    chatName: '#general',
    userId: `discord:${alice.id}`,
    walletId: `discord:${alice.id}`,
    language: 'en-US',
    botNames: [`discord:${discord.bot.id}`],
    communityId: guild.id,
    isModerator: false,
    text: '/claim x:alice',
    context: { bots: [], people: [], roles: [] },
  });
  const others = events.slice(1);
  expect(others.find(({ text }) => text === '/help')).toMatchObject({ language: 'pt-BR', isModerator: true });
  expect(others.find(({ text }) => text === '/balance')).not.toHaveProperty('communityId');
});

test('a command whose work fails ends with words, and is no order', async () => {
  const core = { handle: async () => Promise.reject(new Error('no database')), press: async () => undefined };
  const { discord, channel, alice, bob } = await openPlace({}, { core });
  const tip = discord.slash(alice, channel, 'tip', { to: 'x:carol', amount: '1' });
  await discord.until(() => discord.followUpsTo(tip).length === 1, 'the words');
  expect(texts(discord, alice, channel).at(-1)).toMatch(/^Something went wrong/);
  await discord.until(() => discord.sees(bob, channel).length === 0, 'nothing for others');
});

test('a member who is too fast is told so, and is not heard', async () => {
  let heard = 0;
  const core = { handle: async () => void heard++, press: async () => undefined };
  const { discord, channel, alice } = await openPlace({ answerMs: 20_000 }, { core });
  const asked = Array.from({ length: 40 }, () => discord.slash(alice, channel, 'balance'));
  for (const one of asked) await discord.answered(one);
  await discord.until(() => heard === 30, 'thirty of them');
  expect(asked.filter((one) => discord.answerTo(one)?.text.startsWith('That was a lot'))).toHaveLength(10);
});

const ANSWER: Answer = {
  audience: 'person',
  via: 'followup',
  interactionId: '1',
  channelId: '2',
  messageId: '3',
  userId: '4',
  token: 'a.b-c_d:e',
  communityId: '5',
};

test('what the core keeps of an answer is enough to find it again', () => {
  for (const audience of ['everyone', 'person', 'direct'] as const) {
    for (const via of ['reply', 'followup'] as const) {
      for (const communityId of ['5', null]) {
        const answer = { ...ANSWER, audience, via, communityId };
        expect(readAnswer(formatAnswer(answer))).toEqual(answer);
      }
    }
  }
  expect(() => readAnswer('everyone reply 1 2 3 secret')).toThrow(/eight parts(?!.*secret)/);
});

test('a token lives for less than 15 minutes from its interaction on', () => {
  const madeMs = Date.UTC(2026, 10, 20);
  const id = ((BigInt(madeMs) - 1_420_070_400_000n) << 22n).toString();
  expect(isTokenAlive(id, madeMs + 14 * 60_000)).toBe(true);
  expect(isTokenAlive(id, madeMs + 15 * 60_000)).toBe(false);
});

test.each<DiscordChat>([
  { kind: 'guild', channelId: '17' },
  { kind: 'direct', channelId: '17' },
  { kind: 'person', userId: '17' },
])('%j is known by its text', (chat) => {
  expect(readDiscordChat(formatDiscordChat(chat))).toEqual(chat);
});

test.each(['17', 'guild:', 'guild:x', 'guild:1 2', 'web:17'])('%s is no chat of Discord', (text) => {
  expect(() => readDiscordChat(text)).toThrow('a Discord chat is');
});
