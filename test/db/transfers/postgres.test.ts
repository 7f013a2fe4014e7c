/** Several processes spend the same float at once: it is never promised twice, and everything else works there too. */
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openingBalance } from '../../../core/ledger.ts';
import { postEntry } from '../../../db/ledger/ledger.ts';
import { openMigrated } from '../../support/databases/migrated.ts';
import { declareDepositAddress } from '../../../db/scan/operator-deposits.ts';
import { heldList, heldSums, releaseByOperator } from '../../../db/operator/held.ts';
import { clearStop, listStops } from '../../../db/operator/stops.ts';
import { unexplainedTransfers } from '../../../db/operator/suspense.ts';
import { withdraw } from '../../../db/operator/withdraw.ts';
import { storePayoutSettings } from '../../../db/limits/settings.ts';
import { payWaitingLine } from '../../../db/transfers/waiting.ts';
import { applyTransfers } from '../../../db/scan/apply.ts';
import { advanceFinality } from '../../../db/scan/finality.ts';
import { stopSigning } from '../../../db/store/stops.ts';
import type { Store } from '../../../db/store/store.ts';
import { limitsRound } from '../../../worker/limits.ts';
import { openBooks, START_MS, TREASURY, type Books } from '../../support/books.ts';
import { payableOf } from '../../support/transfers/payable.ts';
import { onPostgres } from '../../support/postgres.ts';

const SOLANA_TREASURY = 'SolanaTreasury';

const settings = (payer: bigint | null) =>
  storePayoutSettings(books.store, {
    dailyMicroUsdc: { payer, recipient: null },
    treasuries: { base: TREASURY, solana: SOLANA_TREASURY },
  });

let books: Books;
let other: Store;
onPostgres((fresh) => {
  beforeAll(async () => {
    const address = await fresh();
    books = await openBooks(address);
    other = await openMigrated(address);
  });
  afterAll(async () => {
    await other?.close();
    await books?.close();
  });

  test('float is spent once', async () => {
    const { store, ids, clock } = books;
    await settings(null);
    const names = ['a', 'b', 'c', 'd'];
    for (const name of names) await books.link(await books.meet(name, name), `${name}-wallet`, 'solana');
    const { paymentId } = await books.pay({ payees: names.map((name) => ({ name, stableId: name })) });
    expect((await books.linesFor(paymentId)).map(({ status }) => status)).toEqual(names.map(() => 'escrowed'));
    const float = openingBalance({ network: 'solana' as const, address: SOLANA_TREASURY, amount: 3_500_000n });
    await store.tx((db) => postEntry(db, store.tables, float, START_MS));
    const lines = await payableOf({ store, clock });
    const mine = { network: 'solana' as const, toAddress: 'Mine', amountMicroUsdc: 1_000_000n } as const;
    const command = { name: 'withdraw', arguments: [], who: 'a test' };
    const made = await Promise.all([
      ...[store, other].flatMap((one) => lines.map((txnId) => payWaitingLine(one, txnId, ids.payoutId, clock.nowMs))),
      ...[store, other].map(async (one) => {
        const result = await withdraw(one, mine, command, { newPayoutId: ids.payoutId, nowMs: clock.nowMs });
        return result.kind === 'queued' ? result.payoutId : null;
      }),
    ]);
    expect(made.filter((id) => id !== null)).toHaveLength(3);
    expect(await books.owed('float:solana')).toBe(500_000n);
    await books.assertSound();

    await books.reorganise();
    await books.bury(paymentId);
    const round = (one: Store) =>
      limitsRound({ store: one, transferIdOf: ids.payoutId, now: () => clock.nowMs, log: pino({ level: 'silent' }) });
    await Promise.all([round(store), round(other)]);
    expect(await books.owed('reorg_loss:base')).toBe(0n);
    expect((await books.linesFor(paymentId)).map(({ status }) => status)).toEqual(names.map(() => 'void'));
    await books.assertSound();
  });

  test('an operator sees and decides the same', async () => {
    const { store, clock } = books;
    await settings(0n);
    await books.link(await books.meet('erin', '5'));
    await books.pay({ payees: [{ name: 'erin', stableId: '5' }] });
    expect(await heldSums(store)).toEqual([
      { reason: 'payer_limit', network: 'base' as const, count: 1, amountMicroUsdc: 1_000_000n },
    ]);
    expect(await heldList(store, 10)).toMatchObject([{ platform: 'x', key: 'erin' }]);
    const command = { name: 'release', arguments: ['--reason', 'payer_limit'], who: 'a test' };
    const release = (one: Store) => releaseByOperator(one, { reason: 'payer_limit' }, command, clock.nowMs);
    const released = await Promise.all([release(store), release(other)]);
    expect(released.reduce((sum, { count }) => sum + count, 0)).toBe(1);
    await stopSigning(store, { reason: 'operator', network: 'all', detail: 'why' }, START_MS);
    const [stop] = await listStops(store);
    if (stop === undefined) throw new Error('there is no stop');
    const clear = (one: Store) =>
      clearStop(
        one,
        stop,
        { command: { name: 'resume', arguments: [], who: 'a test' }, detail: 'by a test' },
        clock.nowMs,
      );
    expect((await Promise.all([clear(store), clear(other)])).filter(Boolean)).toHaveLength(1);

    await store.tx((db) =>
      declareDepositAddress(db, store.tables, { network: 'base' as const, address: '0xmine' }, START_MS),
    );
    const place = { transaction: '0xa', logIndex: 0, position: 0, block: 1, blockHash: '0x1' };
    const transfers = [
      { ...place, from: '0xmine', to: TREASURY, value: 7n },
      { ...place, transaction: '0xb', from: '0xother', to: TREASURY, value: 5n },
    ];
    const settle = { transferIdOf: books.transferIdOf, answerFor: () => ({}), nowMs: START_MS };
    await applyTransfers(store, { network: 'base' as const, transfers, ownAddresses: [TREASURY] }, settle);
    const step = { network: 'base' as const, safeBlock: 1, finalizedBlock: 1 };
    await store.tx((db) => advanceFinality(db, store, step, START_MS));
    expect(await books.owed('float:base')).toBe(7n);
    expect((await unexplainedTransfers(store, 10)).map(({ transfer }) => transfer.fact)).toEqual(['base:log:0xb:0']);
    await books.assertSound();
  });
});
