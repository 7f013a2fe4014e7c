import { sameAddress } from '../../core/networks.ts';
import { createHash } from 'node:crypto';
import { extraMax, RESERVED_AFTER_MS, TASK_LIFE_MS } from '../../core/tasks.ts';
import { microUsdc, type MicroUsdc } from '../../core/money.ts';
import type { OrderRow } from '../../db/tips/orders.ts';
import {
  addPayLinkKey,
  countUnpaidTasks,
  findPayLink,
  keepTask,
  linkOrder,
  type LinkedOrder,
} from '../../db/pay-links/pay-links.ts';
import type { PayLinkTerms, PayLinkTransfer } from '../../db/tables/bot.ts';
import { readChallenge } from '../../core/payments/challenge.ts';
import { toHeader } from '../../core/payments/x402.ts';
import { skillOf, type TaskRequest, type OpenedTask, type TransferWanted } from '../../client/tasks.ts';
import { readHoldings } from '../paying/balance.ts';
import type { CoreDeps } from '../conversation/dependencies.ts';
import type { PayingNetwork } from '../shared/networks.ts';
import { openLinkTask } from './pay-link-opening.ts';
import { checkTerms, totalFor, recipientsIn } from '../shared/terms.ts';

/** How long the page lets people pay: less than a task stands open, so that what is sent in time finds it. */
export const LINK_MINUTES = 30;
const LINK_MS = LINK_MINUTES * 60_000;
/** A transfer of the last minute may still be on its way to being safe. */
export const GRACE_MS = 10 * 60_000;
/** From then on nobody can pay the task any more. */
export const TASK_END_MS = TASK_LIFE_MS + RESERVED_AFTER_MS;

/** Whether an order can be paid by a link here. */
export function isLinkable(deps: Pick<CoreDeps, 'links'>, order: Pick<OrderRow, 'route'>): boolean {
  return deps.links !== undefined && skillOf(order) !== null;
}

/**
 * Lets a priced order wait for a payment by link, where its person wanted that or lacks the money. False where the bot
 * pays as usual. Called before anything is signed: a signed payment could land beside the link's.
 */
export async function linkInstead(deps: CoreDeps, order: OrderRow, total: MicroUsdc): Promise<boolean> {
  if (order.viaLink === false || !isLinkable(deps, order)) return false;
  if (order.viaLink !== true && !(await isShort(deps, order, total))) return false;
  const nowMs = deps.clock.now();
  const isLinked = await linkOrder(deps.store, order.id, { untilMs: nowMs + LINK_MS, nowMs });
  deps.failpoint?.('link.after-store');
  return isLinked;
}

/** Only what is known counts: where a network does not answer, the API decides. */
async function isShort(
  deps: Pick<CoreDeps, 'networks' | 'log'>,
  { walletId }: OrderRow,
  total: MicroUsdc,
): Promise<boolean> {
  try {
    const holdings = await readHoldings(deps, walletId);
    return holdings.every(({ amount }) => amount !== null && amount < total);
  } catch {
    // None of them answered; the log has the reasons.
    return false;
  }
}

/** An address that opens the link. Each is a new one: only a hash of it is stored. */
export async function newPayLinkUrl(
  { store, random, publicUrl }: Pick<CoreDeps, 'store' | 'random' | 'publicUrl'>,
  orderId: string,
): Promise<string> {
  const key = Buffer.from(random(24)).toString('base64url');
  await addPayLinkKey(store, payLinkKeyId(key), orderId);
  return `${publicUrl}/pay/${key}`;
}

export function payLinkKeyId(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}

/**
 * Each task reserves its own amount for a week, and near one price there are some thousands of amounts for everyone.
 */
const UNPAID_MAX = 50;

export type Ready =
  | { kind: 'ready'; taskId: string; terms: PayLinkTerms }
  /** Why nobody can pay it: a reason of the API's, or one of ours. */
  | { kind: 'refused'; reason: string };

/**
 * Opens the task behind a link for the first visitor who wants to pay, so a link that is only read reserves nothing.
 * Its terms are compared with the pinned ones, as before every signature of our own.
 */
export async function readyTask(deps: CoreDeps, { link, order }: LinkedOrder): Promise<Ready> {
  if (link.taskId !== null && link.terms !== null) return { kind: 'ready', taskId: link.taskId, terms: link.terms };
  if (!deps.links) return { kind: 'refused', reason: 'network_off' };
  const sinceMs = deps.clock.now() - TASK_END_MS;
  // A few more may slip in at the same moment, which does no harm: there are thousands of amounts.
  if ((await countUnpaidTasks(deps.store, order.userId, sinceMs)) >= UNPAID_MAX) {
    return { kind: 'refused', reason: 'too_many_links' };
  }
  const { answer: opened, networks } = await openLinkTask(deps, deps.links, order);
  deps.failpoint?.('link.after-open');
  if (opened.kind !== 'opened') {
    return { kind: 'refused', reason: opened.kind === 'refused' ? opened.reason : 'unreachable' };
  }
  const terms = checkTask(deps, order, opened.task, networks);
  if (terms === null) return { kind: 'refused', reason: 'price_not_agreed' };
  await keepTask(deps.store, order.id, { taskId: opened.task.taskId, terms, nowMs: deps.clock.now() });
  deps.failpoint?.('link.after-keep');
  const kept = await findPayLink(deps.store, order.id);
  if (!kept?.link.taskId || !kept.link.terms) throw new Error(`the link of order ${order.id} has lost its task`);
  return { kind: 'ready', taskId: kept.link.taskId, terms: kept.link.terms };
}

export function toTaskRequest({ route, body }: OrderRow): TaskRequest {
  return { route, body };
}

/**
 * Null where anything differs from what the chat has shown, or from what this installation is known to ask for. Transfers
 * are taken on `networks` only.
 */
function checkTask(
  deps: Pick<CoreDeps, 'networks' | 'log'>,
  order: OrderRow,
  task: OpenedTask,
  networks: readonly PayingNetwork[],
): PayLinkTerms | null {
  const challenge = readChallenge(toHeader(task.required));
  const amount = microUsdc(order.amountMicroUsdc);
  const agreed =
    challenge !== null &&
    deps.networks.every(({ pinned }) => {
      return checkTerms(challenge, amount, pinned, recipientsIn(order.body)).kind === 'agreed';
    });
  const transfers = task.transfers.map((wanted) => toTransfer(deps.networks, amount, wanted));
  if (agreed && !transfers.includes(null)) {
    const isUp = (one: PayLinkTransfer) => networks.some(({ network }) => network === one.network);
    return { required: task.required, transfers: transfers.filter((one) => one !== null).filter(isUp) };
  }
  deps.log.error({ orderId: order.id, taskId: task.taskId }, 'the terms of a task were refused');
  return null;
}

/** The amount is the task's own, a little above the price; nobody has agreed to anything beyond that. */
function toTransfer(
  networks: readonly PayingNetwork[],
  amount: MicroUsdc,
  wanted: TransferWanted,
): PayLinkTransfer | null {
  const paying = networks.find(({ pinned }) => isNamed(pinned, wanted.network));
  if (!paying) return null;
  const { network, pinned, taskAddresses = [] } = paying;
  const isOurs = (address: string) => sameAddress(network, wanted.recipient, address);
  if (taskAddresses.length > 0 && !taskAddresses.some(isOurs)) return null;
  const total = totalFor(amount, pinned);
  const sent = BigInt(wanted.amount);
  const isAgreed = wanted.price === total.toString() && sent > total && sent <= total + extraMax(total);
  if (!isAgreed || !sameAddress(network, wanted.token, pinned.asset)) return null;
  return { network, address: wanted.recipient, amountMicroUsdc: wanted.amount };
}

/** Whether a task means this network: our API writes the alias where there is one. */
function isNamed({ caip2, aliases }: PayingNetwork['pinned'], name: string): boolean {
  return caip2 === name || aliases.includes(name);
}
