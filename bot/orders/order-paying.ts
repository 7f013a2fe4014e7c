import { prepareCharge, presentCharge, type OwnPayable, type Payable, type Step } from '../../client/charge.ts';
import type { Channel } from '../../client/channel.ts';
import type { PaidPayment } from '../../client/payments.ts';
import { CHARGES, isFresh } from '../../core/payments/charge.ts';
import type { Challenge } from '../../core/payments/challenge.ts';
import { microUsdc } from '../../core/money.ts';
import type { View } from '../../core/view.ts';
import { markLinkUnshown } from '../../db/pay-links/pay-links.ts';
import {
  findOrder,
  markAnswered,
  markFailed,
  markPriced,
  markSigned,
  noteNews,
  reopenOrder,
  type OrderRow,
} from '../../db/tips/orders.ts';
import type { Store } from '../../db/store/store.ts';
import type { CoreDeps } from '../conversation/dependencies.ts';
import { inPublic } from '../conversation/speech.ts';
import { watchEnd } from '../paying/header-end.ts';
import { signHeader, type ToSign } from '../paying/header-signing.ts';
import { findNetwork } from '../shared/networks.ts';
import { toOrderAnswer } from '../tips/order-answer.ts';
import { payingLaterView, payingView, priceView, stillPayingView } from '../tips/order-views.ts';
import { linkInstead } from '../pay-links/pay-link.ts';
import { checkTerms, isOfferedOn, isWithin, unaskedIn } from '../shared/terms.ts';
import type { WalletTurns } from '../paying/wallet-turns.ts';

/** Within the life of a header. */
export const SEND_LIMIT_MS = 180_000;

/** Price, check, signature: drafted → priced → signed. */
export function prepareOrder(deps: CoreDeps, turns: WalletTurns, order: OrderRow): Promise<Step> {
  const { store, failpoint } = deps;
  const paying = findNetwork(deps.networks, order.network);
  const own: OwnPayable<PaidPayment, ToSign> = {
    ...payableOf(deps, order),
    obstacle: paying === null ? 'network_off' : null,
    isOffered: isOfferedOn(paying),
    onAsking: () => showStep(deps, order, priceView(inPublic(deps).texts)),
    agree: (challenge) => (paying === null ? null : agreeOnOrder(deps, order, { challenge, pinned: paying.pinned })),
    async allow({ agreed: { total } }, sign) {
      const priced = await markPriced(store, order.id, total);
      // Another process moved the order on. The next step reads where it is now.
      if (priced === 'elsewhere') return;
      if (priced !== 'priced') return void (await markFailed(store, order.id, 'unsigned', priced));
      failpoint?.('order.after-price');
      await turns.take(deps, order, total, async () => {
        const isWanted = isFresh(CHARGES.order, order.createdAtMs, deps.clock.now());
        if (isWanted && (await linkInstead(deps, order, total))) return;
        await sign();
      });
    },
    sign: (toSign) => signHeader(deps, order, toSign),
    async keep({ header, end }) {
      await markSigned(store, order.id, header, end);
      failpoint?.('order.after-sign');
    },
  };
  return prepareCharge(own);
}

/** Sends the stored header. While its fate is open, the order stays `signed` until it is resumed. */
export async function sendOrder(deps: CoreDeps, order: OrderRow): Promise<Step> {
  if (order.header === null) throw new Error(`order ${order.id} is signed and has no header`);
  await showStep(deps, order, payingView(inPublic(deps).texts, order));
  return presentCharge(payableOf(deps, order), order.header);
}

function payableOf(deps: CoreDeps, order: OrderRow): Payable<PaidPayment> & { channel: Channel<PaidPayment> } {
  const { store, clock, payments, log } = deps;
  const { texts } = inPublic(deps);
  const { id, route, body, createdAtMs: sinceMs } = order;
  const payer = order.payerAddress;
  const end = watchEnd(deps, order);
  return {
    rules: CHARGES.order,
    sinceMs,
    channel: payments.channel({ id, route, body, payer }),
    clock,
    sendLimitMs: SEND_LIMIT_MS,
    onWaiting: () => showStep(deps, order, stillPayingView(texts, order)),
    isOver: end.isOver,
    async settle(paid) {
      const lines = paid.lines.map(({ txnId }) => txnId);
      deps.failpoint?.('order.after-answer', { sinceMs, network: order.network, lines });
      await markAnswered(store, id, toOrderAnswer(order, paid));
    },
    async fail({ reason, line }) {
      const from = order.status === 'signed' ? 'signed' : 'unsigned';
      await markFailed(store, id, from, reason, line);
    },
    async giveUp() {
      const past = end.past();
      if (order.header !== null && past !== null) await reopenOrder(store, id, order.header, past);
    },
    async wait(why) {
      if (why === 'open') log.warn({ orderId: id }, 'payment still open; the same header will be sent again');
      await showStep(deps, order, payingLaterView(texts, order));
    },
  };
}

function agreeOnOrder(
  { log }: Pick<CoreDeps, 'log'>,
  order: OrderRow,
  { challenge, pinned }: { challenge: Challenge } & Pick<ToSign, 'pinned'>,
): ToSign | null {
  const agreed = checkTerms(challenge, microUsdc(order.amountMicroUsdc), pinned, unaskedIn(order.body));
  if (agreed.kind === 'agreed') {
    if (isWithin(order, agreed.total)) return { pinned, challenge, agreed };
    log.info({ orderId: order.id, total: agreed.total, agreedTo: order.agreedMicroUsdc }, 'price has risen');
    return null;
  }
  log.error({ orderId: order.id, found: agreed.found, wanted: agreed.wanted }, 'price refused');
  return null;
}

/**
 * A step on the way. A process that was stopped may come to it long after another one has shown how the order ended, or its
 * pay link: then it is left out, and where both show something in the same moment, what is newer is shown once more.
 */
async function showStep(deps: CoreDeps, order: OrderRow, view: View): Promise<void> {
  const { store } = deps;
  const read = async () => (await findOrder(store, order.id))?.status;
  if (!isOnItsWay(await read())) return;
  await showOrder(deps, order, view);
  await showOvertaken(store, order.id);
}

/** For a caller that has just written over the order's message: the end or the pay link that it has by now is shown once more. */
export async function showOvertaken(store: Store, id: string): Promise<void> {
  const now = (await findOrder(store, id))?.status;
  if (isOnItsWay(now)) return;
  if (now === 'linked') await markLinkUnshown(store, id);
  else await noteNews(store, id, ['answered', 'failed']);
}

const isOnItsWay = (status: OrderRow['status'] | undefined) =>
  status === 'drafted' || status === 'priced' || status === 'signed';

export async function showOrder(deps: Pick<CoreDeps, 'messengers'>, order: OrderRow, view: View): Promise<void> {
  const messenger = deps.messengers[order.transport];
  if (!messenger) throw new Error(`no messenger for the transport ${order.transport}`);
  await messenger.edit(order.chatId, order.messageId, view);
}
