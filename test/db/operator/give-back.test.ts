import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eq } from 'drizzle-orm';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { storePayoutSettings } from '../../../db/limits/settings.ts';
import { giveBackHeld } from '../../../db/operator/give-back.ts';
import { releaseByOperator } from '../../../db/operator/held.ts';
import { createRefundPayout } from '../../../db/refunds/create-payouts.ts';
import { applyTransfers } from '../../../db/scan/apply.ts';
import { openStore, type DatabaseAddress } from '../../../db/store/open.ts';
import { assignTransfers, holdTransfer } from '../../../db/transfers/authorize.ts';
import { exposureCounter } from '../../../db/transfers/exposure.ts';
import { readCounter } from '../../../db/store/counters.ts';
import { openBooks, TREASURY, type Books } from '../../support/books.ts';
import { onBothDatabases } from '../../support/postgres.ts';

const PAYER = `0x${'99'.repeat(20)}`;
const EXPOSURE = exposureCounter('base');
const command = { name: 'return', arguments: ['it'], who: 'a test' };

onBothDatabases((fresh, isSqlite) => {
  let books: Books;
  let database: DatabaseAddress;
  beforeEach(async () => {
    const path = join(mkdtempSync(join(tmpdir(), 'pennypost-give-back-')), 'books.sqlite');
    database = (await fresh()) ?? { kind: 'sqlite', path };
    books = await openBooks(database);
    await books.link(await books.meet('alice', '1'));
    const dailyMicroUsdc = { payer: 9_000_000n, recipient: null };
    await storePayoutSettings(books.store, { dailyMicroUsdc, treasuries: { base: TREASURY } });
  });
  /** An outflow that nothing explains is a fault of its own. */
  let isStolen = false;
  afterEach(async () => {
    if (!isStolen) await books.assertSound();
    isStolen = false;
    await books.close();
  });

  /** A payout that waits for the operator. `isSigned`: it was assigned before somebody looked at its recipient. */
  async function hold({ isSigned = false, reason = 'screening' } = {}) {
    books.clock.nowMs += 1_000;
    const { store } = books;
    const { paymentId } = await books.pay({ payees: [{ name: 'alice', stableId: '1' }] });
    const payout = (await books.payouts()).at(-1);
    if (payout === undefined) throw new Error('there is no payout');
    if (isSigned) {
      const signed = { ...payout, nonce: '0xn', validBefore: 1_000, signature: 's', exposed: true };
      await assignTransfers(store, [signed], { counter: EXPOSURE, capMicroUsdc: 10_000_000n }, books.clock.nowMs);
    }
    expect(await holdTransfer(store, payout.id, reason, books.clock.nowMs)).toBe(true);
    return { id: payout.id, paymentId };
  }

  const giveBack = (id: string) => giveBackHeld(books.store, id, command, books.clock.nowMs);
  const release = (id: string, store = books.store) =>
    releaseByOperator(store, { payoutId: id }, { ...command, name: 'release' }, books.clock.nowMs);
  /** On the chain, far past every window. */
  const passTime = () => {
    const { scanCursors } = books.store.tables;
    return books.store.tx((db) =>
      db.update(scanCursors).set({ blockTime: 1_000_000 }).where(eq(scanCursors.network, 'base')),
    );
  };
  const payoutOf = async (id: string) => (await books.payouts()).find((one) => one.id === id);
  const lineOf = async (paymentId: string) => {
    const [line] = await books.linesFor(paymentId);
    return [line?.status, line?.returnReason];
  };
  const actions = async () =>
    (await books.store.read.select().from(books.store.tables.operatorActions)).map((row) => row.result);

  test('its payer gets it, under the id that the payout had, and its recipient never', async () => {
    const { id, paymentId } = await hold();
    expect(await giveBack(id)).toMatchObject({ kind: 'given_back', amountMicroUsdc: 1_000_000n });
    expect(await lineOf(paymentId)).toEqual(['returning', 'not_paid_out']);
    expect([await giveBack(id), (await release(id)).count]).toEqual([{ kind: 'unknown' }, 0]);
    expect(await actions()).toEqual(['gave back 1000000 micro-USDC']);
    const owed = { payer: PAYER, payerAccount: null, network: 'base' as const, minMicroUsdc: 1n };
    expect(await createRefundPayout(books.store, owed, books.transferIdOf, books.clock.nowMs)).toBe(id);
    expect(await payoutOf(id)).toMatchObject({ purpose: 'refund', status: 'queued', toAddress: PAYER, generation: 1 });
  });

  test('two processes at once: one of them has it, and it goes one way', async () => {
    const other = await openStore(database);
    for (let round = 0; round < 8; round += 1) {
      const { id, paymentId } = await hold();
      const tries = [giveBack(id), release(id, other)] as const;
      const [given, { count }] = await Promise.all(tries);
      expect([given.kind === 'given_back', count === 1].filter(Boolean)).toHaveLength(1);
      const status = (await payoutOf(id))?.status;
      expect([status, (await lineOf(paymentId))[0]]).toEqual(
        given.kind === 'given_back' ? ['void', 'returning'] : ['queued', 'paying'],
      );
    }
    await other.close();
  });

  test('one that was signed before it was held waits until that can never land', async () => {
    const { id, paymentId } = await hold({ isSigned: true });
    expect(await giveBack(id)).toEqual({ kind: 'may_land' });
    expect([await lineOf(paymentId), await actions()]).toEqual([['paying', null], []]);
    await passTime();
    expect(await giveBack(id)).toMatchObject({ kind: 'given_back' });
    expect(await readCounter(books.store, EXPOSURE)).toBe(0n);
  });

  if (!isSqlite) return;

  test('its part of the day is free again', async () => {
    const { id } = await hold();
    await giveBack(id);
    const { counters } = books.store.tables;
    expect((await books.store.read.select().from(counters)).filter(({ name }) => name.includes('_daily:'))).toEqual(
      expect.arrayContaining([expect.objectContaining({ used: 0n })]),
    );
  });

  test('one that was released is not given back', async () => {
    const { id, paymentId } = await hold();
    expect((await release(id)).count).toBe(1);
    expect(await giveBack(id)).toEqual({ kind: 'unknown' });
    expect(await lineOf(paymentId)).toEqual(['paying', null]);
  });

  test('one that was sent by somebody else before it was held stays', async () => {
    isStolen = true;
    const { store, clock } = books;
    const { id } = await hold({ isSigned: true });
    const place = { transaction: '0xa', logIndex: 0, position: 0, block: 1, blockHash: '0x1' };
    const sent = { ...place, from: TREASURY, to: PAYER, value: 1_000_000n, authorizer: TREASURY, nonce: '0xn' };
    const settle = { transferIdOf: books.transferIdOf, answerFor: () => ({}), nowMs: clock.nowMs };
    await applyTransfers(store, { network: 'base', transfers: [sent], ownAddresses: [TREASURY] }, settle);
    await passTime();
    expect(await giveBack(id)).toEqual({ kind: 'may_land' });
  });

  test('nothing goes back for what may have been paid in a lost time, or for a payment that its chain has lost', async () => {
    const { id } = await hold({ reason: 'paid_before' });
    expect(await giveBack(id)).toEqual({ kind: 'paid_before' });
    const lost = await hold();
    await books.reorganise();
    expect(await giveBack(lost.id)).toEqual({ kind: 'unsettled' });
    expect(await actions()).toEqual([]);
  });

  test('what goes back to a payer already, and waits, pays no line', async () => {
    const { id } = await hold();
    await giveBack(id);
    const owed = { payer: PAYER, payerAccount: null, network: 'base' as const, minMicroUsdc: 1n };
    await createRefundPayout(books.store, owed, books.transferIdOf, books.clock.nowMs);
    expect(await holdTransfer(books.store, id, 'screening', books.clock.nowMs)).toBe(true);
    expect(await giveBack(id)).toEqual({ kind: 'no_line' });
  });
});
