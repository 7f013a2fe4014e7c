import { microUsdc } from '../../core/money.ts';
import type { View } from '../../core/view.ts';
import {
  findOrder,
  markAnswered,
  markFailed,
  markPriced,
  markShown,
  markSigned,
  openOrders,
  reopenOrder,
  type OrderRow,
} from '../../db/bot/orders.ts';
import { askPrice, sendUntilKnown } from '../../client/channel.ts';
import type { Refused } from '../../client/refusal.ts';
import { rememberTipped } from './caps-card.ts';
import { releaseRefused } from './caps-release.ts';
import type { CoreDeps } from './dependencies.ts';
import { toOrderAnswer } from './order-answer.ts';
import { isPast, OVER, readPast } from './header-end.ts';
import { findNetwork } from './networks.ts';
import { endView, payingLaterView, payingView, priceView, stillPayingView } from './order-views.ts';
import { signOrder } from './order-signing.ts';
import { linkInstead } from './pay-link.ts';
import { showPayLink } from './pay-links.ts';
import { endStaleProposals } from './proposals.ts';
import { speaking } from './speech.ts';
import { showSummary } from './summary.ts';
import { checkTerms } from './terms.ts';
import { createWalletTurns, type WalletTurns } from './wallet-turns.ts';

/** Older than this, somebody who typed a tip no longer expects it to be paid: nothing is signed for it any more. */
const FRESH_LIMIT_MS = 15 * 60_000;
/** Within the life of a header. */
const SEND_LIMIT_MS = 180_000;
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
        await prepare(deps, turns, order);
        break;
      case 'signed':
        if (!(await send(deps, order))) return;
        break;
      case 'linked':
        // From here on it goes its own way (pay-links.ts).
        return showPayLink(deps, order);
      case 'answered':
      case 'failed':
        deps.failpoint?.('order.before-end');
        if (order.status === 'answered') await rememberTipped(deps, order);
        await show(deps, order, await endView(deps, order));
        await showSummary(deps, order);
        deps.failpoint?.('order.after-end');
        await markShown(deps.store, order.id, deps.clock.now());
        return;
    }
  }
  throw new Error(`order ${orderId} did not end within ${STEPS_MAX} steps`);
}

/** Price, check, signature. Nothing here can charge anybody: a header that is not stored is never sent. */
async function prepare(deps: CoreDeps, turns: WalletTurns, order: OrderRow): Promise<void> {
  const fail = (reason: string, line: number | null = null) =>
    markFailed(deps.store, order.id, 'unsigned', reason, line);
  if (!isFresh(deps, order)) return void (await fail('took_too_long'));
  const paying = findNetwork(deps.networks, order.network);
  if (!paying) return void (await fail('network_off'));
  await show(deps, order, priceView(deps.texts));
  const price = await askPrice(channelOf(deps, order), deps.clock);
  if (price.kind === 'refused') return void (await fail(price.reason, price.line));
  if (price.kind !== 'price') return void (await fail('unreachable'));
  const { challenge } = price;
  const { pinned } = paying;
  const agreed = checkTerms(challenge, microUsdc(order.amountMicroUsdc), pinned);
  if (agreed.kind === 'refused') {
    deps.log.error({ orderId: order.id, found: agreed.found, wanted: agreed.wanted }, 'price refused');
    return void (await fail('price_not_agreed'));
  }
  const priced = await markPriced(deps.store, order.id, agreed.total);
  // Another process moved the order on. The next step reads where it is now.
  if (priced === 'elsewhere') return;
  if (priced !== 'priced') return void (await fail(priced));
  deps.failpoint?.('order.after-price');
  await turns.take(deps, order, agreed.total, async () => {
    if (!isFresh(deps, order)) return void (await fail('took_too_long'));
    if (await linkInstead(deps, order, agreed.total)) return;
    const signed = await signOrder(deps, order, { pinned, challenge, agreed });
    if (signed === null) return void (await fail('not_signed'));
    await markSigned(deps.store, order.id, signed.header, signed.end);
    deps.failpoint?.('order.after-sign');
  });
}

/** Sends the stored header. False: its fate is still open, so the order stays `signed` until it is resumed. */
async function send(deps: CoreDeps, order: OrderRow): Promise<boolean> {
  if (order.header === null) throw new Error(`order ${order.id} is signed and has no header`);
  await show(deps, order, payingView(deps.texts, order));
  const onWaiting = () => show(deps, order, stillPayingView(deps.texts, order));
  const { header } = order;
  const channel = channelOf(deps, order);
  const patience = { clock: deps.clock, limitMs: SEND_LIMIT_MS, onWaiting };
  const answer = await sendUntilKnown(() => channel.send(header), patience);
  switch (answer.kind) {
    case 'paid': {
      deps.failpoint?.('order.after-answer');
      await markAnswered(deps.store, order.id, toOrderAnswer(order, answer));
      return true;
    }
    case 'refused':
      if (await endRefused(deps, order, header, answer)) return true;
      await show(deps, order, payingLaterView(deps.texts, order));
      return false;
    case 'pending':
      deps.log.warn({ orderId: order.id }, 'payment still open; the same header will be sent again');
      await show(deps, order, payingLaterView(deps.texts, order));
      return false;
  }
}

/**
 * A header that the API refuses as over can never land once that is certain here too, so a fresh order gets a new one. The
 * API sees an end some seconds before: until then a second header could charge beside the first, and the order waits:
 * false. Any other refusal is final.
 */
async function endRefused(
  deps: CoreDeps,
  order: OrderRow,
  header: string,
  { reason, line }: Pick<Refused, 'reason' | 'line'>,
): Promise<boolean> {
  const past = OVER.includes(reason) ? await readPast(deps, order) : null;
  const isOver = past !== null && isPast(order, past);
  if (past !== null && !isOver) return false;
  if (isOver && isFresh(deps, order) && (await reopenOrder(deps.store, order.id, header, past))) return true;
  await markFailed(deps.store, order.id, 'signed', isOver ? 'took_too_long' : reason, line);
  return true;
}

function isFresh({ clock }: CoreDeps, order: OrderRow): boolean {
  return clock.now() - order.createdAtMs < FRESH_LIMIT_MS;
}

function channelOf({ payments }: CoreDeps, { id, route, body }: OrderRow) {
  return payments.channel({ id, route, body });
}

async function show(deps: CoreDeps, order: OrderRow, view: View): Promise<void> {
  const messenger = deps.messengers[order.transport];
  if (!messenger) throw new Error(`no messenger for the transport ${order.transport}`);
  await messenger.edit(order.chatId, order.messageId, view);
}
