import { failedAndCounted, releaseFailed } from '../../db/wallets/spending.ts';
import { isPast, type Past } from '../../core/payments/charge.ts';
import type { OrderRow } from '../../db/tips/orders.ts';
import type { CoreDeps } from '../conversation/dependencies.ts';
import { readPast } from './header-end.ts';

const RELEASED_AT_ONCE = 100;
/** What counts on an older day limits nobody. */
const AGE_MAX_MS = 2 * 24 * 3_600_000;

type Deps = Pick<CoreDeps, 'store' | 'networks' | 'clock' | 'log'>;

/**
 * Gives back what refused orders took of their daily limit, once their header is over: until then anyone who has the
 * header could still pay with it. Called now and then.
 */
export async function releaseRefused(deps: Deps): Promise<void> {
  const { store, clock } = deps;
  const failed = await failedAndCounted(store, clock.now() - AGE_MAX_MS, RELEASED_AT_ONCE);
  const pastOf = new Map<string, Past | null>();
  for (const order of failed) {
    const past = pastOf.has(order.network) ? (pastOf.get(order.network) ?? null) : await readSafely(deps, order);
    pastOf.set(order.network, past);
    const wasSigned = order.validBefore !== null || order.lastValidHeight !== null;
    if (!wasSigned || (past !== null && isPast(order, past))) await releaseFailed(store, order.id);
  }
}

/** A network that does not answer keeps only what counts on it. */
async function readSafely(deps: Deps, order: OrderRow): Promise<Past | null> {
  try {
    return await readPast(deps, order);
  } catch (error) {
    deps.log.warn({ network: order.network, error: String(error) }, 'it is not known which payments are over');
    return null;
  }
}
