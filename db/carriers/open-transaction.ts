import { and, eq, isNull } from 'drizzle-orm';
import { takeWithin } from '../store/counters.ts';
import { move } from '../store/move.ts';
import { exposureCounter } from '../transfers/authorize.ts';
import type { Db, Store } from '../store/store.ts';
import type { SweepRow } from '../tasks/sweeps.ts';
import { insertCarrier, type NewCarrier } from './carriers.ts';

/** A transaction on Solana as it was signed, before it is sent. It is its items' one signature, so they have one at a time. */
export type NewTransaction = Omit<Extract<NewCarrier, { lastValidHeight: number }>, 'kind'>;

export type PayoutPart = {
  id: string;
  generation: number;
  /** Names its transfer within the transaction. */
  nonce: string;
  amountMicroUsdc: bigint;
  /** The inbound that funds it is not final yet. */
  exposed: boolean;
};

/** Caps that hold over all transactions together. */
export type TransactionCaps = {
  exposureCapMicroUsdc: bigint;
  /** Token accounts that this transaction opens, and how many a day may be. */
  accounts: { count: number; counter: string; dailyMax: number };
};

export type OpenResult = 'opened' | 'exposure-limit' | 'accounts-limit';

/** Ends the transaction with nothing kept. */
class OverCap extends Error {
  readonly result: Exclude<OpenResult, 'opened'>;
  constructor(result: Exclude<OpenResult, 'opened'>) {
    super(result);
    this.result = result;
  }
}

/**
 * Writes down a payment's transaction before it is first sent. False when the payment has moved on meanwhile; nothing is
 * kept then, and the signed bytes must be forgotten.
 */
export async function openInbound(
  store: Store,
  transaction: NewTransaction,
  paymentId: string,
  nowMs: number,
): Promise<boolean> {
  const { payments } = store.tables;
  return store.tx(async (db) => {
    const taken = await move(db, payments, {
      from: ['received'],
      where: and(eq(payments.id, paymentId), isNull(payments.carrierId)),
      set: { status: 'settling', carrierId: transaction.id },
    });
    if (taken.length === 0) return false;
    await insertCarrier(db, store, { ...transaction, kind: 'inbound' }, { itemIds: [paymentId], nowMs });
    return true;
  });
}

/** Writes a sweep's transaction down before it is first sent. False, with nothing kept, when the sweep has moved on. */
export async function openSweep(
  store: Store,
  transaction: NewTransaction,
  { id, generation }: SweepRow,
  nonce: string,
  nowMs: number,
): Promise<boolean> {
  const { sweeps } = store.tables;
  return store.tx(async (db) => {
    const taken = await move(db, sweeps, {
      from: ['queued'],
      where: and(eq(sweeps.id, id), eq(sweeps.generation, generation), isNull(sweeps.carrierId)),
      set: { status: 'broadcast', carrierId: transaction.id, nonce },
    });
    if (taken.length === 0) return false;
    await insertCarrier(db, store, { ...transaction, kind: 'sweep' }, { itemIds: [id], nowMs });
    return true;
  });
}

/**
 * Writes down a transaction of payouts before it is first sent, and takes its part of the caps. Throws, with nothing
 * kept, when one of the payouts is no longer queued in its generation: the caller then looks again.
 */
export async function openPayouts(
  store: Store,
  transaction: NewTransaction,
  parts: readonly PayoutPart[],
  caps: TransactionCaps,
  nowMs: number,
): Promise<OpenResult> {
  const itemIds = parts.map(({ id }) => id);
  try {
    return await store.tx(async (db): Promise<OpenResult> => {
      await takeCaps(db, store, transaction.network, parts, caps);
      for (const part of parts) await takePayout(db, store, transaction.id, part);
      await insertCarrier(db, store, { ...transaction, kind: 'payout' }, { itemIds, nowMs });
      return 'opened';
    });
  } catch (error) {
    if (error instanceof OverCap) return error.result;
    throw error;
  }
}

async function takeCaps(db: Db, store: Store, network: string, parts: readonly PayoutPart[], caps: TransactionCaps) {
  const exposed = parts.reduce((sum, part) => sum + (part.exposed ? part.amountMicroUsdc : 0n), 0n);
  const counter = exposureCounter(network);
  if (exposed > 0n && !(await takeWithin(db, store, counter, exposed, caps.exposureCapMicroUsdc))) {
    throw new OverCap('exposure-limit');
  }
  const { accounts } = caps;
  if (accounts.count === 0) return;
  const mayOpen = await takeWithin(db, store, accounts.counter, BigInt(accounts.count), BigInt(accounts.dailyMax));
  if (!mayOpen) throw new OverCap('accounts-limit');
}

async function takePayout(db: Db, store: Store, carrierId: string, part: PayoutPart): Promise<void> {
  const { transfers } = store.tables;
  const taken = await move(db, transfers, {
    from: ['queued'],
    where: and(eq(transfers.id, part.id), eq(transfers.generation, part.generation), isNull(transfers.carrierId)),
    set: { status: 'broadcast', carrierId, nonce: part.nonce, exposed: part.exposed },
  });
  if (taken.length === 0) throw new Error(`payout ${part.id} was no longer queued in generation ${part.generation}`);
}
