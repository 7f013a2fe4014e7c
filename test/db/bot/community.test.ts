/** What moderators have set, whom they have banned, and at what pace people tip: with several processes at once as well. */
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DEFAULT_SETTINGS, type CommunitySettings } from '../../../core/communities/community-settings.ts';
import { ban, countBans, isBanned, unban } from '../../../db/communities/community-bans.ts';
import { confirmPacedProposal, createPacedOrder } from '../../../db/tips/community-orders.ts';
import { findCooldownEnd, takeCooldown } from '../../../db/communities/community-pace.ts';
import {
  changeCommunitySettings,
  readCommunitySettings,
  type Decision,
} from '../../../db/communities/community-settings.ts';
import { eraseChatUser } from '../../../db/chats/erase.ts';
import { createOrder, findOrder, findOrderByEvent, type OrderDraft } from '../../../db/tips/orders.ts';
import { findMessage, openMessage } from '../../../db/chats/bot-messages.ts';
import { openMigrated } from '../../support/databases/migrated.ts';
import type { Store } from '../../../db/store/store.ts';
import { onBothDatabases } from '../../support/postgres.ts';
import { openTestStore } from '../../bot/harness.ts';

const BY = { changedBy: 'discord:1', nowMs: 7 };
const DAY_MS = 86_400_000;

onBothDatabases((fresh) => {
  let store: Store;
  let counter = 0;
  beforeAll(async () => {
    const address = await fresh();
    store = address === undefined ? await openTestStore() : await openMigrated(address);
  });
  afterAll(() => store.close());

  /** Another one each time. */
  const newCommunity = () => ({ transport: 'test', communityId: `community-${++counter}` });
  const changed = (settings: CommunitySettings): Decision<never> => ({ kind: 'changed', settings });

  describe('settings', () => {
    test('are the defaults where nothing was set, and of one community only', async () => {
      const [one, other] = [newCommunity(), newCommunity()];
      await changeCommunitySettings(store, one, BY, (now) => changed({ ...now, hasNotes: false }));
      expect(await readCommunitySettings(store, one)).toEqual({ ...DEFAULT_SETTINGS, hasNotes: false });
      expect(await readCommunitySettings(store, other)).toEqual(DEFAULT_SETTINGS);
      expect(await readCommunitySettings(store, { ...one, transport: 'another' })).toEqual(DEFAULT_SETTINGS);
    });

    test('keep what each of many moderators at once has changed', async () => {
      const community = newCommunity();
      const names = Array.from({ length: 12 }, (_, index) => `channel-${index}`);
      const add = (name: string) =>
        changeCommunitySettings(store, community, BY, (now) =>
          changed({ ...now, channels: [...now.channels, { id: name, name }] }),
        );
      await Promise.all(names.map(add));
      const { channels } = await readCommunitySettings(store, community);
      expect(channels.map(({ name }) => name).toSorted()).toEqual(names.toSorted());
    });

    test('stay as they are when a change is refused', async () => {
      const community = newCommunity();
      const decision = await changeCommunitySettings(store, community, BY, () => ({ kind: 'refused', refused: 'no' }));
      expect(decision).toEqual({ kind: 'refused', refused: 'no' });
      expect(await store.read.select().from(store.tables.communitySettings).where(isOf(community))).toEqual([]);
    });

    test('that no schema allows are not written', async () => {
      const community = newCommunity();
      const write = changeCommunitySettings(store, community, BY, (now) => changed({ ...now, cooldownSeconds: -1 }));
      await expect(write).rejects.toThrow();
      expect(await readCommunitySettings(store, community)).toEqual(DEFAULT_SETTINGS);
    });

    test('of an older version have the defaults of what was added since', async () => {
      const community = newCommunity();
      await changeCommunitySettings(store, community, BY, (now) => changed({ ...now, cooldownSeconds: 60 }));
      const settings = { cooldownSeconds: 60 } as CommunitySettings;
      await store.tx((db) => db.update(store.tables.communitySettings).set({ settings }).where(isOf(community)));
      expect(await readCommunitySettings(store, community)).toEqual({ ...DEFAULT_SETTINGS, cooldownSeconds: 60 });
    });

    const isOf = ({ communityId }: { communityId: string }) =>
      eq(store.tables.communitySettings.communityId, communityId);
  });

  test('a ban holds in one community, for one person, until it is lifted', async () => {
    const [here, there] = [newCommunity(), newCommunity()];
    const member = { ...here, userId: 'mallory' };
    const by = { bannedBy: 'alice', nowMs: 1 };
    await ban(store, member, by);
    await ban(store, member, { ...by, bannedBy: 'bob' });
    expect(await isBanned(store, member)).toBe(true);
    expect(await isBanned(store, { ...there, userId: 'mallory' })).toBe(false);
    expect(await isBanned(store, { ...here, userId: 'carol' })).toBe(false);
    expect(await countBans(store, here)).toBe(1);
    expect(await unban(store, member)).toBe(true);
    expect(await unban(store, member)).toBe(false);
    expect([await isBanned(store, member), await countBans(store, here)]).toEqual([false, 0]);
  });

  describe('the time between two tips', () => {
    const take = (tipper: Parameters<typeof takeCooldown>[2], nowMs: number, cooldownSeconds = 30) =>
      store.tx((db) => takeCooldown(db, store.tables, tipper, { cooldownSeconds, nowMs }));

    test('a tip that a wrong clock has put far ahead keeps nobody waiting until then', async () => {
      const tipper = { ...newCommunity(), userId: 'discord:7' };
      expect(await take(tipper, 3_600_000)).toBeNull();
      // Clocks of two processes differ a little.
      expect(await take(tipper, 3_590_000)).toBe(3_630_000);
      expect(await findCooldownEnd(store, tipper, { cooldownSeconds: 30, nowMs: 1_000 })).toBeNull();
      expect(await take(tipper, 1_000)).toBeNull();
      expect(await take(tipper, 2_000)).toBe(31_000);
    });

    test('begins with a tip, and a refused one does not begin it anew', async () => {
      const tipper = { ...newCommunity(), userId: 'carol' };
      expect(await findCooldownEnd(store, tipper, { cooldownSeconds: 30, nowMs: 1_000 })).toBeNull();
      expect(await take(tipper, 1_000)).toBeNull();
      expect(await take(tipper, 30_999)).toBe(31_000);
      expect(await findCooldownEnd(store, tipper, { cooldownSeconds: 30, nowMs: 30_999 })).toBe(31_000);
      expect(await findCooldownEnd(store, tipper, { cooldownSeconds: 30, nowMs: 31_000 })).toBeNull();
      expect(await take(tipper, 31_000)).toBeNull();
      expect(await take(tipper, 31_001)).toBe(61_000);
    });

    test('is of one person in one community, and none where it is off', async () => {
      const [here, there] = [newCommunity(), newCommunity()];
      expect(await take({ ...here, userId: 'carol' }, 1_000)).toBeNull();
      expect(await take({ ...here, userId: 'dora' }, 1_000)).toBeNull();
      expect(await take({ ...there, userId: 'carol' }, 1_000)).toBeNull();
      expect(await take({ ...here, userId: 'carol' }, 1_000, 0)).toBeNull();
    });

    test('lets one of many tips at once through', async () => {
      const tipper = { ...newCommunity(), userId: 'carol' };
      const results = await Promise.all(Array.from({ length: 10 }, () => take(tipper, 5_000)));
      expect(results.filter((end) => end === null)).toHaveLength(1);
    });
  });

  describe('an order', () => {
    const draft = (communityId: string, eventId: string): OrderDraft => ({
      id: `order-${eventId}`,
      transport: 'test',
      eventId,
      chatId: 'chat',
      messageId: `answer:${eventId}`,
      communityId,
      userId: 'carol',
      walletId: 'carol',
      walletName: null,
      language: null,
      network: 'base',
      payerAddress: '0x1',
      route: '/payments/x/pay',
      body: { receiver: 'alice', amount: '1' },
      recipient: 'x:alice',
      amountMicroUsdc: 1_000_000n,
      createdAtMs: 1_000,
    });
    const pace = (nowMs: number) => ({ cooldownSeconds: 30, nowMs });

    test('that comes too soon is not written, and the same event again is not refused by itself', async () => {
      const { communityId } = newCommunity();
      const [first, second] = [draft(communityId, `${communityId}/1`), draft(communityId, `${communityId}/2`)];
      const deliveries = await Promise.all([1, 2, 3].map(() => createPacedOrder(store, first, pace(1_000))));
      expect(deliveries).toMatchObject([1, 2, 3].map(() => ({ kind: 'created', order: { id: first.id } })));
      expect(await createPacedOrder(store, second, pace(2_000))).toEqual({ kind: 'too_soon', endsAtMs: 31_000 });
      expect(await findOrderByEvent(store, 'test', second.eventId)).toBeNull();
      expect(await createPacedOrder(store, first, pace(2_000))).toMatchObject({ kind: 'created' });
      expect(await createPacedOrder(store, second, pace(31_000))).toMatchObject({ kind: 'created' });
    });

    test('that is only proposed begins the time when it is confirmed, and stays open when that is too soon', async () => {
      const { communityId } = newCommunity();
      const [card, tip] = [draft(communityId, `${communityId}/1`), draft(communityId, `${communityId}/2`)];
      const who = { id: card.id, userId: 'carol' };
      await createOrder(store, card, 'proposed');
      expect(await createPacedOrder(store, tip, pace(2_000))).toMatchObject({ kind: 'created' });
      const confirm = (nowMs: number) => confirmPacedProposal(store, who, { shownAfterMs: 0, nowMs }, 30);
      expect(await confirm(3_000)).toEqual({ kind: 'too_soon', endsAtMs: 32_000 });
      expect((await findOrder(store, card.id))?.status).toBe('proposed');
      const presses = await Promise.all([confirm(32_000), confirm(32_000)]);
      expect(presses.map(({ kind }) => kind).toSorted()).toEqual(['confirmed', 'not_open']);
      expect(await findOrder(store, card.id)).toMatchObject({ status: 'drafted', createdAtMs: 32_000 });
      const tooSoon = await createPacedOrder(store, draft(communityId, `${communityId}/3`), pace(33_000));
      expect(tooSoon).toEqual({ kind: 'too_soon', endsAtMs: 62_000 });
    });

    test('is confirmed by nobody else and not too late, and that begins no time', async () => {
      const { communityId } = newCommunity();
      const card = draft(communityId, `${communityId}/1`);
      await createOrder(store, card, 'proposed');
      const term = { shownAfterMs: 0, nowMs: 2_000 };
      const stranger = await confirmPacedProposal(store, { id: card.id, userId: 'mallory' }, term, 30);
      const late = { shownAfterMs: 1_000, nowMs: 2_000 };
      const tooLate = await confirmPacedProposal(store, { id: card.id, userId: 'carol' }, late, 30);
      expect([stranger.kind, tooLate.kind]).toEqual(['not_open', 'not_open']);
      expect(await createPacedOrder(store, draft(communityId, `${communityId}/2`), pace(2_000))).toMatchObject({
        kind: 'created',
      });
    });

    test('leaves the messages of its chat with nothing when it is erased, unless it goes on', async () => {
      const { communityId } = newCommunity();
      const [over, open] = ['over', 'open'].map((name) => ({
        ...draft(communityId, `${communityId}/${name}`),
        userId: communityId,
      }));
      for (const order of [over, open]) {
        if (order === undefined) throw new Error('there are two');
        await createOrder(store, order);
        await show(order.messageId, communityId);
      }
      await show(`answer:${communityId}/other`, 'another person');
      const { orders } = store.tables;
      const ended = { status: 'failed', shownAtMs: 5 } as const;
      await store.tx((db) =>
        db
          .update(orders)
          .set(ended)
          .where(eq(orders.id, over?.id ?? '')),
      );
      await eraseChatUser(store, communityId, 10);
      const shown = async (name: string) =>
        findMessage(store, { transport: 'telegram', key: `answer:${communityId}/${name}` });
      expect(await shown('over')).toMatchObject({ view: null, pendingSinceMs: null });
      expect((await shown('open'))?.view).not.toBeNull();
      expect((await shown('other'))?.view).not.toBeNull();
    });

    const show = async (key: string, userId: string) => {
      const view = { state: 'ok', audience: 'person', paragraphs: [[{ text: 'to x:alice' }]], actions: [] } as const;
      await openMessage(store, {
        transport: 'telegram',
        key,
        chatId: '7',
        eventId: key,
        userId,
        language: null,
        view,
        nowMs: 1,
      });
    };
  });

  test('an erased member leaves no time of a tip behind, once no limit needs it', async () => {
    const community = newCommunity();
    const { communityTips } = store.tables;
    const tip = (userId: string, nowMs: number) =>
      store.tx((db) => takeCooldown(db, store.tables, { ...community, userId }, { cooldownSeconds: 30, nowMs }));
    await tip('old', 0);
    await tip('young', DAY_MS);
    for (const userId of ['old', 'young']) await eraseChatUser(store, userId, DAY_MS + 1);
    const left = await store.read
      .select()
      .from(communityTips)
      .where(eq(communityTips.communityId, community.communityId));
    expect(left.map(({ userId }) => userId)).toEqual(['young']);
  });
});
