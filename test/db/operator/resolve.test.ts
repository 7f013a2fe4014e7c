import { eq } from 'drizzle-orm';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { REST_LINE } from '../../../core/transfers/source.ts';
import { settlePaidBefore } from '../../../db/operator/paid-before.ts';
import { resolveHeld, storyOf } from '../../../db/operator/resolve.ts';
import { unexplainedTransfers } from '../../../db/operator/suspense.ts';
import { createRefundPayout } from '../../../db/refunds/create-payouts.ts';
import { chainNamesOf } from '../../../worker/paid-before.ts';
import { openBooks, START_MS, TREASURY, type Books } from '../../support/books.ts';
import { onBothDatabases } from '../../support/postgres.ts';
import { openLostTime } from './lost-time.ts';

const [PAYER, FRIEND] = ['99', '77'].map((byte) => `0x${byte.repeat(20)}`) as [string, string];
const ALICE = { name: 'alice', stableId: '1' };
const LATER_MS = START_MS + 3 * 3_600_000;
const command = { name: 'resolve', arguments: ['it', '--reason', 'compared by hand'], who: 'a test' };

onBothDatabases((fresh, isSqlite) => {
  let books: Books;
  let lostTime: ReturnType<typeof openLostTime>;
  beforeEach(async () => {
    books = await openBooks(await fresh());
    lostTime = openLostTime(books);
  });
  afterEach(() => books.close());

  const resolve = (name: string) => resolveHeld(books.store, name, { ...lostTime.naming, command, nowMs: LATER_MS });
  const storyIs = async (name: string) =>
    (await storyOf(books.store.read, books.store, name, lostTime.naming))?.unproven ?? 'proven';
  const actions = async () =>
    (await books.store.read.select().from(books.store.tables.operatorActions)).filter(
      (row) => row.command === 'resolve',
    );

  /** A payout of the backup's books whose payer got a transfer in the lost time. */
  async function holdPayout(): Promise<string> {
    await books.link(await books.meet('alice', '1'));
    const queued = (await books.payouts()).filter(({ status }) => status === 'queued');
    await settlePaidBefore(books.store, queued, chainNamesOf, LATER_MS);
    const [held] = (await books.payouts()).filter(({ heldReason }) => heldReason === 'paid_before');
    return held?.id ?? '';
  }

  test('what is left of a payment that was paid out in part goes back once, under a name of its own', async () => {
    await lostTime.notice();
    const fact = await lostTime.seePaid(PAYER, 3_000_000n);
    await lostTime.seeLeft(fact, 0, FRIEND, 1_000_000n);
    await lostTime.run();
    const told = await storyOf(books.store.read, books.store, fact, lostTime.naming);
    expect(told).toMatchObject({ unproven: null, story: { paid: 1_000_000n, left: [{ toAddress: FRIEND }] } });
    expect(await resolve(fact)).toEqual({ kind: 'returned', amountMicroUsdc: 2_000_000n });
    expect(await resolve(fact)).toEqual({ kind: 'unknown' });
    expect(await unexplainedTransfers(books.store, 10)).toEqual([]);
    const owed = { payer: PAYER, payerAccount: null, network: 'base' as const, minMicroUsdc: 1n };
    const id = await createRefundPayout(books.store, owed, books.transferIdOf, LATER_MS);
    expect(id).toBe(books.transferIdOf({ network: 'base', fact, line: REST_LINE }));
    await books.assertSound();
    expect(await actions()).toMatchObject([{ arguments: command.arguments, result: 'returned 2000000 micro-USDC' }]);
  });

  test('a payout whose payer got a transfer that is booked against money of theirs goes out', async () => {
    await books.pay({ payees: [ALICE] });
    await lostTime.notice();
    await lostTime.seeLeft(await lostTime.seePaid(PAYER, 5_000_000n), 0, PAYER, 3_000_000n);
    await lostTime.run();
    const id = await holdPayout();
    expect(await resolve(id)).toEqual({ kind: 'released', amountMicroUsdc: 1_000_000n });
    const [payout] = await books.payouts();
    expect(payout).toMatchObject({ id, status: 'queued' });
    expect([...(await settlePaidBefore(books.store, payout ? [payout] : [], chainNamesOf, LATER_MS))]).toEqual([]);
    expect(await actions()).toHaveLength(1);
    await books.assertSound();
  });

  if (!isSqlite) return;

  test('nothing is released under a name that the chain has seen', async () => {
    await books.pay({ payees: [ALICE] });
    const [payment] = await books.store.read.select().from(books.store.tables.payments);
    await lostTime.notice();
    const fact = await lostTime.seeLeft(`base:auth:${PAYER}:${payment?.nonce}`, 0, FRIEND, 700_000n);
    await lostTime.run();
    const id = await holdPayout();
    const unproven = { why: 'own-name', facts: [fact] };
    expect([await storyIs(id), await resolve(id)]).toEqual([unproven, { kind: 'unproven', unproven }]);
    expect([(await books.payouts())[0]?.status, await actions()]).toEqual(['held', []]);
  });

  test('nothing goes back while its payer has a transfer that is booked for nothing', async () => {
    await books.pay({ payees: [ALICE, { name: 'bob', stableId: '2' }] });
    await lostTime.notice();
    const fact = await lostTime.seePaid(PAYER, 3_000_000n);
    await lostTime.seeLeft(fact, 0, FRIEND, 1_000_000n);
    const [forNothing = ''] = await lostTime.seeLost([{ from: TREASURY, to: PAYER, value: 400_000n }]);
    await lostTime.run([forNothing]);
    const unproven = { why: 'booked-for-nothing', facts: [forNothing] };
    expect(await resolve(fact)).toEqual({ kind: 'unproven', unproven });
    expect(await books.store.read.select().from(books.store.tables.refunds)).toEqual([]);
  });

  test('nothing is decided while a transfer that left is in no book, or so early that more may land', async () => {
    await lostTime.notice();
    const fact = await lostTime.seePaid(PAYER, 3_000_000n);
    await lostTime.seeLeft(fact, 0, FRIEND, 1_000_000n);
    await lostTime.run();
    const { scanCursors } = books.store.tables;
    const setTime = (blockTime: number) =>
      books.store.tx((db) => db.update(scanCursors).set({ blockTime }).where(eq(scanCursors.network, 'base')));
    await setTime(START_MS / 1_000);
    expect(await storyIs(fact)).toEqual({ why: 'too-new' });
    await setTime(LATER_MS / 1_000);
    expect(await storyIs(fact)).toBe('proven');
    const [open = ''] = await lostTime.seeLost([{ from: TREASURY, to: FRIEND, value: 400_000n }]);
    expect(await storyIs(fact)).toEqual({ why: 'unexplained', facts: [open] });
  });
});
