import { afterAll, beforeAll, expect, test } from 'vitest';
import { createIds } from '../../../core/ids.ts';
import type { View } from '../../../core/view.ts';
import { ensureChatAccount } from '../../../db/chats/chat-account.ts';
import {
  changeMessage,
  changePlace,
  findMessage,
  forgetMessages,
  noteProgress,
  noteShown,
  openMessage,
  pendingMessages,
} from '../../../db/chats/bot-messages.ts';
import { completeEvents, forgetEvents, openEvents, storeEvents } from '../../../db/chats/chat-events.ts';
import { addHolder, walletsSeenBy } from '../../../db/wallets/holders.ts';
import { findIdentity } from '../../../db/identities/identities.ts';
import { openMigrated } from '../../support/databases/migrated.ts';
import type { Store } from '../../../db/store/store.ts';
import { onBothDatabases } from '../../support/postgres.ts';
import { openTestStore } from '../harness.ts';
import { receiptView } from '../telegram/telegram-harness.ts';

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

  const nameOf = (key: string) => ({ transport: 'telegram', key });
  const newMessage = (key: string, view: View, nowMs = 1_000) =>
    openMessage(store, {
      transport: 'telegram',
      key,
      chatId: '5',
      eventId: '5:1',
      userId: 'telegram:5',
      language: null,
      view,
      nowMs,
    });

  test('of several deliveries one event is new in its chat, until it is forgotten', async () => {
    const events = ['9', '10'].map((id) => ({ id, body: { update_id: id } }));
    const all = await Promise.all([1, 2, 3].map(() => storeEvents(store, 'telegram', events, 1_000)));
    expect(all.flatMap((ids) => [...ids]).toSorted()).toEqual(['10', '9']);
    expect(await storeEvents(store, 'discord', events, 1_000)).toEqual(new Set(['9', '10']));
    expect(await openEvents(store, 'telegram', 999, 10)).toEqual([]);
    expect((await openEvents(store, 'telegram', 1_000, 10)).map(({ id }) => id)).toEqual(['9', '10']);
    await completeEvents(store, 'telegram', ['9'], 2_000);
    const left = { id: '10', body: { update_id: '10' }, receivedAtMs: 1_000 };
    expect(await openEvents(store, 'telegram', 1_000, 10)).toEqual([left]);
    await forgetEvents(store, 'telegram', 1_999, 10);
    expect(await storeEvents(store, 'telegram', events, 3_000)).toEqual(new Set());
    await forgetEvents(store, 'telegram', 2_000, 10);
    expect(await storeEvents(store, 'telegram', events, 6_000)).toEqual(new Set(['9']));
    expect(await openEvents(store, 'discord', 1_000, 10)).toHaveLength(2);
  });

  test('a message is opened once, and waits until its newest view is shown', async () => {
    const opened = await Promise.all([1, 2, 3].map(() => newMessage('answer:1', receiptView('one'))));
    expect(opened.filter(({ isNew }) => isNew)).toHaveLength(1);
    const first = await findMessage(store, nameOf('answer:1'));
    expect(await changeMessage(store, nameOf('answer:1'), receiptView('two'), 2_000)).toMatchObject({ chatId: '5' });
    if (!first) throw new Error('no message');
    expect(await noteShown(store, first, { shownHash: 'hash of one', nowMs: 3_000, messageId: '9' })).toBe(false);
    const second = await findMessage(store, nameOf('answer:1'));
    expect(second).toMatchObject({ view: receiptView('two'), messageId: '9', pendingSinceMs: 1_000 });
    if (!second) throw new Error('no message');
    expect(await noteShown(store, second, { shownHash: 'hash of two', nowMs: 3_000 })).toBe(true);
    expect(await findMessage(store, nameOf('answer:1'))).toMatchObject({
      pendingSinceMs: null,
      shownHash: 'hash of two',
    });
    expect((await pendingMessages(store, 'telegram', 10)).map(({ key }) => key)).not.toContain('answer:1');
    expect(await changeMessage(store, nameOf('answer:none'), receiptView('x'), 2_000)).toBeNull();
  });

  test('of two chats each has its own message under one key', async () => {
    const elsewhere = { transport: 'discord', key: 'answer:same' };
    await newMessage('answer:same', receiptView('here'));
    const place = { chatId: '9', eventId: null, userId: null, language: null };
    const opened = await openMessage(store, { ...elsewhere, ...place, view: receiptView('there'), nowMs: 1_000 });
    expect(opened).toEqual({ isNew: true });
    await noteProgress(store, elsewhere, { messageId: '4' });
    await changePlace(store, elsewhere, '10');
    await changeMessage(store, elsewhere, receiptView('changed'), 1_000);
    await forgetMessages(store, 'discord', 1_000, 10);
    expect(await findMessage(store, elsewhere)).toBeNull();
    expect(await findMessage(store, nameOf('answer:same'))).toMatchObject({
      chatId: '5',
      messageId: null,
      revision: 1,
    });
    await noteShown(
      store,
      { ...nameOf('answer:same'), revision: 1, shownHash: null },
      { shownHash: 'hash', nowMs: 3_000 },
    );
  });

  test('a chat in which thousands wait keeps no other chat waiting', async () => {
    const wait = (chatId: string, key: string, nowMs: number) => {
      const place = { chatId, eventId: null, userId: null, language: null };
      return openMessage(store, { transport: 'telegram', key, ...place, view: receiptView(key), nowMs });
    };
    for (let count = 0; count < 20; count++) await wait('666', `loud:${count}`, 100 + count);
    await wait('7', 'receipt:quiet', 900);
    const keys = (await pendingMessages(store, 'telegram', 3)).map(({ key }) => key);
    expect(keys.slice(0, 2)).toEqual(['loud:0', 'receipt:quiet']);
    expect(await pendingMessages(store, 'telegram', 100)).toHaveLength(21);
    await forgetMessages(store, 'telegram', 900, 100);
  });

  test('what waits says for whom it is', async () => {
    const before = 10;
    await newMessage('answer:all', receiptView('for all'), before);
    await newMessage('answer:one', { ...receiptView('for one'), audience: 'person' }, before);
    const waiting = await pendingMessages(store, 'telegram', 100);
    const audienceOf = (name: string) => waiting.find(({ key }) => key === name)?.audience;
    expect([audienceOf('answer:all'), audienceOf('answer:one')]).toEqual(['everyone', 'person']);
    await forgetMessages(store, 'telegram', before, 100);
  });

  test('old messages are forgotten', async () => {
    await newMessage('answer:old', receiptView('one'), 10);
    await forgetMessages(store, 'telegram', 10, 10);
    expect(await findMessage(store, nameOf('answer:old'))).toBeNull();
  });

  test('an account holds its own wallet from the first time on, and that never becomes the newest again', async () => {
    const ids = createIds((count) => new Uint8Array(count).fill(count));
    const account = { platform: 'telegram', stableId: '5', display: '@alice', walletAddress: '0x5' } as const;
    const see = (nowMs: number) => ensureChatAccount({ store, ids, nowMs }, account);
    expect(await Promise.all([see(1_000), see(1_000)])).toEqual(['telegram:5', 'telegram:5']);
    const identity = await findIdentity(store, 'telegram', '5');
    expect(await walletsSeenBy(store, 'telegram:5')).toEqual([
      {
        walletId: 'telegram:5',
        identityId: identity?.id,
        name: 'telegram:5',
        sinceMs: 1_000,
        spendsFromMs: 0,
        looksFromMs: 0,
      },
    ]);
    const kept = { holderId: 'telegram:5', walletId: 'x:7', identityId: identity?.id ?? '', name: 'x:alice' };
    await store.tx((db) => addHolder(db, store.tables, kept, 2_000));
    await see(3_000);
    expect((await walletsSeenBy(store, 'telegram:5')).map(({ walletId }) => walletId)).toEqual(['x:7', 'telegram:5']);
  });
}
