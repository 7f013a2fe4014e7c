/** More tips in a channel than its members want to scroll past: they share a message, and everyone hears what is theirs. */
import { PermissionFlagsBits } from 'discord-api-types/v10';
import { expect, test } from 'vitest';
import { changeCommunitySettings } from '../../../db/communities/community-settings.ts';
import { openPlace, untilEnd } from '../discord/discord-harness.ts';

const OWN = 3;
const MERGED = 2;

type Place = Awaited<ReturnType<typeof openPlace>>;
type Person = Place['alice'];
const LONG = { timeout: 60_000 };

const newGivers = ({ discord, guild }: Place, count: number): Person[] =>
  Array.from({ length: count }, (_, index) => {
    const person = discord.user(`giver${index}`);
    discord.join(guild, person);
    return person;
  });

/** One after the other, each to its end. */
async function tipAll({ discord, channel }: Place, givers: readonly Person[], to: (at: number) => object) {
  const tips = [];
  for (const [at, giver] of givers.entries()) {
    const tip = discord.slash(giver, channel, 'tip', { amount: '0.1', ...to(at) });
    await untilEnd(discord, tip);
    tips.push(tip);
  }
  return tips;
}

test('the first tips have a message each, the others a line in one; each is paid once, and people are called once', async () => {
  const shift = { ms: 0 };
  const place = await openPlace({}, { now: () => Date.now() + shift.ms });
  const { discord, api, channel, bob } = place;
  const carl = discord.user('carl');
  discord.join(place.guild, carl);
  const givers = newGivers(place, OWN + MERGED);
  const tips = await tipAll(place, givers, (at) => (at === OWN ? { user: carl } : { to: `x:jack${at}` }));

  // Bob gave nothing, so he sees what everyone sees.
  const seen = () => discord.sees(bob, channel).map(({ text }) => text);
  const shared = () => seen().find((text) => /tips from/.test(text)) ?? '';
  await expect.poll(shared, LONG).toContain('2 tips from 2 people, **0.20 USDC** in all:');
  expect(shared().split('\n').slice(1)).toHaveLength(MERGED);
  expect(seen()).toHaveLength(OWN + 1);
  expect(discord.notifications(carl)).toEqual([]);
  // Each payer reads of their own.
  expect(tips.slice(OWN).every((tip) => discord.answerTo(tip)?.text.startsWith('Sent'))).toBe(true);
  expect(new Set(api.headers()).size).toBe(OWN + MERGED);

  shift.ms = 20_000;
  const called = () => discord.notifications(carl).map(({ text }) => text);
  await expect.poll(called, LONG).toEqual([expect.stringContaining('something was sent to you here')]);
  expect(seen()).toHaveLength(OWN + 2);
  expect(discord.refusals()).toEqual([]);
}, 200_000);

test('what goes wrong in it is said to its payer alone, and it is read in the language that its guild has set', async () => {
  const place = await openPlace({ rateLimits: 'off' });
  const { discord, api, guild, channel, bob, store } = place;
  const [poor, last, ...givers] = newGivers(place, OWN + 2);
  if (poor === undefined || last === undefined) throw new Error('nobody tips');
  await tipAll(place, givers, (at) => ({ to: `x:jack${at}` }));
  const by = { changedBy: 'discord:1', nowMs: 0 };
  await changeCommunitySettings(store, { transport: 'discord', communityId: guild.id }, by, (settings) => ({
    kind: 'changed',
    settings: { ...settings, language: 'de' },
  }));
  const json = { code: 400, error: 'receiver_not_found' };
  api.script(() => ({ do: 'answer', status: 400, json }));
  const tip = discord.slash(poor, channel, 'tip', { to: 'x:nobody', amount: '0.1' });
  await expect.poll(() => discord.answerTo(tip)?.text, LONG).toContain('I couldn’t find');
  expect(discord.sees(bob, channel)).toHaveLength(OWN);
  api.script((request) => ({ do: request.header ? 'paid' : 'challenge' }));
  await tipAll(place, [last], () => ({ to: 'x:jill' }));
  const seen = () => discord.sees(bob, channel).map(({ text }) => text);
  await expect.poll(() => seen().join('\n'), LONG).toContain('1 Trinkgeld von ');
}, 200_000);

test('where the bot may write in threads only, each tip has its own message', async () => {
  const place = await openPlace({ rateLimits: 'off' });
  const { discord, guild, channel, bob } = place;
  const everyone = guild.roles.get(guild.id);
  if (everyone === undefined) throw new Error('a guild has a role for all');
  const givers = newGivers(place, OWN + 1);
  everyone.permissions |= PermissionFlagsBits.SendMessagesInThreads;
  discord.overwrite(channel, everyone, PermissionFlagsBits.SendMessages);
  await tipAll(place, givers, (at) => ({ to: `x:jack${at}` }));
  expect(discord.sees(bob, channel).filter(({ text }) => text.startsWith('Sent'))).toHaveLength(OWN + 1);
}, 200_000);
