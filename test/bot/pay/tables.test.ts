import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PAY_LINK_MOVES, PAY_LINK_STATES, type PayLinkState } from '../../../core/states.ts';
import { taskOrderId } from '../../../core/tasks.ts';
import { createOrder, findOrder, markFailed, markPriced, markShown, markSigned } from '../../../db/tips/orders.ts';
import { eraseChatUser } from '../../../db/chats/erase.ts';
import {
  addPayLinkKey,
  countUnpaidTasks,
  duePayLinks,
  endExpired,
  endPaid,
  findOrderByTaskPayment,
  findPayLink,
  keepTask,
  linkOrder,
  markLinkShown,
  openPayLink,
  presentPayment,
  reopenPayLink,
} from '../../../db/pay-links/pay-links.ts';
import { openMigrated } from '../../support/databases/migrated.ts';
import type { Store } from '../../../db/store/store.ts';
import { onBothDatabases } from '../../support/postgres.ts';
import { openTestStore, usdc } from '../harness.ts';

const NOW_MS = 1_000_000;
const UNTIL_MS = NOW_MS + 1_000;
const HEADER = 'header';
const PAID = { txnId: 4711, receipt: 'http://api.test/receipts/r' };
const TERMS = { required: {}, transfers: [] };

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

  let orders = 0;
  async function newOrder(): Promise<string> {
    const id = `order_${String((orders += 1)).padStart(20, '0')}`;
    await createOrder(store, {
      id,
      transport: 'test',
      eventId: id,
      chatId: 'chat',
      messageId: 'message',
      userId: `user-${orders}`,
      walletId: 'chat:user',
      walletName: 'x:kept',
      language: null,
      network: 'base',
      payerAddress: `0x${'12'.repeat(20)}`,
      route: '/payments/x/pay',
      body: { receiver: 'alice', amount: '1' },
      recipient: 'x:alice',
      amountMicroUsdc: usdc(1),
      viaLink: true,
      createdAtMs: NOW_MS,
    });
    return id;
  }

  async function newLink(): Promise<string> {
    const id = await newOrder();
    await markPriced(store, id, usdc(1));
    if (!(await linkOrder(store, id, { untilMs: UNTIL_MS, nowMs: NOW_MS })))
      throw new Error('the order was not linked');
    return id;
  }

  const moves: Record<PayLinkState, (id: string) => Promise<unknown>> = {
    open: (id) => reopenPayLink(store, id, { header: HEADER, refusal: 'insufficient_funds' }),
    presented: (id) => presentPayment(store, id, { header: HEADER, nowMs: NOW_MS }),
    paid: (id) => endPaid(store, id, PAID),
    expired: (id) => endExpired(store, id, null),
  };
  const statusOf = async (id: string) => (await findPayLink(store, id))?.link.status;

  async function linkIn(state: PayLinkState): Promise<string> {
    const id = await newLink();
    if (state !== 'open') await moves[state](id);
    expect(await statusOf(id)).toBe(state);
    return id;
  }

  const all = PAY_LINK_STATES.flatMap((from) => PAY_LINK_STATES.map((to) => ({ from, to }))).filter(
    ({ from, to }) => from !== to,
  );
  test.each(all)('a link that is $from moves to $to only if the table says so', async ({ from, to }) => {
    const id = await linkIn(from);
    await moves[to](id);
    const isAllowed = PAY_LINK_MOVES[from].some((move) => move === to);
    expect(await statusOf(id)).toBe(isAllowed ? to : from);
  });

  test('a process that shows a link as expired has not shown that it was paid after all', async () => {
    const id = await linkIn('expired');
    const expired = await findOrder(store, id);
    if (expired === null) throw new Error('the order is gone');
    await endPaid(store, id, PAID);
    expect(await markShown(store, expired, NOW_MS)).toBe(false);
    expect(await findOrder(store, id)).toMatchObject({ status: 'answered', shownAtMs: null });
  });

  test('an order is linked once, and only with nothing signed', async () => {
    const wish = { untilMs: UNTIL_MS, nowMs: NOW_MS };
    const drafted = await newOrder();
    expect(await linkOrder(store, drafted, wish)).toBe(false);
    const signed = await newOrder();
    await markPriced(store, signed, usdc(1));
    await markSigned(store, signed, HEADER, { validBefore: 1 });
    expect(await linkOrder(store, signed, wish)).toBe(false);
    const withHeader = await newOrder();
    await markPriced(store, withHeader, usdc(1));
    const { orders: table } = store.tables;
    await store.tx((db) => db.update(table).set({ header: HEADER }).where(eq(table.id, withHeader)));
    expect(await linkOrder(store, withHeader, wish)).toBe(false);
    const linked = await newLink();
    expect(await linkOrder(store, linked, wish)).toBe(false);
    expect(await markSigned(store, linked, HEADER, { validBefore: 1 })).toBe(false);
    expect(await markFailed(store, linked, 'unsigned', 'unreachable')).toBe(false);
    expect(await findOrder(store, linked)).toMatchObject({ status: 'linked', header: null });
  });

  test('of many payments and an expiry at once one counts, and order and link agree', async () => {
    const id = await newLink();
    const ends = await Promise.all([endPaid(store, id, PAID), endPaid(store, id, PAID), endExpired(store, id, null)]);
    const [link, order] = [await statusOf(id), await findOrder(store, id)];
    expect(ends.slice(0, 2).filter(Boolean).length).toBe(1);
    expect([link, order?.status, order?.txnId, order?.walletName]).toEqual(['paid', 'answered', 4711, null]);
  });

  test('of two wallets at once one presents, and none after the time is over', async () => {
    const id = await newLink();
    const present = (header: string, nowMs: number) => presentPayment(store, id, { header, nowMs });
    expect(await present('late', UNTIL_MS)).toBe(false);
    const results = await Promise.all(['one', 'two', 'three'].map((header) => present(header, NOW_MS)));
    expect(results.filter(Boolean).length).toBe(1);
  });

  test('a refusal of another payment frees nothing', async () => {
    const id = await linkIn('presented');
    await reopenPayLink(store, id, { header: 'another', refusal: 'insufficient_funds' });
    expect(await findPayLink(store, id)).toMatchObject({ link: { status: 'presented', header: HEADER } });
  });

  test('of two tasks opened at once the first stays, and is looked after at once', async () => {
    const id = await newLink();
    await keepTask(store, id, { taskId: `task-1-${id}`, terms: TERMS, nowMs: 5 });
    await keepTask(store, id, { taskId: `task-2-${id}`, terms: TERMS, nowMs: 9 });
    expect((await findPayLink(store, id))?.link).toMatchObject({ taskId: `task-1-${id}`, nextLookAtMs: 5 });
    expect((await duePayLinks(store, 5, 1)).items[0]).toBe(id);
  });

  test('the order behind a payment is found by its task, no matter who paid it', async () => {
    const id = await newLink();
    await keepTask(store, id, { taskId: `task-of-${id}`, terms: TERMS, nowMs: 5 });
    const { purchases } = store.tables;
    const taken = [
      { orderId: taskOrderId(`task-of-${id}`), paymentId: 'ours' },
      { orderId: taskOrderId('task-of-an-agent'), paymentId: 'of an agent' },
      { orderId: `task-of-${id}`, paymentId: 'of no task' },
    ];
    await store.tx((db) => db.insert(purchases).values(taken));
    expect((await findOrderByTaskPayment(store, 'ours'))?.id).toBe(id);
    for (const paymentId of ['of an agent', 'of no task', 'unknown'])
      expect(await findOrderByTaskPayment(store, paymentId)).toBeNull();
  });

  test('what counts as unpaid is what has a task, is this person’s, and is not too old', async () => {
    const [paid, unpaid, untouched] = [await newLink(), await newLink(), await newLink()];
    const { orders: table } = store.tables;
    for (const id of [paid, unpaid, untouched])
      await store.tx((db) => db.update(table).set({ userId: 'one person' }).where(eq(table.id, id)));
    for (const id of [paid, unpaid]) await keepTask(store, id, { taskId: `task-of-${id}`, terms: TERMS, nowMs: 5 });
    await endPaid(store, paid, PAID);
    expect(await countUnpaidTasks(store, 'one person', NOW_MS - 1)).toBe(1);
    expect(await countUnpaidTasks(store, 'one person', NOW_MS)).toBe(0);
    expect(await countUnpaidTasks(store, 'nobody', NOW_MS - 1)).toBe(0);
  });

  test('what its person had erased opens nothing any more', async () => {
    const id = await linkIn('expired');
    await addPayLinkKey(store, `key-of-${id}`, id);
    await markLinkShown(store, id, NOW_MS);
    await store.tx((db) => db.update(store.tables.orders).set({ shownAtMs: NOW_MS }));
    expect(await openPayLink(store, `key-of-${id}`)).not.toBeNull();
    const order = await findOrder(store, id);
    await eraseChatUser(store, order?.userId ?? '', NOW_MS);
    expect(await openPayLink(store, `key-of-${id}`)).toBeNull();
  });
}
