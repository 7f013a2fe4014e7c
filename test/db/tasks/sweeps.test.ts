import { randomBytes } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openBatch, endBatch } from './batch.ts';
import { splitCovered } from '../../../db/transfers/covered.ts';
import type { TransferRow } from '../../../db/payments/records/find.ts';
import { assignTransfers } from '../../../db/transfers/authorize.ts';
import { isOfKind, queuedTransfers } from '../../../db/transfers/find.ts';
import { renewDead } from '../../../db/transfers/renew.ts';
import { signingStops } from '../../../db/store/stops.ts';
import { planSweep } from '../../../db/tasks/sweeps.ts';
import { TREASURY } from '../../support/books.ts';
import { openTaskBooks, OWN, TASK, type TaskBooks } from './world.ts';

const PLACE = { network: 'base', address: TASK, treasury: TREASURY } as const;
const USDC = 1_000_000n;

let books: TaskBooks;
beforeEach(async () => {
  books = await openTaskBooks();
});
afterEach(async () => {
  await books.assertSound();
  await books.close();
});

const queued = (kind: 'payout' | 'sweep') =>
  queuedTransfers(books.store, { network: 'base', kind, nowMs: books.clock.nowMs, limit: 10 });

const plan = (minMicroUsdc: bigint) =>
  planSweep(books.store, PLACE, { id: randomBytes(16).toString('hex'), minMicroUsdc, nowMs: books.clock.nowMs });

async function sweepsNow(): Promise<TransferRow[]> {
  const { tables, read } = books.store;
  return read.select().from(tables.transfers).where(isOfKind(tables, 'sweep'));
}

/** A task of this price is paid to a person with a wallet, or without. */
async function paidTask(amount: number, { hasWallet = false } = {}): Promise<bigint> {
  if (hasWallet) await books.link(await books.meet('alice', '1'));
  const { offer } = await books.open({ amount });
  await books.land({ value: offer.amountMicroUsdc });
  expect(await books.round()).toEqual(['paid']);
  return offer.amountMicroUsdc;
}

/** Signs the queued sweep, as the worker does; answers its transfer. */
async function sign(sweep: TransferRow) {
  const nonce = `0x${randomBytes(32).toString('hex')}`;
  const signed = { ...sweep, nonce, validBefore: 1, signature: '0x00' };
  await assignTransfers(books.store, [signed], { counter: '', capMicroUsdc: 0n }, books.clock.nowMs);
  return { from: TASK, to: TREASURY, value: sweep.amountMicroUsdc, authorizer: TASK, nonce };
}

async function onlyQueued(): Promise<TransferRow> {
  const [sweep, ...others] = await queued('sweep');
  if (sweep === undefined || others.length > 0) throw new Error(`expected one sweep, found ${others.length + 1}`);
  return sweep;
}

describe('what lies at the task address', () => {
  test('is left there below what is worth a transfer, and swept when it is more', async () => {
    const first = await paidTask(0.4);
    expect(await plan(USDC)).toBe(false);
    const second = await paidTask(0.7);
    expect(await plan(USDC)).toBe(true);
    expect((await onlyQueued()).amountMicroUsdc).toBe(first + second);
  });

  test('is swept whatever it is worth when a payout needs it', async () => {
    const amount = await paidTask(0.01, { hasWallet: true });
    expect(await plan(USDC)).toBe(true);
    expect((await onlyQueued()).amountMicroUsdc).toBe(amount);
  });

  test('is not what nothing explains', async () => {
    await books.land({ value: 5n * USDC });
    expect(await plan(1n)).toBe(false);
  });

  test('is planned once, however many workers look', async () => {
    await paidTask(2);
    expect((await Promise.all([plan(USDC), plan(USDC), plan(USDC)])).filter(Boolean)).toHaveLength(1);
    await paidTask(2);
    expect(await plan(USDC)).toBe(false);
  });
});

describe('what lies at a former treasury', () => {
  const NEXT = `0x${'77'.repeat(20)}`;
  const planFormer = () => {
    const place = { network: 'base', address: TREASURY, treasury: NEXT } as const;
    return planSweep(books.store, place, { id: 'former', minMicroUsdc: 1n, nowMs: books.clock.nowMs });
  };

  test('is swept without what a reorganisation could still take back', async () => {
    await books.payDirect({ payees: [{ name: 'bob', stableId: '2', amount: 2n * USDC }] });
    const { scanCursors } = books.store.tables;
    const safeAt = (safeBlock: number) => books.store.tx((db) => db.update(scanCursors).set({ safeBlock }));
    await safeAt(0);
    expect(await planFormer()).toBe(false);
    await safeAt(books.height());
    expect(await planFormer()).toBe(true);
    expect((await onlyQueued()).amountMicroUsdc).toBe(2n * USDC);
  });

  test('is swept without what the payouts take that it has signed', async () => {
    await books.payDirect({ payees: [{ name: 'bob', stableId: '2', amount: USDC }] });
    await books.payDirect({ payees: [{ name: 'eve', stableId: '3', amount: 2n * USDC }] });
    await books.mine([], books.height());
    await books.link(await books.meet('bob', '2'));
    const [payout] = await queued('payout');
    if (payout === undefined) throw new Error('there is no payout');
    const signed = { ...payout, nonce: '0x01', validBefore: 1, signature: '0x00' };
    await assignTransfers(books.store, [signed], { counter: '', capMicroUsdc: 0n }, books.clock.nowMs);
    expect(await planFormer()).toBe(true);
    expect((await onlyQueued()).amountMicroUsdc).toBe(2n * USDC);
  });
});

describe('a sweep that lands', () => {
  test('moves the money between our own accounts, and nothing else', async () => {
    const amount = await paidTask(2);
    await plan(USDC);
    const sweep = await onlyQueued();
    await books.land(await sign(sweep));
    expect([await books.balanceOf(TASK), await books.balanceOf(TREASURY)]).toEqual([0n, amount]);
    expect(await sweepsNow()).toMatchObject([{ status: 'confirmed' }]);
    expect(await signingStops(books.store)).toEqual([]);
    await books.mine([], books.height() + 1);
    expect(await sweepsNow()).toMatchObject([{ status: 'final' }]);
  });

  test('and loses its block is undone, and lands again', async () => {
    const amount = await paidTask(2);
    await plan(USDC);
    const landed = await books.land(await sign(await onlyQueued()), { isSafe: false });
    await books.lose(landed);
    expect([await books.balanceOf(TASK), await books.balanceOf(TREASURY)]).toEqual([amount, 0n]);
    expect(await sweepsNow()).toMatchObject([{ status: 'assigned' }]);
    await books.landAgain(landed);
    expect([await books.balanceOf(TASK), await books.balanceOf(TREASURY)]).toEqual([0n, amount]);
  });

  test.each([
    ['of another amount', { value: USDC }],
    ['under another nonce', { nonce: '0xff' }],
    ['to another person', { to: `0x${'99'.repeat(20)}` }],
  ])('%s than was signed stops signing', async (_what, wrong) => {
    await paidTask(2);
    await plan(USDC);
    const transfer = { ...(await sign(await onlyQueued())), ...wrong };
    const landed = await books.land(transfer);
    expect((await signingStops(books.store)).map(({ reason }) => reason)).toEqual(['unexplained_outflow']);
    // The books are to be sound again at the end of the test.
    await books.lose(landed);
  });

  test('in the generation that was given up for dead stops signing', async () => {
    await paidTask(2);
    await plan(USDC);
    const old = await sign(await onlyQueued());
    const [signed] = await sweepsNow();
    if (signed === undefined) throw new Error('the sweep is gone');
    expect(await renewDead(books.store, signed, { finalizedTime: 0 }, books.clock.nowMs)).toBe(false);
    expect(await renewDead(books.store, signed, { finalizedTime: 1 }, books.clock.nowMs)).toBe(true);
    expect(await onlyQueued()).toMatchObject({ generation: 1, nonce: null, signature: null });
    expect(await renewDead(books.store, signed, { finalizedTime: 1 }, books.clock.nowMs)).toBe(false);
    const landed = await books.land(old);
    expect((await signingStops(books.store)).map(({ reason }) => reason)).toEqual(['unexplained_outflow']);
    await books.lose(landed);
  });
});

describe('a batch that carries a sweep', () => {
  test('takes it once, and gives it back when it did not land there', async () => {
    await paidTask(2);
    await plan(USDC);
    const sweep = await onlyQueued();
    await sign(sweep);
    const carrierId = await openBatch(books, [sweep.id]);
    expect(await sweepsNow()).toMatchObject([{ status: 'broadcast', carrierId }]);
    await expect(openBatch(books, [sweep.id])).rejects.toThrow('were not free');
    await endBatch(books, carrierId);
    expect(await sweepsNow()).toMatchObject([{ status: 'assigned', carrierId: null, tries: 1 }]);
  });
});

test('a batch of sweeps takes no payout', async () => {
  await books.payDirect({ payees: [{ name: 'bob', stableId: '2', amount: USDC }] });
  await books.link(await books.meet('bob', '2'));
  const [payout] = await queued('payout');
  if (payout === undefined) throw new Error('there is no payout');
  const signed = { ...payout, nonce: '0x01', validBefore: 1, signature: '0x00' };
  await assignTransfers(books.store, [signed], { counter: '', capMicroUsdc: 0n }, books.clock.nowMs);
  await expect(openBatch(books, [payout.id])).rejects.toThrow('were not free');
});

describe('a payout', () => {
  test('whose money lies at the task address waits until it is swept, and keeps no place', async () => {
    await books.payDirect({ payees: [{ name: 'bob', stableId: '2', amount: USDC }] });
    await paidTask(1.5, { hasWallet: true });
    await books.link(await books.meet('bob', '2'));
    const place = { network: 'base' as const, treasury: TREASURY, ownAddresses: OWN };
    const split = async () => {
      const { covered, waiting } = await splitCovered(books.store, place, await queued('payout'));
      return [covered.map(({ amountMicroUsdc }) => amountMicroUsdc), waiting.length];
    };
    expect(await split()).toEqual([[USDC], 1]);
    await plan(USDC);
    await books.land(await sign(await onlyQueued()));
    expect((await split())[1]).toBe(0);
  });

  test('counts what is signed already', async () => {
    await books.payDirect({ payees: [{ name: 'bob', stableId: '2', amount: USDC }] });
    await books.link(await books.meet('bob', '2'));
    const { transfers } = books.store.tables;
    const [first] = await books.payouts();
    await books.store.tx((db) =>
      db
        .update(transfers)
        .set({ status: 'broadcast' })
        .where(eq(transfers.id, first?.id ?? '')),
    );
    await paidTask(0.5, { hasWallet: true });
    const waiting = await queued('payout');
    const { covered } = await splitCovered(
      books.store,
      { network: 'base', treasury: TREASURY, ownAddresses: OWN },
      waiting,
    );
    expect([waiting.length, covered.length]).toEqual([1, 0]);
    await books.store.tx((db) =>
      db
        .update(transfers)
        .set({ status: 'queued' })
        .where(eq(transfers.id, first?.id ?? '')),
    );
  });
});
