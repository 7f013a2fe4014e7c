import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { shownAddress } from '../../../chain/shown-address.ts';
import { storePayoutSettings } from '../../../db/limits/settings.ts';
import { storeReport } from '../../../db/reports/reports.ts';
import { applyTransfers } from '../../../db/scan/apply.ts';
import { advanceFinality } from '../../../db/scan/finality.ts';
import { paymentStory } from '../../../db/stories/story.ts';
import { stopSigning, stopsOn } from '../../../db/store/stops.ts';
import { TREASURY } from '../../support/books.ts';
import { createConsoleHarness, type ConsoleHarness } from './console-harness.ts';

const ALICE = { name: 'alice', stableId: '1' };
const SENDER = `0x${'9d'.repeat(20)}`;

let harness: ConsoleHarness;
let ada: Awaited<ReturnType<ConsoleHarness['signedIn']>>;
beforeEach(async () => {
  harness = await createConsoleHarness();
  const dailyMicroUsdc = { payer: 1_000_000n, recipient: null };
  await storePayoutSettings(harness.store, { dailyMicroUsdc, treasuries: { base: TREASURY } });
  ada = await harness.signedIn('ada', 'owner');
});
afterEach(async () => {
  await harness.books.assertSound();
  await harness.close();
});

/** The last note of the audit. */
const noted = async () => {
  const { who, command, arguments: words } = (await harness.actions()).at(-1) ?? {};
  return [who, command, words];
};
const textOf = async (answer: Promise<Response>): Promise<string> => (await answer).text();

/** Two payments within the payer's day, and one beyond it. */
async function holdOne(): Promise<string> {
  const { books } = harness;
  await books.link(await books.meet('alice', '1'));
  for (let count = 0; count < 3; count += 1) {
    books.clock.nowMs += 1_000;
    await books.pay({ payees: [ALICE] });
  }
  const held = (await books.payouts()).find(({ status }) => status === 'held');
  if (held === undefined) throw new Error('nothing is held');
  return held.id;
}

test('a held payout is shown and let go, as the command does it, with who', async () => {
  const id = await holdOne();
  const page = await textOf(ada.get('/held'));
  expect(page).toContain('x:alice');
  expect(page).toContain(id);
  expect(await textOf(ada.post('/do/release', { payout: id }))).toContain('Released 1 payout');
  expect(await noted()).toEqual(['console:ada', 'release', [id]]);
  expect((await harness.books.payouts()).find((one) => one.id === id)?.status).toBe('queued');
  const again = await ada.post('/do/release', { payout: id });
  expect([again.status, await again.text()]).toEqual([409, expect.stringContaining('Nothing is held under that id.')]);
});

test('a held payout is given back to its payer only when that was confirmed', async () => {
  const id = await holdOne();
  const lines = await harness.store.read.select().from(harness.store.tables.lines);
  const txnId = String(lines.find(({ payoutId }) => payoutId === id)?.txnId);
  expect(await textOf(ada.get('/held'))).toContain('/do/give-back');
  const early = await ada.post('/do/give-back', { payout: id });
  expect([early.status, await early.text()]).toEqual([409, expect.stringContaining('It goes back to its payer')]);
  expect(await textOf(ada.post('/do/give-back', { payout: id, confirmed: 'yes' }))).toContain(
    'goes back with the next',
  );
  expect(await noted()).toEqual(['console:ada', 'return', [id, txnId]]);
  expect((await ada.post('/do/release', { payout: id })).status).toBe(409);
  expect((await ada.post('/do/give-back', { payout: id, confirmed: 'yes' })).status).toBe(409);
  const story = await textOf(ada.get(`/search?q=${txnId}`));
  for (const part of ['x:alice, returning', 'not_paid_out', 'console:ada', '<h2>Refunds</h2>'])
    expect(story).toContain(part);
});

test('an unexplained transfer goes back only when that was confirmed', async () => {
  const { store, clock, books } = harness;
  const place = { transaction: '0xa', logIndex: 0, position: 0, block: 1, blockHash: '0x1' };
  const transfers = [{ ...place, from: SENDER, to: TREASURY, value: 500_000n }];
  const settle = { transferIdOf: books.transferIdOf, answerFor: () => ({}), nowMs: clock.nowMs };
  await applyTransfers(store, { network: 'base', transfers, ownAddresses: [TREASURY] }, settle);
  clock.nowMs += 30 * 60_000 - 1_000;
  const fact = 'base:log:0xa:0';
  await ada.get('/audit');
  clock.nowMs += 1_000;
  ada = await signInAgain();
  await store.tx((db) => advanceFinality(db, store, { network: 'base', safeBlock: 1, finalizedBlock: 1 }, clock.nowMs));
  expect(await textOf(ada.get('/suspense'))).toContain(`<code>${shownAddress(SENDER)}</code>`);
  expect((await ada.post('/do/return', { fact })).status).toBe(409);
  expect(await textOf(ada.post('/do/return', { fact, confirmed: 'yes' }))).toContain('goes back');
  expect(await noted()).toEqual(['console:ada', 'return', [fact]]);
});

async function signInAgain() {
  await ada.signIn(ada.authenticator);
  return ada;
}

describe('the stop button', () => {
  test('stops and resumes, with the reason and who', async () => {
    const { store } = harness;
    await ada.post('/do/stop', { network: 'base', kind: 'payouts', reason: 'looks odd' });
    expect((await stopsOn(store, 'base')).map(({ reason, detail }) => [reason, detail])).toEqual([
      ['operator_payouts', 'by console:ada: looks odd'],
    ]);
    expect(await noted()).toEqual(['console:ada', 'stop', ['base', 'payouts']]);
    expect(await textOf(ada.get('/stops'))).toContain('looks odd');
    const wish = { stop: 'operator_payouts', network: 'base' };
    expect((await ada.post('/do/resume', wish)).status).toBe(409);
    expect((await ada.post('/do/resume', { ...wish, confirmed: 'yes' })).status).toBe(200);
    expect(await stopsOn(store, 'base')).toEqual([]);
  });

  test('does not let a restored database go on, as the command does not', async () => {
    const { store, clock } = harness;
    await stopSigning(store, { reason: 'database_restored', network: 'all', detail: 'older' }, clock.nowMs);
    const wish = { stop: 'database_restored', network: 'all', confirmed: 'yes' };
    const answer = await ada.post('/do/resume', wish);
    expect([answer.status, await answer.text()]).toEqual([409, expect.stringContaining('reconcile')]);
  });

  test.each([
    { network: 'bass', kind: 'signing' },
    { network: 'all', kind: 'everything' },
    { network: '', kind: '' },
  ])('%j is not understood', async (fields) => {
    expect((await ada.post('/do/stop', fields)).status).toBe(400);
    expect(await stopsOn(harness.store, 'base')).toEqual([]);
  });
});

test('a report is closed with a reason, and its words are shown as text', async () => {
  const { store, clock, books } = harness;
  await books.pay({ payees: [ALICE] });
  const [line] = await store.read.select().from(store.tables.lines);
  const report = { id: 'report_1', kind: 'payment', subject: String(line?.txnId), reason: 'trick' } as const;
  await storeReport(
    store,
    { ...report, words: '<script>alert(1)</script>', reporter: 'r', share: 'small' },
    clock.nowMs,
  );
  const page = await textOf(ada.get('/reports'));
  expect(page).toContain('&lt;script&gt;alert(1)');
  expect(page).not.toContain('<script>alert');
  expect((await ada.post('/do/close-report', { report: 'report_1', reason: ' ' })).status).toBe(400);
  expect((await ada.post('/do/close-report', { report: 'report_1', reason: 'seen' })).status).toBe(200);
  expect(await noted()).toEqual(['console:ada', 'close-report', ['report_1', '--reason', 'seen']]);
});

test('an owner invites, changes and removes; the link is shown once', async () => {
  const page = await textOf(ada.post('/do/invite', { name: 'bob', role: 'viewer' }));
  const path = /https:\/\/console\.test(\/invite\/[\w-]{43})/.exec(page)?.[1] ?? '';
  expect((await harness.openBrowser({ caller: 'bob' }).get(path)).status).toBe(200);
  expect(await textOf(ada.get('/admins'))).not.toContain(path);
  await ada.post('/do/remove', { name: 'bob' });
  expect((await harness.openBrowser({ caller: 'bob' }).get(path)).status).toBe(404);
  expect(await noted()).toEqual(['console:ada', 'admin remove', ['bob']]);
});

test('payments are downloaded by their days, and that is noted', async () => {
  const { paymentId } = await harness.books.pay({ payees: [ALICE] });
  harness.clock.nowMs += 2 * 60_000;
  const answer = await ada.post('/export.csv', { what: 'payments', first: '', last: '' });
  expect(answer.headers.get('content-disposition')).toContain('payments.csv');
  expect(await answer.text()).toContain(paymentId);
  expect(await noted()).toEqual(['console:ada', 'export', ['payments']]);
  expect((await ada.post('/export.csv', { what: 'people' })).status).toBe(400);
});

test('limits are shown as the worker has them, whatever this process was told', async () => {
  const page = await textOf(ada.get('/limits'));
  expect(page).toContain('<dt>Paid out for a payer, a day</dt><dd>1.00 USDC</dd>');
  expect(page).not.toContain('/do/');
});

test('the ledger is downloaded as the command writes it, and that is noted', async () => {
  await harness.books.pay({ payees: [ALICE] });
  harness.clock.nowMs += 2 * 60_000;
  const answer = await ada.post('/export.csv', { what: 'ledger', first: '', last: '' });
  expect(answer.headers.get('content-disposition')).toContain('ledger.csv');
  const [head = '', first = ''] = (await answer.text()).split('\r\n');
  expect(head).toBe('entry,time,event,cause,network,account,currency,amount');
  expect(first).toContain('in:');
  expect(await noted()).toEqual(['console:ada', 'ledger', []]);
  expect((await ada.post('/export.csv', { what: 'ledger', first: 'yesterday' })).status).toBe(400);
});

describe('the search tells the whole story', () => {
  test('by each of its names', async () => {
    const { store } = harness;
    const id = await holdOne();
    const rows = await store.read.select().from(store.tables.lines);
    const line = rows.find(({ payoutId }) => payoutId === id);
    const payment = (await store.read.select().from(store.tables.payments)).find((one) => one.id === line?.paymentId);
    if (line === undefined || payment === undefined) throw new Error('no line has the held payout');
    expect((await paymentStory(store, payment.id))?.payment).not.toHaveProperty('signature');
    const names = [String(line.txnId), payment.id, id, line.slug, `https://pay.test/r/${line.slug}`];
    for (const name of names) {
      const page = await textOf(ada.get(`/search?q=${encodeURIComponent(name)}`));
      for (const part of [
        payment.id,
        String(line.txnId),
        id,
        'for x:alice, paying',
        'payer_limit',
        '<h3>in:',
        '<h3>out.reserve:',
        'escrow:base',
        '/do/release',
        // As wallets show it.
        `<code>${shownAddress(payment.payer)}</code>`,
      ])
        expect(page).toContain(part);
    }
    for (const name of ['x:alice', 'X:@Alice', payment.payer, payment.payer.toUpperCase().replace('0X', '0x')]) {
      const page = await textOf(ada.get(`/search?q=${encodeURIComponent(name)}`));
      expect(rows.every(({ paymentId }) => page.includes(paymentId))).toBe(true);
    }
  });

  test.each(['x:nobody', '12345', 'attempt_1_none', `0x${'ab'.repeat(32)}`, "'; drop table lines; --", 'x:@@@', '<b>'])(
    '%j fits nothing, and is shown as text',
    async (text) => {
      const answer = await ada.get(`/search?q=${encodeURIComponent(text)}`);
      const page = await answer.text();
      expect([answer.status, page]).toEqual([200, expect.stringContaining('Nothing fits.')]);
      expect(page).not.toContain('<b>');
    },
  );

  test('what operators did about it is part of it', async () => {
    const id = await holdOne();
    await ada.post('/do/release', { payout: id });
    expect(await textOf(ada.get(`/search?q=${id}`))).toContain('console:ada');
  });
});
