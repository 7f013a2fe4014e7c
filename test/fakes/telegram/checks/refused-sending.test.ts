import { afterAll, beforeAll, expect, test } from 'vitest';
import { type StrictWorld, type Violation, button, createStrictWorld, rows } from './strict-world.ts';

let world: StrictWorld;

beforeAll(async () => {
  world = await createStrictWorld();
});

afterAll(() => world.telegram.close());

test.each<Violation>([
  ['an unknown method', 'sendMoney', () => ({}), 404, 'method not found'],
  ['an unknown parameter', 'sendMessage', ({ alice }) => ({ chat_id: alice, text: 'x', chatId: 1 }), 400, 'chatId'],
  [
    'an unknown field within one',
    'sendMessage',
    ({ alice }) => ({ chat_id: alice, text: 'x', reply_parameters: { message_id: 1, id: 1 } }),
    400,
    'id',
  ],
  ['an empty text', 'sendMessage', ({ alice }) => ({ chat_id: alice, text: '' }), 400, 'message text is empty'],
  ['a text of blanks', 'sendMessage', ({ alice }) => ({ chat_id: alice, text: ' \n ' }), 400, 'non-empty'],
  [
    'a text of 4,097',
    'sendMessage',
    ({ alice }) => ({ chat_id: alice, text: 'é'.repeat(4097) }),
    400,
    'message is too long',
  ],
  [
    'broken HTML',
    'sendMessage',
    ({ alice }) => ({ chat_id: alice, text: '<b>x', parse_mode: 'HTML' }),
    400,
    "can't parse entities",
  ],
  [
    'an entity beyond the text',
    'sendMessage',
    ({ alice }) => ({ chat_id: alice, text: 'x', entities: [{ type: 'bold', offset: 0, length: 2 }] }),
    400,
    'UTF-16 offset',
  ],
  [
    'button data of 65 bytes',
    'sendMessage',
    ({ alice }) => ({
      chat_id: alice,
      text: 'x',
      reply_markup: { inline_keyboard: [[button(`${'é'.repeat(32)}x`)]] },
    }),
    400,
    'BUTTON_DATA_INVALID',
  ],
  [
    'empty button data',
    'sendMessage',
    ({ alice }) => ({ chat_id: alice, text: 'x', reply_markup: { inline_keyboard: [[button('')]] } }),
    400,
    'BUTTON_DATA_INVALID',
  ],
  [
    'nine buttons in a row',
    'sendMessage',
    ({ alice }) => ({ chat_id: alice, text: 'x', reply_markup: { inline_keyboard: rows(1, 9) } }),
    400,
    'reply markup is too long',
  ],
  [
    '104 buttons',
    'sendMessage',
    ({ alice }) => ({ chat_id: alice, text: 'x', reply_markup: { inline_keyboard: rows(13, 8) } }),
    400,
    'reply markup is too long',
  ],
  [
    'a link to localhost on a button',
    'sendMessage',
    ({ alice }) => ({
      chat_id: alice,
      text: 'x',
      reply_markup: { inline_keyboard: [[{ text: 'x', url: 'http://localhost/' }]] },
    }),
    400,
    'Wrong HTTP URL',
  ],
  [
    'a button with a Mini App',
    'sendMessage',
    ({ alice }) => ({
      chat_id: alice,
      text: 'x',
      reply_markup: { inline_keyboard: [[{ text: 'x', web_app: { url: 'https://example.com/' } }]] },
    }),
    400,
    'reply_markup',
  ],
  ...['https://t.me/some_bot/app', 'https://t.me/some_bot?startapp=1', 'tg://resolve?domain=some_bot&appname=app'].map(
    (url): Violation => [
      `a button that leads to one by ${url}`,
      'sendMessage',
      ({ alice }) => ({ chat_id: alice, text: 'x', reply_markup: { inline_keyboard: [[{ text: 'x', url }]] } }),
      400,
      'Mini App',
    ],
  ),
  ...['see https://t.me/some_bot/app.', 'somebot.t.me/app', '<a href="https://t.me/some_bot?startapp">x</a>'].map(
    (text): Violation => [
      `the text ${text}`,
      'sendMessage',
      ({ alice }) => ({ chat_id: alice, text, parse_mode: 'HTML' }),
      400,
      'Mini App',
    ],
  ),
  ['a chat that does not exist', 'sendMessage', () => ({ chat_id: 1, text: 'x' }), 400, 'chat not found'],
  [
    'a person whom the bot never met',
    'sendMessage',
    ({ stranger }) => ({ chat_id: stranger, text: 'x' }),
    400,
    'chat not found',
  ],
  [
    'a person who never wrote to it',
    'sendMessage',
    ({ met }) => ({ chat_id: met, text: 'x' }),
    403,
    "can't initiate conversation",
  ],
  [
    'a person who blocked it',
    'sendMessage',
    ({ blocked }) => ({ chat_id: blocked, text: 'x' }),
    403,
    'bot was blocked by the user',
  ],
  [
    'a group where it may not write',
    'sendMessage',
    ({ muted }) => ({ chat_id: muted, text: 'x' }),
    400,
    'not enough rights',
  ],
  ['a group where it is not', 'sendMessage', ({ left }) => ({ chat_id: left, text: 'x' }), 400, 'chat not found'],
  [
    'a reply to nothing',
    'sendMessage',
    ({ alice }) => ({ chat_id: alice, text: 'x', reply_parameters: { message_id: 999 } }),
    400,
    'message to be replied not found',
  ],
])('sending: %s is refused', async (_what, method, parameters, code, description) => {
  const answer = await world.call(method, parameters(world.names));
  expect(answer).toMatchObject({ ok: false, error_code: code, description: expect.stringContaining(description) });
});

test.each([
  { text: 'https://t.me/penny_bot?start=1 and t.me/c/1/2' },
  { text: '<code>https://t.me/some_bot/app</code>', parse_mode: 'HTML' },
  { text: 'x', reply_markup: { inline_keyboard: [[{ text: 'x', url: 'https://t.me/penny_bot?start=1' }]] } },
])('what opens no Mini App is taken: %j', async (content) => {
  expect(await world.call('sendMessage', { chat_id: world.names.alice, ...content })).toMatchObject({ ok: true });
});
