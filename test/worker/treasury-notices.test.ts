/** A thief of an owner's account sets an address where nobody reads along: who else decides about the money hears of it. */
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { shownAddress } from '../../chain/shown-address.ts';
import { handleEvent, isChatTopic } from '../../core/outbox.ts';
import { LANGUAGE_TAGS } from '../../core/languages.ts';
import { TREASURY_ADDRESS_WAIT_MS } from '../../core/treasury/treasury.ts';
import { plainText } from '../../core/view.ts';
import { beginWaitsAnew } from '../../db/operator/safety.ts';
import { completeItems, dueItems } from '../../db/store/outbox.ts';
import {
  addressesOf,
  announceTreasuryAddress,
  cancelWaitingAddress,
  restartTreasuryAddresses,
  setTreasuryAddress,
} from '../../db/treasury/treasury-addresses.ts';
import { treasuryAddressNotice } from '../../texts/notices/treasury.ts';
import { receiptHandlers } from '../../worker/receipts.ts';
import { openBooks, type Books } from '../support/books.ts';

const [OWNER, MOD, REWARDER] = ['discord:1', 'discord:2', 'discord:3'];
const WALLET = 'discord-guild:9';
const THIEFS = `0x${'cd'.repeat(20)}`;

let books: Books;
beforeEach(async () => {
  books = await openBooks();
  await decide();
});
afterEach(() => books.close());
const now = () => books.clock.nowMs;

/** One has confirmed a withdrawal, another a reward; a third one elsewhere. */
async function decide(): Promise<void> {
  const { rewardCards, rewardConfirmations, treasuryConfirmations, treasuryWithdrawals } = books.store.tables;
  const place = { transport: 'discord', communityId: '9', chatId: 'mods', language: null };
  const common = { ...place, requestKey: 'w', network: 'base', amountMicroUsdc: 1n, createdAtMs: 0 } as const;
  const row = { ...common, addressId: 'a', toAddress: THIEFS, proposedBy: OWNER, status: 'confirmed' } as const;
  const withdrawals = [
    { ...row, id: 'w', walletId: WALLET },
    { ...row, id: 'other', requestKey: 'other', walletId: 'discord-guild:8' },
  ] as unknown as (typeof treasuryWithdrawals.$inferInsert)[];
  const card = {
    ...place,
    id: 'card',
    requestKey: 'card',
    walletId: WALLET,
    distributionId: 'distribution',
    proposedBy: OWNER,
    status: 'paid',
    budgetMicroUsdc: 1n,
    totalMicroUsdc: 1n,
    costMaxMicroUsdc: 0n,
    isOneEnough: false,
    isLone: false,
    post: 'post',
    excluded: [],
    preview: {},
    createdAtMs: 0,
    expiresAtMs: 1,
  } as unknown as typeof rewardCards.$inferInsert;
  await books.store.tx(async (db) => {
    await db.insert(treasuryWithdrawals).values(withdrawals);
    await db.insert(treasuryConfirmations).values([
      { withdrawalId: 'w', userId: MOD, role: 'moderator', confirmedAtMs: 1 },
      { withdrawalId: 'other', userId: 'discord:4', role: 'moderator', confirmedAtMs: 1 },
    ]);
    await db.insert(rewardCards).values(card);
    await db.insert(rewardConfirmations).values({ cardId: 'card', userId: REWARDER, confirmedAtMs: 2 });
  });
}

async function setByThief(): Promise<string> {
  const { id } = await setTreasuryAddress(books.store, {
    id: 'address',
    requestKey: 'discord:address',
    walletId: WALLET,
    network: 'base',
    address: THIEFS,
    setBy: OWNER,
    transport: 'discord',
    chatId: 'a-channel-of-nobody',
    language: null,
    setAtMs: now(),
  });
  await announceTreasuryAddress(books.store, { id, messageId: 'm', nowMs: now() });
  return id;
}

async function told(): Promise<string[]> {
  const { store } = books;
  const heard: string[] = [];
  const tell = async ({ userId, view }: { userId: string; view: Parameters<typeof plainText>[0] }) => {
    heard.push(`${userId}: ${plainText(view)}`);
    return 'told' as const;
  };
  const senders = { discord: { post: async () => undefined, tell } };
  const log = pino({ level: 'silent' });
  const handlers = receiptHandlers({
    store,
    baseUrl: 'https://pay.test',
    now,
    log,
    senders,
    mail: null,
    failpoint: () => {},
  });
  for (let round = 0; round < 2; round += 1) {
    for (const { id, topic, key } of await dueItems(store, now(), 100)) {
      if (!isChatTopic(topic)) continue;
      await handleEvent(handlers, { topic, key });
      await completeItems(store, [id], now());
    }
  }
  return heard.toSorted();
}

test('all who have decided about this money are told, each alone and once, the owner too', async () => {
  await setByThief();
  const heard = await told();
  expect(heard.map((line) => line.split(': ')[0])).toEqual([OWNER, MOD, REWARDER]);
  expect(heard[1]).toContain(shownAddress(THIEFS));
  expect(heard[1]).toContain('/treasury address off base');
  expect(await told()).toEqual([]);
});

test('and again when its wait begins anew: the bot was away, or the books were restored', async () => {
  await setByThief();
  await told();
  books.clock.nowMs += 1_000;
  await restartTreasuryAddresses(books.store, WALLET, now());
  expect((await told()).length).toBe(3);
  books.clock.nowMs += 1_000;
  await books.store.tx((db) => beginWaitsAnew(db, books.store, now()));
  expect((await told()).length).toBe(3);
});

test('nobody is told of what was taken back, or of what nobody can stop any more', async () => {
  const id = await setByThief();
  await cancelWaitingAddress(books.store, id, { userId: MOD, nowMs: now(), botSinceMs: null });
  expect(await told()).toEqual([]);
  const { outbox, treasuryAddresses } = books.store.tables;
  await books.store.tx(async (db) => {
    await db.update(treasuryAddresses).set({ cancelledAtMs: null });
    await db.update(outbox).set({ doneAtMs: null });
  });
  books.clock.nowMs += TREASURY_ADDRESS_WAIT_MS;
  expect(await told()).toEqual([]);
});

test('CONTROL: without that, the announcement in a channel of nobody’s is all there is, and the address counts', async () => {
  await setByThief();
  await books.store.tx((db) => db.delete(books.store.tables.outbox));
  expect(await told()).toEqual([]);
  books.clock.nowMs += TREASURY_ADDRESS_WAIT_MS;
  const { active } = await addressesOf(
    books.store,
    { walletId: WALLET, network: 'base' },
    { nowMs: now(), botSinceMs: null },
  );
  expect(active?.address).toBe(THIEFS);
});

test.each([...LANGUAGE_TAGS])('in %s it says where, from when, and how it is stopped', (language) => {
  const at = new Date('2026-11-26T12:30:00Z');
  const text = plainText(treasuryAddressNotice({ place: 'Base', network: 'base', address: THIEFS, at }, language));
  for (const fact of ['Base', THIEFS, '12:30 UTC', '/treasury address off base']) expect(text).toContain(fact);
});
