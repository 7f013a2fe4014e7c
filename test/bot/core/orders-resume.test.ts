import { afterEach, beforeEach, expect, test } from 'vitest';
import { createOrder, findOrder } from '../../../db/tips/orders.ts';
import { endProposal } from '../../../db/tips/proposals.ts';
import type { Store } from '../../../db/store/store.ts';
import { startFakeApi, type FakeApi } from '../fake-api.ts';
import { createHarness, openTestStore, START_MS, type Harness } from '../harness.ts';

let api: FakeApi;
let store: Store;
let harness: Harness;
beforeEach(async () => {
  api = await startFakeApi();
  store = await openTestStore();
  harness = await createHarness({ apiUrl: api.url, store });
});
afterEach(async () => {
  harness.closing.abort();
  await harness.bot.idle();
  await api.close();
  await store.close();
});

/** An order whose end nobody was told yet. */
async function ended(id: string, transport: string, createdAtMs: number): Promise<void> {
  const place = { transport, eventId: id, chatId: 'chat', messageId: id };
  const payer = {
    userId: 'chat:1',
    walletId: 'chat:1',
    walletName: null,
    network: 'base' as const,
    payerAddress: '0x',
  };
  const request = { route: '/payments/x/pay', body: {}, recipient: 'x:alice', amountMicroUsdc: 1_000_000n };
  await createOrder(store, { id, ...place, ...payer, ...request, language: null, createdAtMs }, 'proposed');
  await endProposal(store, { id, userId: 'chat:1' }, 'cancelled');
}

test('orders that can never be shown keep no other from being taken up', async () => {
  // As of a chat that is no longer configured.
  for (let count = 0; count < 100; count++) await ended(`gone${count}`, 'gone', START_MS + count);
  await ended('last', 'test', START_MS + 500);
  for (let looks = 0; looks < 3; looks++) {
    await harness.bot.resume();
    await harness.bot.idle();
  }
  expect((await findOrder(store, 'last'))?.shownAtMs).not.toBeNull();
});
