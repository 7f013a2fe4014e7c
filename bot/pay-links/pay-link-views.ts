import { microUsdc } from '../../core/money.ts';
import type { Action, View } from '../../core/view.ts';
import type { OrderRow } from '../../db/tips/orders.ts';
import type { CoreDeps } from '../conversation/dependencies.ts';
import { findNetwork } from '../shared/networks.ts';
import { missingView } from '../tips/order-views.ts';
import { LINK_MINUTES } from './pay-link.ts';
import { totalFor } from '../shared/terms.ts';
import { privateView } from '../conversation/views.ts';

/** The order with an address at which anyone can pay it: money is missing, or the person asked for that. */
export async function payLinkView(deps: CoreDeps, order: OrderRow, url: string): Promise<View> {
  const { texts } = deps;
  const { pinned } = findNetwork(deps.networks, order.network) ?? deps.networks[0];
  const total = totalFor(microUsdc(order.amountMicroUsdc), pinned);
  const link: Action = { kind: 'link', label: texts.payByLink(total), url };
  const isAsked = order.viaLink === true;
  const offer = texts.linkOffer({ total, recipient: order.recipient, minutes: LINK_MINUTES, isAsked });
  if (isAsked) return privateView('ok', [offer], [link]);
  const missing = await missingView(deps, order);
  return { ...missing, paragraphs: [...missing.paragraphs, offer], actions: [link, ...missing.actions] };
}
