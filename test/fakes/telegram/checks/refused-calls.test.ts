import { Api } from 'grammy';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { startFakeTelegram } from '../start.ts';
import { type Answer, type StrictWorld, type Violation, button, createStrictWorld, rows } from './strict-world.ts';

const SOON = { timeout: 60_000, interval: 10 };

let world: StrictWorld;

beforeAll(async () => {
  world = await createStrictWorld();
});

afterAll(() => world.telegram.close());

test.each<Violation>([
  [
    'an edit of nothing',
    'editMessageText',
    ({ alice }) => ({ chat_id: alice, message_id: 999, text: 'x' }),
    400,
    'message to edit not found',
  ],
  [
    'an edit of another person’s message',
    'editMessageText',
    ({ alice, hers }) => ({ chat_id: alice, message_id: hers, text: 'x' }),
    400,
    "message can't be edited",
  ],
  [
    'an edit that changes nothing',
    'editMessageText',
    ({ alice, mine }) => ({ chat_id: alice, message_id: mine, text: 'mine' }),
    400,
    'message is not modified',
  ],
  [
    'a removal of buttons where there are none',
    'editMessageReplyMarkup',
    ({ alice, mine }) => ({ chat_id: alice, message_id: mine }),
    400,
    'message is not modified',
  ],
  [
    'a deletion of nothing',
    'deleteMessage',
    ({ alice }) => ({ chat_id: alice, message_id: 999 }),
    400,
    'message to delete not found',
  ],
  ['an answer to an unknown press', 'answerCallbackQuery', () => ({ callback_query_id: '1' }), 400, 'query is too old'],
  [
    'a reaction that is no reaction',
    'setMessageReaction',
    ({ alice, hers }) => ({ chat_id: alice, message_id: hers, reaction: [{ type: 'emoji', emoji: '💰' }] }),
    400,
    'REACTION_INVALID',
  ],
  [
    'two reactions of a bot',
    'setMessageReaction',
    ({ alice, hers }) => ({
      chat_id: alice,
      message_id: hers,
      reaction: [
        { type: 'emoji', emoji: '👍' },
        { type: 'emoji', emoji: '🔥' },
      ],
    }),
    400,
    'REACTIONS_TOO_MANY',
  ],
  [
    'a photo that is none',
    'sendPhoto',
    ({ alice }) => ({ chat_id: alice, photo: 'https://example.com/x.png' }),
    400,
    'wrong remote file identifier',
  ],
  [
    'a command with capitals',
    'setMyCommands',
    () => ({ commands: [{ command: 'Tip', description: 'x' }] }),
    400,
    'BOT_COMMAND_INVALID',
  ],
  [
    'a language of three letters',
    'setMyCommands',
    () => ({ commands: [], language_code: 'eng' }),
    400,
    'language code',
  ],
  [
    'a menu for a group that the bot is not in',
    'setMyCommands',
    ({ left }) => ({ commands: [], scope: { type: 'chat', chat_id: left } }),
    400,
    'chat not found',
  ],
  [
    'a menu for the administrators of a private chat',
    'deleteMyCommands',
    ({ alice }) => ({ scope: { type: 'chat_administrators', chat_id: alice } }),
    400,
    'only for groups',
  ],
  [
    'an ephemeral message in private',
    'sendMessage',
    ({ alice }) => ({ chat_id: alice, text: 'x', ephemeral_message_parameters: { receiver_user_id: alice } }),
    400,
    'groups',
  ],
  ['admins of a private chat', 'getChatAdministrators', ({ alice }) => ({ chat_id: alice }), 400, 'no administrators'],
  [
    'a kind of update that does not exist',
    'getUpdates',
    () => ({ allowed_updates: ['messages'] }),
    400,
    'allowed_updates',
  ],
  [
    'a secret with a blank',
    'setWebhook',
    () => ({ url: 'http://127.0.0.1:1/', secret_token: 'a b' }),
    400,
    'unallowed characters',
  ],
])('calling: %s is refused', async (_what, method, parameters, code, description) => {
  const answer = await world.call(method, parameters(world.names));
  expect(answer).toMatchObject({ ok: false, error_code: code, description: expect.stringContaining(description) });
});

test('a wrong token', async () => {
  const response = await fetch(`${world.telegram.url}/bot7000000001:wrong/getMe`);
  expect(response.status).toBe(401);
});

test('a second answer to a press, and one that comes too late', async () => {
  let now = 1_800_000_000_000;
  const other = await startFakeTelegram({ nowMs: () => now });
  const otherApi = new Api(other.token, { apiRoot: other.url });
  const alice = other.createUser({ started: true });
  const message = await otherApi.sendMessage(alice.id, 'x', { reply_markup: { inline_keyboard: [[button('go')]] } });
  const first = other.press(alice, message, 'go');
  await otherApi.answerCallbackQuery(first.queryId);
  await expect(otherApi.answerCallbackQuery(first.queryId)).rejects.toThrow(/query is too old/);
  const second = other.press(alice, message, 'go');
  now += 15_001;
  await expect(otherApi.answerCallbackQuery(second.queryId)).rejects.toThrow(/query is too old/);
  await other.close();
});

describe('taken is', () => {
  test('a text of 4,096 after entities, and data of 64 bytes', async () => {
    const text = `<b>${'😀'.repeat(4096)}</b>`;
    const markup = { inline_keyboard: [...rows(12, 8), [button('é'.repeat(32))]] };
    const answer = await world.call('sendMessage', {
      chat_id: world.names.alice,
      text,
      parse_mode: 'HTML',
      reply_markup: markup,
    });
    expect(answer.ok).toBe(true);
  });

  test('a call by query, by form, and with numbers as text', async () => {
    const path = `${world.telegram.url}/bot${world.telegram.token}/SENDMESSAGE`;
    const query = new URLSearchParams({ chat_id: String(world.names.alice), text: '1' });
    const byQuery = (await (await fetch(`${path}?${query.toString()}`)).json()) as Answer;
    expect(byQuery).toMatchObject({ ok: true, result: { text: '1' } });
    query.set('reply_markup', JSON.stringify({ inline_keyboard: [[button('d')]] }));
    const byForm = (await (await fetch(path, { method: 'POST', body: query })).json()) as Answer;
    expect(byForm).toMatchObject({ ok: true, result: { reply_markup: { inline_keyboard: [[button('d')]] } } });
  });

  test('an unknown parameter, when the server is not strict', async () => {
    const lenient = await startFakeTelegram({ strict: false });
    const alice = lenient.createUser({ started: true });
    const raw = new Api(lenient.token, { apiRoot: lenient.url }).raw;
    const parameters = { chat_id: alice.id, text: 'x', what: 1, link_preview_options: { is_disabled: true, who: 2 } };
    await raw.sendMessage(parameters);
    expect(lenient.fromBot(alice, alice)).toHaveLength(1);
    await lenient.close();
  });
});

test('every call is written down with its times', async () => {
  await vi.waitFor(() => expect(world.telegram.calls('sendMessage').length).toBeGreaterThan(1), SOON);
  for (const { arrivedAtMs, answeredAtMs } of world.telegram.calls('sendMessage')) {
    expect(answeredAtMs).toBeGreaterThanOrEqual(arrivedAtMs);
  }
});
