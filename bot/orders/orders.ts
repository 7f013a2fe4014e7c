import { findOrder, isNews, markShown, noteNews, openOrders, type OrderRow } from '../../db/tips/orders.ts';
import { createRunner, dueInTurn, type Runner } from '../../queue/runner.ts';
import { LOOK_PACE } from '../shared/clock.ts';
import { rememberTipped } from '../tips/caps-card.ts';
import type { CoreDeps } from '../conversation/dependencies.ts';
import { prepareOrder, sendOrder, showOrder } from './order-paying.ts';
import { endView } from '../tips/order-views.ts';
import { showPayLink } from '../pay-links/pay-links.ts';
import { speakingIn } from '../conversation/speech.ts';
import { showSummary } from './summary.ts';
import { createWalletTurns, type WalletTurns } from '../paying/wallet-turns.ts';

/** Each step moves the order on; a renewed order takes four more. */
const STEPS_MAX = 20;
const AT_ONCE = 100;

/**
 * Carries orders to their end: (proposed →) drafted → priced → signed → answered | failed. The row holds all that counts,
 * so it may stop anywhere and another process can take it up. Before `signed` it starts over; from then on it sends one
 * header.
 */
export function createOrders(deps: CoreDeps): Runner {
  const turns = createWalletTurns();
  return createRunner({
    ...deps,
    name: 'orders',
    due: dueInTurn((limit, last: OrderRow | null, except) => openOrders(deps.store, limit, last, except), idOf),
    step: (orderId) => runOrder(deps, turns, orderId),
    // The next look starts after it.
    putOff: async (orderId, error) =>
      deps.log.error({ orderId, error: String(error) }, 'order interrupted; it stays open'),
    concurrency: AT_ONCE,
    pace: LOOK_PACE,
  });
}

const idOf = ({ id }: OrderRow): string => id;

async function runOrder(known: CoreDeps, turns: WalletTurns, orderId: string): Promise<void> {
  for (let step = 0; step < STEPS_MAX; step++) {
    const order = await findOrder(known.store, orderId);
    if (!order) throw new Error(`there is no order ${orderId}`);
    if (order.shownAtMs !== null) return;
    const deps = await speakingIn(known, order, order.language);
    switch (order.status) {
      case 'proposed':
        return;
      case 'drafted':
      case 'priced':
        if ((await prepareOrder(deps, turns, order)) === 'waits') return;
        break;
      case 'signed':
        if ((await sendOrder(deps, order)) === 'waits') return;
        break;
      case 'linked':
        // From here on pay-links.ts carries it.
        return showPayLink(deps, order);
      case 'answered':
      case 'failed':
        deps.failpoint?.('order.before-end');
        if (order.erasedAtMs === null) await showEnd(deps, order);
        deps.failpoint?.('order.after-end');
        if (await markShown(deps.store, order, deps.clock.now())) return;
        await showOver(deps, order);
        break;
    }
  }
  throw new Error(`order ${orderId} did not end within ${STEPS_MAX} steps`);
}

async function showEnd(deps: CoreDeps, order: OrderRow): Promise<void> {
  if (order.status === 'answered') await rememberTipped(deps, order);
  const view = await endView(deps, order);
  await showOrder(deps, order, isNews(order) ? { ...view, isNews: true } : view);
  await showSummary(deps, order);
}

/** What was shown is older than the row; another process had shown the newer state, and this one overwrote it. */
async function showOver({ store }: CoreDeps, { id }: OrderRow): Promise<void> {
  const now = await findOrder(store, id);
  if (now !== null && now.shownAtMs !== null) await noteNews(store, id);
}
