import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  accounts,
  gasSpent,
  inboundProven,
  inboundUndone,
  openingBalance,
  payoutLanded,
  payoutReserved,
  refundDue,
  suspenseReceived,
  type Entry,
} from '../../../core/ledger.ts';
import type { Network } from '../../../core/networks.ts';
import { postEntry } from '../../../db/ledger/ledger.ts';
import { openStore } from '../../../db/store/open.ts';
import { startCursor } from '../../../db/scan/cursor.ts';
import { readSolvency } from '../../../db/audit/solvency.ts';
import type { Store } from '../../../db/store/store.ts';
import { onPostgres, type FreshDatabase } from '../../support/postgres.ts';

const TREASURY = `0x${'11'.repeat(20)}`;
const OTHER = `0x${'22'.repeat(20)}`;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'solvency-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let databases = 0;
readsTheBooks('SQLite', async () => {
  databases += 1;
  return { kind: 'sqlite', path: join(folder, `${databases}.sqlite`) };
});

onPostgres((fresh) => readsTheBooks('PostgreSQL', fresh));

function readsTheBooks(database: string, fresh: FreshDatabase): void {
  describe(`what is owed and what is there, from the books on ${database}`, () => {
    let store: Store;
    beforeEach(async () => {
      store = await openStore(await fresh());
      return () => store.close();
    });

    async function post(...entries: Entry[]): Promise<void> {
      for (const entry of entries) await store.tx((db) => postEntry(db, store.tables, entry, 1));
    }

    async function scanFrom(network: Network, block: number): Promise<void> {
      const hash = `0x${block}`;
      const cursor = { network, block, blockHash: hash, blockTime: 1, safeBlock: block, finalizedBlock: block };
      await startCursor(store, cursor, [], 1);
    }

    test('a database without books has nothing to tell', async () => {
      expect(await readSolvency(store)).toEqual([]);
    });

    test('a network that is scanned and holds nothing owes nothing', async () => {
      await scanFrom('base', 41);
      const zero = { assets: 0n, liabilities: 0n, float: 0n, reorgLoss: 0n };
      expect(await readSolvency(store)).toEqual([{ network: 'base', block: 41, ...zero, isSolvent: true }]);
    });

    test('every kind of account is in its sum, over all people, addresses and payers', async () => {
      await scanFrom('base', 7);
      await post(
        openingBalance({ network: 'base', address: TREASURY, amount: 100n }),
        openingBalance({ network: 'base', address: OTHER, amount: 20n }),
        inbound('first', [credit('person_1', 1_000n), credit('person_2', 300n)], 7n),
        payoutReserved(payout('p1', 'person_1', 400n)),
        refundDue({
          network: 'base',
          paymentId: 'payment',
          txnId: 1,
          identityId: 'person_2',
          account: accounts.refundDue('base', 'payer'),
          amount: 50n,
          fee: 2n,
        }),
        suspenseReceived({ network: 'base', address: TREASURY, fact: 'unexplained', landing: 1, amount: 9n }),
      );
      // Each still owed or ours: 600 and 250 in escrow, 400 on the way, 52 to refund, 9 unexplained, 5 fees.
      expect(await readSolvency(store)).toEqual([
        { network: 'base', block: 7, assets: 1_436n, liabilities: 1_316n, float: 120n, reorgLoss: 0n, isSolvent: true },
      ]);
    });

    test('a payout that has landed is neither held nor owed any more', async () => {
      await post(
        inbound('first', [credit('person_1', 1_000n)]),
        payoutReserved(payout('p1', 'person_1', 1_000n)),
        payoutLanded({ network: 'base', address: TREASURY, fact: 'out', landing: 1, amount: 1_000n }),
      );
      expect(await readSolvency(store)).toMatchObject([{ assets: 0n, liabilities: 0n, block: null, isSolvent: true }]);
    });

    test('a loss is covered by the operator’s own money, or is told', async () => {
      await post(
        openingBalance({ network: 'base', address: TREASURY, amount: 60n }),
        inbound('lost', [credit('person_1', 50n)]),
        inbound('other', [credit('person_2', 30n)]),
        payoutReserved(payout('p1', 'person_1', 50n)),
        payoutLanded({ network: 'base', address: TREASURY, fact: 'out', landing: 1, amount: 50n }),
        undone('lost', [{ ...credit('person_1', 50n), left: true }]),
      );
      const covered = { assets: 40n, liabilities: 30n, float: 60n, reorgLoss: 50n };
      expect(await readSolvency(store)).toMatchObject([{ ...covered, isSolvent: true }]);
      await post(
        inbound('second', [credit('person_3', 20n)]),
        payoutReserved(payout('p2', 'person_3', 20n)),
        payoutLanded({ network: 'base', address: TREASURY, fact: 'out2', landing: 1, amount: 20n }),
        undone('second', [{ ...credit('person_3', 20n), left: true }]),
      );
      const short = { assets: 20n, liabilities: 30n, float: 60n, reorgLoss: 70n };
      expect(await readSolvency(store)).toMatchObject([{ ...short, isSolvent: false }]);
    });

    test('networks answer for themselves', async () => {
      await scanFrom('solana', 9);
      await post(
        openingBalance({ network: 'solana', address: 'So1', amount: 5n }),
        openingBalance({ network: 'base', address: TREASURY, amount: 3n }),
      );
      expect(await readSolvency(store)).toMatchObject([
        { network: 'base', block: null, assets: 3n, float: 3n },
        { network: 'solana', block: 9, assets: 5n, float: 5n },
      ]);
    });

    test('gas is not counted: it is in another unit', async () => {
      await post(gasSpent({ network: 'base', lane: OTHER, transaction: '0xaa', unit: 'wei', amount: 10n ** 18n }));
      await scanFrom('base', 1);
      expect(await readSolvency(store)).toMatchObject([{ assets: 0n, liabilities: 0n, isSolvent: true }]);
    });

    test('books that do not add up are not solvent, though more is there than owed', async () => {
      await post(openingBalance({ network: 'base', address: TREASURY, amount: 10n }));
      const row = {
        name: accounts.chain('base', OTHER),
        unit: 'usdc',
        side: 'asset',
        balance: 4n,
        balanceWei: '0',
      } as const;
      await store.tx((db) => db.insert(store.tables.accounts).values(row));
      expect(await readSolvency(store)).toMatchObject([{ assets: 14n, liabilities: 0n, float: 10n, isSolvent: false }]);
    });

    test('money in an account that no rule names is missed where it came from', async () => {
      await post(openingBalance({ network: 'base', address: TREASURY, amount: 10n }));
      await post({
        cause: 'mystery',
        postings: [
          { account: accounts.chain('base', TREASURY), unit: 'usdc', side: 'asset', amount: 4n },
          { account: 'mystery:base', unit: 'usdc', side: 'signed', amount: -4n },
        ],
      });
      expect(await readSolvency(store)).toMatchObject([{ network: 'base', assets: 14n, isSolvent: false }]);
    });

    test('sums beyond what a double holds are exact', async () => {
      const most = 2n ** 53n - 1n;
      await post(
        openingBalance({ network: 'base', address: TREASURY, amount: most }),
        inbound('a', [credit('person_1', most - 1n)], 0n, OTHER),
      );
      expect(await readSolvency(store)).toMatchObject([
        { assets: 2n * most - 1n, liabilities: most - 1n, float: most },
      ]);
    });
  });
}

const credit = (identityId: string, amount: bigint) => ({ identityId, amount, left: false });

function inbound(fact: string, credits: ReturnType<typeof credit>[], fee = 0n, address = TREASURY): Entry {
  return inboundProven({ network: 'base', address, fact, landing: 1, fee, credits });
}

function undone(fact: string, credits: ReturnType<typeof credit>[]): Entry {
  return inboundUndone({ network: 'base', address: TREASURY, fact, landing: 1, fee: 0n, credits });
}

function payout(payoutId: string, identityId: string, amount: bigint) {
  return {
    network: 'base',
    payoutId,
    generation: 0,
    sourceAccount: accounts.escrow('base', identityId),
    amount,
  } as const;
}
