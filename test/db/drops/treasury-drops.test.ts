/** Drops that a community pays: whoever presses what in whatever order, an order stands for enough others. */
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DROP_LIST_MS } from '../../../core/drops/drops.ts';
import { OWN_REWARD_WAIT_MS } from '../../../core/rewards/reward-cards.ts';
import { agreeToDrop, closeDrop, findDrop, openDrop, strikeTakers, takeShare } from '../../../db/drops/drops.ts';
import { eraseChatUser } from '../../../db/chats/erase.ts';
import { confirmationsOfDrop, confirmDrop, findDropOfOrder } from '../../../db/drops/treasury-drops.ts';
import { findOrder, type OrderDraft } from '../../../db/tips/orders.ts';
import type { Store } from '../../../db/store/store.ts';
import { openTestStore } from '../../bot/harness.ts';
import { openMigrated } from '../../support/databases/migrated.ts';
import { onBothDatabases } from '../../support/postgres.ts';

const CLOSES_MS = 1_000;
const WALLET = 'telegram-group:-1000000000042';
const [ASKER, TAKER] = ['telegram:100', 'telegram:7'];
const MODERATORS = { isOneEnough: false, isLone: false };

onBothDatabases((fresh) => {
  let store: Store;
  let count = 0;
  beforeAll(async () => {
    const address = await fresh();
    store = address === undefined ? await openTestStore() : await openMigrated(address);
  });
  afterAll(() => store.close());

  /** One whose list stands: of one taker, or of these. */
  async function listed(amountMicroUsdc: bigint, takers: readonly string[] = [TAKER]): Promise<string> {
    const id = `drop-${(count += 1)}`;
    await openDrop(store, {
      id,
      eventKey: id,
      transport: 'telegram',
      communityId: `-${count}`,
      chatId: '-1',
      language: null,
      giverId: ASKER,
      walletId: `${WALLET}${count}`,
      amountMicroUsdc,
      people: 10,
      role: null,
      createdAtMs: 1,
      closesAtMs: CLOSES_MS,
      endsAtMs: CLOSES_MS + DROP_LIST_MS,
    });
    for (const userId of takers) await takeShare(store, { dropId: id, userId, names: [], nowMs: 2 });
    await closeDrop(store, id, CLOSES_MS);
    return id;
  }

  const draft = (eventId: string): OrderDraft => ({
    id: `order-${eventId}`,
    transport: 'telegram',
    eventId,
    chatId: '-1',
    messageId: eventId,
    userId: WALLET,
    walletId: WALLET,
    walletName: null,
    language: null,
    network: 'base',
    payerAddress: '0x1',
    route: '/payments/telegram/batch-pay',
    body: {},
    recipient: '1 person',
    amountMicroUsdc: 500_000n,
    createdAtMs: 1,
  });

  type Press = {
    asked?: string[];
    deciders?: string[];
    moderators?: typeof MODERATORS;
    payees?: string[];
    nowMs?: number;
  };
  let presses = 0;
  function press(id: string, userId: string, options: Press = {}) {
    const { asked = ALL, deciders = ALL, moderators = MODERATORS, payees = [TAKER], nowMs = CLOSES_MS + 1 } = options;
    const who = { userId, names: [], askedIds: asked, deciderIds: deciders, moderators };
    return confirmDrop(store, { id, ...who, payees, nowMs }, draft(`event-${(presses += 1)}`));
  }
  const [MOD, OTHER, THIRD] = ['telegram:1', 'telegram:2', 'telegram:3'];
  const ALL = [ASKER, TAKER, MOD, OTHER, THIRD];
  const kindOf = async (...given: Parameters<typeof press>) => (await press(...given)).kind;

  test('up to 10 USDC one other confirms, above it two different ones', async () => {
    const small = await listed(10_000_000n);
    expect(await kindOf(small, MOD)).toBe('confirmed');
    const large = await listed(10_000_010n);
    expect([await kindOf(large, MOD), await kindOf(large, MOD)]).toEqual(['recorded', 'recorded']);
    expect(await kindOf(large, OTHER)).toBe('confirmed');
    expect(await kindOf(large, THIRD)).toBe('over');
    const drop = await findDrop(store, large);
    expect(drop).toMatchObject({ status: 'agreed' });
    expect(await findDropOfOrder(store, drop?.orderId ?? '')).toMatchObject({ id: large });
  });

  test('nobody confirms what they have asked for, or a list that they stand on', async () => {
    const id = await listed(5_000_000n);
    expect([await kindOf(id, ASKER), await kindOf(id, TAKER)]).toEqual(['own', 'has_share']);
    expect(await confirmationsOfDrop(store, id)).toEqual([]);
    const lone = { isOneEnough: true, isLone: true };
    expect(await kindOf(id, ASKER, { moderators: lone })).toBe('own');
    // As with rewards: others may call it off until then.
    const waited = { moderators: lone, nowMs: CLOSES_MS + OWN_REWARD_WAIT_MS };
    expect(await kindOf(id, ASKER, waited)).toBe('confirmed');
  });

  test('a confirmation of one who moderates no more counts no more, and one not asked about is asked about', async () => {
    const id = await listed(25_000_000n);
    await press(id, MOD);
    expect(await kindOf(id, OTHER, { asked: [OTHER] })).toBe('ask_again');
    expect(await kindOf(id, OTHER, { deciders: [OTHER] })).toBe('recorded');
    expect((await confirmationsOfDrop(store, id)).map(({ userId }) => userId)).toEqual([OTHER]);
    expect(await kindOf(id, THIRD)).toBe('confirmed');
  });

  test('a changed list is confirmed anew, and a list with a struck name on it pays nobody', async () => {
    const id = await listed(25_000_000n, [TAKER, 'telegram:8']);
    await press(id, MOD);
    await strikeTakers(store, { id, userIds: ['telegram:8'], nowMs: CLOSES_MS + 1 });
    expect(await confirmationsOfDrop(store, id)).toEqual([]);
    expect(await kindOf(id, OTHER)).toBe('recorded');
    await strikeTakers(store, { id, userIds: [TAKER], nowMs: CLOSES_MS + 1 });
    expect([await kindOf(id, MOD), await kindOf(id, OTHER)]).toEqual(['over', 'over']);
  });

  test('what counts for a list is what was confirmed of it: neither of a shorter one, nor of the same names turned round', async () => {
    const all = [TAKER, 'telegram:8'];
    const id = await listed(25_000_000n, all);
    expect(await kindOf(id, MOD)).toBe('recorded');
    // Another one is back on the list, and then both are shown the other way round.
    expect(await kindOf(id, OTHER, { payees: all })).toBe('recorded');
    expect(await kindOf(id, THIRD, { payees: all.toReversed() })).toBe('recorded');
    expect((await confirmationsOfDrop(store, id)).map(({ userId }) => userId)).toEqual([MOD, OTHER, THIRD]);
    // Who confirms the other list confirms that one, and no more the one before.
    expect(await kindOf(id, THIRD)).toBe('confirmed');
    const again = await listed(25_000_000n, all);
    await press(again, MOD);
    expect(await kindOf(again, MOD, { payees: all })).toBe('recorded');
    expect(await kindOf(again, OTHER)).toBe('recorded');
    expect(await kindOf(again, THIRD, { payees: all })).toBe('confirmed');
  });

  test('a giver alone never makes the order of a community', async () => {
    const id = await listed(5_000_000n);
    expect(await agreeToDrop(store, { id, payees: [TAKER], nowMs: CLOSES_MS + 1 }, draft('alone'))).toBeNull();
    expect(await findOrder(store, 'order-alone')).toBeNull();
  });

  test('who has confirmed is kept until the order is over, also where they are erased', async () => {
    const id = await listed(5_000_000n);
    expect(await kindOf(id, MOD)).toBe('confirmed');
    const orderId = (await findDrop(store, id))?.orderId ?? '';
    await eraseChatUser(store, MOD, CLOSES_MS + 2);
    expect(await confirmationsOfDrop(store, id)).toHaveLength(1);
    const { orders } = store.tables;
    await store.tx((db) => db.update(orders).set({ status: 'failed' }).where(eq(orders.id, orderId)));
    await eraseChatUser(store, MOD, CLOSES_MS + 2);
    expect(await confirmationsOfDrop(store, id)).toEqual([]);
  });

  test('of many presses at once, each delivered three times, one order is made', async () => {
    const id = await listed(25_000_000n);
    const all = [MOD, OTHER, THIRD].flatMap((userId) => [1, 2, 3].map(() => press(id, userId)));
    const kinds = (await Promise.all(all)).map(({ kind }) => kind);
    expect(kinds.filter((kind) => kind === 'confirmed')).toHaveLength(1);
    expect(new Set(kinds)).toEqual(new Set(['recorded', 'confirmed', 'over']));
  });
});
