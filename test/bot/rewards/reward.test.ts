import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { changeCommunitySettings } from '../../../db/communities/community-settings.ts';
import type { CommunitySettings } from '../../../core/communities/community-settings.ts';
import { plainText, type View } from '../../../core/view.ts';
import { createBot } from '../../../bot/commands/bot.ts';
import {
  buttonOf,
  DAY_MS,
  GROUP,
  GUILD,
  HELPER,
  MEMBER,
  MINUTE_MS,
  MOD,
  openRewardWorld,
  OTHER_MOD,
  OWNER,
  POST,
  ROLE,
  type RewardWorld,
} from '../core/reward-world.ts';

let world: RewardWorld;
beforeEach(async () => void (world = await openRewardWorld()));
afterEach(() => world.close());

const ask = (by = OWNER, budget = '25', eventId = 'card') => world.say(by, `/reward ${POST} ${budget}`, eventId);
const confirm = (view: View, by: string) => world.press(by, buttonOf(view, 'Confirm'));
const reject = (view: View, by: string) => world.press(by, buttonOf(view, 'Reject'));
const status = async () => (await world.cards()).map((card) => card.status);

async function set(change: Partial<CommunitySettings>): Promise<void> {
  const by = { changedBy: OWNER, nowMs: world.clock.now() };
  const community = { transport: 'discord', communityId: GUILD };
  await changeCommunitySettings(world.store, community, by, (now) => ({
    kind: 'changed',
    settings: { ...now, ...change },
  }));
}

test('the card says who gets what by which rule, and who gets nothing and why', async () => {
  const card = await ask();
  expect(card).toMatchObject({ state: 'working', audience: 'everyone' });
  const lines = plainText(card).split('\n');
  expect(lines[0]).toContain('25.00 USDC for 47 people');
  expect(lines[1]).toBe('A like counts 1, a comment 2, a repost 3.');
  expect(lines[2]).toBe('1. person1 · 0.531956 USDC');
  expect(lines).toContain('and 37 more');
  expect(lines).toContain('Left out: 1 (1 wrote the post)');
  expect(card.actions.map((action) => ('label' in action ? action.label : action.command))).toEqual([
    'Confirm 0/2',
    'Reject',
    'Who gets what',
    'As CSV',
    'The post',
  ]);
  expect(world.signed).toEqual([]);
});

test('the same event again is the same card, and makes no other distribution', async () => {
  await ask();
  await ask();
  expect(await world.cards()).toHaveLength(1);
  expect(world.api.created).toBe(1);
});

describe('who may', () => {
  test('only those who moderate ask, confirm and reject', async () => {
    expect(plainText(await ask(MEMBER))).toBe('That is for those who moderate here.');
    expect(world.api.created).toBe(0);
    const card = await ask(OWNER, '25', 'card-2');
    expect(await confirm(card, MEMBER)).toBe('That is for those who moderate here.');
    expect(await reject(card, MEMBER)).toBe('That is for those who moderate here.');
    expect(await status()).toEqual(['proposed']);
  });

  test('a member with the role for rewards counts as one of them, while it is set', async () => {
    expect(plainText(await ask(HELPER))).toBe('That is for those who moderate here.');
    await set({ rewardRole: ROLE });
    const card = await ask(HELPER, '25', 'card-2');
    await confirm(card, MOD);
    await confirm(card, OTHER_MOD);
    await world.bot.idle();
    expect(await status()).toEqual(['paid']);
  });

  test('a moderator cannot make others decide by naming a role that they have', async () => {
    expect(plainText(await world.say(MOD, `/settings role <@&${ROLE.id}>`))).toContain('Only the owner of this server');
    expect(plainText(await ask(HELPER))).toBe('That is for those who moderate here.');
    expect(world.api.created).toBe(0);
  });

  test('a moderator who lost the role between card and press confirms nothing, and no longer counts', async () => {
    const card = await ask();
    await confirm(card, MOD);
    world.run.moderatorIds = [OTHER_MOD];
    expect(await confirm(card, MOD)).toBe('That is for those who moderate here.');
    await confirm(card, OTHER_MOD);
    await world.bot.idle();
    expect(await status()).toEqual(['proposed']);
    expect(buttonOf(world.shown('card'), 'Confirm 1/2')).toBeTruthy();
  });

  test('nobody counts twice', async () => {
    const card = await ask();
    await confirm(card, MOD);
    await confirm(card, MOD);
    await world.bot.idle();
    expect(await status()).toEqual(['proposed']);
  });

  test('where the platform does not say who moderates, nothing happens', async () => {
    const card = await ask();
    world.run.isBotThere = false;
    expect(await confirm(card, MOD)).toContain('I can’t find out who runs this community');
    expect(await reject(card, MOD)).toContain('I can’t find out who runs this community');
    expect(await status()).toEqual(['proposed']);
  });
});

test('alone it says what it wants, with one example', async () => {
  const answer = await world.say(MOD, '/reward');
  expect(plainText(answer)).toMatch(
    /^\/reward shares money .* It needs the link to that post; a sum may follow, else it is 5 USDC/,
  );
  expect(answer.actions).toMatchObject([
    { kind: 'command', command: '/reward https://farcaster.xyz/alice/0x0123abcd 5' },
  ]);
  expect(world.api.created).toBe(0);
});

describe('how many', () => {
  test.each([
    ['10', 'paid'],
    ['10.000001', 'proposed'],
  ])('one other is enough for %s USDC: %s', async (budget, wanted) => {
    await confirm(await ask(OWNER, budget), MOD);
    await world.bot.idle();
    expect(await status()).toEqual([wanted]);
  });

  test('one is enough for more where the owner of a guild has said so', async () => {
    expect(plainText(await world.say(MOD, '/settings quorum 1'))).toBe(
      'Only the owner of this server can say who confirms rewards, and how many.',
    );
    world.run.moderatorIds.push(OWNER);
    expect(plainText(await world.say(OWNER, '/settings quorum 1'))).toContain('above 10 USDC are confirmed by: 1');
    await confirm(await ask(), MOD);
    await world.bot.idle();
    expect(await status()).toEqual(['paid']);
  });

  test('its proposer confirms it only when alone, up to 10 USDC, and after ten minutes', async () => {
    expect(await confirm(await ask(OWNER, '10'), OWNER)).toContain('somebody else who moderates here has to confirm');
    world.run.isOwnerAlone = true;
    expect(await confirm(world.shown('card'), OWNER)).toContain('then you can confirm it');
    world.clock.pass(10 * MINUTE_MS);
    expect(await confirm(world.shown('card'), OWNER)).toBeNull();
    await world.bot.idle();
    expect(await status()).toEqual(['paid']);
    const large = await ask(OWNER, '10.000001', 'card-2');
    world.clock.pass(10 * MINUTE_MS);
    expect(await confirm(large, OWNER)).toContain('somebody else who moderates here has to confirm');
  });

  test('a guild in which a role confirms rewards has nobody who is alone', async () => {
    await set({ rewardRole: ROLE });
    world.run.isOwnerAlone = true;
    const card = await ask(OWNER, '10');
    world.clock.pass(10 * MINUTE_MS);
    expect(await confirm(card, OWNER)).toContain('somebody else who moderates here has to confirm');
  });
});

test('a group of Telegram with one administrator needs one', async () => {
  const group = await openRewardWorld({ transport: 'telegram' });
  group.run.isOwnerAlone = true;
  const card = await group.say(OWNER, `/reward ${POST} 10`, 'card');
  group.clock.pass(10 * MINUTE_MS);
  await group.press(OWNER, buttonOf(card, 'Confirm 0/1'));
  await group.bot.idle();
  expect((await group.cards()).map((one) => [one.status, one.walletId])).toEqual([['paid', `telegram-group:${GROUP}`]]);
  expect(plainText(await group.say(OWNER, '/settings quorum 1'))).toContain('administrators of this group');
  await group.close();
});

describe('the end', () => {
  test('one Reject ends it, and nobody can pay for it any more', async () => {
    const card = await ask();
    await confirm(card, MOD);
    await reject(card, OTHER_MOD);
    await world.bot.idle();
    expect(world.textOf('card')).toContain('discord:3 has rejected the reward of 25.00 USDC');
    expect(world.api.all.get('dist_0000000000000000000001')?.status).toBe('rejected');
    expect(await confirm(card, OTHER_MOD)).toBe('That reward is decided already.');
    expect(world.signed).toEqual([]);
  });

  test('a Reject that the API did not hear is repeated later', async () => {
    const card = await ask();
    world.api.down = true;
    await reject(card, MOD);
    await world.bot.idle();
    world.api.down = false;
    world.clock.pass(MINUTE_MS);
    await world.bot.resume();
    await world.bot.idle();
    expect(world.api.rejected).toHaveLength(1);
    expect((await world.cards())[0]?.nextLookAtMs).toBeNull();
  });

  test('after a day it is over, and a press then says so', async () => {
    const card = await ask();
    await confirm(card, MOD);
    world.clock.pass(DAY_MS);
    expect(await confirm(card, OTHER_MOD)).toBe('That reward is decided already.');
    await world.bot.idle();
    expect(await status()).toEqual(['expired']);
    expect(world.textOf('card')).toContain('not enough have confirmed it in time');
    expect(plainText(await ask(OWNER, '25', 'card-2'))).toContain('wants to reward');
  });

  test('another process ends what is over', async () => {
    await ask();
    world.clock.pass(DAY_MS);
    const other = createBot(world.deps);
    await other.resume();
    await other.idle();
    expect(await status()).toEqual(['expired']);
  });
});

describe('leaving out', () => {
  test('makes another card in the place of the first, with no confirmations', async () => {
    const card = await ask();
    await confirm(card, MOD);
    const fewer = await world.say(OTHER_MOD, '/reward without @bob', 'fewer');
    expect(await status()).toEqual(['replaced', 'proposed']);
    expect(world.textOf('card')).toContain('discord:3 has left somebody out');
    expect(buttonOf(fewer, 'Confirm 0/2')).toBeTruthy();
    expect(world.api.all.get('dist_0000000000000000000002')).toMatchObject({ exclude: ['bob'], budget: '25' });
    expect(await confirm(card, OTHER_MOD)).toBe('That reward is decided already.');
    await world.say(OTHER_MOD, '/reward without carol', 'fewest');
    expect(world.api.all.get('dist_0000000000000000000003')?.exclude).toEqual(['bob', 'carol']);
    world.clock.pass(1);
    await world.bot.resume();
    await world.bot.idle();
    expect(world.api.rejected).toEqual(['dist_0000000000000000000001', 'dist_0000000000000000000002']);
  });

  test('is nothing where no card waits', async () => {
    expect(plainText(await world.say(MOD, '/reward without bob'))).toContain('No reward waits to be confirmed here.');
  });

  test('does not bring back what was decided meanwhile', async () => {
    const card = await ask();
    const [fewer] = await Promise.all([world.say(OTHER_MOD, '/reward without bob', 'fewer'), reject(card, MOD)]);
    expect((await status()).filter((one) => one === 'proposed').length).toBeLessThanOrEqual(1);
    expect(await status()).toContain(plainText(fewer).includes('decided already') ? 'rejected' : 'replaced');
  });
});

test('one reward waits at a time', async () => {
  await ask();
  expect(plainText(await ask(MOD, '5', 'card-2'))).toContain('Another reward waits to be confirmed.');
  const both = await Promise.all([
    world.say(MOD, '/reward without a', 'a'),
    world.say(OTHER_MOD, '/reward without b', 'b'),
  ]);
  expect(both.filter((view) => plainText(view).includes('wants to reward'))).toHaveLength(1);
  expect((await status()).filter((one) => one === 'proposed')).toHaveLength(1);
});

test.each(['no_engagement', 'content_not_found', 'budget_too_small', 'budget_too_large'])(
  'where the API says %s there is no card',
  async (reason) => {
    world.api.refuse = reason;
    const view = await ask();
    expect(view).toMatchObject({ state: 'error', audience: 'person' });
    expect(plainText(view)).not.toContain(reason);
    expect(await world.cards()).toEqual([]);
  },
);

test('while the API is away there is no card', async () => {
  world.api.down = true;
  expect(plainText(await ask())).toContain('I can’t read that post right now');
  expect(await world.cards()).toEqual([]);
});

test('where no rewards are offered the command is unknown', async () => {
  const { rewards: _, ...deps } = world.deps;
  const bot = createBot(deps);
  const event = {
    transport: 'discord',
    eventId: 'e',
    chatId: 'chat',
    communityId: GUILD,
    userId: OWNER,
    walletId: OWNER,
  };
  await bot.handle({ ...event, text: `/reward ${POST}` });
  expect(world.textOf('e')).toContain('I didn’t get that');
});
