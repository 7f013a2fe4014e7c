import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { joinTop, leaveTop, topOf } from '../../../db/tips/top.ts';
import { createOrder, type OrderDraft } from '../../../db/tips/orders.ts';
import type { Store } from '../../../db/store/store.ts';
import { openTestStore } from '../../bot/harness.ts';
import { onBothDatabases } from '../../support/postgres.ts';
import { openMigrated } from '../../support/databases/migrated.ts';

const HERE = { transport: 'telegram', communityId: '-1' };
const SINCE_MS = 1_000;

onBothDatabases((fresh) =>
  suite(async () => {
    const address = await fresh();
    return address === undefined ? openTestStore() : openMigrated(address);
  }),
);

type Tip = {
  by: string;
  to: readonly string[];
  amount?: bigint;
  status?: 'paying' | 'returning';
  at?: number;
  where?: string;
};

function suite(open: () => Promise<Store>): void {
  let store: Store;
  let made = 0;
  beforeAll(async () => void (store = await open()));
  afterAll(() => store.close());

  /** A tip that was paid, as the books have it. */
  async function tip({ by, to, amount = 1n, status = 'paying', at = SINCE_MS, where = '-1' }: Tip): Promise<void> {
    made += 1;
    const paymentId = `payment-${made}`;
    const txnIds = to.map((_, index) => made * 100 + index);
    const draft: OrderDraft = {
      id: `order-${made}`,
      transport: 'telegram',
      eventId: `event-${made}`,
      chatId: where,
      communityId: where,
      messageId: 'message',
      userId: by,
      walletId: by,
      walletName: null,
      language: null,
      network: 'base',
      payerAddress: '0x1',
      route: '/payments/telegram/pay',
      body: {},
      recipient: 'telegram:1',
      amountMicroUsdc: amount,
      createdAtMs: at,
    };
    await createOrder(store, draft);
    const { orders, lines } = store.tables;
    const name = { platform: 'telegram', receiver: '8', recipientKey: '8', display: '8' };
    const rows = to.map((identityId, position) => ({
      ...name,
      identityId,
      position,
      paymentId,
      status,
      txnId: txnIds[position],
      amountMicroUsdc: amount,
      slug: `slug-${made}-${position}`,
      publicSlug: `public-${made}-${position}`,
      expiresAtMs: 1,
      payoutId: null,
    })) as (typeof lines.$inferInsert)[];
    await store.tx(async (db) => {
      await db
        .update(orders)
        .set({ status: 'answered', txnId: txnIds[0] ?? 0 })
        .where(eq(orders.id, draft.id));
      await db.insert(lines).values(rows);
    });
  }

  const top = () => topOf(store, HERE, { sinceMs: SINCE_MS, limit: 10 });
  const join = (userId: string) => joinTop(store, { ...HERE, userId }, 1);

  test('who asked to stand there stands by how many different people they thanked here, whatever the sums', async () => {
    await tip({ by: 'telegram:rich', to: ['a'], amount: 1_000_000_000n });
    await tip({ by: 'telegram:rich', to: ['a'] });
    await tip({ by: 'telegram:kind', to: ['a', 'b'] });
    await tip({ by: 'telegram:kind', to: ['c'] });
    await tip({ by: 'telegram:shy', to: ['a', 'b', 'c', 'd'] });
    expect(await top()).toEqual([]);
    for (const one of ['rich', 'kind']) await join(`telegram:${one}`);
    await join('telegram:kind');
    const both = [
      { userId: 'telegram:kind', people: 3 },
      { userId: 'telegram:rich', people: 1 },
    ];
    expect(await top()).toEqual(both);
    // Old, elsewhere, on its way back, or to a name of their own: none of it counts.
    await tip({ by: 'telegram:rich', to: ['b'], at: SINCE_MS - 1 });
    await tip({ by: 'telegram:rich', to: ['c'], where: '-2' });
    await tip({ by: 'telegram:rich', to: ['d'], status: 'returning' });
    const own = { holderId: 'telegram:rich', walletId: 'w', identityId: 'own', name: 'x:rich' };
    const since = { sinceMs: 1, spendsFromMs: 0, looksFromMs: 0 };
    await store.tx((db) => db.insert(store.tables.walletHolders).values({ ...own, ...since }));
    await tip({ by: 'telegram:rich', to: ['own'] });
    expect(await top()).toEqual(both);
    await leaveTop(store, { ...HERE, userId: 'telegram:kind' });
    expect(await top()).toEqual(both.slice(1));
  });
}
