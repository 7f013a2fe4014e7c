import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { eq } from 'drizzle-orm';
import { parseConfig } from '../../../core/config/config.ts';
import { accounts, gasSpent, openingBalance } from '../../../core/ledger.ts';
import { writeComparison } from '../../../db/audit/solvency.ts';
import { postEntry } from '../../../db/ledger/ledger.ts';
import { runOperator } from '../../../service/operator/run.ts';
import { openBooks, START_MS, TREASURY, type Books } from '../../support/books.ts';

const DAY_MS = 24 * 3_600_000;
const CHAIN = accounts.chain('base', TREASURY);
const WEI = 123_456_789_012_345_678_901n;
const DAY = (days: number) => new Date(START_MS + days * DAY_MS).toISOString().slice(0, 10);

let books: Books;
let dir: string;
beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), 'pennypost-ledger-'));
  books = await openBooks({ kind: 'sqlite', path: join(dir, 'books.sqlite') });
});
afterEach(async () => {
  await books.close();
  rmSync(dir, { recursive: true, force: true });
});

const file = () => join(dir, 'ledger.csv');
const operate = (...words: string[]) => {
  const env = { DATABASE_URL: `sqlite:${join(dir, 'books.sqlite')}`, DATA_DIR: join(dir, 'data') };
  return runOperator(() => parseConfig(env), words, books.clock.nowMs);
};

type Line = { entry: string; event: string; account: string; network: string; currency: string; amount: string };

function readLines(): Line[] {
  const [head = '', ...rows] = readFileSync(file(), 'utf8').trimEnd().split('\r\n');
  const names = head.split(',');
  return rows.map((row) => Object.fromEntries(row.split(',').map((cell, index) => [names[index] ?? '', cell])) as Line);
}

/** In millionths; every amount is written in full. */
const micro = ({ amount }: Line) => BigInt(amount.replace('.', ''));
const sum = (lines: readonly Line[]) => lines.reduce((total, line) => total + micro(line), 0n);
const usdc = (lines: readonly Line[]) => lines.filter(({ currency }) => currency === 'USDC');

/** Float, three payments of two days, and gas that outgrows 64 bits. */
async function keepBooks(): Promise<void> {
  const opening = openingBalance({ network: 'base', address: TREASURY, amount: 5_000_000n });
  await books.store.tx((db) => postEntry(db, books.store.tables, opening, START_MS));
  await books.link(await books.meet('alice', '1'));
  await books.pay({ payees: [{ name: 'alice', stableId: '1' }], fee: 10_000n });
  books.clock.nowMs += DAY_MS;
  await books.pay({ payees: [{ name: 'bob', stableId: '2', amount: 2_500_000n }] });
  const gas = gasSpent({ network: 'base', lane: '0x1', transaction: '0xa', unit: 'wei', amount: WEI });
  await books.store.tx((db) => postEntry(db, books.store.tables, gas, books.clock.nowMs));
  const sums = { inBooks: 8_510_000n, onChain: 8_510_000n, unexplained: 0n, float: 5_000_000n, reorgLoss: 0n };
  await writeComparison(books.store, { network: 'base', block: 9, ...sums });
}

test('what is written sums to zero an event, and to what the chain holds in all', async () => {
  await keepBooks();
  books.clock.nowMs += 60_001;
  const { exitCode, text } = await operate('ledger', file());
  expect([exitCode, text.split('\n')[1]]).toEqual([
    0,
    'Base: 8.51 USDC on our addresses at the end of it; the chain had 8.51 USDC at block 9, of which 8.51 USDC were in the books.',
  ]);
  const lines = readLines();
  expect(sum(usdc(lines).filter(({ account }) => account === CHAIN))).toBe(8_510_000n);
  for (const entry of new Set(lines.map((line) => line.entry)))
    expect([entry, sum(lines.filter((line) => line.entry === entry))]).toEqual([entry, 0n]);
  expect(lines.map(({ amount, currency }) => `${amount} ${currency}`)).toContain('-123.456789012345678901 ETH');
  // Each account has the balance of the books.
  const rows = await books.store.read
    .select()
    .from(books.store.tables.accounts)
    .where(eq(books.store.tables.accounts.unit, 'usdc'));
  const balances = rows.map(({ name, balance }) => [name, balance]);
  expect(balances.map(([name]) => [name, sum(usdc(lines).filter(({ account }) => account === name))])).toEqual(
    balances,
  );
  expect(statSync(file()).mode & 0o777).toBe(0o600);
});

test('days begin with what was there before, and the sums are the same', async () => {
  await keepBooks();
  books.clock.nowMs += 60_001;
  expect((await operate('ledger', file(), DAY(1))).text).toContain('8.51 USDC on our addresses at the end of it;');
  const lines = readLines();
  expect(sum(usdc(lines).filter(({ account }) => account === CHAIN))).toBe(8_510_000n);
  const before = lines.filter(({ entry }) => entry === '');
  expect(sum(before.filter(({ account }) => account === CHAIN))).toBe(6_010_000n);
  rmSync(file());
  const { text } = await operate('ledger', file(), DAY(0), DAY(0));
  expect(text).toContain('6.01 USDC on our addresses at the end of it, 2.50 USDC since, 8.51 USDC by the books now;');
});

test('what came in the last minute is for the next file', async () => {
  await keepBooks();
  const { text } = await operate('ledger', file());
  expect(text).toContain('6.01 USDC on our addresses at the end of it, 2.50 USDC since');
});

test.each([
  [[], 2, 'Expected a file'],
  [['a', DAY(0), DAY(0), DAY(0)], 2, 'at most two days'],
  [['a', '2026-02-30'], 2, 'A day is such as'],
  [['a', DAY(2)], 2, 'in the future'],
])('%j ends with %i and writes nothing', async (words, exitCode, says) => {
  const result = await operate('ledger', ...words);
  expect([result.exitCode, result.text.includes(says)]).toEqual([exitCode, true]);
});

test('a file that is there stays, and nothing is left of one that does not fit its balances', async () => {
  await keepBooks();
  books.clock.nowMs += 60_001;
  const { accounts: rows } = books.store.tables;
  await books.store.tx((db) => db.update(rows).set({ balance: 8_510_001n }).where(eq(rows.name, CHAIN)));
  expect((await operate('ledger', file())).text).toContain('do not sum to its balances');
  expect(existsSync(file())).toBe(false);
  await books.store.tx((db) => db.update(rows).set({ balance: 8_510_000n }).where(eq(rows.name, CHAIN)));
  expect((await operate('ledger', file())).exitCode).toBe(0);
  expect(await operate('ledger', file())).toMatchObject({ exitCode: 1 });
});
