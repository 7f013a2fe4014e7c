import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { accounts, gasSpent, inboundProven, openingBalance, payoutReserved } from '../../../core/ledger.ts';
import { countEndedPayments, countEndedPayouts } from '../../../db/counts/ended.ts';
import { beat } from '../../../db/store/heartbeats.ts';
import { postEntry } from '../../../db/ledger/ledger.ts';
import { countFinished, readInFlight, sumLedger } from '../../../db/audit/metrics.ts';
import { openMigrated } from '../../support/databases/migrated.ts';
import { startCursor } from '../../../db/scan/cursor.ts';
import { stopSigning } from '../../../db/store/stops.ts';
import type { Store } from '../../../db/store/store.ts';
import { addPayments, addPayouts, PEOPLE } from '../../api/metrics/rows.ts';
import { onPostgres, type FreshDatabase } from '../../support/postgres.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'metrics-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let databases = 0;
tellsOperators('SQLite', async () => {
  databases += 1;
  return { kind: 'sqlite', path: join(folder, `${databases}.sqlite`) };
});

onPostgres((fresh) => tellsOperators('PostgreSQL', fresh));

const byText = <T>(rows: readonly T[]) => rows.toSorted((a, b) => JSON.stringify(a).localeCompare(JSON.stringify(b)));

function tellsOperators(database: string, fresh: FreshDatabase): void {
  describe(`what ${database} tells operators`, () => {
    let store: Store;
    beforeEach(async () => {
      store = await openMigrated(await fresh());
      return () => store.close();
    });

    test('an empty database has nothing to tell', async () => {
      expect(await readInFlight(store)).toEqual({
        payments: [],
        payouts: [],
        outbox: { open: 0, oldestDueAtMs: null },
        stops: [],
        cursors: [],
        heartbeats: [],
      });
      expect(await countFinished(store)).toEqual({ payments: [], payouts: [] });
      expect(await sumLedger(store)).toEqual([]);
    });

    test('what people wait for is counted by state and network, with the time of the oldest', async () => {
      await addPayments(store, [
        { status: 'received', createdAtMs: 1_795_000_000_000 },
        { status: 'received', createdAtMs: 1_795_000_000_001 },
        { status: 'settling', network: 'solana' as const, createdAtMs: 7 },
        { status: 'settled', createdAtMs: 1 },
        { status: 'final', createdAtMs: 1 },
        { status: 'rejected', createdAtMs: 1 },
      ]);
      const { payments } = await readInFlight(store);
      expect(byText(payments)).toEqual(
        byText([
          { status: 'received', network: 'base' as const, heldReason: null, count: 2, oldestAtMs: 1_795_000_000_000 },
          { status: 'settling', network: 'solana' as const, heldReason: null, count: 1, oldestAtMs: 7 },
        ]),
      );
    });

    test('held payouts are counted by their reason too', async () => {
      await addPayouts(store, [
        { status: 'held', heldReason: 'no_token_account', network: 'solana' as const, createdAtMs: 5 },
        { status: 'held', heldReason: 'no_token_account', network: 'solana' as const, createdAtMs: 4 },
        { status: 'held', heldReason: 'recipient_blacklisted', createdAtMs: 3 },
        { status: 'broadcast', createdAtMs: 2 },
        { status: 'confirmed', createdAtMs: 1 },
      ]);
      const { payouts } = await readInFlight(store);
      expect(byText(payouts)).toEqual(
        byText([
          { status: 'held', network: 'solana' as const, heldReason: 'no_token_account', count: 2, oldestAtMs: 4 },
          { status: 'held', network: 'base' as const, heldReason: 'recipient_blacklisted', count: 1, oldestAtMs: 3 },
          { status: 'broadcast', network: 'base' as const, heldReason: null, count: 1, oldestAtMs: 2 },
        ]),
      );
    });

    test('the outbox is what is not done, and how long the first of it has been due', async () => {
      const row = { topic: 'payment_reserved', tries: 0 } as const;
      await store.tx((db) =>
        db.insert(store.tables.outbox).values([
          { ...row, key: 'done', nextAtMs: 1, doneAtMs: 2 },
          { ...row, key: 'first', nextAtMs: 30 },
          { ...row, key: 'second', nextAtMs: 40 },
        ]),
      );
      expect((await readInFlight(store)).outbox).toEqual({ open: 2, oldestDueAtMs: 30 });
    });

    test('stops, cursors and signs of life', async () => {
      await stopSigning(store, { reason: 'operator', network: 'all', detail: 'a look at the wallets' }, 1);
      const cursor = {
        network: 'base' as const,
        block: 41,
        firstBlock: 0,
        blockHash: '0x29',
        blockTime: 1,
        safeBlock: 41,
        finalizedBlock: 41,
      };
      await startCursor(store, cursor, [], 1);
      await beat(store, 'worker:base', { atMs: 9, detail: {} });
      expect(await readInFlight(store)).toMatchObject({
        stops: [{ reason: 'operator' }],
        cursors: [{ network: 'base' as const, block: 41 }],
        heartbeats: [{ name: 'worker:base', atMs: 9 }],
      });
    });

    test('what ends at the same time is counted in different rows, which together are the count', async () => {
      const ids = Array.from({ length: 64 }, (_, index) => `payment ${index}`);
      for (const id of ids)
        await store.tx((db) => countEndedPayments(db, store, 'rejected', [{ id, network: 'base' }]));
      const rows = await store.read.select().from(store.tables.counters);
      const used = rows.filter(({ name }) => name.startsWith('ended:')).map((row) => Number(row.used));
      expect(used.length).toBeGreaterThan(8);
      expect(Math.max(...used)).toBeLessThan(16);
      const { payments } = await countFinished(store);
      expect(payments).toEqual([{ status: 'rejected', network: 'base', heldReason: null, count: 64 }]);
    });

    test('what is over is counted as it ends, and what waits for finality as it stands', async () => {
      await addPayments(store, [{ status: 'final' }, { status: 'settled' }, { status: 'settling' }]);
      await addPayouts(store, [{ status: 'confirmed' }, { status: 'confirmed' }, { status: 'queued' }]);
      const rows = (['base', 'solana', 'base'] as const).map((network, index) => ({ id: `payment ${index}`, network }));
      const transfers = [
        { id: 'a refund', network: 'base', purpose: 'refund' },
        { id: 'a sweep', network: 'base', purpose: 'sweep' },
      ] as const;
      await store.tx(async (db) => {
        await countEndedPayments(db, store, 'final', rows);
        await countEndedPayments(db, store, 'final', rows.slice(0, 1));
        await countEndedPayouts(db, store, 'void', transfers);
      });
      const { payments, payouts } = await countFinished(store);
      const one = { heldReason: null, count: 1 };
      expect(byText(payments)).toEqual(
        byText([
          { status: 'final', network: 'base', heldReason: null, count: 3 },
          { status: 'final', network: 'solana', ...one },
          { status: 'settled', network: 'base', ...one },
        ]),
      );
      expect(byText(payouts)).toEqual(
        byText([
          { status: 'confirmed', network: 'base', heldReason: null, count: 2 },
          { status: 'void', network: 'base', ...one },
        ]),
      );
    });

    test('the ledger is summed by kind and network over all people, and adds up to zero', async () => {
      const credit = (identityId: string, amount: bigint) => ({ identityId, amount, left: false });
      const inbound = {
        network: 'base' as const,
        address: PEOPLE.treasury,
        fact: 'fact',
        landing: 1,
        fee: 7n,
      } as const;
      const sourceAccount = accounts.escrow('base', 'person_1');
      const payout = { network: 'base' as const, payoutId: 'p', generation: 0, sourceAccount, amount: 400n } as const;
      const entries = [
        openingBalance({ network: 'base' as const, address: PEOPLE.treasury, amount: 2n ** 53n - 10_000n }),
        openingBalance({ network: 'base' as const, address: PEOPLE.wallet, amount: 20_000n }),
        openingBalance({ network: 'solana' as const, address: 'So1', amount: 5n }),
        inboundProven({ ...inbound, credits: [credit('person_1', 1_000n), credit('person_2', 300n)] }),
        payoutReserved(payout),
        gasSpent({
          network: 'base' as const,
          lane: PEOPLE.wallet,
          transaction: '0xaa',
          unit: 'wei',
          amount: 10n ** 18n,
        }),
      ];
      for (const entry of entries) await store.tx((db) => postEntry(db, store.tables, entry, 1));
      const sums = await sumLedger(store);
      expect(byText(sums.map((sum) => ({ ...sum, sumMicroUsdc: String(sum.sumMicroUsdc) })))).toEqual(
        byText([
          { account: 'chain', network: 'base' as const, sumMicroUsdc: String(2n ** 53n + 11_307n) },
          { account: 'float', network: 'base' as const, sumMicroUsdc: String(-(2n ** 53n) - 10_000n) },
          { account: 'escrow', network: 'base' as const, sumMicroUsdc: '-900' },
          { account: 'outflight', network: 'base' as const, sumMicroUsdc: '-400' },
          { account: 'fees', network: 'base' as const, sumMicroUsdc: '-7' },
          { account: 'chain', network: 'solana' as const, sumMicroUsdc: '5' },
          { account: 'float', network: 'solana' as const, sumMicroUsdc: '-5' },
        ]),
      );
      expect(sums.reduce((sum, { sumMicroUsdc }) => sum + sumMicroUsdc, 0n)).toBe(0n);
    });

    test('an account that no rule names is told as unknown', async () => {
      const row = { unit: 'usdc', side: 'signed', balance: 4n, balanceWei: '0' } as const;
      await store.tx((db) => db.insert(store.tables.accounts).values({ ...row, name: 'mystery:base:alice' }));
      expect(await sumLedger(store)).toEqual([{ account: 'unknown', network: 'unknown', sumMicroUsdc: 4n }]);
    });
  });
}
