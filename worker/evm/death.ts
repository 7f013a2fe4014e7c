import { overduePayments } from '../../db/payments/records/overdue.ts';
import { declareDead, releaseClaim } from '../../db/payments/reject.ts';
import type { Head } from '../../chain/evm/rpc/chain-reads.ts';
import { ChainUnavailable } from '../../chain/errors.ts';
import type { PaymentRow } from '../../db/payments/records/find.ts';
import { readCursor } from '../../db/scan/cursor.ts';
import { isReturned } from '../../db/refunds/return-transfer.ts';
import type { EvmWorker } from '../dependencies.ts';
import { recover } from './recover.ts';

type Hex = `0x${string}`;
const CHECKS_MAX = 400;

/** The heads of the chain, asked for at most once a round and only where a row waits for them. */
export type ReadHead = () => Promise<Head>;

/**
 * Marks payments whose authorization can never land. It is dead when, at a safe block, its window is over and its nonce
 * unused, or its nonce was used and no transfer that pays it exists (the scan has passed that block).
 */
export async function buryDeadPayments(worker: EvmWorker, readHead: ReadHead): Promise<void> {
  const { network } = worker.profile;
  const any = { chainTime: Number.MAX_SAFE_INTEGER, nowMs: worker.now() };
  if ((await overduePayments(worker.store, network, any, 1)).length === 0) return;
  const { safe } = await readHead();
  const overdue = await overduePayments(
    worker.store,
    network,
    { chainTime: safe.time, nowMs: worker.now() },
    CHECKS_MAX,
  );
  if (overdue.length === 0) return;
  const cursor = await readCursor(worker.store, network);
  if (cursor === null || cursor.block < safe.number) return;
  const keys = overdue.map(({ payer, nonce }) => ({ authorizer: payer as Hex, nonce: nonce as Hex }));
  const used = await worker.rpc.authorizationStates(keys, safe.number);
  for (const [index, payment] of overdue.entries()) {
    await oneByOne(worker, payment.id, async () => {
      if (used[index] === true) await explainUsed(worker, payment, safe.number);
      else if (payment.validBefore <= safe.time) await bury(worker, payment, 'payment_expired');
    });
  }
}

/** An item that cannot be judged now must not stop the others. */
async function oneByOne(worker: EvmWorker, id: string, judge: () => Promise<void>): Promise<void> {
  try {
    await judge();
  } catch (error) {
    if (!(error instanceof ChainUnavailable)) throw error;
    worker.log.warn({ id, err: error }, 'could not find out whether it is dead; it is tried again');
  }
}

/**
 * A used nonce alone proves nothing: the node may have left the transfer out of the scan. So its use is looked for. One that
 * we never sent may have been used long ago, by another authorization of the same number: then nothing of it is ours, and
 * a transfer that turns up all the same goes back. Nor does one pay for it that came before these books began.
 */
async function explainUsed(worker: EvmWorker, payment: PaymentRow, safeBlock: number): Promise<void> {
  const key = { authorizer: payment.payer as Hex, nonce: payment.nonce as Hex };
  const found = await recover(worker, key, safeBlock);
  const isSpent = found === 'spent' || found === 'before';
  if (!isSpent && !(found === 'untraced' && payment.status === 'received')) return;
  const returned = await isReturned(worker.store, { network: worker.profile.network, ...key });
  await bury(worker, payment, returned ? 'payment_returned' : 'invalid_transaction_state');
}

/** The guarded updates refuse what has settled since it was read. */
async function bury(worker: EvmWorker, payment: PaymentRow, reason: string): Promise<void> {
  const { store, now } = worker;
  const end = payment.status === 'settling' ? declareDead : releaseClaim;
  const buried = await end(store, payment.id, reason, now());
  if (!buried) return;
  worker.log.info({ paymentId: payment.id, reason }, 'proof can never land');
  worker.announce([payment.id]);
}
