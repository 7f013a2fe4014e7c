import { expect, onTestFinished, test } from 'vitest';
import { createRewards } from '../../../bot/requests/rewards.ts';
import { changeCommunitySettings } from '../../../db/communities/community-settings.ts';
import { startFakeRewards } from '../fake-rewards.ts';
import { openPlace } from './discord-harness.ts';

const POST = 'https://farcaster.xyz/marta/0xb87cf233';

/** A guild in which one role moderates, and another one confirms rewards. */
async function openGuild() {
  const api = await startFakeRewards();
  onTestFinished(() => api.close());
  const closing = new AbortController();
  onTestFinished(() => closing.abort());
  const rewards = createRewards({ baseUrl: api.url, fetch, closing: closing.signal });
  const place = await openPlace({ rateLimits: 'off' }, { equipment: { rewards } });
  const { discord, store } = place;
  const [owner, moderator, helper] = [discord.user('boss'), discord.user('crew'), discord.user('helper')];
  const guild = discord.guild({ name: 'Rewarders', owner });
  const channel = discord.channel(guild);
  const crew = discord.role(guild, 'crew', { permissions: discord.permissions.ManageGuild });
  const rewarders = discord.role(guild, 'rewarders');
  discord.join(guild, moderator, [crew]);
  discord.join(guild, helper, [rewarders]);
  discord.join(guild, place.alice);
  const by = { changedBy: `discord:${owner.id}`, nowMs: 1 };
  const community = { transport: 'discord', communityId: guild.id };
  await changeCommunitySettings(store, community, by, (now) => ({
    kind: 'changed',
    settings: { ...now, rewardRole: { id: rewarders.id, name: 'rewarders' } },
  }));
  return { ...place, rewards: api, channel, moderator, helper };
}

test('a reward is a card that all see, and who has the role for it confirms', async () => {
  const { discord, rewards, channel, moderator, helper, alice } = await openGuild();
  const textsFor = (person: typeof alice) => discord.sees(person, channel).map(({ text }) => text);
  const said = async (person: typeof alice, values: Parameters<typeof discord.slash>[3]) => {
    const asked = await discord.answered(discord.slash(person, channel, 'reward', values));
    await discord.until(() => !(discord.answerTo(asked)?.isLoading ?? true), 'the answer');
    return asked;
  };
  await said(alice, { post: POST });
  const told = (person: typeof alice, words: string) =>
    discord.until(() => textsFor(person).some((text) => text.includes(words)), words);
  await told(alice, 'That is for those who moderate here.');
  expect(rewards.created).toBe(0);

  const first = await said(moderator, { post: POST, budget: '10', without: '@bob' });
  await told(alice, `<@${moderator.id}>`);
  await told(alice, '10.00 USDC');
  const card = await said(helper, { without: 'carol' });
  await discord.until(() => discord.answerTo(first)?.text.includes('another card') === true, 'the first card');
  expect([...rewards.all.values()].map(({ exclude }) => exclude)).toEqual([['bob'], ['bob', 'carol']]);

  const message = { id: discord.answerTo(card)?.id ?? '' };
  await discord.answered(discord.press(alice, message, 'Confirm 0/1'));
  const refusals = () => textsFor(alice).filter((text) => text.includes('those who moderate here.')).length;
  await discord.until(() => refusals() === 2, 'the refusal');
  await discord.answered(discord.press(helper, message, 'Confirm 0/1'));
  await told(helper, 'somebody else who moderates here has to confirm');
  await discord.answered(discord.press(moderator, message, 'Confirm 0/1'));
  await discord.until(() => discord.answerTo(card)?.text.includes('45 paid, 2 wait') === true, 'the count');
  expect(rewards.charged).toHaveLength(1);
  expect(discord.refusals()).toEqual([]);
}, 60_000);
