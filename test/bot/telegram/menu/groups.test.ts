import { setTimeout as wait } from 'node:timers/promises';
import { Api } from 'grammy';
import type { User } from 'grammy/types';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { offeredIn } from '../../../../bot/commands/offered.ts';
import { createRateLimits } from '../../../../queue/rate-limiter.ts';
import type { Store } from '../../../../db/store/store.ts';
import { telegramTextsIn } from '../../../../texts/telegram/languages.ts';
import { startFakeApi, type FakeApi } from '../../fake-api.ts';
import type { FakeTelegram } from '../../../fakes/telegram/start.ts';
import type { Group } from '../../../fakes/telegram/driver/people.ts';
import { openTestStore } from '../../harness.ts';
import {
  listening,
  runTelegram,
  startWorld,
  texts,
  until as untilSo,
  type RunningTelegram,
} from '../telegram-harness.ts';

/** Calls by which one group's menu is set or taken away: two lists in each language, English being the one without. */
const WRITES = 10;
/** How often the bot looks at the menus that may be wrong. */
const LOOK_EVERY_MS = 1_000;
/** Enough for a look and all its calls where nothing else runs. */
const ROUND_MS = 60;

let telegram: FakeTelegram;
let api: FakeApi;
let store: Store;
let running: RunningTelegram;
let alice: User;
let bob: User;
/** The minutes that the limits have seen pass, beside the real ones. */
let laterMs: number;

beforeEach(async () => {
  // Nobody waits for a round: it comes when a test asks.
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  laterMs = 0;
  telegram = await startWorld();
  api = await startFakeApi();
  store = await openTestStore();
  await begin();
  alice = telegram.createUser({ firstName: 'Alice', started: true, languageCode: 'en' });
  bob = telegram.createUser({ firstName: 'Bob', languageCode: 'de' });
});
afterEach(async () => {
  await running.close();
  await telegram.close();
  await api.close();
  vi.useRealTimers();
});

const look = () => vi.advanceTimersByTime(LOOK_EVERY_MS);

/** The bot looks again before each look at what came of it. */
const until = <T>(check: () => T | Promise<T>): Promise<T> =>
  untilSo(() => {
    look();
    return check();
  });

/** For what must not come of them. */
async function rounds(count: number): Promise<void> {
  for (let round = 0; round < count; round += 1) {
    look();
    await wait(ROUND_MS);
  }
}

async function begin(): Promise<void> {
  const limits = createRateLimits(() => Date.now() + laterMs);
  running = await runTelegram({ apiUrl: api.url, telegram, store, limits });
  await listening(telegram);
}

const menu = (user: User, group: Group) => telegram.menu(user, group).map(({ command }) => command);
const ownLists = () =>
  [...telegram.calls('setMyCommands'), ...telegram.calls('deleteMyCommands')].filter(({ parameters }) =>
    JSON.stringify(parameters).includes('chat_id'),
  );

async function help(group: Group): Promise<string> {
  // A bot that does not run the group answers its members in private.
  const answers = () =>
    [group, alice].map((chat) => texts(telegram, alice, chat).filter((text) => text.includes('/top')));
  const before = answers();
  telegram.say(alice, group, '/help');
  return until(() => {
    const [news] = answers().flatMap((texts, index) => texts.slice(before[index]?.length));
    if (news === undefined) throw new Error('no help yet');
    return news;
  });
}

test('where the bot lacks a right, menu and help lack the command; given back, both have it and no list stays', async () => {
  const group = telegram.createGroup({ members: [alice, bob] });
  expect(menu(bob, group)).toEqual(expect.arrayContaining(['request', 'top', 'treasury']));
  expect(menu(bob, group)).not.toContain('drop');
  expect(await help(group)).not.toContain('/drop');
  laterMs += 120_000;
  telegram.promoteBot(group, group.owner);
  await until(() =>
    expect([alice, bob, group.owner].map((user) => menu(user, group).includes('drop'))).toEqual([true, true, true]),
  );
  // Nobody loses their language, or what is for those who run the group.
  await until(() => expect(telegram.ownMenus(group)).toHaveLength(WRITES));
  const drop = telegram.menu(bob, group).find(({ command }) => command === 'drop');
  expect(drop?.description).toBe(telegramTextsIn('de').commands.drop);
  await until(() => expect(menu(group.owner, group)).toEqual([...menu(bob, group), 'reward', 'settings']));
  expect(menu(bob, group)).toEqual(menu(alice, group));
  expect(await help(group)).toContain('/drop');
  const other = telegram.createGroup({ members: [bob] });
  expect(menu(bob, other)).not.toContain('drop');
  laterMs += 120_000;
  telegram.demoteBot(group, group.owner);
  await until(() => expect(telegram.ownMenus(group)).toEqual([]));
  expect(menu(bob, group)).toEqual(menu(bob, other));
  expect(menu(group.owner, group)).toEqual(menu(other.owner, other));
  expect(await help(group)).not.toContain('/drop');
});

test('a bot that may not write offers nothing that needs its messages, until it may again', async () => {
  const group = telegram.createGroup({ members: [bob] });
  const offered = async () => {
    const isOffered = await offeredIn(running.deps, {
      transport: 'telegram',
      communityId: String(group.id),
      chatId: String(group.id),
    });
    return ['request', 'drop', 'top', 'treasury'].filter(isOffered);
  };
  telegram.muteBot(group, group.owner);
  await until(() => expect(menu(group.owner, group)).not.toContain('reward'));
  for (const name of ['request', 'drop']) expect(menu(bob, group)).not.toContain(name);
  expect(menu(bob, group)).toEqual(expect.arrayContaining(['top', 'treasury']));
  expect(await offered()).toEqual(['top', 'treasury']);
  laterMs += 120_000;
  telegram.demoteBot(group, group.owner);
  await until(() => expect(telegram.ownMenus(group)).toEqual([]));
  expect(menu(bob, group)).toContain('request');
  expect(await offered()).toEqual(['request', 'top', 'treasury']);
});

test('a small group has no treasury to offer, and a plain supergroup costs no list', async () => {
  const small = telegram.createGroup({ kind: 'group', members: [bob], bot: 'absent' });
  const large = telegram.createGroup({ members: [bob], bot: 'absent' });
  telegram.addBot(large, large.owner);
  telegram.addBot(small, small.owner);
  await until(() => expect(menu(small.owner, small)).not.toContain('treasury'));
  expect(menu(bob, small)).toContain('top');
  expect(menu(bob, large)).toContain('treasury');
  expect(telegram.ownMenus(large)).toEqual([]);
  await until(() => expect(ownLists()).toHaveLength(WRITES));
});

test('what changed while the bot was away is set right at its next start, and what was half done by the next help', async () => {
  const group = telegram.createGroup({ members: [alice, bob] });
  await running.stop();
  telegram.promoteBot(group, group.owner);
  await begin();
  await until(() => expect(telegram.ownMenus(group)).toHaveLength(WRITES));
  await running.stop();
  // Another process was killed over the last of the lists.
  const another = new Api(telegram.token, { apiRoot: telegram.url });
  await another.deleteMyCommands({ scope: { type: 'chat_administrators', chat_id: group.id } });
  await begin();
  expect(menu(group.owner, group)).not.toContain('settings');
  await help(group);
  await until(() => expect(menu(group.owner, group)).toContain('settings'));
  expect(telegram.ownMenus(group)).toHaveLength(WRITES);
});

test('rights that change many times cost two looks a minute, and the last of them counts', async () => {
  const group = telegram.createGroup({ members: [bob] });
  for (let time = 0; time < 40; time += 1) {
    telegram.promoteBot(group, group.owner);
    telegram.demoteBot(group, group.owner);
    // Also over several rounds, which would each look again.
    if (time % 10 === 0) await rounds(2);
  }
  telegram.promoteBot(group, group.owner);
  await until(() => expect(telegram.unconfirmed()).toEqual([]));
  await rounds(10);
  expect(telegram.calls('getChatMember').length).toBeLessThanOrEqual(2);
  expect(ownLists().length).toBeLessThanOrEqual(2 * WRITES);
  laterMs += 120_000;
  await until(() => expect(menu(bob, group)).toContain('drop'));
});

test('a stranger who adds the bot to many groups makes it look at twenty a minute', async () => {
  const groups = Array.from({ length: 60 }, () => telegram.createGroup({ kind: 'group', bot: 'absent' }));
  for (const group of groups) telegram.addBot(group, group.owner);
  await until(() => expect(ownLists().length).toBeGreaterThanOrEqual(20 * WRITES));
  await rounds(10);
  expect(telegram.calls('getChatMember')).toHaveLength(20);
  expect(ownLists()).toHaveLength(20 * WRITES);
});

test('told to wait, it makes no further call about menus until then', async () => {
  const group = telegram.createGroup({ members: [bob] });
  const other = telegram.createGroup({ members: [bob] });
  const flood = telegram.fail('setMyCommands', { kind: 'flood', retryAfterSeconds: 1 }, 1);
  const writes = telegram.calls('setMyCommands').length;
  telegram.promoteBot(group, group.owner);
  telegram.promoteBot(other, other.owner);
  await until(() => expect(flood.fired()).toBe(1));
  const [told] = telegram.calls('setMyCommands').slice(writes);
  const before = telegram.calls('getChatMember').length;
  await until(() => expect([group, other].map((one) => menu(bob, one).includes('drop'))).toEqual([true, true]));
  const [next] = telegram.calls('getChatMember').slice(before);
  expect(next?.arrivedAtMs ?? 0).toBeGreaterThanOrEqual((told?.arrivedAtMs ?? Infinity) + 1_000);
});

test('a group that throws the bot out at once is no error, and one that became a supergroup is looked at there', async () => {
  const group = telegram.createGroup({ members: [bob], bot: 'absent' });
  telegram.addBot(group, group.owner);
  telegram.removeBot(group, group.owner);
  const [before, after] = [
    telegram.createGroup({ kind: 'group', members: [bob] }),
    telegram.createGroup({ members: [bob], bot: 'administrator' }),
  ];
  const chat = { id: before.id, type: 'group', title: 'Tippers' };
  const date = Math.floor(Date.now() / 1_000);
  const message = { message_id: 99, date, chat, from: bob, migrate_to_chat_id: after.id };
  telegram.redeliver({ update_id: 0, message } as never);
  await until(() => expect(menu(bob, after)).toContain('drop'));
  await until(() => expect(ownLists()).toHaveLength(WRITES));
});
