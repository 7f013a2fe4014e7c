import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { View } from '../../core/view.ts';
import { createButton, foreignAction, pressButton } from '../../db/chats/buttons.ts';
import { editMessage, lastRevision, messagesAfter, postOnce } from '../../db/chats/chat.ts';
import {
  createOrder,
  findOrder,
  markAnswered,
  markFailed,
  markPriced,
  isNews,
  markShown,
  noteNews,
  markSigned,
  openOrders,
  reopenOrder,
  type OrderDraft,
} from '../../db/tips/orders.ts';
import { confirmProposal, endProposal, staleProposals } from '../../db/tips/proposals.ts';
import { keepSummary, tipsForMessage } from '../../db/tips/summaries.ts';
import { createFile, findFile } from '../../db/chats/files.ts';
import { sentTips } from '../../db/tips/history.ts';
import { eraseAgain, eraseChatUser } from '../../db/chats/erase.ts';
import { chooseWallet, chosenWallet, ensureUser, markFunded } from '../../db/chats/users.ts';
import { openMigrated } from '../support/databases/migrated.ts';
import type { Store } from '../../db/store/store.ts';
import { onBothDatabases } from '../support/postgres.ts';
import { openTestStore } from './harness.ts';

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

  const say = (text: string): View => ({ state: 'ok', audience: 'person', paragraphs: [[{ text }]], actions: [] });
  const post = (chatId: string, key: string, text = key) =>
    postOnce(store, { id: `${chatId}-${key}-${text}`, chatId, author: 'bot', onceKey: key, view: say(text), nowMs: 1 });

  test('a message is posted once under its key, no matter who posts it again', async () => {
    const results = await Promise.all(['one', 'two', 'three'].map((text) => post('once', 'receipt', text)));
    expect(results.filter(({ posted }) => posted).length).toBe(1);
    expect(new Set(results.map(({ message }) => message.id)).size).toBe(1);
    expect((await messagesAfter(store, 'once', 0, 10)).length).toBe(1);
    expect((await post('another', 'receipt')).posted).toBe(true);
  });

  test('concurrent posts and edits take different revisions, and places do not change', async () => {
    const keys = Array.from({ length: 20 }, (_, index) => `k${index}`);
    await Promise.all(keys.map((key) => post('many', key)));
    const before = await messagesAfter(store, 'many', 0, 100);
    expect(new Set(before.map(({ revision }) => revision)).size).toBe(20);
    const middle = before[10]!;
    expect(await editMessage(store, 'many', middle.id, say('edited'))).toBe(true);
    const [edited, ...rest] = await messagesAfter(store, 'many', before.at(-1)!.revision, 100);
    expect(rest).toEqual([]);
    expect(edited).toMatchObject({ id: middle.id, position: middle.position, view: say('edited') });
    expect(await lastRevision(store, 'many')).toBe(edited!.revision);
  });

  test('a message of another chat cannot be edited', async () => {
    const { message } = await post('mine', 'a');
    expect(await editMessage(store, 'theirs', message.id, say('x'))).toBe(false);
    expect(await lastRevision(store, 'nobody')).toBe(0);
  });

  test('a button works for one press of one person', async () => {
    const action = { action: 'choose_wallet', walletId: 'x:7' } as const;
    await createButton(store, { id: 'b1', userId: 'alice', action, nowMs: 1 });
    const press = (userId: string, eventId: string) => pressButton(store, { buttonId: 'b1', userId, eventId });
    expect(await press('mallory', 'e0')).toBeNull();
    const both = await Promise.all([press('alice', 'e1'), press('alice', 'e2')]);
    expect(both.filter((pressed) => pressed !== null).length).toBe(1);
    expect(await press('alice', both[0] === null ? 'e2' : 'e1')).toEqual(action);
  });

  test('a user is made once and funded once', async () => {
    const user = { id: 'chat:u', transport: 'web', walletAddress: '0x1', createdAtMs: 1 };
    await Promise.all([ensureUser(store, user), ensureUser(store, { ...user, createdAtMs: 2 })]);
    expect(await markFunded(store, user.id, 3)).toBe(true);
    expect(await markFunded(store, user.id, 4)).toBe(false);
    expect((await ensureUser(store, user)).fundedAtMs).toBe(3);
  });

  test('a person’s choice of a wallet is remembered, and the later one counts', async () => {
    const user = { id: 'chat:chooser', transport: 'web', walletAddress: '0x1', createdAtMs: 1 };
    expect(await chooseWallet(store, user.id, 'x:7', 1)).toBe(false);
    await ensureUser(store, user);
    expect(await chosenWallet(store, user.id)).toBeNull();
    await chooseWallet(store, user.id, 'x:7', 5);
    await chooseWallet(store, user.id, user.id, 6);
    expect(await chosenWallet(store, user.id)).toEqual({ walletId: user.id, atMs: 6 });
  });

  test('a button that may be pressed again is still for one person alone', async () => {
    const action = { action: 'confirm_order', orderId: 'order-1' } as const;
    await createButton(store, { id: 'b2', userId: 'alice', action, nowMs: 1 });
    const press = (userId: string, eventId: string) => pressButton(store, { buttonId: 'b2', userId, eventId });
    expect(await press('mallory', 'e0')).toBeNull();
    expect(await press('alice', 'e1')).toEqual(action);
    expect(await press('alice', 'e2')).toEqual(action);
    expect(await foreignAction(store, 'b2', 'mallory')).toBe('confirm_order');
    expect(await foreignAction(store, 'b2', 'alice')).toBeNull();
    expect(await foreignAction(store, 'b9', 'mallory')).toBeNull();
  });

  test('a file opens until its time, and is forgotten after that', async () => {
    const nothingMore = { walletId: null, language: null };
    const file = { id: 'hash-1', userId: 'alice', kind: 'history_csv', untilMs: 100, ...nothingMore } as const;
    await createFile(store, file, 50);
    expect(await findFile(store, 'hash-1', 99)).toEqual(file);
    expect(await findFile(store, 'hash-1', 100)).toBeNull();
    await createFile(store, { ...file, id: 'hash-2', untilMs: 200 }, 100);
    expect(await findFile(store, 'hash-1', 50)).toBeNull();
  });

  test('the first answer under a message stays the one', async () => {
    const message = { transport: 'test', chatId: 'chat', tippedMessageId: 'm' };
    const kept = await Promise.all(['one', 'two'].map((id) => keepSummary(store, message, id)));
    expect(new Set(kept).size).toBe(1);
    expect(await keepSummary(store, { ...message, chatId: 'other' }, 'three')).toBe('three');
  });

  describe('an order', () => {
    let count = 0;
    const toDraft = (eventId: string, id = `order-${eventId}`): OrderDraft => ({
      id,
      transport: 'test',
      eventId,
      chatId: 'chat',
      messageId: 'message',
      userId: 'user',
      walletId: 'user',
      walletName: null,
      language: null,
      network: 'base',
      payerAddress: '0x1',
      route: '/payments/x/pay',
      body: { receiver: 'alice', amount: '1' },
      recipient: 'x:alice',
      amountMicroUsdc: 1_000_000n,
      createdAtMs: 1,
    });
    const draft = async (eventId = `event-${++count}`, id?: string) => createOrder(store, toDraft(eventId, id));

    test('is one for one event, however often that is delivered', async () => {
      const orders = await Promise.all(['a', 'b', 'c'].map((id) => draft('same', id)));
      expect(new Set(orders.map(({ id }) => id)).size).toBe(1);
    });

    test('moves only from the state that it is in', async () => {
      const { id } = await draft();
      expect(await markSigned(store, id, 'h', { validBefore: 10 })).toBe(false);
      expect(await markAnswered(store, id, { txnId: 1, receipt: 'r' })).toBe(false);
      expect(await markShown(store, { id, newsCount: 0 }, 1)).toBe(false);
      expect(await markPriced(store, id, 1_000_000n)).toBe('priced');
      const signed = await Promise.all([
        markSigned(store, id, 'one', { validBefore: 10 }),
        markSigned(store, id, 'two', { validBefore: 10 }),
      ]);
      expect(signed.filter(Boolean).length).toBe(1);
      expect(await markFailed(store, id, 'unsigned', 'late')).toBe(false);
      expect(await markAnswered(store, id, { txnId: 1, receipt: 'r' })).toBe(true);
      expect(await markFailed(store, id, 'signed', 'late')).toBe(false);
      expect(await findOrder(store, id)).toMatchObject({ status: 'answered', txnId: 1, totalMicroUsdc: 1_000_000n });
    });

    test('gives up its header only after its time, and only this one', async () => {
      const { id } = await draft();
      await markPriced(store, id, 1_000_000n);
      await markSigned(store, id, 'h', { validBefore: 100 });
      expect(await reopenOrder(store, id, 'h', { nowSeconds: 100 })).toBe(false);
      expect(await reopenOrder(store, id, 'other', { nowSeconds: 101 })).toBe(false);
      // Blocks say nothing about an order that is on Base.
      expect(await reopenOrder(store, id, 'h', { finalHeight: 101 })).toBe(false);
      expect(await reopenOrder(store, id, 'h', { nowSeconds: 101 })).toBe(true);
      expect(await findOrder(store, id)).toMatchObject({ status: 'drafted', header: null, validBefore: null });
    });

    test('on Solana gives up its header only after its last block', async () => {
      const { id } = await draft();
      await markPriced(store, id, 1_000_000n);
      await markSigned(store, id, 'h', { lastValidHeight: 100 });
      expect(await reopenOrder(store, id, 'h', { nowSeconds: 1e9 })).toBe(false);
      expect(await reopenOrder(store, id, 'h', { finalHeight: 100 })).toBe(false);
      expect(await reopenOrder(store, id, 'h', { finalHeight: 101 })).toBe(true);
      expect(await findOrder(store, id)).toMatchObject({ status: 'drafted', header: null, lastValidHeight: null });
    });

    describe('that is proposed', () => {
      const propose = async (nowMs = 1_000) => {
        const eventId = `event-${++count}`;
        return createOrder(store, { ...toDraft(eventId), createdAtMs: nowMs }, 'proposed');
      };
      const answer = { shownAfterMs: 500, nowMs: 2_000 };

      test('is worked on after the word of its payer, and of nobody else', async () => {
        const { id } = await propose();
        expect(await markPriced(store, id, 1_000_000n)).toBe('elsewhere');
        expect((await openOrders(store, 100)).some((order) => order.id === id)).toBe(false);
        expect(await confirmProposal(store, { id, userId: 'mallory' }, answer)).toBe(false);
        expect(await endProposal(store, { id, userId: 'mallory' }, 'cancelled')).toBe(false);
        const who = { id, userId: 'user' };
        const words = await Promise.all([
          confirmProposal(store, who, answer),
          confirmProposal(store, who, answer),
          confirmProposal(store, who, answer),
        ]);
        expect(words.filter(Boolean).length).toBe(1);
        expect(await endProposal(store, who, 'cancelled')).toBe(false);
        expect(await findOrder(store, id)).toMatchObject({ status: 'drafted', createdAtMs: 2_000 });
      });

      test('is either confirmed or cancelled, whichever comes first', async () => {
        const who = { id: (await propose()).id, userId: 'user' };
        const words = await Promise.all([endProposal(store, who, 'cancelled'), confirmProposal(store, who, answer)]);
        expect(words.filter(Boolean).length).toBe(1);
      });

      test('cannot be confirmed after its time, and is found then', async () => {
        const early = (await propose(500)).id;
        const late = (await propose(501)).id;
        expect(await confirmProposal(store, { id: early, userId: 'user' }, answer)).toBe(false);
        const stale = (await staleProposals(store, 500, 100)).map(({ id }) => id);
        expect([stale.includes(early), stale.includes(late)]).toEqual([true, false]);
      });
    });

    test('that was erased says nothing any more, and its event stays used up', async () => {
      const eventId = 'to-be-erased';
      const wish = {
        ...toDraft(eventId),
        userId: 'forgetful',
        tippedMessageId: 'tipped',
        body: { description: 'note' },
      };
      const { id } = await createOrder(store, wish);
      expect(await eraseChatUser(store, 'forgetful', 8)).toBe(0);
      await markPriced(store, id, 1_000_000n);
      await markSigned(store, id, 'h', { validBefore: 10 });
      const results = [{ txnId: 77, receipt: 'r', status: 'paid' }] as const;
      await markAnswered(store, id, { txnId: 77, receipt: 'r', results: [...results] });
      const message = { transport: 'test', chatId: 'chat', tippedMessageId: 'tipped' };
      expect((await tipsForMessage(store, message)).length).toBe(1);
      expect(await sentTips(store, 'forgetful', 10)).toMatchObject([{ txnId: 77, note: 'note', status: 'paid' }]);
      // Its end was not shown yet, so a process still works on it.
      expect(await eraseChatUser(store, 'forgetful', 8)).toBe(0);
      await markShown(store, { id, newsCount: 0 }, 9);
      expect(await eraseChatUser(store, 'forgetful', 10)).toBe(1);
      expect(await eraseChatUser(store, 'forgetful', 11)).toBe(0);
      expect(await sentTips(store, 'forgetful', 10)).toEqual([]);
      expect(await tipsForMessage(store, message)).toEqual([]);
      expect(await createOrder(store, wish)).toMatchObject({ id, body: {}, header: null, erasedAtMs: 10 });
    });

    test('that a restored database brought back is erased again, but none that was made after the erasure', async () => {
      const answered = async (eventId: string, createdAtMs: number) => {
        const { id } = await createOrder(store, { ...toDraft(eventId), userId: 'restored', createdAtMs });
        await markPriced(store, id, 1_000_000n);
        await markSigned(store, id, 'h', { validBefore: 10 });
        const results = [{ txnId: 78, receipt: 'r', status: 'paid' }] as const;
        await markAnswered(store, id, { txnId: 78, receipt: 'r', results: [...results] });
        await markShown(store, { id, newsCount: 0 }, createdAtMs + 1);
      };
      const { chatUsers } = store.tables;
      const user = { id: 'restored', transport: 'test', walletAddress: '0x1', createdAtMs: 1, language: 'de' };
      await store.tx((db) => db.insert(chatUsers).values(user));
      await answered('before the erasure', 100);
      await answered('after it', 300);
      const hashOf = (id: string) => `hash of ${id}`;
      const kept = [
        { user: 'hash of restored', atMs: 200 },
        { user: 'hash of restored', atMs: 50 },
        { user: 'hash of nobody', atMs: 900 },
      ];
      expect(await eraseAgain(store, [], hashOf, 500)).toBe(0);
      expect(await eraseAgain(store, kept, hashOf, 500)).toBe(1);
      expect(await eraseAgain(store, kept, hashOf, 500)).toBe(0);
      const { orders } = store.tables;
      const left = await store.read.select().from(orders).where(eq(orders.userId, 'restored'));
      expect(
        left
          .map(({ eventId, erasedAtMs }) => [eventId, erasedAtMs])
          .toSorted(([one], [two]) => String(one).localeCompare(String(two))),
      ).toEqual([
        ['after it', null],
        ['before the erasure', 500],
      ]);
    });

    test('that was paid after all is shown again', async () => {
      const { id } = await draft();
      await markPriced(store, id, 1_000_000n);
      await markSigned(store, id, 'h', { validBefore: 100 });
      await markFailed(store, id, 'signed', 'insufficient_funds');
      await markShown(store, { id, newsCount: 0 }, 5);
      const isOpen = async () => (await openOrders(store, 100)).some((order) => order.id === id);
      expect(await isOpen()).toBe(false);
      expect(await markAnswered(store, id, { txnId: 2, receipt: 'r' })).toBe(true);
      expect(await isOpen()).toBe(true);
      // Who was still showing that it failed has not shown this.
      expect(await markShown(store, { id, newsCount: 0 }, 6)).toBe(false);
      expect(await isOpen()).toBe(true);
      // Nobody has shown this end before, also where news came before that.
      const now = async () => (await findOrder(store, id)) ?? expect.fail('it is gone');
      expect(await noteNews(store, id)).toBe(true);
      expect(isNews(await now())).toBe(false);
      expect(await markShown(store, await now(), 7)).toBe(true);
      expect(await noteNews(store, id)).toBe(true);
      expect(isNews(await now())).toBe(true);
      expect(await markShown(store, await now(), 8)).toBe(true);
      expect(await findOrder(store, id)).toMatchObject({ status: 'answered', failure: null });
    });
  });
}
