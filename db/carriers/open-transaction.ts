import type { Network } from '../../core/networks.ts';
import { and, eq, isNull } from 'drizzle-orm';
import type { TransferKind } from '../../core/transfers/purposes.ts';
import { settlementHolding } from '../processes/owner.ts';
import { signingTx } from '../processes/signing.ts';
import { takeOpenings, type OpeningCaps } from '../costs/openings.ts';
import { takeWithin } from '../store/counters.ts';
import { move } from '../store/move.ts';
import { exposureCounter } from '../transfers/exposure.ts';
import { isOfKind } from '../transfers/find.ts';
import type { Db, Store } from '../store/store.ts';
import { insertCarrier, type NewCarrier } from './carriers.ts';

/** A transaction on Solana as it was signed, before it is sent. An item is in one such transaction at a time. */
export type NewTransaction = Omit<Extract<NewCarrier, { lastValidHeight: number }>, 'kind'>;

export type TransferPart = {
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
  /** Token accounts that this transaction opens at our cost; null: it opens none. */
  accounts: OpeningCaps | null;
};

export type OpenResult = 'opened' | 'exposure-limit' | 'accounts-limit';

/** Ends the transaction and keeps nothing. */
class OverCap extends Error {
  readonly result: Exclude<OpenResult, 'opened'>;
  constructor(result: Exclude<OpenResult, 'opened'>) {
    super(result);
    this.result = result;
  }
}

/**
 * Stores a payment's transaction before it is first sent. False when the payment has moved on meanwhile; nothing is
 * kept then, and the signed bytes must be forgotten.
 */
export async function openInbound(
  store: Store,
  transaction: NewTransaction,
  paymentId: string,
  nowMs: number,
): Promise<boolean> {
  const { payments } = store.tables;
  const { network } = transaction;
  const carrier = { network, kind: 'inbound', step: 'new' } as const;
  return signingTx(store, { under: settlementHolding(network), carrier }, async (db) => {
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

/**
 * Stores a transaction of transfers before it is first sent, and takes its part of the caps. Throws, with nothing
 * kept, when one of them is no longer queued in its generation: the caller then looks again.
 */
export async function openTransfers(
  store: Store,
  transaction: NewTransaction & { kind: TransferKind },
  parts: readonly TransferPart[],
  caps: TransactionCaps,
  nowMs: number,
): Promise<OpenResult> {
  const itemIds = parts.map(({ id }) => id);
  const { network, kind } = transaction;
  const right = { under: settlementHolding(network), carrier: { network, kind, step: 'new' } } as const;
  try {
    return await signingTx(store, right, async (db): Promise<OpenResult> => {
      await takeCaps(db, store, transaction, { parts, caps, nowMs });
      for (const part of parts) await takeTransfer(db, store, transaction, part);
      await insertCarrier(db, store, transaction, { itemIds, nowMs });
      return 'opened';
    });
  } catch (error) {
    if (error instanceof OverCap) return error.result;
    throw error;
  }
}

async function takeCaps(
  db: Db,
  store: Store,
  carrier: { id: string; network: Network },
  { parts, caps, nowMs }: { parts: readonly TransferPart[]; caps: TransactionCaps; nowMs: number },
) {
  const exposed = parts.reduce((sum, part) => sum + (part.exposed ? part.amountMicroUsdc : 0n), 0n);
  const counter = exposureCounter(carrier.network);
  if (exposed > 0n && !(await takeWithin(db, store, counter, exposed, caps.exposureCapMicroUsdc))) {
    throw new OverCap('exposure-limit');
  }
  const { accounts } = caps;
  if (accounts === null || (await takeOpenings(db, store, carrier, accounts, nowMs))) return;
  throw new OverCap('accounts-limit');
}

async function takeTransfer(
  db: Db,
  store: Store,
  { id: carrierId, kind }: { id: string; kind: TransferKind },
  part: TransferPart,
): Promise<void> {
  const { transfers } = store.tables;
  const { id, generation, nonce, exposed } = part;
  const isIt = and(eq(transfers.id, id), eq(transfers.generation, generation), isNull(transfers.carrierId));
  const taken = await move(db, transfers, {
    from: ['queued'],
    where: and(isIt, isOfKind(store.tables, kind)),
    set: { status: 'broadcast', carrierId, nonce, exposed },
  });
  if (taken.length === 0) throw new Error(`${kind} ${id} was no longer queued in generation ${generation}`);
}
