import { eq, sql } from 'drizzle-orm';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openBatch } from '../../../db/carriers/batch.ts';
import { addReplacement } from '../../../db/carriers/carriers.ts';
import { openInbound } from '../../../db/carriers/open-transaction.ts';
import { giveUpHoldings, takeHoldings } from '../../../db/processes/holdings.ts';
import { beginEpoch, leave } from '../../../db/processes/lease.ts';
import { guardSigning, signingTx } from '../../../db/processes/signing.ts';
import { assignTransfers } from '../../../db/transfers/authorize.ts';
import type { Store } from '../../../db/store/store.ts';
import { openBooks, START_MS, type Books } from '../../support/books.ts';
import { onBothDatabases } from '../../support/postgres.ts';

const WORKER = { process: 'worker-1', epoch: 1, roles: ['worker'], address: 'host:1', pid: 1 };
const OVER = /may not sign: the lease of epoch \d is over/;

onBothDatabases((fresh) => {
  let books: Books;
  let owner: { process: string; epoch: number };
  let store: Store;
  beforeEach(async () => {
    books = await openBooks(await fresh());
    await beginEpoch(books.store, WORKER);
    owner = { process: WORKER.process, epoch: 1 };
    store = guardSigning(books.store, () => owner);
  });
  afterEach(() => books.close());

  /** As if it had said nothing for so long. */
  async function silence(ms: number): Promise<void> {
    const { processes } = books.store.tables;
    const set = { beatAtMs: sql`${processes.beatAtMs} - ${ms}` };
    await books.store.tx((db) => db.update(processes).set(set).where(eq(processes.id, WORKER.process)));
  }

  const sign = (under: string | null = null) => signingTx(store, under, async () => 'stored');

  test('a process signs while its lease runs, and no more once it is over', async () => {
    expect(await sign()).toBe('stored');
    await silence(10_001);
    await expect(sign()).rejects.toThrow(OVER);
  });

  test('what was signed in an epoch that is over is not stored, though the process has a new one', async () => {
    await beginEpoch(books.store, { ...WORKER, epoch: 2 });
    await expect(sign()).rejects.toThrow(OVER);
    owner = { ...owner, epoch: 2 };
    expect(await sign()).toBe('stored');
  });

  test('a process that has left, or never entered, stores nothing', async () => {
    await leave(books.store, WORKER);
    await expect(sign()).rejects.toThrow(OVER);
    owner = { process: 'nobody', epoch: 1 };
    await expect(sign()).rejects.toThrow(OVER);
  });

  test('what is signed under a holding is stored while this process holds it', async () => {
    await expect(sign('lane:base:1')).rejects.toThrow('does not hold lane:base:1');
    await takeHoldings(books.store, owner, ['lane:base:1']);
    expect(await sign('lane:base:1')).toBe('stored');
    await giveUpHoldings(books.store, owner, ['lane:base:1']);
    await expect(sign('lane:base:1')).rejects.toThrow('does not hold lane:base:1');
  });

  test('each way to store what was signed goes through this check', async () => {
    const reserved = await books.claim({ payees: [{ name: 'alice', stableId: '1' }] });
    if (reserved.kind !== 'reserved') throw new Error(`expected a reservation, found ${reserved.kind}`);
    const { paymentId } = reserved;
    const signed = { hash: '0x01', bytes: '0x02' };
    const lane = { laneNonce: 0, calldata: '[]', gasLimit: 1 };
    const batch = { id: 'c', network: 'base' as const, kind: 'inbound', sender: '0xlane', signed, ...lane } as const;
    const transaction = { id: 't', network: 'solana' as const, sender: 'payer', signed, lastValidHeight: 1 };
    await silence(10_001);
    await expect(openBatch(store, batch, [paymentId], START_MS)).rejects.toThrow(OVER);
    await expect(addReplacement(store, batch, signed, START_MS)).rejects.toThrow(OVER);
    await expect(openInbound(store, transaction, paymentId, START_MS)).rejects.toThrow(OVER);
    await expect(assignTransfers(store, [], { counter: 'c', capMicroUsdc: 0n }, START_MS)).rejects.toThrow(OVER);
    expect(await books.store.read.select().from(books.store.tables.carrierTransactions)).toEqual([]);
  });

  test('a store without a process, as a command of the operator has it, is not held up', async () => {
    expect(await signingTx(books.store, null, async () => 'stored')).toBe('stored');
  });
});
