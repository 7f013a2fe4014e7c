/** What is no longer needed goes, a bounded number of rows at a time; nothing of money does. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { forgetOld } from '../../db/retention/forget.ts';
import { dailyCounters } from '../../db/limits/daily.ts';
import { addWithin } from '../../db/store/counters.ts';
import { completeItems, dueItems, enqueue } from '../../db/store/outbox.ts';
import { openBooks, START_MS, type Books } from '../support/books.ts';
import { openMigrated } from '../support/databases/migrated.ts';
import { recordStatements } from '../support/databases/recorded.ts';

const DAY_MS = 86_400_000;
let books: Books;
beforeEach(async () => {
  books = await openBooks();
});
afterEach(async () => {
  await books.assertSound();
  await books.close();
});

const names = async () => (await books.store.read.select().from(books.store.tables.counters)).map(({ name }) => name);

test('work that was done goes, and work that is open stays however old it is', async () => {
  const { store } = books;
  for (const refundId of ['done', 'late', 'open'])
    await store.tx((db) => enqueue(db, store.tables, 'refund_owed', { refundId }, 1));
  const [done, late] = await dueItems(store, 1, 10);
  await completeItems(store, [done?.id ?? 0], START_MS);
  await completeItems(store, [late?.id ?? 0], START_MS + 1);
  expect(await forgetOld(store, START_MS)).toBe(1);
  const left = await store.read.select().from(store.tables.outbox);
  expect(left.map(({ key }) => key)).toEqual([expect.stringContaining('late'), expect.stringContaining('open')]);
});

test('counters of a wallet’s day go, and those that the audit compares stay', async () => {
  const { store } = books;
  const kept = [
    'spent:2026-12-31:b',
    'withdrawals_open:a',
    dailyCounters.payer('2026-01-01', '0x1'),
    'spentx:2026-01-01:a',
  ];
  const old = ['spent:2026-12-30:a', 'withdrawals_at_once:2026-12-01:a', 'withdrawals_of_day:2025-01-01:a'];
  for (const name of [...kept, ...old]) await store.tx((db) => addWithin(db, store, name, 0n));
  expect(await forgetOld(store, Date.UTC(2026, 11, 31, 12))).toBe(old.length);
  expect((await names()).toSorted()).toEqual(kept.toSorted());
});

test('what the screening let pass goes once it no longer stands; a refusal and a release stay', async () => {
  const { store } = books;
  const row = {
    stage: 'payout',
    source: 'service',
    detail: null,
    passes: true,
    atMs: START_MS,
    untilMs: null,
  } as const;
  await store.tx((db) =>
    db.insert(store.tables.screenings).values([
      { ...row, subject: 'passed', verdict: 'allowed', untilMs: START_MS + 1 },
      { ...row, subject: 'released', verdict: 'allowed', source: 'operator' },
      { ...row, subject: 'refused', verdict: 'refused', passes: false },
    ]),
  );
  expect(await forgetOld(store, START_MS + 1)).toBe(0);
  expect(await forgetOld(store, START_MS + 2)).toBe(1);
  const left = await store.read.select().from(store.tables.screenings);
  expect(left.map(({ subject }) => subject)).toEqual(['released', 'refused']);
});

test('a payment that was paid long ago stays as it is', async () => {
  const { paymentId } = await books.pay({ payees: [{ name: 'alice', stableId: '1' }] });
  await forgetOld(books.store, START_MS + 9_000 * DAY_MS);
  expect(await books.linesFor(paymentId)).toHaveLength(1);
  expect((await books.causes()).length).toBeGreaterThan(0);
});

test('old rows are found by an index, so that what is kept costs nothing', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'pennypost-retention-'));
  const path = join(dir, 'books.sqlite');
  const recording = recordStatements();
  const store = await openMigrated({ kind: 'sqlite', path });
  await forgetOld(store, START_MS);
  recording.end();
  await store.close();
  const handle = new Database(path);
  const plans = [...recording.statements]
    .filter(([text]) => /^select .* from "(outbox|counters|screenings)"/.test(text))
    .flatMap(([text, samples]) => samples.map((values) => handle.prepare(`explain query plan ${text}`).all(...values)));
  handle.close();
  rmSync(dir, { recursive: true });
  // The counters are asked for by kind; of one statement two samples are kept.
  expect(plans).toHaveLength(4);
  for (const plan of plans) expect(JSON.stringify(plan)).toMatch(/SEARCH \w+ USING (COVERING )?INDEX/);
});
