/**
 * Without statistics SQLite takes a state for rare, and would rather read all rows that were ever in it than those of one payment,
 * person or name. So what is asked for each payment, message or second is looked at here as it is sent.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { and, eq, or } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { TASK_CHECKS } from '../../db/audit/task-checks.ts';
import { declineClaim } from '../../db/claims/decline.ts';
import { namesKnownTo, notePeople } from '../../db/communities/community-people.ts';
import { isProvenPayment } from '../../db/costs/standing.ts';
import { isOneOf } from '../../db/dialects/unindexed.ts';
import { heldByBooks, standBack, standsBack } from '../../db/limits/purse-room.ts';
import { dueChanges } from '../../db/notices/changes.ts';
import { senderOfWaiting, sumWaiting } from '../../db/notices/due.ts';
import { whyReturned } from '../../db/notices/line-end.ts';
import { takeNotice } from '../../db/notices/take.ts';
import { returnedBy } from '../../db/pay-links/paid-twice.ts';
import { walletlessOf } from '../../db/published/waiting.ts';
import { isReturned } from '../../db/refunds/return-transfer.ts';
import { reservePayment } from '../../db/payments/reserve.ts';
import { findPayments } from '../../db/scan/landings.ts';
import { peopleOf, undecidedPayouts } from '../../db/screening/decisions.ts';
import { expireTasks } from '../../db/tasks/expire.ts';
import { transfersSeen } from '../../db/tasks/find.ts';
import { blockedLines } from '../../db/tips/blocks.ts';
import { readStatement } from '../../db/tips/statement.ts';
import { orphanedPayouts, orphanedRefunds, releaseLostExposure } from '../../db/transfers/orphans.ts';
import { hasReceived, sumKept } from '../../db/wallets/kept.ts';
import { followedWithdrawals } from '../../db/wallets/withdrawal-messages.ts';
import type { Db } from '../../db/store/store.ts';
import { openBooks, START_MS, type Books } from '../support/books.ts';
import { growing, plansOf } from '../support/databases/plans.ts';
import { recordStatements } from '../support/databases/recorded.ts';
import { createClaimants, newAddress, toBase } from './claims/claimants.ts';

const dir = mkdtempSync(join(tmpdir(), 'pennypost-plans-'));
const path = join(dir, 'books.sqlite');
const MAIL = { platform: 'email', name: 'a@example.com', stableId: 'a@example.com' } as const;
const LIMIT = 50;
const WAITING = 'lines_identity_idx (identity_id=? AND status=? AND expires_at_ms>?)';

let books: Books;
let recording: ReturnType<typeof recordStatements>;
/** A payment of which one line waits for a mailbox. */
let paid: Awaited<ReturnType<Books['pay']>>;
/** Whom it waits for. */
let mailbox: string;

beforeAll(async () => {
  recording = recordStatements();
  books = await openBooks({ kind: 'sqlite', path });
  paid = await books.pay({
    payees: [
      { ...MAIL, amount: 5_000_000n },
      { name: 'bob', stableId: '2' },
    ],
  });
  mailbox = paid.lines[0]?.identityId ?? '';
});

afterAll(async () => {
  await books.close();
  recording.end();
  rmSync(dir, { recursive: true });
});

/** The plans of what this has sent. */
async function plansWhile(ask: () => Promise<unknown>): Promise<(readonly string[])[]> {
  const before = new Map(recording.statements);
  await ask();
  const sent = [...recording.statements].filter(([text, values]) => before.get(text) !== values);
  return [...plansOf(path, new Map(sent)).values()];
}

const within = <Found>(ask: (db: Db) => Promise<Found>) => books.store.tx(ask);

function statementOf(networks: readonly ('base' | 'polygon')[]) {
  const addresses = networks.map((network) => ({ network, address: newAddress() }));
  return readStatement(books.store, { walletId: 'x:1', identityId: mailbox, addresses, receiptUrl: String }, LIMIT);
}

/** An authorization that no reservation holds: anybody may have signed it, also a payer of very many payments. */
async function findsSigned(): Promise<void> {
  const [from, to] = [newAddress(), newAddress()];
  const place = { transaction: '0x1', logIndex: 0, position: 0, block: 1, blockHash: '0x1' };
  const transfer = { ...place, from, to, value: 1n, authorizer: from, nonce: '0x1' };
  const landed = { fact: 'fact', landing: 1, transaction: '0x1', block: 1, transfer, outgoing: false, isNew: true };
  expect(await within((db) => findPayments(db, books.store, 'base', [landed]))).toEqual([]);
}

async function takesPurchase(): Promise<void> {
  const order = { ...books.toClaim({ payees: [{ name: 'carol', stableId: '3' }] }), orderId: 'order' };
  const again = { ...books.toClaim({ payees: [{ name: 'carol', stableId: '3' }] }), orderId: 'order' };
  expect(await reservePayment(books.store, order)).toMatchObject({ kind: 'reserved' });
  expect(await reservePayment(books.store, again)).toEqual({ kind: 'order-taken' });
}

async function collects(): Promise<void> {
  const people = createClaimants(books);
  const bob = { name: 'bob', stableId: '2' };
  const base = newAddress();
  const claim = await recording.without(() => people.ready(bob, { base }));
  expect(await people.confirm({ ...claim, links: [toBase(base)] })).toMatchObject({ kind: 'confirmed' });
}

async function declines(): Promise<void> {
  const claim = await recording.without(() => createClaimants(books).ready(MAIL, { decline: true }));
  const declined = await declineClaim(books.store, { ...claim, optOut: false }, books.clock.nowMs);
  expect(declined).toMatchObject({ kind: 'declined' });
}

/** What is asked, and the indexes that have to lead to it. */
const ASKED: readonly (readonly [name: string, by: readonly string[], ask: () => Promise<unknown>])[] = [
  [
    'who has published no address, of a payment',
    ['lines_position_uq'],
    () => walletlessOf(books.store, paid.paymentId, { platforms: ['code', 'x'], nowMs: START_MS }),
  ],
  [
    'a name that was seen in a community',
    ['community_people_user_idx', 'community_people_name_idx (transport=? AND username=?)'],
    () => {
      const alice = { userId: 'telegram:7', username: 'alice', isBot: false };
      return notePeople(books.store, { transport: 'telegram', communityId: '1' }, [alice], START_MS);
    },
  ],
  [
    'a person without a name',
    ['community_people_user_idx'],
    () => {
      const nobody = { userId: 'telegram:8', username: null, isBot: false };
      return notePeople(books.store, { transport: 'telegram', communityId: '1' }, [nobody], START_MS);
    },
  ],
  [
    'what people are called in a private chat',
    ['community_people_user_idx (user_id=?)'],
    () => namesKnownTo(books.store, { transport: 'telegram', userId: 'telegram:7' }, ['telegram:8'], START_MS),
  ],
  [
    'what waits from blocked payers',
    ['blocked_payers_returned_idx', 'lines_identity_idx (identity_id=? AND status=?)', 'orders_txn_idx'],
    () => blockedLines(books.store, LIMIT),
  ],
  [
    'payouts that wait for a screening',
    ['transfers_status_idx (status=?)', 'autoindex_screenings_1 (stage=? AND subject=?)', 'lines_payout_idx'],
    async () => {
      await undecidedPayouts(books.store, START_MS, LIMIT);
      await peopleOf(books.store, ['payout']);
    },
  ],
  ['an authorization that nothing holds', ['payments_refused_idx (nonce=?)'], findsSigned],
  ['payouts of dead payments', ['lines_payout_idx'], () => orphanedPayouts(books.store, LIMIT)],
  ['refunds of dead payments', ['refunds_payout_idx'], () => orphanedRefunds(books.store, LIMIT)],
  [
    'what was lost with dead payments',
    ['transfers_exposed_idx (network=?', 'lines_payout_idx'],
    () => releaseLostExposure(books.store, LIMIT),
  ],
  [
    'the room of a purse',
    ['autoindex_wallets_1 (identity_id=?'],
    () => within((db) => heldByBooks(db, books.store.tables, mailbox)),
  ],
  [
    'whether a purse stands back',
    ['autoindex_wallets_1 (identity_id=?'],
    () => within((db) => standsBack(db, books.store.tables, mailbox, START_MS)),
  ],
  [
    'that a purse stands back',
    ['autoindex_wallets_1 (identity_id=?'],
    () => within((db) => standBack(db, books.store.tables, mailbox, START_MS)),
  ],
  ['what is kept for a person', ['autoindex_wallets_1 (identity_id=?'], () => sumKept(books.store, mailbox)],
  [
    'whether a kept wallet has received',
    ['autoindex_wallets_1 (identity_id=?'],
    () => within((db) => hasReceived(db, books.store.tables, mailbox)),
  ],
  ['the transfers that a payout returns', ['refunds_payout_idx'], () => returnedBy(books.store, 'payout')],
  [
    'why a line went back',
    ['refunds_txn_idx'],
    () => whyReturned(books.store, { txnId: 1, returnReason: null, expiresAtMs: START_MS }),
  ],
  ['a statement', ['transfers_to_idx', 'refunds_payout_idx'], () => statementOf(['base'])],
  ['a statement of two networks', ['transfers_to_idx', 'refunds_payout_idx'], () => statementOf(['base', 'polygon'])],
  ['what waits for a mailbox', [WAITING], () => sumWaiting(books.store, mailbox, START_MS)],
  ['who sent what waits', [WAITING], () => senderOfWaiting(books.store, mailbox, START_MS)],
  [
    'a notice',
    [WAITING],
    () => {
      const times = { soonestMs: START_MS, untilMs: START_MS + 1 };
      const due = {
        identityId: mailbox,
        kind: 'waits',
        platform: 'email',
        to: MAIL.name,
        language: 'en',
        ...times,
      } as const;
      return takeNotice(books.store, due, { dailyMax: null, nowMs: START_MS });
    },
  ],
  ['a refusal', [WAITING], declines],
  ['a claim', ['lines_identity_idx (identity_id=? AND status=? AND expires_at_ms<?)'], collects],
  ['a purchase that another has', ['autoindex_purchases_1', 'autoindex_payments_1'], takesPurchase],
  [
    'the transfers of a transaction',
    ['observed_transfers_transaction_idx'],
    () => transfersSeen(books.store, 'base', '0x1'),
  ],
  [
    'whether a transfer was returned',
    ['observed_transfers_nonce_idx (network=? AND authorizer=? AND nonce=?)'],
    () => isReturned(books.store, { network: 'base', authorizer: newAddress(), nonce: '0x1' }),
  ],
  [
    'whether a payer is known',
    ['chat_users_wallet_idx'],
    () =>
      isProvenPayment(books.store, { payer: newAddress(), recipients: [], isWhole: true, isAgreed: false }, START_MS),
  ],
  ['tasks that are over', ['SCAN task_offers', 'autoindex_tasks_1 (id=?)'], () => expireTasks(books.store, START_MS)],
  ['changes of addresses', ['wallet_changes_due_idx'], () => dueChanges(books.store, START_MS, LIMIT)],
  [
    'withdrawals in messages',
    ['autoindex_withdrawal_messages_1 (withdrawal_id>?)'],
    () => followedWithdrawals(books.store, START_MS, LIMIT, { after: 'a' }),
  ],
];

test.each(ASKED)('%s: no plan grows with the database', async (_name, by, ask) => {
  const plans = await plansWhile(ask);
  expect(plans.flatMap(growing)).toEqual([]);
  for (const index of by) expect(plans.flat().join('\n')).toContain(index);
});

test('an audit of what has changed begins with the tasks that have', async () => {
  const { read, tables } = books.store;
  const questions = TASK_CHECKS.map((check) => check({ read, tables, dialect: 'sqlite' }, 'changed'));
  const paidTasks = questions.find(({ rule }) => rule === 'a paid task has its payment');
  const plans = await plansWhile(async () => paidTasks?.query);
  expect(plans.flat()).toContain('SEARCH t USING INDEX sqlite_autoindex_tasks_1 (id=?)');
});

test('control: the same conditions as plain ones would read what grows', async () => {
  const { read, tables } = books.store;
  const { communityPeople, identities, lines, payments, refunds, walletChanges, wallets } = tables;
  const isPlain = [
    read
      .select()
      .from(lines)
      .innerJoin(payments, and(eq(payments.id, lines.paymentId), eq(payments.status, 'rejected'))),
    read
      .select()
      .from(lines)
      .where(and(eq(lines.paymentId, 'p'), eq(lines.status, 'escrowed'))),
    read
      .select()
      .from(wallets)
      .where(and(eq(wallets.identityId, 'i'), eq(wallets.source, 'keep'))),
    read
      .select()
      .from(communityPeople)
      .where(
        and(
          eq(communityPeople.transport, 'telegram'),
          or(eq(communityPeople.userId, '7'), eq(communityPeople.username, 'alice')),
        ),
      ),
    read
      .select()
      .from(walletChanges)
      .innerJoin(identities, eq(identities.id, walletChanges.identityId))
      .where(eq(identities.platform, 'email')),
    read.select().from(refunds).where(eq(refunds.account, 'a')),
  ];
  const found = [];
  for (const query of isPlain) found.push((await plansWhile(() => query)).flatMap(growing));
  expect(found).toEqual([
    ['SEARCH payments USING INDEX payments_status_idx (status=?)'],
    ['SEARCH lines USING INDEX lines_status_idx (status=?)'],
    ['SEARCH wallets USING INDEX wallets_source_idx (source=?)'],
    ['SEARCH community_people USING INDEX community_people_name_idx (transport=?)'],
    ['SEARCH identities USING INDEX identities_key_idx (platform=?)'],
    ['SCAN refunds'],
  ]);
  const mended = read
    .select()
    .from(wallets)
    .where(and(eq(wallets.identityId, 'i'), isOneOf(wallets.source, ['keep'])));
  expect((await plansWhile(() => mended)).flatMap(growing)).toEqual([]);
});
