import { ChannelType, Events } from 'discord.js';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { stormSize } from '../../../scripts/torture/faults.ts';
import { connectBot, openDiscord } from './bot.ts';

const limited = z.object({ message: z.string(), retry_after: z.number(), global: z.boolean() });

test('a full bucket answers 429 with its headers, and another channel is not concerned', async () => {
  let now = Date.now();
  const discord = await openDiscord({ now: () => now });
  const guild = discord.guild();
  const [first, second] = [discord.channel(guild), discord.channel(guild)];
  const post = (id: string) =>
    fetch(`${discord.apiUrl}/v10/channels/${id}/messages`, {
      method: 'POST',
      headers: { authorization: `Bot ${discord.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ content: 'a' }),
    });
  const remaining: (string | null)[] = [];
  for (let count = 0; count < 5; count++) remaining.push((await post(first.id)).headers.get('x-ratelimit-remaining'));
  expect(remaining).toEqual(['4', '3', '2', '1', '0']);

  const refused = await post(first.id);
  expect(refused.status).toBe(429);
  expect(Object.fromEntries(refused.headers)).toMatchObject({ 'retry-after': '5', 'x-ratelimit-scope': 'user' });
  expect(limited.parse(await refused.json())).toMatchObject({ retry_after: 5, global: false });
  expect((await post(second.id)).status).toBe(200);
  now += 5_000;
  expect((await post(first.id)).status).toBe(200);
  expect(discord.everything(first)).toHaveLength(6);
});

test('the 51st request of a second is limited globally, but answers to interactions are not', async () => {
  const now = Date.now();
  const discord = await openDiscord({ now: () => now, buckets: { user: { requests: 1000, windowMs: 1000 } } });
  const alice = discord.user('alice');
  const headers = { authorization: `Bot ${discord.token}`, 'content-type': 'application/json' };
  const base = `${discord.apiUrl}/v10`;
  const registered = { method: 'POST', headers, body: JSON.stringify({ name: 'ping', description: 'Pings' }) };
  await fetch(`${base}/applications/${discord.applicationId}/commands`, registered);
  const statuses: number[] = [];
  for (let count = 0; count < 50; count++) statuses.push((await fetch(`${base}/users/@me`, { headers })).status);
  expect(statuses.filter((status) => status === 200)).toHaveLength(49);
  const refused = await fetch(`${base}/users/@me`, { headers });
  expect(refused.headers.get('x-ratelimit-global')).toBe('true');
  expect(limited.parse(await refused.json()).global).toBe(true);

  const { id, token } = discord.slash(alice, discord.direct(alice), 'ping');
  const answer = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"type":5}' };
  expect((await fetch(`${base}/interactions/${id}/${token}/callback`, answer)).status).toBe(204);
});

test('discord.js keeps to the buckets, so that none of its requests is refused', async () => {
  const discord = await openDiscord({ buckets: { 'message-create': { requests: 5, windowMs: 200 } } });
  const channel = discord.channel(discord.guild());
  const client = await connectBot(discord);
  const found = await client.channels.fetch(channel.id);
  if (found?.type !== ChannelType.GuildText) throw new Error('expected a text channel');
  await Promise.all(Array.from({ length: 12 }, (_, index) => found.send(`message ${index}`)));
  expect(discord.everything(channel)).toHaveLength(12);
  expect(discord.requests().filter(({ status }) => status === 429)).toEqual([]);
});

test('a 429 that nobody expected is waited for', async () => {
  const discord = await openDiscord();
  const channel = discord.channel(discord.guild());
  const client = await connectBot(discord);
  const found = await client.channels.fetch(channel.id);
  if (found?.type !== ChannelType.GuildText) throw new Error('expected a text channel');
  const what = { kind: 'rate-limit', retryAfterMs: 100, scope: 'shared' } as const;
  const fault = discord.fault({ method: 'POST', path: /\/messages$/, times: 2, what });
  await found.send('hello');
  expect(fault.fired).toBe(2);
  expect(discord.everything(channel)).toHaveLength(1);
});

const BURST = stormSize(150);

test(`${BURST} commands in a burst are all delivered and can all be answered`, async () => {
  // At least three times what is allowed in a second. Both ends and all connections share one process here, so this says nothing
  // about 3 seconds.
  const discord = await openDiscord({ answerMs: 150_000 });
  const guild = discord.guild();
  const channel = discord.channel(guild);
  const people = Array.from({ length: BURST }, (_, index) => discord.user(`user${index}`));
  for (const person of people) discord.join(guild, person);
  // The client's own throttle counts these answers among 50 requests a second, although Discord does not.
  const client = await connectBot(discord, { rest: { globalRequestsPerSecond: 100_000, timeout: 150_000 } });
  await client.application.commands.set([{ name: 'ping', description: 'Pings' }]);
  client.on(Events.InteractionCreate, (interaction) => {
    if (interaction.isChatInputCommand()) void interaction.deferReply();
  });
  const pings = people.map((person) => discord.slash(person, channel, 'ping'));
  await Promise.all(pings.map((ping) => discord.answered(ping)));
  expect(discord.acknowledgements().filter(({ afterMs }) => afterMs !== null)).toHaveLength(BURST);
  expect(discord.requests().filter(({ status }) => status >= 400)).toEqual([]);
});
