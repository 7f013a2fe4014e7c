/** What leaves a treasury that was replaced, by anyone who knows its key: where it went decides what the books say. */
import { randomBytes } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { accounts } from '../../../core/ledger.ts';
import { factOf } from '../../../core/observed.ts';
import type { TransferRow } from '../../../db/payments/records/find.ts';
import { readBooks } from '../../../db/audit/books.ts';
import { createRefundPayout } from '../../../db/refunds/create-payouts.ts';
import { scheduleRefund } from '../../../db/refunds/return-transfer.ts';
import { noteFormer } from '../../../db/rotations/formers.ts';
import { readFormerStandings } from '../../../db/rotations/standing.ts';
import { stampStore } from '../../../db/store/stamp.ts';
import { signingStops } from '../../../db/store/stops.ts';
import { assignTransfers } from '../../../db/transfers/authorize.ts';
import { splitCovered } from '../../../db/transfers/covered.ts';
import { redirectSweeps, takeOver, voidSweeps } from '../../../db/transfers/former.ts';
import { noteStuck } from '../../../db/rotations/stuck.ts';
import { unsweptPayouts } from '../../../db/rotations/unswept.ts';
import { bookTaken } from '../../../db/scan/former-outflows.ts';
import { planSweep } from '../../../db/tasks/sweeps.ts';
import { TREASURY as FORMER } from '../../support/books.ts';
import { onBothDatabases } from '../../support/postgres.ts';
import { openTaskBooks, OWN, SENDER, TASK, type TaskBooks } from '../tasks/world.ts';

const [NEXT, THIEF, LANE] = [`0x${'88'.repeat(20)}`, `0x${'66'.repeat(20)}`, `0x${'55'.repeat(20)}`];
const network = 'base' as const;
const USDC = 1_000_000n;

onBothDatabases((fresh, isSqlite) => {
  let books: TaskBooks;
  beforeEach(async () => {
    books = await openTaskBooks(await fresh());
    await stampStore(books.store, { mode: 'local' }, { 'base:treasury': NEXT, 'base:task': TASK });
    await replace(FORMER);
  });
  afterEach(async () => {
    await books.assertSound();
    const stops = await signingStops(books.store);
    await books.close();
    if (stops.length > 0) throw new Error(`signing is stopped: ${stops[0]?.detail}`);
  });

  const replace = (address: string, sinceMs = 1) =>
    books.store.tx((db) => noteFormer(db, books.store.tables, { network, address, sinceMs }));
  const finalize = () => books.mine([], books.height() + 1);
  const at = (address: string) => books.balanceOf(address);
  const move = (from: string, to: string, value: bigint) =>
    books.land({ from, to, value, authorizer: from, nonce: name() });
  const strangers = (value: bigint, to = FORMER) => books.land({ to, value });
  const endOf = async (transfer: Awaited<ReturnType<typeof move>>) => (await books.rowOf(transfer))?.consumedBy ?? null;

  let people = 0;
  /** A payment to the former treasury whose recipient has a wallet. */
  async function paid(amount = USDC): Promise<TransferRow> {
    people += 1;
    const [person, stableId] = [`person${people}`, `${people}`];
    await books.payDirect({ payees: [{ name: person, stableId, amount }] });
    const before = new Set((await books.payouts()).map(({ id }) => id));
    await books.link(await books.meet(person, stableId));
    const payout = (await books.payouts()).find(({ id }) => !before.has(id));
    if (payout === undefined) throw new Error('there is no payout');
    return payout;
  }

  /** Whether its money may be paid out; null: it may. */
  const whyNot = async (payout: TransferRow) =>
    (await unsweptPayouts(books.store.read, books.store, [payout])).get(payout.id) ?? null;

  const plan = (id: string, address = FORMER) =>
    planSweep(
      books.store,
      { network, address, treasury: NEXT },
      { id, minMicroUsdc: 1n, isReplaced: true, nowMs: books.clock.nowMs },
    );
  const sweep = async (id: string) => {
    const { transfers } = books.store.tables;
    const row = (await books.store.read.select().from(transfers)).find((one) => one.id === id);
    if (row === undefined) throw new Error(`there is no sweep ${id}`);
    return row;
  };
  /** As its key signs it; answers what lands. */
  async function sign(id: string) {
    const row = await sweep(id);
    const signed = { ...row, nonce: name(), validBefore: 1, signature: '0x00' };
    await assignTransfers(books.store, [signed], { counter: '', capMicroUsdc: 0n }, books.clock.nowMs);
    const { fromAddress: from, toAddress: to, amountMicroUsdc: value } = row;
    return { from, to, value, authorizer: from, nonce: signed.nonce };
  }

  describe('to the treasury', () => {
    test('or to the task address is taken by nobody: what it pays leaves once that is booked, not before', async () => {
      const payout = await paid();
      await finalize();
      expect(await whyNot(payout)).toBe('unswept');
      const moved = await move(FORMER, NEXT, USDC);
      expect(await whyNot(payout)).toBe('unswept');
      await finalize();
      expect([await endOf(moved), await whyNot(payout)]).toEqual(['moved', null]);
      expect([await at(FORMER), await at(NEXT)]).toEqual([0n, USDC]);
      const other = await paid();
      const movedToTask = await move(FORMER, TASK, USDC);
      await finalize();
      expect([await endOf(movedToTask), await at(TASK), await whyNot(other)]).toEqual(['moved', USDC, null]);
    });

    test('takes with it what strangers had sent: it is owed to them at once, and no more than that', async () => {
      const payout = await paid();
      const [small, large] = [await strangers(3n), await strangers(7n)];
      const moved = await move(FORMER, NEXT, USDC + 6n);
      await finalize();
      expect([await endOf(moved), await endOf(large), await endOf(small)]).toEqual(['moved', 'suspense', null]);
      expect([await at(FORMER), await at(NEXT), await books.owed(accounts.suspense(network))]).toEqual([
        1n,
        USDC + 6n,
        7n,
      ]);
      expect(await books.owed(accounts.reorgLoss(network))).toBe(0n);
      await plan('rest');
      expect(await sweep('rest')).toMatchObject({ amountMicroUsdc: 1n });
      expect(await whyNot(payout)).toBe(null);
    });

    if (!isSqlite) return;

    test('keeps nothing back that was swept before, not even until it is booked', async () => {
      const payout = await paid();
      await finalize();
      await plan('first');
      await books.land(await sign('first'));
      await finalize();
      expect(await whyNot(payout)).toBeNull();
      await strangers(7n);
      await move(FORMER, NEXT, 7n);
      expect(await whyNot(payout)).toBeNull();
      await finalize();
      expect(await whyNot(payout)).toBeNull();
    });

    test('sent in and out in circles makes us owe what we have, and no more', async () => {
      for (let round = 0; round < 3; round += 1) {
        await strangers(5n);
        await move(FORMER, NEXT, 5n);
        await finalize();
      }
      expect([await at(NEXT), await books.owed(accounts.suspense(network))]).toEqual([15n, 15n]);
    });

    test('waits where the money is what a task asks for, until that is booked', async () => {
      const { offer } = await books.open({
        amount: 2,
        networks: [{ network, address: FORMER, headBlock: books.height() }],
      });
      await strangers(offer.amountMicroUsdc);
      const moved = await move(FORMER, NEXT, offer.amountMicroUsdc);
      await finalize();
      expect([await endOf(moved), await at(FORMER)]).toEqual([null, 0n]);
      expect(await books.round()).toEqual(['paid']);
      await finalize();
      expect([await endOf(moved), await at(NEXT)]).toEqual(['moved', offer.amountMicroUsdc]);
    });
  });

  describe('to someone else', () => {
    test('takes first what strangers had sent, which is owed to nobody then; the rest is a loss of ours', async () => {
      const payout = await paid();
      const stray = await strangers(5n);
      const first = await move(FORMER, THIEF, 5n);
      await finalize();
      expect([await endOf(first), await endOf(stray)]).toEqual([
        `taken:${factOf(network, first)}`,
        `taken:${factOf(network, first)}`,
      ]);
      expect([await books.owed(accounts.reorgLoss(network)), await whyNot(payout)]).toEqual([0n, 'unswept']);
      const second = await move(FORMER, THIEF, 2n);
      await finalize();
      expect([await endOf(second), await whyNot(payout)]).toEqual(['taken', 'taken']);
      expect(await books.owed(accounts.reorgLoss(network))).toBe(-2n);
      expect(await readFormerStandings(books.store, books.clock.nowMs)).toMatchObject([{ taken: 7n }]);
    });

    test('is booked once it is final, so that nothing of it is ever reversed, and is not swept as well, not even before', async () => {
      await paid();
      const gone = await books.land({ from: FORMER, to: THIEF, value: USDC }, { isSafe: false });
      await books.mine([], 1);
      expect(await endOf(gone)).toBeNull();
      await books.assertSound();
      // What the audit compares with the chain.
      expect((await readBooks(books.store, network, [FORMER]))?.held.get(FORMER)).toBe(0n);
      expect(await at(FORMER)).toBe(USDC);
      await books.lose(gone);
      await finalize();
      expect([await at(FORMER), await books.owed(accounts.reorgLoss(network))]).toEqual([USDC, 0n]);

      await move(FORMER, THIEF, 300_000n);
      await plan('rest');
      expect(await sweep('rest')).toMatchObject({ amountMicroUsdc: 700_000n });
    });
  });

  test('what is too little to be swept is, where what came there is to be paid or given back', async () => {
    const little = (id: string) =>
      planSweep(
        books.store,
        { network, address: FORMER, treasury: NEXT },
        { id, minMicroUsdc: 10_000n, isReplaced: true, nowMs: books.clock.nowMs },
      );
    const waiting = async () => (await readFormerStandings(books.store, books.clock.nowMs))[0]?.waiting;
    const stray = await strangers(9_000n);
    await scheduleRefund(books.store, factOf(network, stray));
    await finalize();
    await finalize();
    expect([await at(FORMER), await little('a'), await waiting()]).toEqual([9_000n, false, 0]);
    const owed = { network, payer: SENDER, payerAccount: null, minMicroUsdc: 1n };
    const id = await createRefundPayout(books.store, owed, books.transferIdOf, books.clock.nowMs);
    expect([await waiting(), await little('b')]).toEqual([1, true]);
    await books.land(await sign('b'));
    await finalize();
    expect([await at(FORMER), await whyNot(await sweep(id ?? ''))]).toEqual([0n, null]);
    await paid(8_000n);
    await finalize();
    expect([await waiting(), await little('c')]).toEqual([2, true]);
  });

  describe('a sweep of it', () => {
    test('that is more than someone has left there ends, and what is left is swept', async () => {
      await paid();
      await finalize();
      await plan('first');
      await move(FORMER, THIEF, 400_000n);
      const ending = () => voidSweeps(books.store, { network, from: [FORMER], spent: [] });
      // Until it is final the books have it there: a reorganisation could bring it back.
      expect(await ending()).toBe(0);
      await finalize();
      expect(await ending()).toBe(1);
      expect((await sweep('first')).status).toBe('void');
      await plan('second');
      expect(await sweep('second')).toMatchObject({ status: 'queued', amountMicroUsdc: 600_000n });
      await books.land(await sign('second'));
      await finalize();
      expect([await at(FORMER), await at(NEXT)]).toEqual([0n, 600_000n]);
    });

    if (!isSqlite) return;

    test('that is signed ends by nothing but the chain, also where strangers made good what others had left', async () => {
      await paid();
      await finalize();
      await plan('first');
      const landing = await sign('first');
      await move(FORMER, THIEF, 400_000n);
      await strangers(400_000n);
      await finalize();
      const { offer } = await books.open({ amount: 2 });
      await books.land({ value: offer.amountMicroUsdc });
      await books.round();
      await plan('other', TASK);
      const ended = await voidSweeps(books.store, { network, from: [FORMER, TASK], spent: ['first', 'other'] });
      expect([ended, (await sweep('first')).status, (await sweep('other')).status]).toEqual([1, 'assigned', 'void']);
      await books.land(landing);
      await finalize();
      await finalize();
      expect([(await sweep('first')).status, await at(NEXT)]).toEqual(['final', USDC]);
    });

    test('whose nonce is spent ends, and no other one', async () => {
      await paid();
      await finalize();
      await plan('first');
      expect(await voidSweeps(books.store, { network, from: [FORMER], spent: ['another'] })).toBe(0);
      expect(await voidSweeps(books.store, { network, from: [TASK], spent: ['first'] })).toBe(0);
      expect(await voidSweeps(books.store, { network, from: [FORMER], spent: ['first'] })).toBe(1);
      expect(await plan('second')).toBe(true);
    });
  });

  test('a payout goes over to the treasury only as it stands and while nothing of it is signed, and nothing of the former key is stored then, nor takes it anything of what the treasury covers; a sweep goes to the treasury of now while it is not signed', async () => {
    const [payout, over] = [await paid(), await paid()];
    await finalize();
    expect(await takeOver(books.store, [{ ...payout, generation: payout.generation + 1 }], NEXT)).toEqual([]);
    expect(await takeOver(books.store, [{ ...payout, fromAddress: TASK }], NEXT)).toEqual([]);
    await sign(payout.id);
    expect(await takeOver(books.store, [payout], NEXT)).toEqual([]);
    expect(await sweep(payout.id)).toMatchObject({ fromAddress: payout.fromAddress, status: 'assigned' });
    // What the former key has signed meanwhile is not stored.
    expect(await takeOver(books.store, [over], NEXT)).toMatchObject([{ id: over.id, fromAddress: NEXT }]);
    const late = { ...over, nonce: name(), validBefore: 1, signature: '0x00' };
    const storing = assignTransfers(books.store, [late], { counter: '', capMicroUsdc: 0n }, books.clock.nowMs);
    await expect(storing).rejects.toThrow('was no longer queued');
    expect((await sweep(over.id)).status).toBe('queued');

    await plan('rest');
    const redirect = (from: string, to: string) => redirectSweeps(books.store, { network, from: [from], to });
    await redirect(NEXT, THIEF);
    expect((await sweep('rest')).toAddress).toBe(THIEF);
    await redirect(THIEF, NEXT);
    const landing = await sign('rest');
    await redirect(NEXT, THIEF);
    expect((await sweep('rest')).toAddress).toBe(NEXT);
    await books.land(landing);
    const waiting = [await sweep(over.id)];
    const place = { network, treasury: NEXT, ownAddresses: [NEXT, FORMER, TASK] };
    expect((await splitCovered(books.store, place, waiting)).covered).toEqual(waiting);
  });

  async function stampTreasury(address: string) {
    const { stamps } = books.store.tables;
    await books.store.tx((db) => db.update(stamps).set({ value: address }).where(eq(stamps.name, 'base:treasury')));
  }

  test('to a lane of ours is lost: nothing there is in the books; not because a block of that number is final on another network', async () => {
    const payout = await paid();
    const moved = await move(FORMER, LANE, USDC);
    const elsewhere = { network: 'polygon', finalizedBlock: 1_000_000_000 } as const;
    await books.store.tx((db) => bookTaken(db, books.store, elsewhere, books.clock.nowMs));
    expect([await endOf(moved), await at(FORMER)]).toEqual([null, USDC]);
    await finalize();
    expect([await endOf(moved), await whyNot(payout)]).toEqual(['taken', 'taken']);
    expect(await books.owed(accounts.reorgLoss(network))).toBe(-USDC);
    const [standing] = await readFormerStandings(books.store, books.clock.nowMs);
    expect(standing).toMatchObject({ address: FORMER, held: 0n, waiting: 1, taken: USDC, isRetired: false });
  });

  describe('to another former address', () => {
    const OTHER = `0x${'44'.repeat(20)}`;

    test('is lost for what that money was to pay: who knows that key takes it from there', async () => {
      await replace(OTHER);
      const payout = await paid();
      const moved = await move(FORMER, OTHER, USDC);
      expect(await whyNot(payout)).toBe('unswept');
      await finalize();
      expect([await endOf(moved), await at(OTHER), await whyNot(payout)]).toEqual(['moved', USDC, 'taken']);
    });

    if (!isSqlite) return;

    test('is lost also by a sweep that was signed before that one was replaced', async () => {
      const payout = await paid();
      await finalize();
      await plan('late');
      const landing = await sign('late');
      await replace(NEXT, books.clock.nowMs);
      await stampTreasury(OTHER);
      await books.land(landing);
      await finalize();
      expect([await at(NEXT), await whyNot(payout)]).toEqual([USDC, 'taken']);
    });

    test('and what landed there before it was replaced is swept', async () => {
      const payout = await paid();
      await finalize();
      await plan('early');
      await books.land(await sign('early'));
      await finalize();
      await replace(NEXT, books.clock.nowMs + 1);
      await stampTreasury(OTHER);
      expect(await whyNot(payout)).toBeNull();
    });

    test('and back again is there again, however often', async () => {
      await replace(OTHER);
      const [first, second] = [await paid(), await paid()];
      for (let round = 0; round < 2; round += 1) {
        await move(FORMER, OTHER, USDC);
        await finalize();
        await books.land({ from: OTHER, to: FORMER, value: USDC }, { own: [...OWN, OTHER] });
        await finalize();
      }
      expect([await at(FORMER), await at(OTHER)]).toEqual([2n * USDC, 0n]);
      await plan('all');
      await books.land(await sign('all'));
      await finalize();
      // The first was there all the time; what left and came back cannot be told from what others pay in.
      expect([await whyNot(first), await whyNot(second)]).toEqual([null, 'taken']);
    });
  });

  if (!isSqlite) return;

  test('a payment that is off the chain now waits, also where nobody here can move what is there', async () => {
    const payout = await paid();
    const { observedTransfers } = books.store.tables;
    const land = (landed: boolean) =>
      books.store.tx((db) =>
        db.update(observedTransfers).set({ landed }).where(eq(observedTransfers.toAddress, FORMER)),
      );
    await noteStuck(books.store, { network, address: FORMER }, true);
    expect(await whyNot(payout)).toBe('taken');
    await land(false);
    expect(await whyNot(payout)).toBe('unswept');
    await land(true);
  });

  test('to itself moves nothing, takes nothing and stops no scan', async () => {
    const payout = await paid();
    const moved = [await move(FORMER, FORMER, USDC), await move(FORMER, FORMER, USDC)];
    await finalize();
    expect(await Promise.all(moved.map(endOf))).toEqual(['moved', 'moved']);
    expect([await at(FORMER), await whyNot(payout)]).toEqual([USDC, 'unswept']);
    await plan('first');
    await books.land(await sign('first'));
    await finalize();
    expect(await whyNot(payout)).toBeNull();
  });

  test('a payout that it has signed lands, also where strangers made good what others had left', async () => {
    const payout = await paid();
    await finalize();
    const landing = await sign(payout.id);
    await move(FORMER, THIEF, 400_000n);
    await finalize();
    await strangers(400_000n);
    await books.land(landing);
    await finalize();
    await finalize();
    expect(await sweep(payout.id)).toMatchObject({ status: 'final', fromAddress: FORMER });
    expect([await at(FORMER), await books.owed(accounts.suspense(network))]).toEqual([0n, 400_000n]);
    expect(await books.owed(accounts.reorgLoss(network))).toBe(-400_000n);
  });
});

const name = () => `0x${randomBytes(32).toString('hex')}`;
