import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  accounts,
  gasSpent,
  inboundProven,
  openingBalance,
  payoutReserved,
  refundDue,
  suspenseReceived,
  type Entry,
} from '../../../core/ledger.ts';
import type { Network } from '../../../core/networks.ts';
import { postEntry } from '../../../db/ledger/ledger.ts';
import { openMigrated } from '../../support/databases/migrated.ts';
import { startCursor } from '../../../db/scan/cursor.ts';
import { applyTransfers } from '../../../db/scan/apply.ts';
import { readBooks } from '../../../db/audit/books.ts';
import { isComparisonDue, readSolvency, writeComparison } from '../../../db/audit/solvency.ts';
import { stopSigning } from '../../../db/store/stops.ts';
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
  describe(`what is owed and what is there, on ${database}`, () => {
    let store: Store;
    beforeEach(async () => {
      store = await openMigrated(await fresh());
      return () => store.close();
    });

    async function post(...entries: Entry[]): Promise<void> {
      for (const entry of entries) await store.tx((db) => postEntry(db, store.tables, entry, 1));
    }

    async function scanFrom(network: Network, block: number): Promise<void> {
      const hash = `0x${block}`;
      const cursor = {
        network,
        firstBlock: 0,
        block,
        blockHash: hash,
        blockTime: 1,
        safeBlock: block,
        finalizedBlock: block,
      };
      await startCursor(store, cursor, [], 1);
    }

    const books = () => readBooks(store, 'base', [TREASURY, OTHER]);

    test('a network that was never scanned has no books', async () => {
      expect(await books()).toBeNull();
      expect(await readSolvency(store, ['base'])).toEqual({ networks: [], unknown: ['base'] });
    });

    test('every kind of account is in them, over all people, addresses and payers', async () => {
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
        gasSpent({ network: 'base', lane: OTHER, transaction: '0xaa', unit: 'wei', amount: 10n ** 18n }),
        openingBalance({ network: 'solana', address: TREASURY, amount: 5n }),
      );
      const held = new Map([
        [TREASURY, 1_416n],
        [OTHER, 20n],
      ]);
      const sums = { held, unexplained: 9n, float: 120n, reorgLoss: 0n };
      expect(await books()).toEqual({ block: 7, blockHash: '0x7', ...sums });
    });

    test('what came in and waits for its explanation is held, and owed', async () => {
      await scanFrom('base', 7);
      await arrive('0xa', 11n);
      expect(await books()).toMatchObject({
        unexplained: 11n,
        held: new Map([
          [TREASURY, 11n],
          [OTHER, 0n],
        ]),
      });
    });

    test('sums beyond what a double holds are exact', async () => {
      await scanFrom('base', 7);
      const most = 2n ** 53n - 1n;
      await post(openingBalance({ network: 'base', address: TREASURY, amount: most }));
      await arrive('0xa', most - 1n);
      expect((await books())?.held.get(TREASURY)).toBe(2n * most - 1n);
    });

    describe('what was compared', () => {
      const SAME = {
        network: 'base',
        block: 7,
        unexplained: 3n,
        float: 5n,
        reorgLoss: 0n,
        inBooks: 9n,
        onChain: 9n,
      } as const;
      const doubt = async () => (await readSolvency(store, ['base'])).networks[0]?.doubt;

      test('is told with its block and age, to every process', async () => {
        await writeComparison(store, SAME);
        const { networks, unknown } = await readSolvency(store, ['base', 'solana']);
        expect(unknown).toEqual(['solana']);
        expect(networks).toMatchObject([
          {
            network: 'base',
            block: 7,
            assets: 9n,
            onChain: 9n,
            liabilities: 4n,
            unexplained: 3n,
            float: 5n,
            doubt: null,
          },
        ]);
        expect(networks[0]?.ageMs).toBeLessThan(60_000);
        expect(await isComparisonDue(store, 'base')).toBe(false);
        await grow(10_000);
        expect(await isComparisonDue(store, 'base')).toBe(true);
      });

      test('differs when it did twice in a row', async () => {
        await writeComparison(store, { ...SAME, onChain: 8n });
        expect(await doubt()).toBeNull();
        await writeComparison(store, SAME);
        await writeComparison(store, { ...SAME, onChain: 8n });
        expect(await doubt()).toBeNull();
        await writeComparison(store, { ...SAME, onChain: 10n });
        expect(await doubt()).toBe('differs');
        await writeComparison(store, SAME);
        expect(await doubt()).toBeNull();
      });

      test('is too old after a minute', async () => {
        await writeComparison(store, SAME);
        await grow(59_000);
        expect(await doubt()).toBeNull();
        await grow(2_000);
        expect(await doubt()).toBe('too_old');
      });

      test('shows nothing while signing is stopped there', async () => {
        await writeComparison(store, SAME);
        await stopSigning(store, { reason: 'operator', network: 'all', detail: 'a look' }, 1);
        expect(await doubt()).toBe('stopped');
        await store.tx((db) => db.update(store.tables.signingStops).set({ network: 'solana' }));
        expect(await doubt()).toBeNull();
      });

      test('does not cover what is owed when more was lost than the operator put in', async () => {
        await writeComparison(store, { ...SAME, reorgLoss: 5n });
        expect(await doubt()).toBeNull();
        await writeComparison(store, { ...SAME, reorgLoss: 6n });
        expect(await doubt()).toBe('not_covered');
      });

      test('of a network that is not offered any more counts while something is owed there', async () => {
        await writeComparison(store, SAME);
        expect((await readSolvency(store, [])).networks).toHaveLength(1);
        await writeComparison(store, { ...SAME, float: 9n });
        expect((await readSolvency(store, [])).networks).toEqual([]);
      });
    });

    /** As if so much time had passed since. */
    async function grow(ms: number): Promise<void> {
      const { heartbeats } = store.tables;
      await store.tx((db) => db.update(heartbeats).set({ atMs: sql`${heartbeats.atMs} - ${ms}` }));
    }

    async function arrive(transaction: string, value: bigint): Promise<void> {
      const place = { transaction, logIndex: 0, position: 0, block: 7, blockHash: '0x7' };
      const transfers = [{ ...place, from: `0x${'33'.repeat(20)}`, to: TREASURY, value }];
      const settle = { transferIdOf: () => 'none', answerFor: () => ({}), nowMs: 1 };
      await applyTransfers(store, { network: 'base', transfers, ownAddresses: [TREASURY, OTHER] }, settle);
    }
  });
}

const credit = (identityId: string, amount: bigint) => ({ identityId, amount, left: false });

function inbound(fact: string, credits: ReturnType<typeof credit>[], fee = 0n, address = TREASURY): Entry {
  return inboundProven({ network: 'base', address, fact, landing: 1, fee, credits });
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
