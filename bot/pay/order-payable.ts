import { microUsdc } from '../../core/money.ts';
import { readChallenge } from '../../core/payments/challenge.ts';
import { toHeader } from '../../core/payments/x402.ts';
import { isBanned } from '../../db/communities/community-bans.ts';
import { openPayLink, presentPayment, type LinkedOrder } from '../../db/pay-links/pay-links.ts';
import { isTransferArriving } from '../../db/tasks/arriving.ts';
import { findNetwork } from '../shared/networks.ts';
import { payLinkKeyId, readyTask } from '../pay-links/pay-link.ts';
import { checkTerms, recipientsIn } from '../shared/terms.ts';
import type { Payer, PayPagesDeps } from './dependencies.ts';
import type { Payable, Priced, Refused } from './payable.ts';
import { toPayView } from './view.ts';

/** An open page asks early, but not more often than a person would notice. */
const LOOK_AHEAD_MS = 3_500;
const KEY = /^[\w-]{32}$/;

/** The order of a pay link; null for a key that never was. */
export async function findOrderPayable(deps: PayPagesDeps, key: string): Promise<Payable | null> {
  const found = KEY.test(key) ? await openPayLink(deps.store, payLinkKeyId(key)) : null;
  if (found === null) return null;
  const { link, order } = found;
  return {
    path: `/pay/${key}`,
    language: order.language,
    amount: microUsdc(order.amountMicroUsdc),
    view: async () => toPayView(deps, found, await isArriving(deps, link)),
    refusal: () => findRefusal(deps, found),
    price: (payer) => askPrice(deps, found, payer),
    async present(header) {
      deps.failpoint?.('link.before-present');
      const isFirst = await presentPayment(deps.store, order.id, { header, nowMs: deps.clock.now() });
      deps.failpoint?.('link.after-present');
      return isFirst;
    },
    run: () => void deps.payLinks.run(order.id),
    // While the page is open, nothing else would ask how far the payment is.
    recordView() {
      const dueMs = link.nextLookAtMs ?? Infinity;
      if (link.taskId !== null && dueMs - LOOK_AHEAD_MS <= deps.clock.now()) void deps.payLinks.run(order.id);
    },
    openTransfer: () => openTransfer(deps, found),
  };
}

/** Only while the link is open: a payer who comes too late is told so, and signs nothing. */
async function findRefusal(
  deps: Pick<PayPagesDeps, 'clock' | 'store'>,
  { link, order }: LinkedOrder,
): Promise<string | null> {
  const isTaken = link.status === 'presented' || link.status === 'paid' || (await isArriving(deps, link));
  if (isTaken) return 'order_in_progress';
  const isOpen = link.status === 'open' && deps.clock.now() < link.untilMs;
  // The moderators may have changed the rules since the link was made.
  return isOpen && !(await isShutOut(deps, order)) ? null : 'link_over';
}

/** A transfer is sent and the chain needs some time: meanwhile nobody may pay in another way. */
async function isArriving(
  { store }: Pick<PayPagesDeps, 'store'>,
  { status, taskId }: LinkedOrder['link'],
): Promise<boolean> {
  return status === 'open' && taskId !== null && isTransferArriving(store, taskId);
}

async function isShutOut(
  { store }: Pick<PayPagesDeps, 'store'>,
  { transport, communityId, userId }: LinkedOrder['order'],
) {
  return communityId !== null && isBanned(store, { transport, communityId, userId });
}

async function askPrice(deps: PayPagesDeps, found: LinkedOrder, payer: Payer): Promise<Priced | Refused> {
  const task = await readyTask(deps, found);
  if (task.kind === 'refused') return task;
  const { order } = found;
  const paying = findNetwork(deps.networks, payer.network);
  const challenge = readChallenge(toHeader(task.terms.required));
  const agreed =
    paying &&
    challenge &&
    checkTerms(challenge, microUsdc(order.amountMicroUsdc), paying.pinned, recipientsIn(order.body));
  // This network is off by now, or asks for something that we do not know.
  if (!challenge || agreed?.kind !== 'agreed') return { kind: 'refused', reason: 'price_not_agreed' };
  const { total, terms } = agreed;
  return { kind: 'priced', asked: { ...payer, paymentId: order.id, total, terms, challenge } };
}

async function openTransfer(deps: PayPagesDeps, found: LinkedOrder): Promise<{ kind: 'ready' } | Refused> {
  const task = await readyTask(deps, found);
  return task.kind === 'refused' ? task : { kind: 'ready' };
}
