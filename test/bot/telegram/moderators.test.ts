import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { User } from 'grammy/types';
import { publishMenu } from '../../../bot/telegram/menu/commands.ts';
import type { TextEvent } from '../../../bot/shared/messenger.ts';
import { privateView, workingView } from '../../../bot/conversation/views.ts';
import { LANGUAGES } from '../../../texts/languages.ts';
import { walletsSeenBy } from '../../../db/wallets/holders.ts';
import { startFakeApi, type FakeApi } from '../fake-api.ts';
import type { FakeTelegram } from '../../fakes/telegram/start.ts';
import {
  lastText,
  listening,
  runTelegram,
  startWorld,
  texts,
  until,
  type RunningTelegram,
} from './telegram-harness.ts';

let telegram: FakeTelegram;
let api: FakeApi;
let running: RunningTelegram;
let alice: User;
let bob: User;
let heard: TextEvent[];

beforeEach(async () => {
  telegram = await startWorld();
  api = await startFakeApi();
  running = await runTelegram({ apiUrl: api.url, telegram });
  alice = telegram.createUser({ firstName: 'Alice', started: true });
  bob = telegram.createUser({ firstName: 'Bob', username: 'Bob_Long' });
  heard = [];
  const { bot, adapter } = running;
  // What the core makes of it is not this test's business; that it is shown to the right people is.
  Object.assign(bot, {
    handle: async (event: TextEvent) => {
      heard.push(event);
      const key = await adapter.messenger.open(event, workingView([{ text: 'A moment' }]));
      await adapter.messenger.edit(event.chatId, key, privateView('ok', [[{ text: 'What holds here' }]]));
    },
  });
  await listening(telegram);
});
afterEach(async () => {
  await running.close();
  await telegram.close();
  await api.close();
});

const heardOne = async (): Promise<TextEvent | undefined> => {
  await until(() => expect(heard).toHaveLength(1));
  return heard[0];
};
const askedFor = () => telegram.calls('getChatMember').length;

describe('Telegram is asked who moderates', () => {
  test('again with each /settings, so a promotion counts from the next command on', async () => {
    const group = telegram.createGroup({ members: [alice] });
    telegram.say(alice, group, '/settings@penny_bot max 5');
    expect(await heardOne()).toMatchObject({ text: '/settings max 5', isModerator: false });
    telegram.promote(alice, group);
    telegram.say(alice, group, '/settings max 5');
    await until(() => expect(heard).toHaveLength(2));
    expect(heard[1]).toMatchObject({ isModerator: true, communityId: String(group.id) });
    expect(askedFor()).toBe(2);
  });

  test('for nothing else that is typed, and never in private', async () => {
    const group = telegram.createGroup({ members: [bob], admins: [alice] });
    telegram.say(alice, group, '/tip x:jack 1');
    telegram.say(alice, group, '/settingsx');
    telegram.say(alice, alice, '/settings');
    await until(() => expect(heard).toHaveLength(3));
    expect(heard.map(({ isModerator }) => isModerator)).toEqual([undefined, undefined, undefined]);
    expect(askedFor()).toBe(0);
  });

  test('where members are hidden, by the list of those who run the group', async () => {
    const group = telegram.createGroup({ members: [bob], admins: [alice], membersHidden: true });
    telegram.say(alice, group, '/settings');
    expect((await heardOne())?.isModerator).toBe(true);
    telegram.say(bob, group, '/settings');
    await until(() => expect(heard).toHaveLength(2));
    expect(heard[1]?.isModerator).toBe(false);
  });

  test('nobody is one while Telegram does not say so', async () => {
    const group = telegram.createGroup({ admins: [alice] });
    telegram.fail('getChatMember', { kind: 'status', status: 502 });
    telegram.say(alice, group, '/settings');
    expect((await heardOne())?.isModerator).toBeUndefined();
  });
});

describe('an administrator who writes as the group', () => {
  test('may settle what holds there, is answered there, and becomes nobody with a wallet', async () => {
    const group = telegram.createGroup({ members: [bob], admins: [alice] });
    telegram.say(alice, group, '/settings', { anonymous: true });
    const event = await heardOne();
    expect(event).toMatchObject({ isModerator: true, communityId: String(group.id) });
    await until(() => expect(texts(telegram, bob, group)).toEqual(['What holds here']));
    expect(await walletsSeenBy(running.store, event?.userId ?? '')).toEqual([]);
    expect(askedFor()).toBe(0);
  });

  test('may do nothing else', async () => {
    const group = telegram.createGroup({ members: [bob], admins: [alice] });
    telegram.say(alice, group, '/balance', { anonymous: true });
    await until(() => expect(lastText(telegram, bob, group)).toContain('Remain anonymous'));
    expect(heard).toEqual([]);
  });
});

describe('what a place is called', () => {
  test.each([
    ['its group', 'Tips & more', 'Tips & more'],
    ['as much as is kept of a long name', `${'x'.repeat(99)}😀`, 'x'.repeat(99)],
  ])('%s', async (_what, title, wanted) => {
    const group = telegram.createGroup({ title, members: [alice] });
    telegram.say(alice, group, '/settings channels add');
    expect(await heardOne()).toMatchObject({ chatName: wanted, chatId: String(group.id) });
  });

  test('a topic by its own name, and by that of its group where only a reply was seen', async () => {
    const group = telegram.createGroup({ title: 'All', members: [alice, bob], topics: ['Rewards'] });
    const topicId = group.topicIds['Rewards'] ?? 0;
    const { message } = telegram.say(alice, group, '/settings', { topicId });
    expect(await heardOne()).toMatchObject({ chatName: 'Rewards', chatId: `${group.id}/${topicId}` });
    telegram.say(bob, group, '/settings', { replyTo: message });
    await until(() => expect(heard).toHaveLength(2));
    expect(heard[1]?.chatName).toBe('All');
  });

  test('nothing, in private', async () => {
    telegram.say(alice, alice, '/help');
    expect((await heardOne())?.chatName).toBeUndefined();
  });
});

describe('the member to ban is named', () => {
  test('by a reply', async () => {
    const group = telegram.createGroup({ members: [bob], admins: [alice] });
    const { message } = telegram.say(bob, group, 'spam');
    telegram.say(alice, group, '/settings ban', { replyTo: message });
    expect((await heardOne())?.context).toMatchObject({
      repliesTo: { platform: 'telegram', key: String(bob.id) },
      people: [{ id: `telegram:${bob.id}`, name: '@Bob_Long' }],
    });
  });

  test('not by a reply to who wrote as the group', async () => {
    const group = telegram.createGroup({ members: [bob], admins: [alice] });
    const { message } = telegram.say(alice, group, 'hello', { anonymous: true });
    telegram.say(alice, group, '/settings ban', { replyTo: message });
    expect((await heardOne())?.context).toEqual({ people: [] });
  });

  test('by a username that was seen, which becomes the number; by one that was not, as it is', async () => {
    const group = telegram.createGroup({ members: [bob], admins: [alice] });
    telegram.say(bob, group, '/help');
    await heardOne();
    telegram.say(alice, group, '/settings ban @bob_long @stranger');
    await until(() => expect(heard).toHaveLength(2));
    expect(heard[1]?.text).toBe(`/settings ban telegram:${bob.id} @stranger`);
    expect(heard[1]?.context?.people).toEqual([{ id: `telegram:${bob.id}`, name: '@bob_long' }]);
  });
});

test('the menu offers /settings to those who run a group, beside all the rest, in each language', async () => {
  for (const tag of Object.keys(LANGUAGES)) {
    const [admin, member] = [0, 1].map(() => telegram.createUser({ languageCode: tag }));
    if (!admin || !member) throw new Error('nobody');
    const group = telegram.createGroup({ members: [member], admins: [admin] });
    const names = (user: User, chat: { id: number }) => telegram.menu(user, chat).map(({ command }) => command);
    await until(() => expect(names(admin, group)).toContain('settings'));
    for (const command of ['reward', 'settings']) {
      expect(names(member, group)).not.toContain(command);
      expect(names(admin, admin)).not.toContain(command);
    }
    expect(names(admin, group)).toEqual([...names(member, group), 'reward', 'settings']);
  }
  const descriptions = telegram
    .calls('setMyCommands')
    .filter(({ parameters }) => JSON.stringify(parameters).includes('all_chat_administrators'))
    .map(({ parameters }) => JSON.stringify(parameters['commands']));
  expect(new Set(descriptions).size).toBe(Object.keys(LANGUAGES).length);
});

test('the menu names no command that this installation does not offer', async () => {
  const named: string[][] = [];
  const setMyCommands = async ({ commands }: { commands: { command: string }[] }) =>
    void named.push(commands.map(({ command }) => command));
  const isHere = (command: string) => command !== 'reward';
  await publishMenu({ raw: { setMyCommands } } as never, isHere, isHere);
  expect(named.length).toBeGreaterThan(0);
  for (const commands of named) expect(commands).not.toContain('reward');
  expect(named.flat()).toEqual(expect.arrayContaining(['tip', 'settings']));
});
