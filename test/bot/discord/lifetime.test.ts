import { describe, expect, test } from 'vitest';
import type { CommunitySettings } from '../../../core/communities/community-settings.ts';
import { createDiscordExpiry } from '../../../bot/discord/lifetime.ts';
import { createCalls } from '../../../bot/discord/calls.ts';
import { changeCommunitySettings } from '../../../db/communities/community-settings.ts';
import { dueMessages, expireMessage } from '../../../db/chats/expiring-messages.ts';
import { openPlace, texts, untilEnd, type Place } from './discord-harness.ts';

const HOUR_MS = 3_600_000;
const LATER_MS = Date.now() + 2 * HOUR_MS;

async function decide({ store, guild }: Place, chosen: Partial<CommunitySettings>): Promise<void> {
  const community = { transport: 'discord', communityId: guild.id };
  await changeCommunitySettings(store, community, { changedBy: 'discord:1', nowMs: 0 }, (now) => ({
    kind: 'changed',
    settings: { ...now, ...chosen },
  }));
}

/** One round of what the bot does every few seconds, at a time of its own. */
async function sweep({ discord, store, bot }: Place, nowMs = LATER_MS): Promise<void> {
  const calls = createCalls({ token: discord.token, applicationId: discord.applicationId, apiUrl: discord.apiUrl });
  try {
    await createDiscordExpiry({ calls, store, clock: { ...bot.clock, now: () => nowMs }, log: bot.deps.log }).look();
  } finally {
    calls.close();
  }
}

const due = ({ store }: Place, nowMs = LATER_MS) => dueMessages(store, 'discord', nowMs, 10);

async function tip({ discord, channel, alice }: Place) {
  const sent = discord.slash(alice, channel, 'tip', { to: 'x:carol', amount: '1' });
  await untilEnd(discord, sent);
  return sent;
}

describe('where messages do not stay', () => {
  test('a tip is deleted when its time is over, and not before', async () => {
    const place = await openPlace();
    const { discord, channel, alice } = place;
    await decide(place, { messageLifetimeSeconds: 3_600 });
    await tip(place);
    await expect.poll(() => due(place)).toHaveLength(1);
    expect(await due(place, Date.now() + HOUR_MS - 30_000)).toEqual([]);
    await sweep(place, Date.now());
    expect(texts(discord, alice, channel)).toHaveLength(1);
    await sweep(place);
    expect(texts(discord, alice, channel)).toEqual([]);
    expect(await due(place)).toEqual([]);
    expect(discord.refusals()).toEqual([]);
  });

  test('what one person alone sees is nobody else’s business, and stays', async () => {
    const place = await openPlace();
    const { discord, channel, alice } = place;
    await decide(place, { messageLifetimeSeconds: 3_600 });
    const asked = discord.slash(alice, channel, 'balance');
    await discord.until(() => discord.answerTo(asked)?.text.startsWith('You have'), 'the answer');
    await discord.until(() => discord.answerTo(asked)?.isEphemeral === true, 'privacy');
    await place.bot.close();
    expect(await due(place)).toEqual([]);
  });
});

test('where nothing was decided, nothing is deleted', async () => {
  const place = await openPlace();
  await tip(place);
  await place.bot.close();
  expect(await due(place)).toEqual([]);
});

describe('a message that cannot be deleted', () => {
  test('because it is gone, or the bot may not see it any more, is forgotten', async () => {
    const place = await openPlace();
    const { discord, guild, channel } = place;
    const everybody = guild.roles.get(guild.id);
    if (!everybody) throw new Error('expected the role of everybody');
    const hidden = discord.channel(guild, 'hidden');
    for (const { id } of [channel, hidden]) {
      await expireMessage(place.store, { transport: 'discord', chatId: `guild:${id}`, messageId: '1', dueAtMs: 1 });
    }
    discord.overwrite(hidden, everybody, discord.permissions.ViewChannel);
    await sweep(place);
    expect(await due(place)).toEqual([]);
    expect(place.bot.logged.filter((text) => text.includes('it stays'))).toHaveLength(1);
  });

  test('because Discord wants to be asked later, is deleted then', async () => {
    const place = await openPlace();
    const { discord, channel, alice } = place;
    await decide(place, { messageLifetimeSeconds: 3_600 });
    await tip(place);
    await expect.poll(() => due(place)).toHaveLength(1);
    const fault = { method: 'DELETE', what: { kind: 'rate-limit', retryAfterMs: 50, scope: 'shared' } } as const;
    const placed = discord.fault(fault);
    await sweep(place);
    expect(placed.fired).toBe(1);
    expect(texts(discord, alice, channel)).toEqual([]);
  });

  test('because Discord does not answer, waits for the next round', async () => {
    const place = await openPlace();
    const { discord, channel, alice } = place;
    await decide(place, { messageLifetimeSeconds: 3_600 });
    await tip(place);
    await expect.poll(() => due(place)).toHaveLength(1);
    const placed = discord.fault({ method: 'DELETE', times: 9, what: { kind: 'status', status: 503 } });
    await sweep(place);
    expect(place.bot.logged.join()).toContain('what is due could not be deleted');
    expect(await due(place)).toHaveLength(1);
    placed.remove();
    await sweep(place);
    expect(texts(discord, alice, channel)).toEqual([]);
  });
});
