import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DROP_LIST_MS } from '../../../core/drops/drops.ts';
import {
  agreeToDrop,
  closeDrop,
  endDrop,
  findDrop,
  openDrop,
  strikeTakers,
  takersOf,
  takeShare,
  type NewDrop,
} from '../../../db/drops/drops.ts';
import { eraseChatUser } from '../../../db/chats/erase.ts';
import { findOrder, type OrderDraft } from '../../../db/tips/orders.ts';
import type { Store } from '../../../db/store/store.ts';
import { openTestStore } from '../../bot/harness.ts';
import { onBothDatabases } from '../../support/postgres.ts';
import { openMigrated } from '../../support/databases/migrated.ts';

const CLOSES_MS = 1_000;

onBothDatabases((fresh) =>
  suite(async () => {
    const address = await fresh();
    return address === undefined ? openTestStore() : openMigrated(address);
  }),
);

function suite(open: () => Promise<Store>): void {
  let store: Store;
  beforeAll(async () => void (store = await open()));
  afterAll(() => store.close());

  const wanted = (id: string, people = 3, giverId = `telegram:gives-${id}`): NewDrop => ({
    id,
    eventKey: `telegram:${id}`,
    transport: 'telegram',
    communityId: '-1',
    chatId: '-1',
    language: null,
    giverId,
    walletId: null,
    amountMicroUsdc: 5_000_000n,
    people,
    role: null,
    createdAtMs: 1,
    closesAtMs: CLOSES_MS,
    endsAtMs: CLOSES_MS + DROP_LIST_MS,
  });
  const draft = (eventId: string): OrderDraft => ({
    id: `order-${eventId}`,
    transport: 'telegram',
    eventId,
    chatId: '-1',
    messageId: eventId,
    userId: 'telegram:1',
    walletId: 'telegram:1',
    walletName: null,
    language: null,
    network: 'base',
    payerAddress: '0x1',
    route: '/payments/telegram/batch-pay',
    body: {},
    recipient: '2 people',
    amountMicroUsdc: 5_000_000n,
    createdAtMs: 1,
  });
  const take = (dropId: string, userId: string, names: string[] = [], nowMs = 2) =>
    takeShare(store, { dropId, userId, names, nowMs });
  const agree = (id: string, payees: string[], eventId: string, nowMs = CLOSES_MS) =>
    agreeToDrop(store, { id, payees, nowMs }, draft(eventId));

  test('of many at once no more get a share than there are, each person one, in the order that is kept', async () => {
    await openDrop(store, wanted('a'));
    const all = await Promise.all([1, 2, 3, 4, 5, 1, 2].map((at) => take('a', `telegram:${at}`, [`n${at}`])));
    expect(all.filter((one) => one === 'taken')).toHaveLength(3);
    expect((await takersOf(store, 'a')).map(({ position }) => position)).toEqual([0, 1, 2]);
    expect(await take('a', 'telegram:9')).toBe('full');
  });

  test('two accounts of one person at once get one share', async () => {
    await openDrop(store, wanted('b'));
    const both = await Promise.all(['telegram:1', 'telegram:2'].map((userId) => take('b', userId, ['n'])));
    expect(both.toSorted()).toEqual(['other_name', 'taken']);
  });

  test('shares close: a late one is not given, and one that nobody took ends', async () => {
    await openDrop(store, wanted('c'));
    await closeDrop(store, 'c', CLOSES_MS - 1);
    expect((await findDrop(store, 'c'))?.status).toBe('open');
    expect(await take('c', 'telegram:1', [], CLOSES_MS)).toBe('over');
    await closeDrop(store, 'c', CLOSES_MS);
    expect(await findDrop(store, 'c')).toMatchObject({ status: 'ended', endReason: 'nobody' });
  });

  test('of many presses one makes the order, and nobody is paid who was struck before', async () => {
    await openDrop(store, wanted('d'));
    for (const at of [1, 2]) await take('d', `telegram:${at}`);
    expect(await agree('d', ['telegram:1'], 'd0')).toBeNull();
    await closeDrop(store, 'd', CLOSES_MS);
    const strike = () => strikeTakers(store, { id: 'd', userIds: ['telegram:2'], nowMs: CLOSES_MS });
    const press = (eventId: string) => agree('d', ['telegram:1', 'telegram:2'], eventId);
    const [, ...early] = await Promise.all([strike(), ...['d1', 'd2'].map(press)]);
    // A strike that came first leaves no order for a list with that name on it.
    const isPaid = early.some((order) => order !== null);
    const takers = await takersOf(store, 'd');
    expect(isPaid).toBe(!takers.some(({ isStruck }) => isStruck));
    if (!isPaid) expect(await press('d3')).toBeNull();
    const late = isPaid ? [] : await Promise.all(['d4', 'd5'].map((eventId) => agree('d', ['telegram:1'], eventId)));
    expect([...early, ...late].filter((order) => order !== null)).toHaveLength(1);
    expect((await findDrop(store, 'd'))?.orderId).toMatch(/^order-d[1-5]$/);
    expect(await strike()).toBeNull();
    expect(await endDrop(store, 'd', { reason: 'called_off', nowMs: CLOSES_MS })).toBe(false);
    expect(await findOrder(store, 'order-d0')).toBeNull();
  });

  test('who takes part in what is agreed to does so until its order is over, also where they are erased', async () => {
    const isThere = async () => (await takersOf(store, 'f')).map(({ userId, isStruck }) => [userId, isStruck]);
    await openDrop(store, wanted('f'));
    for (const at of [1, 2]) await take('f', `telegram:f${at}`, [`n${at}`]);
    await closeDrop(store, 'f', CLOSES_MS);
    expect(await agree('f', ['telegram:f1', 'telegram:f2'], 'f1')).toMatchObject({ id: 'order-f1' });
    await eraseChatUser(store, 'telegram:f1', CLOSES_MS);
    const both = [
      ['telegram:f1', false],
      ['telegram:f2', false],
    ];
    expect(await isThere()).toEqual(both);
    const { orders } = store.tables;
    const isIts = eq(orders.id, 'order-f1');
    await store.tx((db) => db.update(orders).set({ status: 'failed' }).where(isIts));
    await eraseChatUser(store, 'telegram:f1', CLOSES_MS);
    expect(await isThere()).toEqual(both.slice(1));
  });

  test('a person is in only as long as they are: not once it is paid or called off, and again after an erasure', async () => {
    await openDrop(store, wanted('g', 2));
    expect(await take('g', 'telegram:1', ['n1'])).toBe('taken');
    expect(await take('g', 'telegram:1', ['n1'])).toBe('again');
    expect(await take('g', 'telegram:2', ['n2'])).toBe('taken');
    await eraseChatUser(store, 'telegram:1', 3);
    expect(await take('g', 'telegram:1', ['n2'])).toBe('other_name');
    expect(await take('g', 'telegram:1', ['n1'])).toBe('taken');
    expect((await takersOf(store, 'g')).map(({ names, isStruck }) => [names, isStruck])).toEqual([
      [['n1'], false],
      [['n2'], false],
    ]);
    await closeDrop(store, 'g', CLOSES_MS);
    expect(await take('g', 'telegram:1', ['n1'], CLOSES_MS)).toBe('again');
    await strikeTakers(store, { id: 'g', userIds: ['telegram:1'], nowMs: CLOSES_MS });
    expect(await take('g', 'telegram:1', ['n1'], CLOSES_MS)).toBe('over');
    await endDrop(store, 'g', { reason: 'called_off', nowMs: CLOSES_MS });
    expect(await take('g', 'telegram:2', ['n2'], CLOSES_MS)).toBe('over');
  });

  test('nobody pays late, and a giver has one drop at a time in a group', async () => {
    const first = await openDrop(store, wanted('e', 3, 'telegram:e'));
    expect(await openDrop(store, { ...wanted('e9', 3, 'telegram:e'), eventKey: 'telegram:e' })).toEqual(first);
    expect(await openDrop(store, wanted('e2', 3, 'telegram:e'))).toBeNull();
    await take('e', 'telegram:1');
    await closeDrop(store, 'e', CLOSES_MS);
    expect(await endDrop(store, 'e', { reason: 'lapsed', nowMs: CLOSES_MS })).toBe(false);
    expect(await agree('e', ['telegram:1'], 'e1', CLOSES_MS + DROP_LIST_MS)).toBeNull();
    expect(await endDrop(store, 'e', { reason: 'lapsed', nowMs: CLOSES_MS + DROP_LIST_MS })).toBe(true);
    expect(await openDrop(store, wanted('e3', 3, 'telegram:e'))).not.toBeNull();
  });
}
