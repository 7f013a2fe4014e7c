/** Books with a task address beside the treasury, and plain transfers that land there when a test says so. */
import { randomBytes } from 'node:crypto';
import type { ObservedTransfer } from '../../../core/observed.ts';
import { factOf } from '../../../core/observed.ts';
import type { DatabaseAddress } from '../../../db/store/open.ts';
import { applyTransfers } from '../../../db/scan/apply.ts';
import { undoTransfer } from '../../../db/scan/rollback.ts';
import { fittingTransfers, type Fit } from '../../../db/tasks/fitting.ts';
import { payTask, type PayTaskResult } from '../../../db/tasks/pay.ts';
import { eq } from 'drizzle-orm';
import { openBooks, TREASURY } from '../../support/books.ts';
import { mustOpen, offerOn, type TestTask } from '../../support/tasks/tasks.ts';

export const TASK = `0x${'22'.repeat(20)}`;
export const SENDER = `0x${'77'.repeat(20)}`;
export const OWN = [TREASURY, TASK];

export type Payee = { name?: string; stableId?: string | null; platform?: string };
export type TaskBooks = Awaited<ReturnType<typeof openTaskBooks>>;

export async function openTaskBooks(database?: DatabaseAddress) {
  const books = await openBooks(database);
  const { store, ids, clock } = books;
  const settle = () => ({ transferIdOf: ids.payoutId, answerFor: () => ({ code: 200 }), nowMs: clock.nowMs });
  const seen = (transfers: ObservedTransfer[], ownAddresses = OWN) => ({
    network: 'base' as const,
    transfers,
    ownAddresses,
  });

  /** A block with this transfer, which is safe unless a test wants it otherwise. */
  async function land(
    transfer: Partial<ObservedTransfer> & { value: bigint },
    { isSafe = true, own = OWN } = {},
  ): Promise<ObservedTransfer> {
    const block = books.height() + 1;
    await books.mine([], isSafe ? block : 1);
    const place = {
      transaction: `0x${randomBytes(32).toString('hex')}`,
      logIndex: 0,
      position: 0,
      block,
      blockHash: 'b',
    };
    const whole = { ...place, from: SENDER, to: TASK, ...transfer };
    await applyTransfers(store, seen([whole], own), settle());
    return whole;
  }

  return {
    ...books,
    settle,
    /** By a signature, for something else. */
    payDirect: books.pay,
    land,
    landAgain: (transfer: ObservedTransfer) => applyTransfers(store, seen([transfer]), settle()),
    /** Its block is gone. */
    async lose(transfer: ObservedTransfer): Promise<void> {
      const { observedTransfers } = store.tables;
      await store.tx(async (db) => {
        const [row] = await db
          .select()
          .from(observedTransfers)
          .where(eq(observedTransfers.fact, factOf('base', transfer)));
        if (row === undefined) throw new Error('the transfer is not in the books');
        await undoTransfer(db, store, row, clock.nowMs);
      });
    },
    /** What the books say about a transfer. */
    async rowOf(transfer: ObservedTransfer) {
      const { observedTransfers } = store.tables;
      const [row] = await store.read
        .select()
        .from(observedTransfers)
        .where(eq(observedTransfers.fact, factOf('base', transfer)));
      return row;
    },
    async open(task: Partial<TestTask> = {}, pick?: (below: number) => number) {
      const networks = [{ network: 'base' as const, address: TASK, headBlock: books.height() }];
      const opened = await mustOpen(store, { networks, nowMs: clock.nowMs, ...task }, pick);
      return { ...opened, offer: offerOn(opened.offers, 'base') };
    },
    fits: () => fittingTransfers(store, 'base', 100),
    pay(fit: Fit, { name = 'alice', stableId = '1', platform = 'x' }: Payee = {}): Promise<PayTaskResult> {
      const line = {
        txnId: ids.txnId(),
        slug: ids.slug(),
        publicSlug: ids.slug(),
        identityId: ids.identityId(),
        recipient: { platform, stableId, key: name, display: name },
        receiver: name,
        amountMicroUsdc: fit.task.sumMicroUsdc,
        note: null,
      };
      const order = { description: null, meta: null, payerReference: null };
      const payment = { ...fit, paymentId: ids.attemptId(clock.nowMs), payTo: TREASURY, order, lines: [line] };
      return payTask(store, payment, settle());
    },
    /** Matches all that fits, as a round of the worker does; answers what came of each. */
    async round(payee?: Payee): Promise<PayTaskResult[]> {
      const results: PayTaskResult[] = [];
      for (const fit of await this.fits()) results.push(await this.pay(fit, payee));
      return results;
    },
    async balanceOf(address: string): Promise<bigint> {
      const { accounts } = store.tables;
      const [row] = await store.read
        .select()
        .from(accounts)
        .where(eq(accounts.name, `chain:base:${address}`));
      return row?.balance ?? 0n;
    },
  };
}
