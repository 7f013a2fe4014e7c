/** Who is paid by a name on Telegram: the person whom this group has seen with it, or nobody. */
import { and, eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { User } from 'grammy/types';
import { KNOWN_AFTER_MS, PERSON_SURE_MS } from '../../../core/communities/people.ts';
import { meetPeople } from '../../../bot/telegram/people.ts';
import { storeEvents } from '../../../db/chats/chat-events.ts';
import { isAnyoneKnown, longKnownAmong } from '../../../db/communities/community-answers.ts';
import { bearersOf, notePeople } from '../../../db/communities/community-people.ts';
import { startFakeApi, type FakeApi } from '../fake-api.ts';
import type { FakeTelegram } from '../../fakes/telegram/start.ts';
import { usdc } from '../harness.ts';
import { lastText, runTelegram, startWorld, until, type RunningTelegram } from './telegram-harness.ts';

let telegram: FakeTelegram;
let api: FakeApi;
let running: RunningTelegram;
let alice: User;
let anna: User;
let group: ReturnType<FakeTelegram['createGroup']>;
let already = 0;

beforeAll(async () => {
  telegram = await startWorld();
  api = await startFakeApi();
  running = await runTelegram({ apiUrl: api.url, telegram });
  running.deps.otherMoney = { rates: new Map([['EUR', usdc(1.08)]]), source: null };
});
afterAll(async () => {
  await running.close();
  await telegram.close();
  await api.close();
});
beforeEach(() => {
  alice = telegram.createUser({ firstName: 'Alice', username: 'alice_b', started: true });
  anna = telegram.createUser({ firstName: 'Anna', username: `anna_${(already += 1)}` });
  group = telegram.createGroup({ members: [alice, anna], bot: 'administrator' });
  api.seen.length = 0;
});

const paid = () => api.seen.filter(({ header }) => header !== null);
/** What was paid once the answer stands there that nothing was. */
const paidAfter = async (text: string, chat: { id: number } = group) => {
  telegram.say(alice, chat, text);
  await until(() => expect(lastText(telegram, alice, chat)).toContain('so nothing was sent'));
  return paid();
};

describe('a name that the group has seen', () => {
  test.each([
    ['with an @', (name: string) => `/tip @${name} 1 nice`],
    ['in capitals', (name: string) => `/tip @${name.toUpperCase()} 1 nice`],
    ['with its platform', (name: string) => `/tip telegram:${name} 1 nice`],
    ['as a link', (name: string) => `/tip https://t.me/${name} 1 nice`],
  ])('%s pays the id', async (_how, toText) => {
    telegram.say(anna, group, '/help@penny_bot');
    telegram.say(alice, group, toText(anna.username ?? ''));
    await until(() => expect(paid()).toHaveLength(1));
    expect(paid()[0]).toMatchObject({
      path: '/payments/telegram/pay',
      body: { receiver: String(anna.id), amount: '1', description: 'nice' },
    });
  });

  test('among several becomes an id on the card', async () => {
    const { message } = telegram.say(anna, group, 'look at this');
    telegram.say(alice, group, '/help', { replyTo: message });
    telegram.say(alice, group, `/tip @${anna.username} x:jack 1`);
    await until(() => expect(lastText(telegram, alice, group)).toContain('Anna: 1.00 USDC\n@\u2060jack on X: 1.00'));
  });

  test('that is the sender’s own is refused', async () => {
    telegram.say(alice, group, '/tip @alice_b 1');
    await until(() => expect(lastText(telegram, alice, group)).toContain('is you'));
    expect(paid()).toEqual([]);
  });
});

describe('a tip in other money', () => {
  test('that is asked about in private is paid in the group where it was typed, by a name of that group', async () => {
    const silent = telegram.createGroup({ members: [alice, anna] });
    telegram.say(anna, silent, '/help@penny_bot');
    telegram.say(alice, silent, `/tip@penny_bot @${anna.username} 1 €`);
    const card = await until(() => {
      const last = telegram.fromBot(alice, alice).at(-1);
      if (!last?.text.includes('1.08')) throw new Error('no card');
      return last;
    });
    telegram.press(alice, card.message, 'Send at this rate');
    await until(() => expect(paid()).toHaveLength(1));
    expect(paid()[0]).toMatchObject({ body: { receiver: String(anna.id), amount: '1.08' } });
    await until(() => expect(lastText(telegram, anna, silent)).toContain('Sent 1.08'));
  });
});

describe('a name that was seen long ago', () => {
  const seenLongAgo = async (username: string) => {
    const person = { userId: `telegram:${anna.id}`, username, isBot: false };
    const community = { transport: 'telegram', communityId: String(group.id) };
    await notePeople(running.store, community, [person], running.clock.now() - 2 * PERSON_SURE_MS);
  };

  test('is asked for and paid where it is still theirs', async () => {
    await seenLongAgo(anna.username ?? '');
    telegram.say(alice, group, `/tip @${anna.username} 1`);
    await until(() => expect(paid()).toHaveLength(1));
    expect(paid()[0]).toMatchObject({ body: { receiver: String(anna.id) } });
  });

  test('pays nobody who has another name by now', async () => {
    await seenLongAgo('her_older_name');
    expect(await paidAfter('/tip @her_older_name 1')).toEqual([]);
  });

  test('pays nobody where the platform does not say', async () => {
    await seenLongAgo(anna.username ?? '');
    telegram.fail('getChatMember', { kind: 'status', status: 502 });
    expect(await paidAfter(`/tip @${anna.username} 1`)).toEqual([]);
  });
});

describe('a press that is taken up late', () => {
  test('takes no name from the person who has it by now', async () => {
    const [store, community] = [running.store, { transport: 'telegram', communityId: String(group.id) }];
    const [cameAtMs, nowMs] = [1_000_000, 2_000_000];
    const { id, username = '' } = anna;
    await storeEvents(store, 'telegram', [{ id: '77', body: {} }], cameAtMs);
    await notePeople(store, community, [{ userId: 'telegram:1', username, isBot: false }], cameAtMs + 1);
    const message = { message_id: 1, chat: { id: group.id, type: 'supergroup' as const } };
    const press = { id: 'q', from: { ...anna, id }, data: 'b', message };
    await meetPeople(store, { update_id: 77, callback_query: press }, nowMs);
    const bearers = await bearersOf(store, community, [username], nowMs);
    expect(bearers.get(username)).toMatchObject({ userId: 'telegram:1' });
  });
});

describe('a name that is refused before anything is paid', () => {
  test('one that nobody bears here, such as a channel', async () => {
    expect(await paidAfter('/tip @durov_channel 1')).toEqual([]);
  });

  test('one that another group knows', async () => {
    const other = telegram.createGroup({ members: [alice, anna] });
    telegram.say(anna, other, '/help@penny_bot');
    await until(() => expect(lastText(telegram, anna, other)).not.toBe(''));
    expect(await paidAfter(`/tip @${anna.username} 1`)).toEqual([]);
  });

  test('any, in private', async () => {
    expect(await paidAfter(`/tip @${anna.username} 1`, alice)).toEqual([]);
  });

  test('one of several', async () => {
    expect(await paidAfter(`/tip x:jack @${anna.username} 1`)).toEqual([]);
  });

  test('a bot that was seen under a name of its own kind', async () => {
    const bot = telegram.createUser({ isBot: true, firstName: 'Beep', username: 'beeper_x' });
    telegram.join(bot, group);
    const { message } = telegram.say(bot, group, 'beep');
    telegram.say(anna, group, '/help', { replyTo: message });
    await until(() => expect(lastText(telegram, anna, group)).not.toBe(''));
    telegram.say(alice, group, '/tip @beeper_x 1');
    await until(() => expect(lastText(telegram, alice, group)).toContain('is a bot'));
    expect(paid()).toEqual([]);
  });
});

test('who is known for long is who was answered by others, each message once and no friend alone', async () => {
  const { store } = running;
  const bea = telegram.createUser({ firstName: 'Bea' });
  const cleo = telegram.createUser({ firstName: 'Cleo' });
  for (const user of [bea, cleo]) telegram.join(user, group);
  const community = { transport: 'telegram', communityId: String(group.id) };
  const rows = async () => {
    const { communityAnswers: table } = store.tables;
    const isHers = and(eq(table.communityId, community.communityId), eq(table.userId, `telegram:${anna.id}`));
    return store.read.select().from(table).where(isHers);
  };
  const answer = (by: User, to: ReturnType<FakeTelegram['say']>) =>
    telegram.say(by, group, 'yes', { replyTo: to.message });
  const said = [1, 2, 3, 4, 5, 6].map((at) => telegram.say(anna, group, `thought ${at}`));
  const [first, ...others] = said;
  if (!first) throw new Error('nothing was said');
  // Her own answer, and a second one to the same message, count nothing.
  for (const by of [anna, alice]) answer(by, first);
  await until(async () => expect(await rows()).toHaveLength(1));
  answer(bea, first);
  // Of one friend two messages count.
  for (const one of others) answer(alice, one);
  await until(async () => expect(await rows()).toHaveLength(2));
  for (const one of others.slice(1, 3)) answer(bea, one);
  answer(cleo, others[3] ?? first);
  await until(async () => expect(await rows()).toHaveLength(5));
  const by = (await rows()).map(({ byId }) => byId).toSorted();
  expect(by).toEqual([alice, alice, bea, bea, cleo].map(({ id }) => `telegram:${id}`).toSorted());
  const known = async (nowMs: number) => [
    ...(await longKnownAmong(store, community, [`telegram:${anna.id}`, `telegram:${alice.id}`], nowMs)),
  ];
  const { communityPeople: people } = store.tables;
  const seen = await store.read
    .select()
    .from(people)
    .where(eq(people.userId, `telegram:${anna.id}`));
  const nowMs = seen[0]?.firstSeenAtMs ?? 0;
  expect(await known(nowMs)).toEqual([]);
  expect(await known(nowMs + KNOWN_AFTER_MS)).toEqual([`telegram:${anna.id}`]);
  expect(await isAnyoneKnown(store, community, nowMs + KNOWN_AFTER_MS)).toBe(true);
  expect(await isAnyoneKnown(store, community, nowMs + KNOWN_AFTER_MS - 1)).toBe(false);
});
