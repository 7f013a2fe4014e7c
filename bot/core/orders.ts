import { findOrder, markShown, openOrders, type OrderRow } from '../../db/bot/orders.ts';
import { rememberTipped } from './caps-card.ts';
import { releaseRefused } from './caps-release.ts';
import type { CoreDeps } from './dependencies.ts';
import { prepareOrder, sendOrder, showOrder } from './order-paying.ts';
import { endView } from './order-views.ts';
import { showPayLink } from './pay-links.ts';
import { endStaleProposals } from './proposals.ts';
import { speaking } from './speech.ts';
import { showSummary } from './summary.ts';
import { createWalletTurns, type WalletTurns } from './wallet-turns.ts';

/** Each step moves the order on; a renewed order takes four more. */
const STEPS_MAX = 20;
const RESUMED_AT_ONCE = 100;

export type Orders = {
  /** Resolves when the order is over or has to wait; never rejects. The same order is worked on once at a time. */
  run: (orderId: string) => Promise<void>;
  /** Takes up what a crash or a long wait left behind. */
  resume: () => Promise<void>;
  /** Resolves when nothing is being worked on. */
  idle: () => Promise<void>;
};

/**
 * Carries orders to their end: (proposed →) drafted → priced → signed → answered | failed. All that counts is in the row,
 * so it may stop anywhere and be taken up by another process. Before `signed` it starts over; from then on it sends one
 * header.
 */
export function createOrders(deps: CoreDeps): Orders {
  const running = new Map<string, Promise<void>>();
  const turns = createWalletTurns();
  /** Each look goes on behind the last one: what can never be ended must not stand before all others for good. */
  let lookedUntil: OrderRow | null = null;
  const run = (orderId: string): Promise<void> => {
    const known = running.get(orderId);
    if (known) return known;
    const work = runOrder(deps, turns, orderId)
      .catch((error: unknown) => {
        if (deps.closing.aborted) return;
        deps.log.error({ orderId, error: String(error) }, 'order interrupted; it stays open');
      })
      .finally(() => running.delete(orderId));
    running.set(orderId, work);
    return work;
  };
  return {
    run,
    async resume() {
      await endStaleProposals(deps);
      await releaseRefused(deps);
      const open = await openOrders(deps.store, RESUMED_AT_ONCE, lookedUntil);
      lookedUntil = open.length === RESUMED_AT_ONCE ? (open.at(-1) ?? null) : null;
      await Promise.all(open.map((order) => run(order.id)));
    },
    async idle() {
      while (running.size > 0) await Promise.all(running.values());
    },
  };
}

async function runOrder(known: CoreDeps, turns: WalletTurns, orderId: string): Promise<void> {
  for (let step = 0; step < STEPS_MAX; step++) {
    const order = await findOrder(known.store, orderId);
    if (!order) throw new Error(`there is no order ${orderId}`);
    const deps = speaking(known, order.language);
    if (order.shownAtMs !== null) return;
    switch (order.status) {
      case 'proposed':
        return;
      case 'drafted':
      case 'priced':
        await prepareOrder(deps, turns, order);
        break;
      case 'signed':
        if ((await sendOrder(deps, order)) === 'waits') return;
        break;
      case 'linked':
        // From here on it goes its own way (pay-links.ts).
        return showPayLink(deps, order);
      case 'answered':
      case 'failed':
        deps.failpoint?.('order.before-end');
        if (order.status === 'answered') await rememberTipped(deps, order);
        await showOrder(deps, order, await endView(deps, order));
        await showSummary(deps, order);
        deps.failpoint?.('order.after-end');
        await markShown(deps.store, order.id, deps.clock.now());
        return;
    }
  }
  throw new Error(`order ${orderId} did not end within ${STEPS_MAX} steps`);
}
