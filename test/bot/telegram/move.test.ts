import { eq } from 'drizzle-orm';
import type { Update, User } from 'grammy/types';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { DEFAULT_SETTINGS, type CommunitySettings } from '../../../core/communities/community-settings.ts';
import { ban, countBans, isBanned } from '../../../db/communities/community-bans.ts';
import { moveCommunity } from '../../../db/communities/community-move.ts';
import { changeCommunitySettings, readCommunitySettings } from '../../../db/communities/community-settings.ts';
import type { Store } from '../../../db/store/store.ts';
import { startFakeApi, type FakeApi } from '../fake-api.ts';
import type { FakeTelegram } from '../../fakes/telegram/start.ts';
import { openTestStore } from '../harness.ts';
import { lastText, quiet, runTelegram, startWorld, texts, until, type RunningTelegram } from './telegram-harness.ts';

let telegram: FakeTelegram;
let api: FakeApi;
let store: Store;
let running: RunningTelegram;
let alice: User;
let bob: User;

beforeEach(async () => {
  telegram = await startWorld();
  api = await startFakeApi();
  store = await openTestStore();
  running = await runTelegram({ apiUrl: api.url, telegram, store });
  alice = telegram.createUser({ firstName: 'Alice', started: true });
  bob = telegram.createUser({ firstName: 'Bob', started: true });
});
afterEach(async () => {
  await running.close();
  await telegram.close();
  await api.close();
});

const community = ({ id }: { id: number }) => ({ transport: 'telegram', communityId: String(id) });
const by = { bannedBy: 'telegram:1', nowMs: 1 };

async function decide(group: { id: number }, settings: Partial<CommunitySettings>): Promise<void> {
  await changeCommunitySettings(store, community(group), { changedBy: 'telegram:1', nowMs: 1 }, () => ({
    kind: 'changed',
    settings: { ...DEFAULT_SETTINGS, ...settings },
  }));
}

/** What Telegram says in the old group when it becomes a supergroup. */
function migrate(from: { id: number }, to: { id: number }): void {
  const message = {
    message_id: 99,
    date: Math.floor(Date.now() / 1_000),
    chat: { id: from.id, type: 'group', title: 'Tippers' },
    from: alice,
    migrate_to_chat_id: to.id,
  };
  // Lower than any that the stand-in gives, so that it counts as one that comes again.
  telegram.redeliver({ update_id: 0, message } as unknown as Update);
}

test('a group that becomes a supergroup keeps what its moderators have decided', async () => {
  const [before, after] = [
    telegram.createGroup({ members: [alice, bob] }),
    telegram.createGroup({ members: [alice, bob] }),
  ];
  const here = { id: String(before.id), name: 'Tippers' };
  await decide(before, { channels: [here], logChat: here, tipMinMicroUsdc: '500000' });
  await ban(store, { ...community(before), userId: `telegram:${bob.id}` }, by);
  telegram.say(alice, before, '/tip x:jack 1');
  await until(() => expect(lastText(telegram, alice, before)).toMatch(/^Sent/));
  migrate(before, after);
  await until(async () => expect((await readCommunitySettings(store, community(after))).logChat).not.toBeNull());
  const moved = { ...here, id: String(after.id) };
  expect(await readCommunitySettings(store, community(after))).toMatchObject({
    channels: [moved],
    logChat: moved,
    tipMinMicroUsdc: '500000',
  });
  expect(await readCommunitySettings(store, community(before))).toEqual(DEFAULT_SETTINGS);
  const { orders } = store.tables;
  const rows = await store.read.select().from(orders).where(eq(orders.transport, 'telegram'));
  expect(rows.map(({ communityId, chatId }) => [communityId, chatId])).toEqual([[String(after.id), here.id]]);
  // Banned members still are, and the others may tip there at once.
  telegram.say(bob, after, '/tip x:jack 1');
  await until(() => expect(texts(telegram, bob, bob)).toHaveLength(1));
  telegram.say(alice, after, '/tip x:jack 1');
  await until(() => expect(lastText(telegram, alice, after)).toMatch(/^Sent/));
  await quiet(running);
  expect(api.headers()).toHaveLength(2);
});

test('what was decided in the new place is the later word, and moving twice is moving once', async () => {
  const [before, after] = [{ id: -5 }, { id: -1_005 }];
  await decide(before, { hasNotes: false });
  await decide(after, { cooldownSeconds: 30 });
  for (const userId of ['telegram:1', 'telegram:2']) await ban(store, { ...community(before), userId }, by);
  await ban(store, { ...community(after), userId: 'telegram:2' }, by);
  const move = { transport: 'telegram', from: '-5', to: '-1005' };
  await Promise.all([moveCommunity(store, move), moveCommunity(store, move)]);
  expect(await readCommunitySettings(store, community(after))).toEqual({ ...DEFAULT_SETTINGS, cooldownSeconds: 30 });
  expect([await countBans(store, community(before)), await countBans(store, community(after))]).toEqual([0, 2]);
  expect(await isBanned(store, { ...community(after), userId: 'telegram:1' })).toBe(true);
});
