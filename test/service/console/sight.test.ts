import { getTableColumns, sql, type SQL } from 'drizzle-orm';
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AdminRole } from '../../../core/admins/admins.ts';
import { storePayoutSettings } from '../../../db/limits/settings.ts';
import { ROUTES } from '../../../service/console/routes.ts';
import { TREASURY } from '../../support/books.ts';
import { fillOthers, OTHERS } from '../../support/stories/others.ts';
import { createConsoleHarness, type Browser, type ConsoleHarness } from './console-harness.ts';

/**
 * Every column of text in these tables holds a canary, but for those that all may see. So a new column that is shown to a viewer
 * is noticed here, and so is a page that shows an old one.
 */
const SEEN_BY_ALL: Readonly<Record<string, readonly string[]>> = {
  payments: [
    'id',
    'network',
    'payer',
    'operation',
    'status',
    'rejectReason',
    'delivery',
    'landedTransaction',
    'endpointId',
  ],
  lines: ['paymentId', 'identityId', 'platform', 'recipientKey', 'status', 'payoutId', 'returnReason', 'publicSlug'],
  transfers: [
    'id',
    'network',
    'purpose',
    'sourceAccount',
    'crossFrom',
    'toAddress',
    'status',
    'heldReason',
    'landedTransaction',
  ],
  eventEndpoints: ['id', 'network', 'payer', 'taskId', 'url', 'endReason'],
  eventDeliveries: ['id', 'endpointId', 'paymentId', 'taskId', 'type', 'txnIds', 'outcome'],
  claims: ['id', 'platform', 'key', 'method', 'status', 'language', 'rejectReason'],
  claimLines: ['claimId'],
  screenings: ['stage', 'subject', 'verdict', 'source'],
  reports: ['id', 'kind', 'subject', 'reason', 'share'],
  operatorActions: ['who', 'command', 'arguments', 'result'],
  signingStops: ['reason', 'network', 'detail'],
  distributions: ['id', 'platform', 'postUrl', 'weights', 'shares', 'leftOut', 'authorId'],
  rewardCards: [
    'id',
    'distributionId',
    'transport',
    'communityId',
    'proposedBy',
    'status',
    'network',
    'payerAddress',
    'failure',
  ],
  moneyRequests: ['id', 'billId', 'transport', 'askerId', 'askedId', 'status', 'orderId'],
  walletWithdrawals: ['id', 'walletId', 'holderId', 'network', 'fromAddress', 'toAddress', 'status', 'failure'],
  treasuryWithdrawals: ['id', 'walletId', 'network', 'toAddress', 'status', 'proposedBy'],
  orders: ['id', 'network', 'payerAddress', 'status', 'failure'],
  drops: ['id', 'transport', 'communityId', 'giverId', 'walletId', 'status', 'endReason', 'orderId'],
  dropTakers: ['dropId', 'userId', 'names'],
  carrierTransactions: ['hash', 'carrierId'],
  adminPasskeys: ['id', 'admin'],
  adminInvites: ['name', 'role'],
};

const MAIL = 'canary.bird@secret.example';
const NETWORK = 'base' as const;

let harness: ConsoleHarness;
let searched: string[];
beforeAll(async () => {
  harness = await createConsoleHarness();
  searched = await fill();
  await plant();
});
afterAll(() => harness.close());

/** Something for each part of each story; answers what finds it. */
async function fill(): Promise<string[]> {
  const { books, store, clock } = harness;
  const { tables } = store;
  const nowMs = clock.nowMs;
  const dailyMicroUsdc = { payer: 1_000_000n, recipient: null };
  await storePayoutSettings(store, { dailyMicroUsdc, treasuries: { base: TREASURY } });
  const mailbox = { platform: 'email', name: MAIL, stableId: MAIL };
  await books.link(await books.meet(MAIL, MAIL, 'email'));
  await books.pay({ payees: [mailbox] });
  clock.nowMs += 1_000;
  const { paymentId, lines } = await books.pay({ payees: [mailbox] });
  const txnId = lines[0]?.txnId ?? 0;
  const [held] = (await books.payouts()).filter(({ status }) => status === 'held');
  const payout = { open: true } as const;
  const atMs = nowMs;
  await store.tx(async (db) => {
    const url = 'https://hooks.example/CANARYpath?token=CANARYquery';
    await db
      .insert(tables.eventEndpoints)
      .values({ id: 'ep_1', network: NETWORK, payer: '0x1', url, createdAtMs: nowMs });
    const told = { id: 'msg_1', endpointId: 'ep_1', paymentId, type: 'settled' as const, txnIds: [txnId] };
    await db.insert(tables.eventDeliveries).values({ ...told, atMs, isSealed: true, failures: 0, nextAtMs: nowMs });
    const claim = { id: 'claim_1', platform: 'email', key: MAIL, display: MAIL, payout, method: 'email' as const };
    const times = { createdAtMs: nowMs, expiresAtMs: nowMs };
    await db.insert(tables.claims).values({ ...claim, status: 'confirmed', tries: 0, ...times });
    await db.insert(tables.claimLines).values({ claimId: 'claim_1', txnId });
    const decided = { verdict: 'refused', source: 'lists', passes: false, atMs } as const;
    await db.insert(tables.screenings).values({ stage: 'payout', subject: held?.id ?? '', ...decided });
    const about = { id: 'report_1', kind: 'payment', subject: String(txnId), reason: 'trick', share: 'small' } as const;
    await db.insert(tables.reports).values({ ...about, words: 'w', reporter: 'r', createdAtMs: nowMs });
    await db.insert(tables.reports).values({
      ...about,
      id: 'report_2',
      kind: 'page' as const,
      subject: `email:${MAIL}`,
      reporter: 's',
      createdAtMs: nowMs,
    });
    const done = { who: 'host', command: 'link', arguments: [`email:${MAIL}`, '0x1', paymentId], result: `to ${MAIL}` };
    await db.insert(tables.operatorActions).values({ ...done, atMs });
    const stop = { reason: 'operator_payouts', network: NETWORK, detail: `asked by ${MAIL}`, sinceMs: nowMs } as const;
    await db.insert(tables.signingStops).values(stop);
  });
  await fillOthers(store, { payer: '0x1', paymentId, txnId });
  await store.tx((db) => db.update(tables.walletWithdrawals).set({ walletId: `email:${MAIL}` }));
  const { PROPOSAL, WITHDRAWAL } = OTHERS;
  return [String(txnId), paymentId, held?.id ?? '', 'claim_1', 'dist_1', 'ask_1', 'drop_1', WITHDRAWAL, PROPOSAL];
}

/** In every column that holds text and is not for all. */
async function plant(): Promise<void> {
  const { store } = harness;
  for (const [name, seen] of Object.entries(SEEN_BY_ALL)) {
    // The names are those of the tables.
    const table = (store.tables as unknown as Record<string, SQLiteTable>)[name];
    if (table === undefined) throw new Error(`there is no table ${name}`);
    const columns = Object.entries<SQLiteColumn>(getTableColumns(table));
    const secret = columns.filter(
      ([column, { dataType }]) =>
        ['string', 'json'].includes(dataType) && !seen.includes(column) && `${name}.${column}` !== FIXED,
    );
    const values = secret.map(([column, { dataType }]) => [column, canaryOf(`${name}${column}`, dataType)]);
    if (values.length === 0) continue;
    await store.tx((db) => db.update(table).set(Object.fromEntries(values) as Record<string, SQL>));
  }
}

/** A stored answer never changes. */
const FIXED = 'payments.answer';

/** Another one in each row, because some of them have to be. */
const canaryOf = (where: string, dataType: string): unknown =>
  dataType === 'json' ? { is: `CANARY${where}` } : sql`${`CANARY${where}`} || rowid`;

async function walk(browser: Browser): Promise<Map<string, string>> {
  const pages = ROUTES.flatMap(({ kind, path }) => (kind === 'page' ? [path] : []));
  const shown = new Map<string, string>();
  for (const path of [...pages, ...searched.map((text) => `/search?q=${encodeURIComponent(text)}`)]) {
    const answer = await browser.get(path);
    expect([path, answer.status]).toEqual([path, 200]);
    shown.set(path, await answer.text());
  }
  return shown;
}

const canariesIn = (shown: Map<string, string>): string[] => [
  ...new Set([...shown.values()].flatMap((page) => page.match(/CANARY[a-zA-Z]+|canary\.bird/g) ?? [])),
];

test('a viewer reads nothing that is personal or secret, on any page', async () => {
  const shown = await walk(await harness.signedIn('vera', 'viewer'));
  expect(canariesIn(shown)).toEqual([]);
  const story = shown.get(`/search?q=${searched[0]}`) ?? '';
  for (const part of ['https://hooks.example<', 'email:c***@secret.example', 'claim_1', 'refused by lists'])
    expect(story).toContain(part);
  expect(shown.get('/audit')).toContain('email:c***@secret.example');
});

test.each(['email', 'mail'])('who is known here is no answer for a viewer who guesses, by %s:', async (word) => {
  const path = `/search?q=${encodeURIComponent(`${word}:${MAIL}`)}`;
  const guessed = await (await (await harness.signedIn('vic', 'viewer')).get(path)).text();
  const other = await (await (await harness.signedIn('vic', 'viewer')).get(path.replace('canary', 'nobody'))).text();
  expect(guessed).toBe(other);
  expect(guessed).toContain('An operator may search for a mail address.');
  expect(await (await (await harness.signedIn('ole', 'operator')).get(path)).text()).not.toContain('An operator may');
});

test.each<AdminRole>(['operator', 'owner'])('%s reads what people wrote, and no more', async (role) => {
  const shown = await walk(await harness.signedIn(role, role));
  expect(canariesIn(shown).toSorted()).toEqual([
    'CANARYlinesslug',
    'CANARYmoneyRequestsreason',
    'CANARYreportswords',
    'CANARYscreeningsdetail',
    'canary.bird',
  ]);
});
