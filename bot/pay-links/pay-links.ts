import type { OrderRow } from '../../db/tips/orders.ts';
import {
  duePayLinks,
  endExpired,
  endPaid,
  findPayLink,
  lookAgain,
  markLinkShown,
  reopenPayLink,
  type LinkedOrder,
} from '../../db/pay-links/pay-links.ts';
import { presentCharge, type Payable } from '../../client/charge.ts';
import type { PaidPayment } from '../../client/payments.ts';
import type { Tasks } from '../../client/tasks.ts';
import { CHARGES } from '../../core/payments/charge.ts';
import { createRunner, type Runner } from '../../queue/runner.ts';
import { LOOK_PACE } from '../shared/clock.ts';
import type { CoreDeps } from '../conversation/dependencies.ts';
import { toOrderAnswer, toPaidAmounts } from '../tips/order-answer.ts';
import { GRACE_MS, newPayLinkUrl, TASK_END_MS, toTaskRequest } from './pay-link.ts';
import { payLinkView } from './pay-link-views.ts';
import { speaking } from '../conversation/speech.ts';

const AT_ONCE = 100;
/** While a payment may be under way; an open page asks by itself. */
const LOOK_SOON_MS = 5_000;
const LOOK_LATER_MS = 10 * 60_000;

type Deps = CoreDeps & { links: Tasks };

/** Asks how far the payments of linked orders are, and does what comes next. `showEnd` tells the chat how one ended. */
export function createPayLinks(deps: CoreDeps, showEnd: (orderId: string) => Promise<void>): Runner {
  const { store, log, clock } = deps;
  return createRunner({
    ...deps,
    name: 'pay links',
    due: (nowMs, limit, except) => duePayLinks(store, nowMs, limit, except),
    async step(orderId) {
      if (await look(deps, orderId)) await showEnd(orderId);
    },
    // The links that wait longest come first, so one that fails each time must go to the back.
    async putOff(orderId, error) {
      log.error({ orderId, error: String(error) }, 'a pay link was interrupted; it stays as it is');
      await lookAgain(store, orderId, clock.now() + LOOK_SOON_MS);
    },
    concurrency: AT_ONCE,
    pace: LOOK_PACE,
  });
}

/** Shows the link in its chat, once; a crash before that is noted shows it again, with another address. */
export async function showPayLink(deps: CoreDeps, order: OrderRow): Promise<void> {
  const found = await findPayLink(deps.store, order.id);
  if (found?.order.status !== 'linked' || found.link.shownAtMs !== null) return;
  const messenger = deps.messengers[order.transport];
  if (!messenger) throw new Error(`no messenger for the transport ${order.transport}`);
  const url = await newPayLinkUrl(deps, order.id);
  deps.failpoint?.('link.before-show');
  await messenger.edit(order.chatId, order.messageId, await payLinkView(deps, order, url));
  deps.failpoint?.('link.after-show');
  await markLinkShown(deps.store, order.id, deps.clock.now());
}

/** Answers whether the order has ended. */
async function look(known: CoreDeps, orderId: string): Promise<boolean> {
  const found = await findPayLink(known.store, orderId);
  if (!found || !known.links) return false;
  const deps: Deps = { ...speaking(known, found.order.language), links: known.links };
  const isOver = await goOn(deps, found);
  // Last: a chat that accepts nothing must neither keep a payment from being sent nor a link from ending.
  if (!isOver) await showPayLink(deps, found.order);
  return isOver;
}

async function goOn(deps: Deps, found: LinkedOrder): Promise<boolean> {
  switch (found.link.status) {
    case 'open':
      return lookAtOpen(deps, found);
    case 'presented':
      return present(deps, found);
    case 'expired':
      return lookAtExpired(deps, found);
    case 'paid':
      return found.order.shownAtMs === null;
  }
}

async function lookAtOpen(deps: Deps, found: LinkedOrder): Promise<boolean> {
  const { store, clock } = deps;
  const { orderId, taskId, untilMs, shownAtMs } = found.link;
  const standing = await ask(deps, found);
  if (standing.kind === 'paid') return end(deps, found.order, standing);
  const nowMs = clock.now();
  const endMs = taskId === null ? untilMs : untilMs + GRACE_MS;
  if (nowMs >= endMs) return endExpired(store, orderId, taskId === null ? null : nowMs + LOOK_LATER_MS);
  // This process may end before it has shown the link: then another one looks soon, and shows it.
  const isSettled = taskId === null && shownAtMs !== null;
  await lookAgain(store, orderId, isSettled ? untilMs : Math.min(nowMs + LOOK_SOON_MS, endMs));
  return false;
}

/** A transfer that comes too late still pays the task, so that money is not lost; the chat learns of it. */
async function lookAtExpired(deps: Deps, found: LinkedOrder): Promise<boolean> {
  const { orderId, createdAtMs } = found.link;
  const standing = await ask(deps, found);
  if (standing.kind === 'paid') return end(deps, found.order, standing);
  const nowMs = deps.clock.now();
  const isOver = standing.kind === 'gone' || nowMs > createdAtMs + TASK_END_MS + GRACE_MS;
  await lookAgain(deps.store, orderId, isOver ? null : nowMs + LOOK_LATER_MS);
  return false;
}

/** Sends the stored payment once. Only a clear refusal allows another one; until then this one is sent again. */
async function present(deps: Deps, { link, order }: LinkedOrder): Promise<boolean> {
  const { store, clock, links, failpoint, log } = deps;
  const { orderId, header, taskId } = link;
  if (header === null || taskId === null)
    throw new Error(`the link of order ${orderId} is presented without a payment`);
  let isOver = false;
  const payable: Payable<PaidPayment> = {
    rules: CHARGES.payLink,
    sinceMs: null,
    clock,
    sendLimitMs: 0,
    channel: {
      async send() {
        const sent = await links.send(toTaskRequest(order), { taskId, header });
        failpoint?.('link.after-answer');
        return sent;
      },
    },
    // Any refusal ends the header, so neither its time nor a final failure is needed.
    isOver: async () => null,
    fail: () => Promise.reject(new Error(`the link of order ${orderId} failed by a payment`)),
    settle: async (paid) => void (isOver = await end(deps, order, paid)),
    async giveUp({ reason: refusal }) {
      log.info({ orderId, reason: refusal }, 'the payment of a link was refused');
      await reopenPayLink(store, orderId, { header, refusal });
      failpoint?.('link.after-refusal');
    },
    wait: () => lookAgain(store, orderId, clock.now() + LOOK_SOON_MS),
  };
  await presentCharge(payable, header);
  return isOver;
}

async function ask(deps: Deps, { link, order }: LinkedOrder): ReturnType<Tasks['ask']> {
  return link.taskId === null ? { kind: 'open' } : deps.links.ask(toTaskRequest(order), link.taskId);
}

async function end({ store, failpoint }: Deps, order: OrderRow, paid: PaidPayment): Promise<boolean> {
  const answer = { ...toOrderAnswer(order, paid), ...toPaidAmounts(order, paid) };
  const isOver = await endPaid(store, order.id, answer);
  failpoint?.('link.after-end');
  return isOver;
}
