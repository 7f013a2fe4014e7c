import { eq, sql } from 'drizzle-orm';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openBatch } from '../../../db/carriers/batch.ts';
import { addReplacement, insertCarrier, type NewCarrier } from '../../../db/carriers/carriers.ts';
import { openInbound, openTransfers } from '../../../db/carriers/open-transaction.ts';
import { giveUpHoldings, takeHoldings } from '../../../db/processes/holdings.ts';
import { beginEpoch, leave } from '../../../db/processes/lease.ts';
import { laneHolding, settlementHolding } from '../../../db/processes/owner.ts';
import { guardSigning, signingTx } from '../../../db/processes/signing.ts';
import { assignTransfers } from '../../../db/transfers/authorize.ts';
import { stopSigning } from '../../../db/store/stops.ts';
import type { StopReason } from '../../../core/payments/stops.ts';
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

  const sign = (under: string | null = null) => signingTx(store, { under, carrier: null }, async () => 'stored');

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

  const SIGNED = { hash: '0x01', bytes: '0x02' };
  const OTHER = { hash: '0x03', bytes: '0x04' };
  const STOPPED = /is stopped: nothing is signed/;
  const batchOf = (kind: 'inbound' | 'payout' | 'sweep', laneNonce: number) => ({
    id: `c${laneNonce}`,
    network: 'base' as const,
    kind,
    sender: '0xlane',
    signed: SIGNED,
    laneNonce,
    calldata: '[]',
    gasLimit: 1,
  });
  const bytes = () => books.store.read.select().from(books.store.tables.carrierTransactions);
  const enterLanes = () => takeHoldings(books.store, owner, [laneHolding('base', '0xlane')]);
  const stop = (reason: StopReason, network: 'base' | 'solana' | 'all') =>
    stopSigning(books.store, { reason, network, detail: 'a test' }, START_MS);
  const insertOld = (batch: NewCarrier) =>
    signingTx(store, { under: null, carrier: null }, (db) =>
      insertCarrier(db, store, batch, { itemIds: ['old'], nowMs: START_MS }),
    );

  async function reserve(): Promise<string> {
    const reserved = await books.claim({ payees: [{ name: 'alice', stableId: '1' }] });
    if (reserved.kind !== 'reserved') throw new Error(`expected a reservation, found ${reserved.kind}`);
    return reserved.paymentId;
  }

  test('each way to store what was signed goes through this check', async () => {
    const paymentId = await reserve();
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

  test('a stop halts what was signed before it came: nothing is stored', async () => {
    await enterLanes();
    const paymentId = await reserve();
    await openBatch(store, batchOf('inbound', 0), [paymentId], START_MS);
    await takeHoldings(books.store, owner, [settlementHolding('solana')]);
    await stop('operator', 'base');
    const before = await bytes();
    await expect(addReplacement(store, batchOf('inbound', 0), OTHER, START_MS)).rejects.toThrow(STOPPED);
    await expect(openBatch(store, batchOf('payout', 1), [], START_MS)).rejects.toThrow(STOPPED);
    await expect(openBatch(store, batchOf('sweep', 1), [], START_MS)).rejects.toThrow(STOPPED);
    const transaction = { id: 't', network: 'solana' as const, sender: 'payer', signed: OTHER, lastValidHeight: 1 };
    expect(await openInbound(store, transaction, 'another', START_MS)).toBe(false);
    await stop('operator', 'solana');
    await expect(openInbound(store, transaction, 'another', START_MS)).rejects.toThrow(STOPPED);
    const caps = { exposureCapMicroUsdc: 0n, accounts: null };
    await expect(openTransfers(store, { ...transaction, kind: 'payout' }, [], caps, START_MS)).rejects.toThrow(STOPPED);
    expect(await bytes()).toEqual(before);
  });

  test('a stop of payouts halts a new batch of them, and neither higher fees for an old one nor payments', async () => {
    await enterLanes();
    const paymentId = await reserve();
    const old = { ...batchOf('payout', 0), signed: OTHER };
    await insertOld(old);
    await stop('operator_payouts', 'all');
    await expect(openBatch(store, batchOf('payout', 1), [], START_MS)).rejects.toThrow(STOPPED);
    await addReplacement(store, old, { hash: '0x05', bytes: '0x06' }, START_MS);
    expect(await openBatch(store, batchOf('inbound', 1), [paymentId], START_MS)).toBe(true);
    expect((await bytes()).map(({ hash }) => hash).toSorted()).toEqual(['0x01', '0x03', '0x05']);
  });

  test('a store without a process, as a command of the operator has it, is not held up', async () => {
    expect(await signingTx(books.store, { under: null, carrier: null }, async () => 'stored')).toBe('stored');
  });
});
