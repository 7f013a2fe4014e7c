import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { parseConfig } from '../../../core/config/config.ts';
import { runOperator } from '../../../service/operator/run.ts';
import { openBooks, START_MS, type Books } from '../../support/books.ts';

const DAY_MS = 24 * 3_600_000;
const DAY = (days: number) => new Date(START_MS + days * DAY_MS).toISOString().slice(0, 10);

let books: Books;
let dir: string;
beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), 'pennypost-exports-'));
  books = await openBooks({ kind: 'sqlite', path: join(dir, 'books.sqlite') });
});
afterEach(async () => {
  await books.close();
  rmSync(dir, { recursive: true, force: true });
});

const operate = (...words: string[]) => {
  const env = { DATABASE_URL: `sqlite:${join(dir, 'books.sqlite')}`, DATA_DIR: join(dir, 'data') };
  return runOperator(() => parseConfig(env), words, books.clock.nowMs);
};

/** The lines of the file that it wrote, as columns have them. */
async function exported(what: string, ...days: string[]): Promise<Record<string, string>[]> {
  const file = join(dir, `${what}-${days.join('-')}.csv`);
  const { exitCode, text } = await operate('export', what, file, ...days, '--json');
  expect([exitCode, text]).toEqual([0, expect.stringContaining(`"exported": "${what}"`)]);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const [head = '', ...rows] = readFileSync(file, 'utf8').trimEnd().split('\r\n');
  const names = head.split(',');
  return rows.map((row) => Object.fromEntries(row.split(',').map((cell, at) => [names[at] ?? '', cell])));
}

test('payments and payouts of a day, one line for each recipient, with sums in full', async () => {
  await books.link(await books.meet('alice', '1'));
  const alice = { name: 'alice', stableId: '1' };
  await books.pay({ payees: [alice] });
  books.clock.nowMs += DAY_MS;
  const bob = { name: 'bob', stableId: '2', amount: 2_500_001n };
  const { paymentId, lines } = await books.pay({ payees: [alice, bob], fee: 10_000n });
  books.clock.nowMs += DAY_MS;
  const rows = await exported('payments', DAY(1), DAY(1));
  expect(rows.map((row) => [row['payment'], row['recipient'], row['amount'], row['payment_fee']])).toEqual([
    [paymentId, 'x:alice', '1.000000', '0.010000'],
    [paymentId, 'x:bob', '2.500001', '0.000000'],
  ]);
  expect(rows[1]).toMatchObject({ txn_id: String(lines[1]?.txnId), line_status: 'escrowed', payout: '' });
  expect(await exported('payments')).toHaveLength(3);
  expect(await exported('payouts', DAY(1), DAY(1))).toMatchObject([
    { purpose: 'payout', recipient: 'x:alice', amount: '1.000000', status: 'queued' },
  ]);
});

test('claims have what they released', async () => {
  const { lines } = await books.pay({ payees: [{ name: 'alice', stableId: '1' }] });
  const { claims, claimLines } = books.store.tables;
  const claim = { id: 'claim_1', platform: 'x', key: 'alice', display: 'alice', method: 'oauth', tries: 0 } as const;
  const payout = { open: true } as const;
  const times = { createdAtMs: START_MS, expiresAtMs: START_MS };
  await books.store.tx(async (db) => {
    await db.insert(claims).values({ ...claim, payout, status: 'confirmed', ...times });
    await db.insert(claims).values({ ...claim, id: 'claim_2', payout, status: 'open', ...times });
    await db.insert(claimLines).values({ claimId: 'claim_1', txnId: lines[0]?.txnId ?? 0 });
  });
  books.clock.nowMs += DAY_MS;
  expect(await exported('claims')).toMatchObject([
    { claim: 'claim_1', name: 'x:alice', lines: '1', amount: '1.000000' },
    { claim: 'claim_2', status: 'open', lines: '0', amount: '0.000000' },
  ]);
});

test('a name that a spreadsheet would run is text', async () => {
  const name = '=HYPERLINK("https://evil.test","x")';
  const { lines } = await books.pay({ payees: [{ name: 'alice', stableId: '1' }] });
  const { store } = books;
  await store.tx((db) => db.update(store.tables.payments).set({ operation: name }));
  expect(lines).toHaveLength(1);
  books.clock.nowMs += DAY_MS;
  const file = join(dir, 'evil.csv');
  await operate('export', 'payments', file);
  expect(readFileSync(file, 'utf8')).toContain(`"'=HYPERLINK(""https://evil.test"",""x"")"`);
});

test('what is not understood writes nothing', async () => {
  const file = join(dir, 'x.csv');
  for (const words of [['people', file], ['payments'], ['payments', file, 'yesterday'], [file]])
    expect((await operate('export', ...words)).exitCode).toBe(2);
  expect((await operate('export', 'payments', join(dir, 'books.sqlite'))).text).toContain('is there already');
});

test('limits are those that the worker stored, not those of the command', async () => {
  expect((await operate('limits')).text).toContain('Paid out for a payer, a day: no worker has started yet');
});
