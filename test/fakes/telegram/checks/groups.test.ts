import { Api } from 'grammy';
import type { Update, User } from 'grammy/types';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type FakeTelegram, startFakeTelegram } from '../start.ts';

let telegram: FakeTelegram;
let api: Api;
let alice: User;
let bob: User;
let now: number;

beforeEach(async () => {
  now = 1_800_000_000_000;
  telegram = await startFakeTelegram({ limits: null, nowMs: () => now });
  api = new Api(telegram.token, { apiRoot: telegram.url });
  alice = telegram.createUser({ username: 'alice_b', languageCode: 'de' });
  bob = telegram.createUser();
});

afterEach(() => telegram.close());

const kindsOf = (updates: Update[]) => updates.map((update) => Object.keys(update).find((key) => key !== 'update_id'));

describe('privacy mode', () => {
  test.each([
    ['/tip 5', true],
    ['/tip@test_bot 5', true],
    ['/tip@other_bot 5', false],
    ['hello all', false],
    ['hello @test_bot', true],
    ['hello @alice_b', false],
  ])('%s is seen: %s', (text, seen) => {
    const group = telegram.createGroup({ members: [alice] });
    expect(telegram.say(alice, group, text).update !== null).toBe(seen);
  });

  test('replies to the bot are seen, replies to others are not; an admin sees all', async () => {
    const group = telegram.createGroup({ members: [alice, bob] });
    const mine = await api.sendMessage(group.id, 'mine');
    expect(telegram.say(alice, group, 'thanks', { replyTo: mine }).update?.message?.reply_to_message?.text).toBe(
      'mine',
    );
    const hers = telegram.say(alice, group, 'hello').message;
    expect(telegram.say(bob, group, 'hi', { replyTo: hers }).update).toBeNull();
    telegram.promoteBot(group, group.owner);
    expect(telegram.say(bob, group, 'hi', { replyTo: hers }).update).not.toBeNull();
  });

  test('other bots are not heard, and an anonymous admin is', () => {
    const other = telegram.createUser({ isBot: true });
    const group = telegram.createGroup({ members: [other], admins: [alice], bot: 'administrator' });
    expect(telegram.say(other, group, '/tip 5').update).toBeNull();
    const { update } = telegram.say(alice, group, '/tip 5', { anonymous: true });
    expect(update?.message).toMatchObject({ from: { username: 'GroupAnonymousBot' }, sender_chat: { id: group.id } });
  });

  test('a mention without username comes as text_mention, an edit as edited_message', () => {
    const group = telegram.createGroup({ members: [alice, bob] });
    const said = telegram.say(alice, group, '/tip Bob 5', {
      entities: [{ type: 'text_mention', offset: 5, length: 3, user: bob }],
    });
    expect(said.update?.message?.entities).toEqual([
      { type: 'bot_command', offset: 0, length: 4 },
      { type: 'text_mention', offset: 5, length: 3, user: bob },
    ]);
    const edited = telegram.edit(alice, said.message, '/tip @alice_b 6').update;
    expect(edited?.edited_message?.entities?.map(({ type }) => type)).toEqual(['bot_command', 'mention']);
  });
});

test('reactions and members come only to an admin that asked for them', async () => {
  const group = telegram.createGroup({ members: [alice], bot: 'administrator' });
  const mine = await api.sendMessage(group.id, 'mine');
  expect(telegram.react(alice, mine, '👍')).toBeNull();
  await api.getUpdates({ allowed_updates: ['message', 'message_reaction', 'chat_member', 'my_chat_member'] });
  expect(telegram.react(alice, mine, '🔥')?.message_reaction).toMatchObject({
    old_reaction: [{ emoji: '👍' }],
    new_reaction: [{ emoji: '🔥' }],
  });
  telegram.join(bob, group);
  telegram.demoteBot(group, group.owner);
  expect(telegram.react(alice, mine, null)).toBeNull();
  expect(kindsOf(await api.getUpdates())).toEqual(['message_reaction', 'chat_member', 'message', 'my_chat_member']);
});

test("the bot's own reaction is on the message", async () => {
  const group = telegram.createGroup({ members: [alice] });
  const hers = telegram.say(alice, group, '/tip 5').message;
  await api.setMessageReaction(group.id, hers.message_id, [{ type: 'emoji', emoji: '👍' }]);
  expect(telegram.look(hers).reactions).toEqual(new Map([[telegram.bot.id, '👍']]));
});

test('a reply stands in the topic of its original, and each topic shows its own', async () => {
  const group = telegram.createGroup({ members: [alice], topics: ['Tips', 'Talk'] });
  const { Tips, Talk } = group.topicIds;
  const said = telegram.say(alice, group, '/tip 5', { topicId: Tips! });
  expect(said.update?.message).toMatchObject({ message_thread_id: Tips, is_topic_message: true });
  await api.sendMessage(group.id, 'answer', { reply_parameters: { message_id: said.message.message_id } });
  await api.sendMessage(group.id, 'elsewhere', { message_thread_id: Talk! });
  expect(telegram.fromBot(alice, group, Tips).map(({ text }) => text)).toEqual(['answer']);
  expect(telegram.fromBot(alice, group, Talk).map(({ text }) => text)).toEqual(['elsewhere']);
  await expect(api.sendMessage(group.id, 'x', { message_thread_id: 99 })).rejects.toThrow(/message thread not found/);
});

test('a message mentions whom its text names: by username, and by a link to a person whom the bot has met', async () => {
  const group = telegram.createGroup({ members: [alice, bob] });
  const stranger = telegram.createUser();
  const link = (user: User) => `<a href="tg://user?id=${user.id}">x</a>`;
  const sent = await api.sendMessage(group.id, `@alice_b ${link(bob)} ${link(stranger)}`, { parse_mode: 'HTML' });
  expect(telegram.look(sent).mentioned).toEqual([alice.id, bob.id]);
});

describe('ephemeral messages', () => {
  const to = (user: User) => ({ ephemeral_message_parameters: { receiver_user_id: user.id } });

  test('of an admin are for one member only, and are edited and deleted by their own methods', async () => {
    const group = telegram.createGroup({ members: [alice, bob], bot: 'administrator' });
    const sent = await api.sendMessage(group.id, 'only you', to(alice));
    expect(sent).toMatchObject({ message_id: 0, receiver_user: { id: alice.id } });
    expect(telegram.fromBot(alice, group)).toMatchObject([{ text: 'only you', ephemeral: true }]);
    expect(telegram.fromBot(bob, group)).toEqual([]);
    const named = { chat_id: group.id, receiver_user_id: alice.id, ephemeral_message_id: sent.ephemeral_message_id! };
    await expect(api.editMessageText(group.id, sent.ephemeral_message_id!, 'x')).rejects.toThrow(/not found/);
    expect(await api.raw.editEphemeralMessageText({ ...named, text: 'changed' })).toBe(true);
    expect(telegram.fromBot(alice, group)[0]?.text).toBe('changed');
    await api.raw.deleteEphemeralMessage(named);
    expect(telegram.fromBot(alice, group)).toEqual([]);
  });

  test('of others need a press or an ephemeral command of the last 15 seconds', async () => {
    const group = telegram.createGroup({ members: [alice, bob] });
    await expect(api.sendMessage(group.id, 'x', to(alice))).rejects.toThrow(/not enough rights/);
    const card = await api.sendMessage(group.id, 'Pay?', {
      reply_markup: { inline_keyboard: [[{ text: 'Pay', callback_data: 'pay' }]] },
    });
    const { queryId } = telegram.press(bob, card, 'Pay');
    const answer = (user: User, replace = false) =>
      api.sendMessage(group.id, 'not yours', {
        ephemeral_message_parameters: {
          receiver_user_id: user.id,
          callback_query_id: queryId,
          ...(replace ? { replace_callback_query_message: true } : {}),
        },
      });
    await expect(answer(alice)).rejects.toThrow(/QUERY_ID_INVALID/);
    await answer(bob, true);
    expect(telegram.fromBot(bob, group).map(({ text }) => text)).toEqual(['not yours']);
    expect(telegram.fromBot(alice, group).map(({ text }) => text)).toEqual(['Pay?']);
    now += 15_001;
    await expect(answer(bob)).rejects.toThrow(/QUERY_ID_INVALID/);
  });

  test('answer an ephemeral command, which the menu must have declared', async () => {
    const group = telegram.createGroup({ members: [alice, bob] });
    expect(() => telegram.say(alice, group, '/balance', { ephemeral: true })).toThrow(/ephemeral/);
    await api.raw.setMyCommands({ commands: [{ command: 'balance', description: 'x', is_ephemeral: true }] });
    const { message, update } = telegram.say(alice, group, '/balance', { ephemeral: true });
    expect(update?.message).toMatchObject({ message_id: 0, receiver_user: { id: telegram.bot.id } });
    expect(telegram.screen(bob, group)).toEqual([]);
    const reply_parameters = { ephemeral_message_id: message.ephemeral_message_id! };
    await expect(api.sendMessage(group.id, 'public', { reply_parameters })).rejects.toThrow(/must be ephemeral/);
    await api.sendMessage(group.id, '1 USDC', { ...to(alice), reply_parameters });
    await expect(api.sendMessage(group.id, 'x', { ...to(bob), reply_parameters })).rejects.toThrow(/not found/);
    expect(telegram.screen(alice, group).map(({ text }) => text)).toEqual(['/balance', '1 USDC']);
    now += 15_001;
    const late = api.sendMessage(group.id, 'late', { ...to(alice), reply_parameters });
    await expect(late).rejects.toThrow(/not found/);
  });

  test('do not reach who is away', async () => {
    const group = telegram.createGroup({ members: [alice], bot: 'administrator' });
    telegram.setAway(alice, true);
    await api.sendMessage(group.id, 'x', to(alice));
    expect(telegram.fromBot(alice, group)).toEqual([]);
  });
});

test('the bot hears that it is blocked, added and removed, and then it may not write', async () => {
  telegram.start(alice);
  telegram.block(alice);
  const group = telegram.createGroup({ members: [bob], bot: 'absent' });
  telegram.addBot(group, bob);
  telegram.removeBot(group, bob);
  const updates = await api.getUpdates();
  expect(kindsOf(updates)).toEqual(['message', 'my_chat_member', 'my_chat_member', 'message', 'my_chat_member']);
  expect(updates[1]?.my_chat_member?.new_chat_member.status).toBe('kicked');
  await expect(api.sendMessage(group.id, 'x')).rejects.toMatchObject({ error_code: 403 });
  telegram.unblock(alice);
  await api.sendMessage(alice.id, 'back');
});

test('members, admins and the chat itself can be asked for', async () => {
  const group = telegram.createGroup({ members: [alice], admins: [bob], username: 'tippers' });
  expect(await api.getChat('@tippers')).toMatchObject({ id: group.id, type: 'supergroup' });
  expect(await api.getChatMember(group.id, alice.id)).toMatchObject({ status: 'member' });
  const admins = await api.getChatAdministrators(group.id);
  expect(admins.map(({ user, status }) => [user.id, status])).toEqual(
    expect.arrayContaining([
      [bob.id, 'administrator'],
      [group.owner.id, 'creator'],
    ]),
  );
  await api.leaveChat(group.id);
  await expect(api.getChat(group.id)).rejects.toMatchObject({ error_code: 403 });
});

test('deleting what others wrote needs the right to', async () => {
  const group = telegram.createGroup({ members: [alice] });
  const { message } = telegram.say(alice, group, '/tip 5');
  await expect(api.deleteMessage(group.id, message.message_id)).rejects.toThrow(/message can't be deleted/);
  telegram.promoteBot(group, group.owner);
  await api.deleteMessage(group.id, message.message_id);
  expect(telegram.screen(alice, group)).toEqual([]);
});

test("a user's menu is that of their language and of the narrowest audience", async () => {
  const group = telegram.createGroup({ members: [alice, bob] });
  const named = (description: string) => [{ command: 'tip', description }];
  await api.setMyCommands(named('Tip'));
  await api.setMyCommands(named('Trinkgeld'), { language_code: 'de' });
  await api.setMyCommands(named('In groups'), { scope: { type: 'all_group_chats' } });
  expect(telegram.menu(alice, alice)).toEqual(named('Trinkgeld'));
  expect(telegram.menu(bob, bob)).toEqual(named('Tip'));
  expect(telegram.menu(alice, group)).toEqual(named('In groups'));
  expect(await api.getMyCommands({ language_code: 'de' })).toEqual(named('Trinkgeld'));
});

test('a group has a menu of its own, its administrators another, and without them that of all groups', async () => {
  const german = telegram.createUser({ languageCode: 'de' });
  const group = telegram.createGroup({ members: [german], admins: [alice] });
  const other = telegram.createGroup({ members: [german], admins: [alice] });
  const named = (description: string) => [{ command: 'tip', description }];
  const ofAdministrators = { type: 'chat_administrators', chat_id: group.id } as const;
  const shown = (chat: { id: number }) => [german, alice].map((user) => telegram.menu(user, chat)[0]?.description);
  await api.setMyCommands(named('All, de'), { scope: { type: 'all_group_chats' }, language_code: 'de' });
  await api.setMyCommands(named('All who run groups'), { scope: { type: 'all_chat_administrators' } });
  expect(shown(group)).toEqual(['All, de', 'All who run groups']);
  await api.setMyCommands(named('Here'), { scope: { type: 'chat', chat_id: group.id } });
  // A narrower list counts for every language, and before that of all who run groups.
  expect(shown(group)).toEqual(['Here', 'Here']);
  await api.setMyCommands(named('Who run it'), { scope: ofAdministrators });
  expect(shown(group)).toEqual(['Here', 'Who run it']);
  expect(shown(other)).toEqual(['All, de', 'All who run groups']);
  await api.deleteMyCommands({ scope: ofAdministrators });
  await api.deleteMyCommands({ scope: { type: 'chat', chat_id: group.id } });
  expect(shown(group)).toEqual(['All, de', 'All who run groups']);
});
