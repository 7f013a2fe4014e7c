import type { MicroUsdc } from '../../core/money.ts';
import type { OrderRow } from '../../db/tips/orders.ts';
import { isSigned } from '../../db/wallets/passkeys.ts';
import { findLock } from '../../db/wallets/spending-locks.ts';
import { readSpentOnDayOf } from '../../db/wallets/spending.ts';
import { walletLimitsAt } from '../../db/wallets/wallet-limits.ts';
import { kindOfStop } from '../../core/payments/stops.ts';
import { stopsOn } from '../../db/store/stops.ts';
import type { Store } from '../../db/store/store.ts';
import { amountsOfRequest } from './order-sum.ts';
import { refusal } from './signing.ts';

/** Longer than an order is worked on before it is dropped, so that only an abandoned one is refused. */
const AGE_MAX_MS = 20 * 60_000;
/** For another process whose clock is a little ahead. */
const AHEAD_MAX_MS = 10_000;

/**
 * Refuses what would take more out of a wallet than its holders allow now. It does not count: the transaction that
 * priced the order has counted it, on the day of the order, so an old or undated one is refused as well.
 */
export async function checkCaps(store: Store, order: OrderRow, total: MicroUsdc, nowMs: number): Promise<void> {
  const { walletId, createdAtMs, countedMicroUsdc } = order;
  if (countedMicroUsdc !== total) throw refusal(`an order that counts as ${total}`, countedMicroUsdc);
  // The API asks for no money while payments are stopped, but the signer does not rely on the API.
  const stop = (await stopsOn(store, order.network)).find((one) => kindOfStop(one) !== 'payouts');
  if (stop !== undefined) throw refusal('signing that goes on', `a stop: ${stop.reason}`);
  const ageMs = nowMs - createdAtMs;
  if (ageMs > AGE_MAX_MS || ageMs < -AHEAD_MAX_MS) throw refusal('an order of the last minutes', `one of ${ageMs} ms`);
  if ((await findLock(store.read, store.tables, order, nowMs)) !== null)
    throw refusal('an open wallet', 'a locked one');
  if (!(await isSigned(store.read, store.tables, order, createdAtMs)))
    throw refusal('the passkey of the wallet', order.passkeyId);
  const limits = await walletLimitsAt(store.read, walletId, nowMs);
  const over = amountsOfRequest(order).find((amount) => amount > limits.tip);
  if (over !== undefined) throw refusal(`at most ${limits.tip} for each`, over);
  const spent = await readSpentOnDayOf(store, order);
  if (spent < total) throw refusal(`at least ${total} counted for the day`, spent);
  if (spent > limits.day) throw refusal(`at most ${limits.day} on a day`, spent);
}
