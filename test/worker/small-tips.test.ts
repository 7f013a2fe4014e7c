/** What a recipient hears of a tip: one line a day of small ones, and no stranger's words unasked. */
import { eq } from 'drizzle-orm';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { SMALL_TIPS_GRACE_MS } from '../../core/chats/small-tips.ts';
import { handleEvent, isChatTopic } from '../../core/outbox.ts';
import { plainText, type Action, type View } from '../../core/view.ts';
import { pressButton } from '../../db/chats/buttons.ts';
import { ensureUser } from '../../db/chats/users.ts';
import { refundLine } from '../../db/refunds/refund-line.ts';
import { completeItems, dueItems } from '../../db/store/outbox.ts';
import { acceptGivers } from '../../db/tips/accepted.ts';
import { rememberRecipients } from '../../db/tips/known-recipients.ts';
import { createOrder } from '../../db/tips/orders.ts';
import { quietSmallTips, ringSmallTips } from '../../db/tips/quiet.ts';
import type { ChatSender, Told } from '../../worker/chat/sender.ts';
import { NotYet } from '../../worker/outbox/not-yet.ts';
import { receiptHandlers } from '../../worker/receipts.ts';
import { openBooks, type Books } from '../support/books.ts';

const PAYER = `0x${'99'.repeat(20)}`;
/** A member of the guild, who talks to the bot. */
const BOB = 'discord:8';
const DAY_MS = 86_400_000;

let books: Books;
/** What was said, by its key: the same key is one message. */
let alone: Map<string, View>;
let inPublic: Map<string, View>;
let outcome: Told;
let failsAt: string | null;
beforeEach(async () => {
  books = await openBooks();
  [alone, inPublic, outcome, failsAt] = [new Map(), new Map(), 'told', null];
  await ensureUser(books.store, { id: BOB, transport: 'discord', walletAddress: PAYER, createdAtMs: 0 });
});
afterEach(() => books.close());

const sender: ChatSender = {
  post: async ({ onceKey, view }) => void inPublic.set(onceKey, view),
  tell: async ({ onceKey, view }) => {
    alone.set(onceKey, view);
    return outcome;
  },
};

function handlers() {
  const { store, clock } = books;
  return receiptHandlers({
    store,
    baseUrl: 'https://pay.example.com',
    now: () => clock.nowMs,
    log: pino({ level: 'silent' }),
    mail: null,
    senders: { discord: sender },
    failpoint: (name) => {
      if (name === failsAt) throw new Error('killed here');
    },
  });
}

/** Handles all that is due; what fails stays due. */
async function handle(): Promise<unknown[]> {
  const { store, clock } = books;
  const failures: unknown[] = [];
  for (const { id, topic, key } of await dueItems(store, clock.nowMs, 100)) {
    if (!isChatTopic(topic)) continue;
    try {
      await handleEvent(handlers(), { topic, key });
      await completeItems(store, [id], clock.nowMs);
    } catch (error) {
      failures.push(error);
    }
  }
  return failures;
}

type Sent = { cents: number; giver?: string; note?: string };

async function tip({ cents, giver = 'discord:7', note }: Sent): Promise<{ txnId: number; paymentId: string }> {
  const { store, ids, clock } = books;
  const amount = BigInt(cents) * 10_000n;
  const { lines } = await books.pay({ payees: [{ platform: 'discord', name: '8', stableId: '8', amount }] });
  const [line] = lines;
  if (!line) throw new Error('a payment for one person has one line');
  const id = ids.slug();
  await createOrder(store, {
    id,
    transport: 'discord',
    eventId: id,
    chatId: 'guild:1',
    messageId: 'the answer',
    communityId: 'guild',
    userId: giver,
    walletId: 'wallet',
    walletName: null,
    language: null,
    network: 'base' as const,
    payerAddress: PAYER,
    route: '/payments/discord/pay',
    body: note === undefined ? {} : { description: note },
    recipient: BOB,
    amountMicroUsdc: amount,
    createdAtMs: clock.nowMs,
  });
  const { orders } = store.tables;
  await store.tx((db) =>
    db
      .update(orders)
      .set({ status: 'answered', txnId: line.txnId } as const)
      .where(eq(orders.id, id)),
  );
  return { txnId: line.txnId, paymentId: line.paymentId };
}

const texts = (said: ReadonlyMap<string, View>) => [...said.values()].map((view) => plainText(view).split('\n')[0]);
const labels = (view: View | undefined) =>
  (view?.actions ?? []).map((action) => (action.kind === 'command' ? action.command : action.label));
const nextDay = () => (books.clock.nowMs += DAY_MS + SMALL_TIPS_GRACE_MS);

describe('small tips', () => {
  test('are told one by one, until their recipient wants a line a day', async () => {
    await tip({ cents: 9 });
    await handle();
    expect(texts(alone)).toEqual(['discord:7 sent you 0.09 USDC.']);
    expect(labels([...alone.values()][0])).toContain('Small ones once a day');
  });

  test('of a day are one line, which names people and sum, and larger ones still ring', async () => {
    await quietSmallTips(books.store, BOB, books.clock.nowMs);
    for (const giver of ['discord:7', 'discord:9', 'discord:7']) await tip({ cents: 5, giver });
    await tip({ cents: 9, giver: 'discord:10' });
    await tip({ cents: 10, giver: 'discord:11' });
    expect(await handle()).toEqual([]);
    expect(texts(alone)).toEqual(['discord:11 sent you 0.10 USDC.']);
    expect(texts(inPublic)).toEqual([]);
    alone.clear();
    nextDay();
    await handle();
    expect(texts(alone)).toEqual(['3 people sent you 0.24 USDC today.']);
    // What waits is collected from there.
    expect(labels([...alone.values()][0])).toEqual(['/claim']);
    nextDay();
    await handle();
    expect(alone.size).toBe(1);
  });

  test('are counted once, however often each is reported, and the next day is another line', async () => {
    await quietSmallTips(books.store, BOB, books.clock.nowMs);
    const { paymentId } = await tip({ cents: 5 });
    for (let times = 0; times < 3; times += 1) await handlers().payment_settled({ paymentId });
    await handle();
    nextDay();
    await tip({ cents: 7 });
    await handle();
    nextDay();
    await handle();
    expect(texts(alone)).toEqual(['1 person sent you 0.05 USDC today.', '1 person sent you 0.07 USDC today.']);
  });

  test('are told under kills before and after the message, as one message, and then no more', async () => {
    await quietSmallTips(books.store, BOB, books.clock.nowMs);
    await tip({ cents: 5 });
    await tip({ cents: 6, giver: 'discord:9' });
    await handle();
    nextDay();
    for (const at of ['receipt.before-post', 'receipt.after-post'] as const) {
      failsAt = at;
      expect(await handle()).toHaveLength(1);
    }
    failsAt = null;
    outcome = 'under-way';
    expect(await handle()).toEqual([expect.any(NotYet)]);
    outcome = 'told';
    expect(await handle()).toEqual([]);
    expect(texts(alone)).toEqual(['2 people sent you 0.11 USDC today.']);
    expect(await books.store.read.select().from(books.store.tables.quietTips)).toEqual([]);
  });

  test('that went back meanwhile are in no line', async () => {
    await quietSmallTips(books.store, BOB, books.clock.nowMs);
    const gone = await tip({ cents: 5 });
    await handle();
    await refundLine(books.store, gone.txnId, books.clock.nowMs, 'opted_out');
    nextDay();
    await handle();
    expect(texts(alone)).toEqual([]);
    expect(await books.store.read.select().from(books.store.tables.quietTips)).toEqual([]);
  });

  test('ring again once their recipient wants that; what was counted still comes', async () => {
    await quietSmallTips(books.store, BOB, books.clock.nowMs);
    await tip({ cents: 5 });
    await handle();
    await ringSmallTips(books.store, BOB);
    await tip({ cents: 6 });
    await handle();
    expect(texts(alone)).toEqual(['discord:7 sent you 0.06 USDC.']);
    nextDay();
    await handle();
    expect(texts(alone).at(-1)).toBe('1 person sent you 0.05 USDC today.');
  });
});

describe('what a giver writes', () => {
  const NOTE = 'a surprise for you';

  test('is in nothing that the recipient gets unasked, as long as they have kept nothing of this giver', async () => {
    await tip({ cents: 100, note: NOTE });
    await handle();
    outcome = 'unreachable';
    await tip({ cents: 100, note: NOTE });
    await handle();
    const views = [...alone.values(), ...inPublic.values()];
    expect(views).toHaveLength(3);
    for (const view of views) expect(JSON.stringify(view)).not.toContain('surprise');
    expect(labels(views[0])).toEqual(['Keep it', 'No thanks', 'Read the note', 'Stop hearing from them', 'Report it']);
    // Nothing that others should see them choose, and nothing that is not theirs alone.
    expect(labels([...inPublic.values()][0])).toEqual(['Keep it', 'Read the note', 'Open the receipt']);
  });

  test.each([
    ['was accepted', () => acceptGivers(books.store, { userId: BOB, giverIds: ['discord:7'] }, 0)],
    ['was tipped', () => rememberRecipients(books.store, BOB, ['discord:7'], 0)],
  ])('is read at once where they %s', async (_how, know) => {
    await know();
    await tip({ cents: 100, note: NOTE });
    await tip({ cents: 100, note: NOTE, giver: 'discord:9' });
    await handle();
    const [known, stranger] = ['discord:7', 'discord:9'].map((giver) =>
      [...alone.values()].find((view) => plainText(view).startsWith(giver)),
    );
    expect(plainText(known!)).toContain(NOTE);
    expect(labels(known)).toEqual(['Keep it', 'No thanks', 'Report it']);
    expect(plainText(stranger!)).not.toContain(NOTE);
  });

  test('has a button that is the recipient’s alone, and the same however often the notice is shown', async () => {
    const { paymentId, txnId } = await tip({ cents: 100, note: NOTE });
    await handle();
    const idOf = (action: Action | undefined) => (action?.kind === 'button' ? action.id : '');
    const [first] = [...alone.values()].map(({ actions }) => actions.map(idOf));
    await handlers().payment_settled({ paymentId });
    expect([...alone.values()].map(({ actions }) => actions.map(idOf))).toEqual([first]);
    const press = { buttonId: first?.[2] ?? '', eventId: 'press' };
    expect(await pressButton(books.store, { ...press, userId: 'discord:9' })).toBeNull();
    expect(await pressButton(books.store, { ...press, userId: BOB })).toEqual({ action: 'read_note', txnId });
  });
});
