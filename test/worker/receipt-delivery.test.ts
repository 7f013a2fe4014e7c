import { eq } from 'drizzle-orm';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { CommunitySettings } from '../../core/communities/community-settings.ts';
import { plainText, type View } from '../../core/view.ts';
import { changeCommunitySettings } from '../../db/communities/community-settings.ts';
import { acceptGivers } from '../../db/tips/accepted.ts';
import { createOrder } from '../../db/tips/orders.ts';
import { handleEvent, isChatTopic } from '../../core/outbox.ts';
import { completeItems, dueItems } from '../../db/store/outbox.ts';
import { landTransfer } from '../../db/scan/land-transfer.ts';
import { createRefundPayout } from '../../db/refunds/create-payouts.ts';
import { refundWithin } from '../../db/refunds/refund-line.ts';
import type { LineRow } from '../../db/payments/records/find.ts';
import { startRelay } from '../../worker/outbox/relay.ts';
import { receiptHandlers } from '../../worker/receipts.ts';
import { NotYet } from '../../worker/outbox/not-yet.ts';
import { ensureUser } from '../../db/chats/users.ts';
import type { ChatSender, Told } from '../../worker/chat/sender.ts';
import { openBooks, type Books } from '../support/books.ts';

const PAYER = `0x${'99'.repeat(20)}`;
/** A member of the guild. */
const BOB = 'discord:8';
const COMMUNITY = { transport: 'discord', communityId: 'guild' };

const NO_ROUNDS = {
  payment_reserved: () => undefined,
  payout_queued: () => undefined,
  refund_owed: () => undefined,
  event_due: () => undefined,
};

let books: Books;
let said: string[];
/** The newest of it. */
let shown: View | null;
let outcome: Told;
let ordered: number;
const keys = new Set<string>();
const keysAlone = new Set<string>();
beforeEach(async () => {
  books = await openBooks();
  said = [];
  shown = null;
  outcome = 'told';
  ordered = 0;
  keys.clear();
  keysAlone.clear();
});
afterEach(() => books.close());

/** Says what would be seen, in one line each. */
const sender: ChatSender = {
  post: async ({ chatId, onceKey, view, ringsRecipients, lifetimeSeconds }) => {
    keys.add(onceKey);
    shown = view;
    const marks = `${ringsRecipients ? ' rings' : ''}${lifetimeSeconds === null ? '' : ` for ${lifetimeSeconds} s`}`;
    said.push(`${chatId}${marks}: ${plainText(view).split('\n')[0]}`);
  },
  tell: async ({ userId, onceKey, view }) => {
    keysAlone.add(onceKey);
    shown = view;
    said.push(`${userId} alone: ${plainText(view).split('\n')[0]}`);
    return outcome;
  },
  react: async ({ messageId, tippedMessageId }) => void said.push(`reaction on ${tippedMessageId ?? messageId}`),
};

type Tip = { tippedMessageId?: string; communityId?: string | null; platform?: string; language?: string };

async function tip({ communityId = 'guild', platform = 'x', ...more }: Tip = {}): Promise<LineRow> {
  const { lines } = await books.pay({
    payees: [{ platform, name: 'alice', stableId: platform === 'discord' ? '8' : 'alice' }],
  });
  const [line] = lines;
  if (!line) throw new Error('a payment for one person has one line');
  const { tippedMessageId = null, language = null } = more;
  await orderFor(line, { communityId, tippedMessageId, language });
  return line;
}

type Place = {
  chatId?: string;
  communityId: string | null;
  tippedMessageId?: string | null;
  language?: string | null;
};

async function orderFor(line: LineRow, { chatId = 'guild:1', language = null, ...place }: Place): Promise<void> {
  const id = books.ids.slug();
  await createOrder(books.store, {
    id,
    transport: 'discord',
    eventId: id,
    chatId,
    messageId: 'the answer',
    ...place,
    userId: 'discord:7',
    walletId: 'wallet',
    walletName: null,
    language,
    network: 'base' as const,
    payerAddress: PAYER,
    route: '/payments/x/pay',
    body: {},
    recipient: line.platform === 'discord' ? BOB : 'a…e@example.com',
    amountMicroUsdc: 1_000_000n,
    createdAtMs: (ordered += 1),
  });
  const { orders } = books.store.tables;
  const answered = { status: 'answered', txnId: line.txnId } as const;
  await books.store.tx((db) => db.update(orders).set(answered).where(eq(orders.id, id)));
}

/** This person talks to the bot. */
async function knows(id: string): Promise<void> {
  await ensureUser(books.store, { id, transport: 'discord', walletAddress: PAYER, createdAtMs: 0 });
}

async function decide(chosen: Partial<CommunitySettings>): Promise<void> {
  await changeCommunitySettings(books.store, COMMUNITY, { changedBy: 'discord:1', nowMs: 0 }, (now) => ({
    kind: 'changed',
    settings: { ...now, ...chosen },
  }));
}

/** What was written with each tip so far. */
async function write(description: string): Promise<void> {
  const { orders } = books.store.tables;
  await books.store.tx((db) => db.update(orders).set({ body: { description } }));
}

const labels = () => shown?.actions.map((action) => (action.kind === 'command' ? action.command : action.label));

function dependencies(senders: Record<string, ChatSender> = { discord: sender }) {
  const { store, clock } = books;
  const log = pino({ level: 'silent' });
  return {
    store,
    baseUrl: 'https://pay.example.com',
    now: () => clock.nowMs,
    log,
    mail: null,
    senders,
    failpoint: () => undefined,
  };
}

/** Handles every receipt that was asked for, and what that asks for, and answers what was said meanwhile. */
async function handle(): Promise<string[]> {
  const { store, clock } = books;
  said = [];
  for (let round = 0; round < 2; round++) {
    for (const { id, topic, key } of await dueItems(store, clock.nowMs, 100)) {
      if (!isChatTopic(topic)) continue;
      await handleEvent(receiptHandlers(dependencies()), { topic, key });
      await completeItems(store, [id], clock.nowMs);
    }
  }
  return said;
}

/** It goes back to its payer, and gets there. */
async function giveBack(line: LineRow): Promise<void> {
  const { store, clock } = books;
  const refund = { txnId: line.txnId, from: ['escrowed'] as const, reason: 'declined' as const };
  await store.tx((db) => refundWithin(db, store, refund, clock.nowMs));
  await landRefund();
}

/** Whatever is owed to the payer goes there in one transfer. */
async function landRefund(): Promise<void> {
  const { store, clock, ids } = books;
  const owed = { network: 'base' as const, payer: PAYER, payerAccount: null, minMicroUsdc: 1n };
  await createRefundPayout(store, owed, ids.payoutId, clock.nowMs);
  const [payout] = await books.payouts();
  if (!payout) throw new Error('what is due is paid out');
  const { fromAddress: from, toAddress: to, amountMicroUsdc: value } = payout;
  const [transaction, nonce] = [`0x${'a1'.repeat(32)}`, `0x${'b2'.repeat(32)}`];
  const place = { transaction, logIndex: 0, position: 0, block: 2, blockHash: '0x2' };
  const transfer = { ...place, from, to, value, authorizer: from, nonce };
  const { transfers } = store.tables;
  await store.tx(async (db) => {
    await db.update(transfers).set({ status: 'broadcast', nonce }).where(eq(transfers.id, payout.id));
    await landTransfer(db, store, 'base', transfer, { fact: nonce, landing: 1, transaction, block: 2 }, 0);
  });
}

const BACK = '1.00 USDC for a…e@example.com came back to you.';

describe('that it was paid', () => {
  test('is in the message of the tip alone', async () => {
    await tip();
    expect(await handle()).toEqual([]);
    await tip({ communityId: null });
    expect(await handle()).toEqual([]);
  });

  test('is a reaction where that was chosen', async () => {
    await decide({ receipts: 'reaction' });
    await tip();
    expect(await handle()).toEqual(['reaction on the answer']);
    await tip({ tippedMessageId: 'the good answer' });
    expect(await handle()).toEqual(['reaction on the good answer']);
  });

  test('is nothing where that was chosen', async () => {
    await decide({ receipts: 'none' });
    await tip();
    expect(await handle()).toEqual([]);
  });
});

describe('a recipient who reads along', () => {
  const HERE = `guild:1 rings: discord:7 sent ${BOB} 1.00 USDC.`;
  const ALONE = `${BOB} alone: discord:7 sent you 1.00 USDC.`;
  const member = { platform: 'discord' };

  test('is notified where they were tipped, once, however often it is reported', async () => {
    const { paymentId } = await tip(member);
    expect(await handle()).toEqual([HERE]);
    keys.clear();
    for (let times = 0; times < 3; times++) await receiptHandlers(dependencies()).payment_settled({ paymentId });
    expect(keys.size).toBe(1);
  });

  test.each([
    ['by name', {}],
    ['by a reply', { tippedMessageId: 'the good answer' }],
  ])(
    'who talks to the bot and is tipped %s is told in private once, by whom, how much and why, and nobody else reads anything',
    async (_how, place) => {
      await knows(BOB);
      const { paymentId } = await tip({ ...member, ...place });
      await write('for lunch');
      expect(await handle()).toEqual([ALONE]);
      expect(labels()?.slice(0, 4)).toEqual(['Keep it', 'No thanks', 'Read the note', 'Stop hearing from them']);
      for (let times = 0; times < 3; times++) await receiptHandlers(dependencies()).payment_settled({ paymentId });
      expect([keysAlone.size, keys.size]).toEqual([1, 0]);
      await acceptGivers(books.store, { userId: BOB, giverIds: ['discord:7'] }, 0);
      await receiptHandlers(dependencies()).payment_settled({ paymentId });
      expect(shown && plainText(shown).split('\n')[1]).toBe('“for lunch”');
    },
  );

  test('of those who tip one message the first is heard where it stands, and the summary counts the others', async () => {
    const place = { ...member, tippedMessageId: 'the good answer' };
    await tip(place);
    await write('for lunch');
    expect(await handle()).toEqual([HERE]);
    expect(labels()).toEqual(['Keep it', 'Read the note', 'Open the receipt']);
    await tip(place);
    expect(await handle()).toEqual([]);
    await tip({ ...place, tippedMessageId: 'another one' });
    expect(await handle()).toEqual([HERE]);
    // One that could be told alone by then is told of each.
    await knows(BOB);
    await tip(place);
    expect(await handle()).toEqual([ALONE]);
  });

  test('two who tip one message at the same time are never both left to the other', async () => {
    const place = { ...member, tippedMessageId: 'the good answer' };
    await tip(place);
    await tip(place);
    expect(await handle()).toEqual([HERE]);
  });

  test('does not read there who gave where only the giver reads the message of the tip', async () => {
    const { paymentId } = await tip(member);
    const hiding = { ...sender, hidesGiver: () => true };
    await receiptHandlers(dependencies({ discord: hiding })).payment_settled({ paymentId });
    expect(said).toEqual([`guild:1 rings: 1.00 USDC is waiting for ${BOB}.`]);
  });

  test('a recipient who cannot be reached there is notified where they were tipped', async () => {
    await knows(BOB);
    await tip(member);
    outcome = 'unreachable';
    expect((await handle()).slice(1)).toEqual([HERE]);
  });

  test('is waited for as long as the private message is under way', async () => {
    await knows(BOB);
    const { paymentId } = await tip(member);
    outcome = 'under-way';
    await expect(receiptHandlers(dependencies()).payment_settled({ paymentId })).rejects.toThrow(NotYet);
    outcome = 'told';
    said = [];
    await receiptHandlers(dependencies()).payment_settled({ paymentId });
    expect(said).toEqual([ALONE]);
  });

  test('hears nothing in public where the community wants none, of a reply no more than by name', async () => {
    await decide({ receipts: 'none' });
    await tip({ ...member, tippedMessageId: 'the good answer' });
    await tip(member);
    expect(await handle()).toEqual([]);
  });

  test('is rung in private alone where several were tipped at once', async () => {
    const several = { lines: [{ recipient: BOB, amountMicroUsdc: '1000000' }] };
    const { orders } = books.store.tables;
    await tip(member);
    await books.store.tx((db) => db.update(orders).set(several));
    expect(await handle()).toEqual([]);
    await knows(BOB);
    await tip(member);
    await books.store.tx((db) => db.update(orders).set(several));
    expect(await handle()).toEqual([ALONE]);
  });

  test('hears nothing of money that is on its way back already', async () => {
    const { txnId } = await tip(member);
    const { store, clock } = books;
    const refund = { txnId, from: ['escrowed'] as const, reason: 'declined' as const };
    await store.tx((db) => refundWithin(db, store, refund, clock.nowMs));
    expect(await handle()).toEqual([]);
  });

  test('goes after its time where messages do not stay', async () => {
    await decide({ messageLifetimeSeconds: 60 });
    await tip(member);
    expect(await handle()).toEqual([HERE.replace('rings', 'rings for 60 s')]);
  });
});

test.each(['message', 'reaction', 'none'] as const)(
  'money that came back is told its payer alone, with %s',
  async (receipts) => {
    await decide({ receipts });
    const line = await tip({ platform: 'email' });
    await handle();
    await giveBack(line);
    expect(await handle()).toEqual([`discord:7 alone: ${BACK}`]);
  },
);

describe('a payer', () => {
  const ALONE = `discord:7 alone: ${BACK}`;

  test('a payer who cannot be reached in private is told where they tipped', async () => {
    const line = await tip({ platform: 'email' });
    await handle();
    await giveBack(line);
    outcome = 'unreachable';
    expect(await handle()).toEqual([ALONE, `guild:1: ${BACK}`]);
  });

  test('is told there once of a tip for several people, whose message says the rest', async () => {
    const line = await tip({ platform: 'email' });
    const lines = [{ recipient: 'a…e@example.com', amountMicroUsdc: '1000000' }];
    await books.store.tx((db) => db.update(books.store.tables.orders).set({ lines }));
    await handle();
    await giveBack(line);
    outcome = 'unreachable';
    keys.clear();
    expect(await handle()).toEqual([ALONE, `guild:1: ${BACK}`]);
    const [order] = await books.store.read.select().from(books.store.tables.orders);
    expect([...keys]).toEqual([`payer:${order?.id}`]);
  });

  test('is waited for as long as the private message is under way', async () => {
    const line = await tip({ platform: 'email' });
    await handle();
    await giveBack(line);
    outcome = 'under-way';
    await expect(handle()).rejects.toThrow(NotYet);
    outcome = 'told';
    expect(await handle()).toEqual([ALONE]);
  });

  test('whose tip seems to have failed is told that it was paid after all', async () => {
    await tip();
    const { orders } = books.store.tables;
    await books.store.tx((db) => db.update(orders).set({ status: 'failed', failure: 'unreachable' }));
    expect(await handle()).toEqual(['discord:7 alone: 1.00 USDC is waiting for a…e@example.com.']);
  });

  test('the payer who alone can tell the recipient hears when the name was found', async () => {
    const { paymentId, txnId } = await tip();
    await handle();
    said = [];
    await receiptHandlers(dependencies()).line_resolved({ paymentId, txnId });
    expect(said).toEqual(['discord:7 alone: 1.00 USDC is waiting for a…e@example.com.']);
    const told = await tip({ platform: 'email' });
    await handle();
    said = [];
    await receiptHandlers(dependencies()).line_resolved({ paymentId: told.paymentId, txnId: told.txnId });
    expect(said).toEqual([]);
  });
});

describe('where a group has set its language', () => {
  test('the recipient who is notified there reads it, whatever the payer speaks', async () => {
    await decide({ language: 'de' });
    await tip({ platform: 'discord', language: 'es' });
    expect(await handle()).toEqual([`guild:1 rings: discord:7 hat ${BOB} 1.00 USDC geschickt.`]);
  });

  test('its payer reads their own language alone, and the group’s where they tipped', async () => {
    await decide({ language: 'de' });
    const line = await tip({ platform: 'email', language: 'es' });
    await handle();
    await giveBack(line);
    outcome = 'unreachable';
    expect(await handle()).toEqual([
      'discord:7 alone: 1.00 USDC para a…e@example.com volvieron a ti.',
      'guild:1: 1.00 USDC für a…e@example.com sind zu dir zurückgekommen.',
    ]);
  });
});

describe('the log of a community', () => {
  test.each(['message', 'reaction', 'none'] as const)(
    'has a line for each tip with %s, which rings nobody',
    async (receipts) => {
      await decide({ receipts, logChat: { id: 'guild:2', name: '#log' }, messageLifetimeSeconds: 60 });
      await tip({ platform: 'email' });
      const lines = (await handle()).filter((text) => text.startsWith('guild:2'));
      expect(lines).toEqual(['guild:2: discord:7 → a…e@example.com · 1.00 USDC']);
      expect(await handle()).toEqual([]);
    },
  );

  test('is asked for once, however often the receipt is posted', async () => {
    await decide({ logChat: { id: 'guild:2', name: '#log' } });
    const { paymentId } = await tip();
    for (let times = 0; times < 3; times++) await receiptHandlers(dependencies()).payment_settled({ paymentId });
    const due = await dueItems(books.store, books.clock.nowMs, 100);
    expect(due.filter(({ topic }) => topic === 'order_logged')).toHaveLength(1);
  });

  test('has nothing of tips where two talk alone, nor after it was turned off', async () => {
    await decide({ logChat: { id: 'guild:2', name: '#log' } });
    await tip({ communityId: null });
    expect(await handle()).toEqual([]);
    const { paymentId } = await tip();
    await receiptHandlers(dependencies()).payment_settled({ paymentId });
    await decide({ logChat: null });
    said = [];
    const due = await dueItems(books.store, books.clock.nowMs, 100);
    const asked = due.filter(({ topic }) => topic === 'order_logged');
    expect(asked).toHaveLength(1);
    for (const { key } of asked) {
      await handleEvent(receiptHandlers(dependencies()), { topic: 'order_logged', key });
    }
    expect(said).toEqual([]);
  });
});

const PATIENCE = { timeout: 60_000 };

test('of several tips that came back together one chat that takes nothing makes no other hear it twice', async () => {
  const { store, clock } = books;
  const { lines } = await books.pay({ payees: ['alice', 'bob'].map((name) => ({ name, stableId: name })) });
  for (const [index, line] of lines.entries()) {
    await orderFor(line, { chatId: `guild:${index + 1}`, communityId: null });
  }
  const refused: ChatSender = {
    post: async (post) => {
      if (post.chatId === 'guild:1') throw new Error('Discord answered 500 (0)');
      await sender.post(post);
    },
  };
  await books.store.tx((db) => db.delete(store.tables.outbox));
  for (const { txnId } of lines) {
    const refund = { txnId, from: ['escrowed'] as const, reason: 'declined' as const };
    await store.tx((db) => refundWithin(db, store, refund, clock.nowMs));
  }
  await landRefund();
  const relay = startRelay({
    hold: { isHeld: () => true },
    store,
    now: () => clock.nowMs,
    log: pino({ level: 'silent' }),
    notify: () => false,
    wakes: NO_ROUNDS,
    handlers: {
      ...receiptHandlers(dependencies({ discord: refused })),
    },
  });
  const open = async () => (await dueItems(store, clock.nowMs + 3_600_000, 100)).length;
  await expect.poll(() => said, PATIENCE).toHaveLength(1);
  for (let times = 0; times < 3; times++) {
    clock.nowMs += 60_000;
    relay.wake();
    await expect.poll(async () => (await dueItems(store, clock.nowMs, 100)).length, PATIENCE).toBe(0);
  }
  await relay.close();
  expect(await open()).toBe(1);
  expect(said).toEqual(['guild:2: 1.00 USDC for a…e@example.com came back to you.']);
});

test('receipts for a chat that no worker here serves wait, warn once, and hold up nothing', async () => {
  const { store, clock } = books;
  for (let times = 0; times < 3; times++) await tip();
  const web = await tip();
  const { orders, lines } = store.tables;
  await store.tx(async (db) => {
    await db.update(orders).set({ transport: 'web' }).where(eq(orders.txnId, web.txnId));
    await db.update(lines).set({ platform: 'web' }).where(eq(lines.txnId, web.txnId));
  });
  const warned: string[] = [];
  const log = pino({ level: 'warn' }, { write: (text) => void warned.push(text) });
  const relay = startRelay({
    hold: { isHeld: () => true },
    store,
    now: () => clock.nowMs,
    log,
    notify: () => false,
    wakes: NO_ROUNDS,
    handlers: {
      ...receiptHandlers(dependencies({ web: sender })),
    },
  });
  await expect.poll(() => said).toEqual(['guild:1 rings: discord:7 sent a…e@example.com 1.00 USDC.']);
  const open = async () => (await dueItems(store, clock.nowMs + 3_600_000, 100)).length;
  await expect.poll(open).toBe(3);
  clock.nowMs += 60_000;
  relay.wake();
  await expect.poll(async () => (await dueItems(store, clock.nowMs, 100)).length).toBe(0);
  await relay.close();
  expect(await open()).toBe(3);
  expect(warned).toHaveLength(1);
  expect(warned[0]).toContain('chats on discord');
});
