import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { LANGUAGES } from '../../../texts/languages.ts';
import type { TextEvent } from '../../../bot/shared/messenger.ts';
import { CHANNELS_MAX, DEFAULT_SETTINGS } from '../../../core/communities/community-settings.ts';
import { toDiscordMessage } from '../../../core/discord/message.ts';
import { isBanned } from '../../../db/communities/community-bans.ts';
import { changeCommunitySettings, readCommunitySettings } from '../../../db/communities/community-settings.ts';
import { startFakeApi, type FakeApi } from '../fake-api.ts';
import { createHarness, pressEvent, textEvent, type Harness } from '../harness.ts';

const GUILD = { transport: 'discord', communityId: 'guild-1' };

let api: FakeApi;
let harness: Harness;
let events = 0;

beforeEach(async () => {
  api = await startFakeApi();
  harness = await createHarness({ apiUrl: api.url });
  const { test: messenger } = harness.deps.messengers;
  if (!messenger) throw new Error('the harness has one messenger');
  const standing = async () => ({ ownerId: 'discord:1', moderatorIds: [], isOwnerAlone: false, botSinceMs: null });
  Object.assign(harness.deps.messengers, { discord: { ...messenger, standing }, telegram: messenger });
});
afterEach(async () => {
  harness.closing.abort();
  await harness.bot.idle();
  await api.close();
  await harness.store.close();
});

const MODERATOR = { ...GUILD, chatId: 'chat', chatName: '#general', isModerator: true };

/** What a moderator hears who says this. */
async function say(text: string, where: Partial<TextEvent> = {}): Promise<string> {
  const eventId = `event-${++events}`;
  await harness.bot.handle({ ...textEvent(text, eventId, 'discord:1'), ...MODERATOR, ...where });
  const { chatId = 'chat' } = where;
  const view = harness.chat.messages.get(`${chatId}/${eventId}`)?.at(-1);
  if (!view) throw new Error(`nobody answered ${text}`);
  expect(view.audience).toBe('person');
  const words = view.paragraphs.map((paragraph) => paragraph.map((span) => span.text).join(''));
  return [...words, ...view.actions.map((action) => (action.kind === 'command' ? action.command : action.kind))].join(
    '\n',
  );
}

const settings = () => readCommunitySettings(harness.store, GUILD);

test('the card says what holds and how to change each of it', async () => {
  await say('/settings min 0.5');
  await say('/settings cooldown 5m');
  await say('/settings channels add');
  await say('/settings ban <@23>');
  expect(await say('/settings')).toBe(
    [
      'What holds for tips here, and how you change it:',
      'Tips: only in #general · /settings channels add',
      'At least: 0.50 USDC · /settings min 0.5',
      'At most: any amount · /settings max 5',
      'Between two tips of one person: 5m · /settings cooldown 30s',
      'Receipts: a message for each tip · /settings receipts reaction',
      'Notes: allowed · /settings notes off',
      'What I say to all here: in the language of the member who writes to me · /settings language español',
      'My messages: stay · /settings lifetime 1h',
      'Log of tips: none · /settings log here',
      'Rewards are confirmed by: moderators · /settings role @role',
      'Drops are for: nobody yet · /settings drops @role',
      'Rewards above 10 USDC are confirmed by: 2 · /settings quorum 1',
      'Banned from tipping: 1 · /settings ban @name',
      ...Array.from({ length: 13 }, () => 'button'),
    ].join('\n'),
  );
});

test('the card shows all of itself on Discord, in every language and with as many places as there can be', async () => {
  const channels = Array.from({ length: CHANNELS_MAX }, (_, index) => ({ id: `${index}`, name: `#${'a'.repeat(90)}` }));
  const all = { ...DEFAULT_SETTINGS, channels };
  const by = { changedBy: 'discord:1', nowMs: 1 };
  await changeCommunitySettings(harness.store, GUILD, by, () => ({ kind: 'changed', settings: all }));
  for (const language of Object.keys(LANGUAGES)) {
    const card = await say('/settings', { language });
    const view = harness.chat.last(`event-${events}`);
    expect(card).toContain('/settings ban @name');
    expect(view && toDiscordMessage(view).content).toContain('/settings ban @name');
  }
});

test.each([
  ['channels add', { channels: [{ id: 'chat', name: '#general' }] }, 'Tips: only in #general'],
  ['min 0.5', { tipMinMicroUsdc: '500000' }, 'At least: 0.50 USDC'],
  ['max 5', { tipMaxMicroUsdc: '5000000' }, 'At most: 5.00 USDC'],
  ['cooldown 90s', { cooldownSeconds: 90 }, 'Between two tips of one person: 90s'],
  ['receipts none', { receipts: 'none' }, 'Receipts: none in public'],
  ['notes off', { hasNotes: false }, 'Notes: not allowed'],
  ['language 日本語', { language: 'ja' }, 'What I say to all here: in 日本語'],
  ['lifetime 1h', { messageLifetimeSeconds: 3_600 }, 'My messages: deleted after 1h'],
  ['log here', { logChat: { id: 'chat', name: '#general' } }, 'Log of tips: #general'],
  ['drops <@&5>', { dropRole: { id: '5', name: '@helpers' } }, 'Drops are for: @helpers'],
  ['role <@&5>', { rewardRole: { id: '5', name: '@helpers' } }, 'Rewards are confirmed by: moderators and @helpers'],
])('/settings %s holds from then on, and is said', async (wish, change, said) => {
  const context = { roles: [{ id: '5', name: '@helpers' }] };
  expect(await say(`/settings ${wish}`, { context })).toBe(`Done. From now on:\n${said}\n/settings`);
  expect(await settings()).toEqual({ ...DEFAULT_SETTINGS, ...change });
  const [setting = ''] = wish.split(' ');
  const undo = setting === 'channels' ? 'all' : ({ notes: 'on', receipts: 'message' }[setting] ?? 'off');
  await say(`/settings ${setting} ${undo}`);
  expect(await settings()).toEqual(DEFAULT_SETTINGS);
});

test('a press on the card changes what its button says, for those who moderate', async () => {
  await say('/settings');
  const button = harness.chat
    .last(`event-${events}`)
    ?.actions.find((one) => 'label' in one && one.label === 'notes off');
  if (button?.kind !== 'button') throw new Error('there is no button');
  const press = { ...pressEvent(button.id, 'press', 'discord:1'), ...MODERATOR };
  await harness.bot.press({ ...press, isModerator: false });
  expect(harness.chat.textOf('press')).toContain('Only those who moderate here can do that.');
  expect(await settings()).toEqual(DEFAULT_SETTINGS);
  await say('/settings');
  const again = harness.chat
    .last(`event-${events}`)
    ?.actions.find((one) => 'label' in one && one.label === 'notes off');
  if (again?.kind !== 'button') throw new Error('there is no button');
  await harness.bot.press({ ...press, buttonId: again.id, eventId: 'press-2', isModerator: true });
  expect(harness.chat.textOf('press-2')).toContain('Notes: not allowed');
  expect((await settings()).hasNotes).toBe(false);
});

describe('places', () => {
  const rewards = { chatId: 'rewards', chatName: '#rewards' };

  test('are added and taken away where it is said, each once', async () => {
    await say('/settings channels add');
    await say('/settings channels add', rewards);
    expect(await say('/settings channels add', { chatName: '#renamed' })).toContain('#rewards, #renamed');
    expect(await say('/settings channels remove')).toContain('Tips: only in #rewards');
    expect(await say('/settings channels remove')).toContain('Tips: only in #rewards');
    expect(await say('/settings channels remove', rewards)).toContain('Tips: everywhere here');
  });

  test('cannot be taken from everywhere, and not be more than a list can hold', async () => {
    expect(await say('/settings channels remove')).toMatch(/everywhere[^]*\/settings channels add$/);
    const channels = Array.from({ length: CHANNELS_MAX }, (_, index) => ({ id: `${index}`, name: `#${index}` }));
    const by = { changedBy: 'discord:1', nowMs: 1 };
    const full = { ...DEFAULT_SETTINGS, channels };
    await changeCommunitySettings(harness.store, GUILD, by, () => ({ kind: 'changed', settings: full }));
    expect(await say('/settings channels add')).toMatch(/more than 50[^]*\/settings channels all/);
    expect((await settings()).channels).toHaveLength(CHANNELS_MAX);
  });

  test('without a name, or with one that is too long, are kept all the same', async () => {
    const { chatName: _, ...nameless } = MODERATOR;
    await harness.bot.handle({ ...textEvent('/settings log here', 'nameless'), ...nameless });
    expect((await settings()).logChat).toEqual({ id: 'chat', name: 'chat' });
    await say('/settings log here', { chatName: `${'a'.repeat(99)}😀` });
    expect((await settings()).logChat).toEqual({ id: 'chat', name: 'a'.repeat(99) });
  });
});

test.each([
  ['min 2', 'max 1', '/settings max 2'],
  ['max 1', 'min 2', '/settings min 1'],
])('/settings %s and then %s is refused: nobody could tip', async (first, second, example) => {
  await say(`/settings ${first}`);
  const before = await settings();
  expect(await say(`/settings ${second}`)).toMatch(new RegExp(`at least 2.00 USDC and at most 1.00[^]*${example}`));
  expect(await settings()).toEqual(before);
  expect(await say(example)).toContain('Done.');
});

test('a least and a most that are the same are allowed', async () => {
  await say('/settings min 1');
  expect(await say('/settings max 1')).toContain('Done.');
});

describe('who may not', () => {
  test.each([{ isModerator: false }, {}])('%j changes nothing and learns nothing', async (rights) => {
    const { isModerator: _, ...person } = { ...MODERATOR, ...rights };
    for (const wish of ['', ' min 0.5', ' min nonsense', ' ban <@23>', ' toast']) {
      const eventId = `event-${++events}`;
      await harness.bot.handle({ ...textEvent(`/settings${wish}`, eventId), ...person, ...rights });
      expect(harness.chat.textOf(eventId)).toBe('Only those who moderate here can do that.');
      expect(harness.chat.last(eventId)?.audience).toBe('person');
    }
    expect(await settings()).toEqual(DEFAULT_SETTINGS);
    expect(await isBanned(harness.store, { ...GUILD, userId: 'discord:23' })).toBe(false);
  });

  test('a person alone with the bot is told where it belongs, and moderates nothing', async () => {
    await harness.bot.handle({ ...textEvent('/settings min 1', 'alone'), isModerator: true });
    expect(harness.chat.textOf('alone')).toContain('Type /settings in the server or group');
  });

  test('another community has its own settings', async () => {
    await say('/settings min 1', { communityId: 'guild-2' });
    expect(await settings()).toEqual(DEFAULT_SETTINGS);
  });
});

describe('a ban', () => {
  const member = { ...GUILD, userId: 'discord:23' };

  test('is for who is mentioned, by the name that is known, and can be lifted', async () => {
    const context = { people: [{ id: 'discord:23', name: '@mallory' }] };
    expect(await say('/settings ban <@23>', { context })).toMatch(
      /^@mallory can’t tip here[^]*\/settings unban discord:23$/,
    );
    expect(await isBanned(harness.store, member)).toBe(true);
    expect(await say('/settings unban discord:23', { context })).toBe('@mallory can tip here again.');
    expect(await isBanned(harness.store, member)).toBe(false);
    expect(await say('/settings unban discord:23')).toBe('discord:23 was not banned here.');
  });

  test('is not for oneself', async () => {
    expect(await say('/settings ban <@1>')).toMatch(/^That is you/);
    expect(await isBanned(harness.store, { ...GUILD, userId: 'discord:1' })).toBe(false);
  });

  test('is for whom a reply is to', async () => {
    const context = { repliesTo: { platform: 'telegram' as const, key: '23', display: '23' } };
    await say('/settings ban', { transport: 'telegram', context });
    expect(await isBanned(harness.store, { ...member, transport: 'telegram', userId: 'telegram:23' })).toBe(true);
  });
});

describe('the role that confirms rewards', () => {
  test('is none where the platform has no roles', async () => {
    const answer = await say('/settings role <@&5>', { transport: 'telegram' });
    expect(answer).toBe('Rewards are confirmed by the administrators of this group.');
    expect(await say('/settings', { transport: 'telegram' })).toContain(`${answer}\nDrops are for members`);
    expect(await readCommunitySettings(harness.store, { ...GUILD, transport: 'telegram' })).toEqual(DEFAULT_SETTINGS);
  });

  test('is named by the owner alone, and taken away by any moderator', async () => {
    const other = { userId: 'discord:2' };
    expect(await say('/settings role <@&5>', other)).toBe(
      'Only the owner of this server can say who confirms rewards, and how many.',
    );
    expect((await settings()).rewardRole).toBeNull();
    await say('/settings role <@&5>');
    expect((await settings()).rewardRole?.id).toBe('5');
    await say('/settings role off', other);
    expect((await settings()).rewardRole).toBeNull();
  });

  test('is not the one that everybody has', async () => {
    expect(await say('/settings role <@&77>', { communityId: '77' })).toMatch(/^Everybody has that role/);
    expect((await readCommunitySettings(harness.store, { ...GUILD, communityId: '77' })).rewardRole).toBeNull();
  });
});

test('what cannot be read is said with what could be', async () => {
  expect(await say('/settings min 1k')).toMatch(/"1k"[^]*\/settings min 0.5/);
  expect(await say('/settings toast')).toMatch(/"toast"[^]*\/settings/);
});
