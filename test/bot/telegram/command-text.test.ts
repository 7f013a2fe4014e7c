import { expect, test } from 'vitest';
import { readCommand } from '../../../bot/telegram/command-text.ts';
import type { TelegramEntity, TelegramText } from '../../../bot/telegram/update.ts';

const group = { id: -5, type: 'supergroup' } as const;
const bob = { id: 7, is_bot: false, first_name: 'Bob Long' };

function read(text: string, more: Partial<TelegramText> = {}) {
  return readCommand({ text, chat: group, ...more }, 'penny_bot', () => undefined);
}

function mention(text: string, word: string, user?: typeof bob): TelegramEntity {
  const type = user ? 'text_mention' : 'mention';
  return { type, offset: text.indexOf(word), length: word.length, ...(user ? { user } : {}) };
}

test.each([
  ['/tip@penny_bot x:jack 1', '/tip x:jack 1'],
  ['/tip@PENNY_BOT x:jack 1', '/tip x:jack 1'],
  ['/TIP x:jack 1', '/tip x:jack 1'],
  ['/balance@penny_bot', '/balance'],
  ['/start balance', '/balance'],
  ['/start tip', '/help'],
  ['/start x1', '/help'],
  ['/start', '/start'],
  ['/tip x:jack 1\nwith a second line', '/tip x:jack 1\nwith a second line'],
])('%j is %j', (text, wanted) => {
  expect(read(text)?.text).toBe(wanted);
});

test.each(['/tip@other_bot x:jack 1', 'tip x:jack 1', 'hello', '/', '//tip 1', '/tip@penny_bot.x 1'])(
  '%j in a group is not for us',
  (text) => {
    expect(read(text)).toBeNull();
  },
);

test.each([
  ['@penny_bot pls send @carl 1.5 for coffee', 'pls send @carl 1.5 for coffee'],
  ['@Penny_Bot, tip @carl 5', 'tip @carl 5'],
  ['hey @penny_bot give @carl 5', 'give @carl 5'],
  ['@penny_bot mándale 5 a @carl', 'mándale 5 a @carl'],
  ['@penny_bot /tip @carl 5', '/tip @carl 5'],
  ['@penny_bot balance', '/balance'],
  ['@penny_bot what is my balance?', '/balance'],
  ['@penny_bot limits 50', '/limits'],
])('what a group says to the bot by its name is for it: %j is %j', (text, wanted) => {
  expect(read(text)?.text).toBe(wanted);
});

test.each([
  '@penny_bot',
  '@penny_bot you are great',
  '@penny_bot2 tip @carl 5',
  '@other_bot tip @carl 5',
  'never @penny_bot tip @carl 5',
  'I said @penny_bot tip @carl 5',
  'send @carl 5 @penny_bot',
])('talk about the bot, or with another, is not for it: %j', (text) => {
  expect(read(text)).toBeNull();
});

test('a person named behind the name of the bot is read as one, where they stand', () => {
  const text = '@penny_bot send Bob Long 5 for Bob Long';
  expect(read(text, { entities: [mention(text, '@penny_bot'), mention(text, 'Bob Long', bob)] })).toEqual({
    text: 'send telegram:7 5 for Bob Long',
    context: { bareNames: 'telegram', bots: [], people: [{ id: 'telegram:7', name: 'Bob Long' }] },
  });
});

test('in private the slash may be missing', () => {
  const chat = { id: 7, type: 'private' } as const;
  expect(read('tip x:jack 1', { chat })).toEqual({
    text: 'tip x:jack 1',
    context: { bareNames: 'telegram', bots: [] },
  });
});

test.each([
  ['/tip Bob Long 1', '/tip telegram:7 1'],
  ['/tip 1 Bob Long thanks', '/tip 1 telegram:7 thanks'],
  ['/tip x:jack, Bob Long 0,5 each thanks', '/tip x:jack, telegram:7 0,5 each thanks'],
  ['/tip @carl 1 ask Bob Long', '/tip @carl 1 ask Bob Long'],
  ['/tip 5 dollars to Bob Long', '/tip 5 dollars to telegram:7'],
  ['/tip 6 split between Bob Long and @carl', '/tip 6 split between telegram:7 and @carl'],
  ['/tip 3ドルをBob Longにあげて', '/tip 3ドルを telegram:7にあげて'],
  ['/tip @carl 1 for Bob Long', '/tip @carl 1 for Bob Long'],
])('a native mention in %j becomes an id before the note, and stays in it', (text, wanted) => {
  expect(read(text, { entities: [mention(text, 'Bob Long', bob)] })?.text).toBe(wanted);
});

test('letters of two units before a mention do not shift it', () => {
  const text = '/tip 1 Bob Long 🙂';
  expect(read(text, { entities: [mention(text, 'Bob Long', bob)] })?.text).toBe('/tip 1 telegram:7 🙂');
});

test.each([
  ['a person', { message_id: 3, from: bob }, '7', []],
  ['a bot', { message_id: 3, from: { ...bob, is_bot: true } }, '7', ['telegram:7']],
  ['a channel', { message_id: 3, from: bob, sender_chat: { id: -9 } }, '7', ['telegram:7']],
])('a reply to %s says who that is', (_what, original, key, bots) => {
  expect(read('/tip 1', { reply_to_message: original })?.context).toEqual({
    bareNames: 'telegram',
    bots,
    repliesTo: { platform: 'telegram', key, display: key },
    repliesToMessageId: '3',
  });
});

test('messages in a topic do not answer the message that opened it', () => {
  const topic = { message_thread_id: 3, is_topic_message: true, reply_to_message: { message_id: 3, from: bob } };
  expect(read('/tip 1', topic)?.context.repliesTo).toBeUndefined();
  expect(read('/tip 1', { ...topic, reply_to_message: { message_id: 4, from: bob } })?.context.repliesTo?.key).toBe(
    '7',
  );
});

test('a name that ends as only names of bots may is a bot', () => {
  const text = '/tip @Some_Bot 1';
  expect(read(text, { entities: [mention(text, '@Some_Bot')] })?.context.bots).toEqual(['telegram:some_bot']);
});
