import { afterAll, beforeAll, expect, test } from 'vitest';
import { createIds } from '../../../core/ids.ts';
import type { View } from '../../../core/view.ts';
import { ensureChatAccount } from '../../../db/chats/chat-account.ts';
import {
  changeMessage,
  findMessage,
  forgetMessages,
  noteShown,
  openMessage,
  pendingMessages,
} from '../../../db/chats/telegram-messages.ts';
import { completeUpdate, forgetUpdates, openUpdates, storeUpdates } from '../../../db/chats/telegram-updates.ts';
import { addHolder, walletsSeenBy } from '../../../db/wallets/holders.ts';
import { findIdentity } from '../../../db/identities/identities.ts';
import { openMigrated } from '../../support/databases/migrated.ts';
import type { Store } from '../../../db/store/store.ts';
import { onBothDatabases } from '../../support/postgres.ts';
import { openTestStore } from '../harness.ts';
import { receiptView } from './telegram-harness.ts';

onBothDatabases((fresh) =>
  suite(async () => {
    const address = await fresh();
    return address === undefined ? openTestStore() : openMigrated(address);
  }),
);

function suite(open: () => Promise<Store>): void {
  let store: Store;
  beforeAll(async () => {
    store = await open();
  });
  afterAll(() => store.close());

  const newMessage = (key: string, view: View, nowMs = 1_000) =>
    openMessage(store, { key, chatId: '5', eventId: '5:1', userId: 'telegram:5', language: null, view, nowMs });

  test('of several deliveries one update is new, until it is forgotten', async () => {
    const updates = [7, 8].map((id) => ({ id, body: { update_id: id } }));
    const all = await Promise.all([1, 2, 3].map(() => storeUpdates(store, updates, 1_000)));
    expect(all.flatMap((ids) => [...ids]).toSorted((one, other) => one - other)).toEqual([7, 8]);
    expect(await openUpdates(store, 999, 10)).toEqual([]);
    await completeUpdate(store, 7, 2_000);
    expect(await openUpdates(store, 1_000, 10)).toEqual([{ id: 8, body: { update_id: 8 }, receivedAtMs: 1_000 }]);
    await forgetUpdates(store, 5_000, 10);
    expect(await storeUpdates(store, updates, 6_000)).toEqual(new Set([7]));
  });

  test('a message is opened once, and waits until its newest view is shown', async () => {
    const opened = await Promise.all([1, 2, 3].map(() => newMessage('answer:1', receiptView('one'))));
    expect(opened.filter(({ isNew }) => isNew)).toHaveLength(1);
    const first = await findMessage(store, 'answer:1');
    expect(await changeMessage(store, 'answer:1', receiptView('two'), 2_000)).toMatchObject({ chatId: '5' });
    if (!first) throw new Error('no message');
    expect(await noteShown(store, first, 'hash of one', { messageId: 9 })).toBe(false);
    const second = await findMessage(store, 'answer:1');
    expect(second).toMatchObject({ view: receiptView('two'), messageId: 9, pendingSinceMs: 1_000 });
    if (!second) throw new Error('no message');
    expect(await noteShown(store, second, 'hash of two')).toBe(true);
    expect(await findMessage(store, 'answer:1')).toMatchObject({ view: null, shownHash: 'hash of two' });
    expect((await pendingMessages(store, 10)).map(({ key }) => key)).not.toContain('answer:1');
    expect(await changeMessage(store, 'answer:none', receiptView('x'), 2_000)).toBeNull();
  });

  test('a chat in which thousands wait keeps no other chat waiting', async () => {
    const wait = (chatId: string, key: string, nowMs: number) => {
      const place = { chatId, eventId: null, userId: null, language: null };
      return openMessage(store, { key, ...place, view: receiptView(key), nowMs });
    };
    for (let count = 0; count < 20; count++) await wait('666', `loud:${count}`, 100 + count);
    await wait('7', 'receipt:quiet', 900);
    const keys = (await pendingMessages(store, 3)).map(({ key }) => key);
    expect(keys.slice(0, 2)).toEqual(['loud:0', 'receipt:quiet']);
    expect(await pendingMessages(store, 100)).toHaveLength(21);
    await forgetMessages(store, 900, 100);
  });

  test('old messages are forgotten', async () => {
    await newMessage('answer:old', receiptView('one'), 10);
    await forgetMessages(store, 10, 10);
    expect(await findMessage(store, 'answer:old')).toBeNull();
  });

  test('an account holds its own wallet from the first time on, and that never becomes the newest again', async () => {
    const ids = createIds((count) => new Uint8Array(count).fill(count));
    const account = { platform: 'telegram', stableId: '5', display: '@alice', walletAddress: '0x5' } as const;
    const see = (nowMs: number) => ensureChatAccount({ store, ids, nowMs }, account);
    expect(await Promise.all([see(1_000), see(1_000)])).toEqual(['telegram:5', 'telegram:5']);
    const identity = await findIdentity(store, 'telegram', '5');
    expect(await walletsSeenBy(store, 'telegram:5')).toEqual([
      { walletId: 'telegram:5', identityId: identity?.id, name: 'telegram:5', sinceMs: 1_000, spendsFromMs: 0 },
    ]);
    const kept = { holderId: 'telegram:5', walletId: 'x:7', identityId: identity?.id ?? '', name: 'x:alice' };
    await store.tx((db) => addHolder(db, store.tables, kept, 2_000));
    await see(3_000);
    expect((await walletsSeenBy(store, 'telegram:5')).map(({ walletId }) => walletId)).toEqual(['x:7', 'telegram:5']);
  });
}
