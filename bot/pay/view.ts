import { shownAddress } from '../../chain/shown-address.ts';
import { formatUsdc, microUsdc, type MicroUsdc } from '../../core/money.ts';
import { networkTitle, type Network } from '../../core/networks.ts';
import { maskEmail } from '../../core/platforms/email.ts';
import type { LinkedOrder } from '../../db/pay-links/pay-links.ts';
import { findNetwork } from '../shared/networks.ts';
import { totalFor } from '../shared/terms.ts';
import type { PayPagesDeps } from './dependencies.ts';
import { transferCode, type TransferCode } from './transfer-code.ts';

export type Receiver = { name: string; amount: MicroUsdc; receiptUrl: string | null };
export type Transfer = { place: string; address: string; amountText: string; code: TransferCode };

/** What the page shows of a link: whom it pays and how. Whose link it is stays out, because anyone may hold it. */
export type PayView = {
  /** `waiting`: a reward that too few have confirmed yet. */
  state: 'open' | 'waiting' | 'paying' | 'paid' | 'expired';
  total: MicroUsdc;
  fee: MicroUsdc;
  /** For a sentence: one name, or the number of people. */
  recipient: string;
  /** A reward, and whose post it is for; null for an order. */
  rewardFor: string | null;
  receivers: readonly Receiver[];
  /** Those who are not named here. */
  moreReceivers: number;
  note: string | null;
  /** Where all of them are listed, with what has become of each share. */
  detailsUrl: string | null;
  untilMs: number;
  /** Null until a payer asks for a transfer; empty where no transfer can pay. */
  transfers: Transfer[] | null;
  refusal: string | null;
};

/** `isArriving`: a transfer has landed and is not safe yet, so it only looks unpaid. */
export function toPayView(
  deps: Pick<PayPagesDeps, 'networks' | 'clock'>,
  { link, order }: LinkedOrder,
  isArriving = false,
): PayView {
  const amount = microUsdc(order.amountMicroUsdc);
  const { pinned } = findNetwork(deps.networks, order.network) ?? deps.networks[0];
  // Once it is paid, what came is what it cost.
  const paid = order.status === 'answered' ? order.totalMicroUsdc : null;
  const total = paid === null ? totalFor(amount, pinned) : microUsdc(paid);
  const receivers = receiversOf({ link, order });
  const note = order.body['description'];
  return {
    state: isArriving ? 'paying' : stateOf(deps, link),
    total,
    fee: microUsdc(total - amount),
    recipient: mask(order.recipient),
    rewardFor: null,
    receivers: receivers.length > 0 ? receivers : [{ name: mask(order.recipient), amount, receiptUrl: order.receipt }],
    moreReceivers: 0,
    note: typeof note === 'string' ? note : null,
    detailsUrl: null,
    untilMs: link.untilMs,
    transfers: link.terms && link.terms.transfers.map((wanted) => toTransfer(deps, wanted)),
    refusal: link.refusal,
  };
}

function stateOf({ clock }: Pick<PayPagesDeps, 'clock'>, { status, untilMs }: LinkedOrder['link']): PayView['state'] {
  switch (status) {
    case 'open':
      return clock.now() < untilMs ? 'open' : 'expired';
    case 'presented':
      return 'paying';
    case 'paid':
    case 'expired':
      return status;
  }
}

function receiversOf({ order }: LinkedOrder): Receiver[] {
  return (order.lines ?? []).map(({ recipient, amountMicroUsdc }, index) => ({
    name: mask(recipient),
    amount: microUsdc(BigInt(amountMicroUsdc)),
    receiptUrl: order.results?.[index]?.receipt ?? null,
  }));
}

type Wanted = { network: Network; address: string; amountMicroUsdc: string };

function toTransfer(deps: Pick<PayPagesDeps, 'networks'>, { network, address, amountMicroUsdc }: Wanted): Transfer {
  const pinned = findNetwork(deps.networks, network)?.pinned ?? null;
  const amountText = formatUsdc(microUsdc(BigInt(amountMicroUsdc)));
  const place = networkTitle(network, pinned?.caip2 ?? null);
  return { place, address: shownAddress(address), amountText, code: transferCode(pinned, { address, amountText }) };
}

/** Anyone may get hold of the link. */
function mask(name: string): string {
  return /^[^\s:@]+@[^\s@]+$/.test(name) ? maskEmail(name) : name;
}
