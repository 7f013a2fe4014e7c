import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  REQUEST_MS,
  REQUESTS_DAY_MS,
  REQUESTS_GOT_DAY_MAX,
  REQUESTS_OPEN_MAX,
} from '../../../core/money-requests/money-requests.ts';
import { eraseChatUser } from '../../../db/chats/erase.ts';
import {
  agreeToRequest,
  declineRequest,
  findRequest,
  forgetRequests,
  requestsShownWith,
  openRequests,
  type NewMoneyRequest,
} from '../../../db/money-requests/money-requests.ts';
import { findOrder, type OrderDraft } from '../../../db/tips/orders.ts';
import type { Store } from '../../../db/store/store.ts';
import { openTestStore } from '../../bot/harness.ts';
import { onBothDatabases } from '../../support/postgres.ts';
import { openMigrated } from '../../support/databases/migrated.ts';

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

  const wanted = (id: string, askerId = `telegram:asks-${id}`, askedId = `telegram:asked-${id}`): NewMoneyRequest => ({
    id,
    billId: null,
    eventKey: `telegram:${id}`,
    transport: 'telegram',
    chatId: '-1',
    language: null,
    askerId,
    askedId,
    amountMicroUsdc: 5_000_000n,
    reason: null,
    createdAtMs: 1,
    endsAtMs: 1 + REQUEST_MS,
  });
  const openOne = (one: NewMoneyRequest) => openRequests(store, [one]);
  const draft = (eventId: string, userId: string): OrderDraft => ({
    id: `order-${eventId}`,
    transport: 'telegram',
    eventId,
    chatId: '-1',
    messageId: eventId,
    userId,
    walletId: userId,
    walletName: null,
    language: null,
    network: 'base',
    payerAddress: '0x1',
    route: '/payments/telegram/pay',
    body: { receiver: '1', amount: '5' },
    recipient: 'telegram:1',
    amountMicroUsdc: 5_000_000n,
    createdAtMs: 1,
  });
  const agree = (id: string, eventId: string, nowMs = 2, userId = `telegram:asked-${id}`) =>
    agreeToRequest(store, { id, askedId: userId, nowMs }, draft(eventId, userId));

  test('of many presses at once one makes the order, and it is the one that the request names', async () => {
    await openOne(wanted('a'));
    const presses = ['a1', 'a2', 'a3', 'a4', 'a5'];
    const orders = await Promise.all(presses.map((eventId) => agree('a', eventId)));
    const made = orders.flatMap((order) => order ?? []);
    expect(made).toHaveLength(1);
    expect((await findRequest(store, 'a'))?.orderId).toBe(made[0]?.id);
    const stored = await Promise.all(presses.map((eventId) => findOrder(store, `order-${eventId}`)));
    expect(stored.filter((order) => order !== null)).toHaveLength(1);
  });

  test('nobody else agrees, nobody agrees late, and what was declined stays so', async () => {
    await openOne(wanted('b'));
    expect(await agree('b', 'b1', 2, 'telegram:asks-b')).toBeNull();
    expect(await agree('b', 'b2', 1 + REQUEST_MS)).toBeNull();
    expect(await declineRequest(store, { id: 'b', askedId: 'telegram:asks-b', nowMs: 2 }, false)).toBe(false);
    expect(await declineRequest(store, { id: 'b', askedId: 'telegram:asked-b', nowMs: 2 }, true)).toBe(true);
    expect(await agree('b', 'b3')).toBeNull();
    expect(await findOrder(store, 'order-b1')).toBeNull();
  });

  test('the same event is the same request, and there is an end to them on both sides', async () => {
    const first = await openOne(wanted('c0', 'telegram:c'));
    expect(await openOne({ ...wanted('c9', 'telegram:c'), eventKey: 'telegram:c0' })).toEqual(first);
    for (let at = 1; at < REQUESTS_OPEN_MAX; at++) await openOne(wanted(`c${at}`, 'telegram:c'));
    expect(await openOne(wanted('c7', 'telegram:c'))).toEqual({ problem: 'too_many_open' });
    for (let at = 0; at < REQUESTS_GOT_DAY_MAX; at++) {
      expect(await openOne(wanted(`d${at}`, `telegram:d${at}`, 'telegram:d'))).toHaveProperty('row');
    }
    expect(await openOne(wanted('d9', 'telegram:d9', 'telegram:d'))).toEqual({ problem: 'asked_often' });
  });

  test('a bill is all of its requests or none, counts as one, and each is answered for itself', async () => {
    const bill = ['e1', 'e2', 'e3'].map((id) => ({
      ...wanted(id, 'telegram:e'),
      billId: 'e1',
      eventKey: 'telegram:e',
    }));
    const [first, ...more] = bill;
    if (!first) throw new Error('there is no bill');
    const presses = await Promise.all([1, 2].map(() => openRequests(store, [first, ...more])));
    expect(presses.map((one) => 'row' in one && one.row.id)).toEqual(['e1', 'e1']);
    const shown = await requestsShownWith(store, first);
    expect(shown.map(({ id }) => id)).toEqual(['e1', 'e2', 'e3']);
    for (let at = 1; at < REQUESTS_OPEN_MAX; at++) {
      expect(await openOne(wanted(`e0${at}`, 'telegram:e'))).toHaveProperty('row');
    }
    expect(await openOne(wanted('e09', 'telegram:e'))).toEqual({ problem: 'too_many_open' });
    expect(await agree('e2', 'e2-press')).not.toBeNull();
    const states = (await requestsShownWith(store, first)).map(({ status }) => status);
    expect(states).toEqual(['open', 'agreed', 'open']);
    // One who is asked too often keeps the whole bill from being put.
    const often = { ...wanted('f2', 'telegram:f', 'telegram:d'), billId: 'f1', eventKey: 'telegram:f' };
    const other = { ...wanted('f1', 'telegram:f'), billId: 'f1', eventKey: 'telegram:f' };
    expect(await openRequests(store, [other, often])).toEqual({ problem: 'asked_often' });
    expect(await findRequest(store, 'f1')).toBeNull();
  });

  test('an erasure begins no limit anew, and what still counts says nothing of the person', async () => {
    for (let at = 0; at < REQUESTS_GOT_DAY_MAX; at++) await openOne(wanted(`h${at}`, `telegram:h${at}`, 'telegram:h'));
    const { moneyRequests } = store.tables;
    const isTheirs = eq(moneyRequests.askedId, 'telegram:h');
    await store.tx((db) => db.update(moneyRequests).set({ nextLookAtMs: null }).where(isTheirs));
    await eraseChatUser(store, 'telegram:h', 2);
    const left = await findRequest(store, 'h0');
    expect(left).toMatchObject({ chatId: '', reason: null });
    expect(Object.values(left ?? {})).not.toContain('telegram:h');
    expect(await openOne(wanted('h9', 'telegram:h9', 'telegram:h'))).toEqual({ problem: 'asked_often' });
    await forgetRequests(store, 0, 1 + REQUESTS_DAY_MS);
    expect(await findRequest(store, 'h0')).toBeNull();
    expect(await openOne(wanted('h9', 'telegram:h9', 'telegram:h'))).toHaveProperty('row');
  });
}
