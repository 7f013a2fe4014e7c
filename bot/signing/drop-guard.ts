import { dropStanding, payeesAmong, sharesOf } from '../../core/drops/drops.ts';
import { microUsdc } from '../../core/money.ts';
import { kindOfStop } from '../../core/payments/stops.ts';
import { findPlatform } from '../../core/platforms/platforms.ts';
import { treasuryWalletOf } from '../../core/treasury/treasury.ts';
import { takersOf, type Drop } from '../../db/drops/drops.ts';
import { listHashOf } from '../../db/drops/list-hash.ts';
import { confirmationsOfDrop, findDropOfOrder } from '../../db/drops/treasury-drops.ts';
import { moderatorsOf } from '../../db/rewards/reward-cards.ts';
import { stopsOn } from '../../db/store/stops.ts';
import type { Store } from '../../db/store/store.ts';
import type { OrderRow } from '../../db/tips/orders.ts';
import { amountsOfRequest, receiversOfRequest } from './order-sum.ts';
import { refusal } from './signing.ts';

/** Longer than an order is worked on before it is dropped. */
const AGE_MAX_MS = 20 * 60_000;
/** For another process whose clock is a little ahead. */
const AHEAD_MAX_MS = 10_000;

/**
 * Checks in our own store what lets money leave a treasury for an order: it pays a drop of that community, to those who
 * stand on its list and to each exactly their share, and enough different moderators have confirmed the list that it pays.
 * Throws a plain Error where anything is missing.
 */
export async function checkTreasuryDrop(store: Store, order: OrderRow, nowMs: number): Promise<void> {
  const drop = await findDropOfOrder(store, order.id);
  if (drop?.status !== 'agreed') throw refusal('a drop that is agreed to', drop?.status);
  const { walletId } = drop;
  if (walletId !== order.walletId || treasuryWalletOf(drop) !== walletId) {
    throw refusal('the wallet of this community', order.walletId);
  }
  const ageMs = nowMs - order.createdAtMs;
  if (ageMs > AGE_MAX_MS || ageMs < -AHEAD_MAX_MS) throw refusal('an order of the last minutes', `one of ${ageMs} ms`);
  // The API asks for no money while payments are stopped, but the signer does not rely on the API.
  const stop = (await stopsOn(store, order.network)).find((one) => kindOfStop(one) !== 'payouts');
  if (stop !== undefined) throw refusal('signing that goes on', `a stop: ${stop.reason}`);
  const listed = payeesAmong(await takersOf(store, drop.id));
  const listHash = listHashOf(drop, checkShares(order, drop, listed));
  const all = await confirmationsOfDrop(store, drop.id);
  // Else one in the future could count for a lone moderator who has not waited yet.
  const confirmations = all.filter(({ confirmedAtMs }) => confirmedAtMs <= nowMs + AHEAD_MAX_MS);
  const { confirmed, quorum } = dropStanding(drop, moderatorsOf(drop), { confirmations, payees: listed, listHash });
  if (confirmed < quorum) throw refusal(`the confirmations of ${quorum}`, confirmed);
}

/** Answers whom the order pays. */
function checkShares(order: OrderRow, drop: Drop, listed: readonly string[]): string[] {
  const { transport, people, amountMicroUsdc } = drop;
  const route = `/payments/${findPlatform(transport) ?? ''}/batch-pay`;
  if (order.route !== route) throw refusal(`a payment over ${route}`, order.route);
  const receivers = receiversOfRequest(order).map((id) => `${transport}:${id}`);
  const isOnce = new Set(receivers).size === receivers.length;
  if (!isOnce || receivers.some((userId) => !listed.includes(userId))) {
    throw refusal('people on the list, each once', receivers.join(', '));
  }
  const shares = sharesOf(microUsdc(amountMicroUsdc), { people, taken: receivers.length });
  const wrong = amountsOfRequest(order).findIndex((amount, index) => amount !== shares[index]);
  if (wrong !== -1) throw refusal(`the share ${String(shares[wrong])}`, `another one in line ${wrong}`);
  return receivers;
}
