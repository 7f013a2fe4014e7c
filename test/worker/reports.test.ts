import { eq } from 'drizzle-orm';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { DEFAULT_SETTINGS } from '../../core/communities/community-settings.ts';
import { isChatTopic, handleEvent } from '../../core/outbox.ts';
import { treasuryWalletOf } from '../../core/treasury/treasury.ts';
import { plainText } from '../../core/view.ts';
import { changeCommunitySettings } from '../../db/communities/community-settings.ts';
import { closeReport, storeReport } from '../../db/reports/reports.ts';
import { completeItems, dueItems } from '../../db/store/outbox.ts';
import { createOrder } from '../../db/tips/orders.ts';
import type { ChatSender } from '../../worker/chat/sender.ts';
import { receiptHandlers } from '../../worker/receipts.ts';
import { openBooks, type Books } from '../support/books.ts';

const GIVER = 'discord:7';
const COMMUNITY = { transport: 'discord', communityId: '123456789012345678' };
const LOG = { id: `${COMMUNITY.communityId}:9`, name: 'log' };

let books: Books;
let said: string[];
beforeEach(async () => {
  books = await openBooks();
  said = [];
});
afterEach(async () => {
  await books.assertSound();
  await books.close();
});

const sender: ChatSender = {
  post: async ({ chatId, view, ringsRecipients }) => {
    expect(ringsRecipients).toBe(false);
    said.push(`${chatId}: ${plainText(view)}`);
  },
  tell: async ({ userId, view }) => {
    said.push(`${userId} alone: ${plainText(view)}`);
    return 'told';
  },
};

async function tip({ communityId = COMMUNITY.communityId }: { communityId?: string | null } = {}) {
  const { lines } = await books.pay({ payees: [{ platform: 'x', name: 'alice', stableId: 'alice' }] });
  const [line] = lines;
  if (!line) throw new Error('a payment for one person has one line');
  const id = books.ids.slug();
  const where = { transport: 'discord', eventId: id, chatId: 'here:1', messageId: 'the answer', communityId };
  const who = { userId: GIVER, walletId: 'wallet', walletName: null, payerAddress: `0x${'99'.repeat(20)}` };
  const what = { route: '/payments/x/pay', body: {}, recipient: 'x:alice', amountMicroUsdc: 1_000_000n };
  const order = { id, ...where, ...who, ...what, language: 'es', network: 'base' as const, createdAtMs: 0 };
  await createOrder(books.store, order);
  const { orders } = books.store.tables;
  const answered = { status: 'answered', txnId: line.txnId } as const;
  await books.store.tx((db) => db.update(orders).set(answered).where(eq(orders.id, id)));
  return line;
}

async function report(txnId: number, id = 'report_1'): Promise<void> {
  const what = { kind: 'payment', reason: 'insults', words: 'see http://evil.example', share: 'large' } as const;
  await storeReport(books.store, { id, ...what, subject: String(txnId), reporter: id }, books.clock.nowMs);
}

async function handle(): Promise<string[]> {
  const { store, clock } = books;
  const log = pino({ level: 'silent' });
  const deps = { store, baseUrl: 'https://pay.example.com', now: () => clock.nowMs, log, mail: null };
  const handlers = receiptHandlers({ ...deps, senders: { discord: sender }, failpoint: () => undefined });
  said = [];
  for (let round = 0; round < 2; round += 1) {
    for (const { id, topic, key } of await dueItems(store, clock.nowMs, 100)) {
      if (!isChatTopic(topic)) continue;
      await handleEvent(handlers, { topic, key });
      await completeItems(store, [id], clock.nowMs);
    }
  }
  return said;
}

async function keepLog(chosen: Partial<typeof DEFAULT_SETTINGS> = {}): Promise<void> {
  const by = { changedBy: 'discord:1', nowMs: 0 };
  const settings = { ...DEFAULT_SETTINGS, logChat: LOG, ...chosen };
  await changeCommunitySettings(books.store, COMMUNITY, by, () => ({ kind: 'changed', settings }));
}

/** They have decided about the money of the community. */
async function decided(...userIds: string[]): Promise<void> {
  const { store } = books;
  const walletId = treasuryWalletOf(COMMUNITY);
  if (walletId === null) throw new Error('this community may have a treasury');
  const place = { transport: 'discord', chatId: 'here:1', network: 'base' as const, address: '0x1', walletId };
  const rows = userIds.map((setBy) => ({ ...place, id: setBy, requestKey: setBy, setBy, setAtMs: 0 }));
  await store.tx((db) => db.insert(store.tables.treasuryAddresses).values(rows));
}

const NOTICE = [
  'Denunciado: Insulta o amenaza',
  `${GIVER} → @alice en X · 1.00 USDC`,
  'Quien opera el servicio también tiene la denuncia. Quien lo envió no se entera.',
].join('\n');

test('a report stands once in the log of the community, without the words of the reporter', async () => {
  await keepLog();
  await decided('discord:1');
  const { txnId } = await tip();
  await handle();
  await report(txnId);
  expect(await handle()).toEqual([`${LOG.id}: ${NOTICE}`]);
  expect(await handle()).toEqual([]);
});

test('in the log it is read in the language that the community has set', async () => {
  await keepLog({ language: 'de' });
  const { txnId } = await tip();
  await handle();
  await report(txnId);
  expect((await handle())[0]).toContain('Gemeldet: ');
});

test('where no log is kept, those who decide there are told alone, but never the sender', async () => {
  await decided('discord:1', GIVER, 'discord:2');
  const { txnId } = await tip();
  await handle();
  await report(txnId);
  const told = await handle();
  expect(told.map((one) => one.split(' ')[0] ?? '').toSorted((one, other) => one.localeCompare(other))).toEqual([
    'discord:1',
    'discord:2',
  ]);
  expect(told[0]).toContain('Reported: It insults or threatens');
});

test('nobody in a chat is told of a payment from no community, from no chat, or of a report that is closed', async () => {
  await keepLog();
  const direct = await tip({ communityId: null });
  const { lines } = await books.pay({ payees: [{ platform: 'x', name: 'alice', stableId: 'alice' }] });
  const closed = await tip();
  await handle();
  await report(direct.txnId, 'report_direct');
  await report(lines[0]?.txnId ?? 0, 'report_api');
  await report(closed.txnId, 'report_closed');
  const command = { name: 'close-report', arguments: ['report_closed'], who: 'ada' };
  await closeReport(books.store, 'report_closed', command, books.clock.nowMs);
  expect(await handle()).toEqual([]);
});
