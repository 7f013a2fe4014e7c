import { PAYMENT_AMOUNT_MAX, PAYMENT_AMOUNT_MIN } from '../../core/amounts.ts';
import type { Tip } from '../../core/grammar/tip.ts';
import { formatUsdc, type MicroUsdc } from '../../core/money.ts';
import { recipientName } from '../../core/platforms/recipient-name.ts';
import type { Recipient } from '../../core/platforms/recipient.ts';
import type { View } from '../../core/view.ts';
import type { CoreDeps } from '../conversation/dependencies.ts';
import { privateView, tryCommand } from '../conversation/views.ts';
import { tippedMessageOf } from '../orders/summary.ts';
import { decideFunding } from '../paying/funding.ts';
import type { TextEvent } from '../shared/messenger.ts';
import { shownName } from '../shared/names.ts';
import { heldWallet } from '../shared/wallets.ts';
import { asksFirst } from '../tips/caps-card.ts';
import { draftOrder, type Draft } from '../tips/order-draft.ts';

/** An order to carry out, or one that its payer has to agree to first; otherwise a view. */
export type Drafted = { kind: 'order' | 'proposal'; draft: Draft } | { kind: 'view'; view: View };

export async function draftTip(deps: CoreDeps, event: TextEvent, tip: Tip): Promise<Drafted> {
  const [recipient] = tip.recipients;
  const wallet = await heldWallet(deps, event);
  const funding = await decideFunding(deps, wallet.walletId, tip.amount);
  const { amount } = funding;
  if (amount < PAYMENT_AMOUNT_MIN || amount > PAYMENT_AMOUNT_MAX)
    return { kind: 'view', view: unfitView(deps, recipient, amount) };
  const note = tip.note === null ? {} : { description: tip.note };
  const draft = await draftOrder(deps, event, {
    route: `/payments/${recipient.platform}/pay`,
    body: { receiver: recipient.display, amount: formatUsdc(amount), ...note },
    recipient: shownName(event, recipient),
    wallet,
    funding,
  });
  // The page of a link shows whom it is for before anyone pays.
  const kind = !tip.viaLink && (await asksFirst(deps, event, { recipient, amount })) ? 'proposal' : 'order';
  return { kind, draft: { ...draft, tippedMessageId: tippedMessageOf(deps, event, recipient) } };
}

/** Only `all` and `half` get here: a written amount was judged by the grammar. */
function unfitView({ texts }: Pick<CoreDeps, 'texts'>, recipient: Recipient, amount: MicroUsdc): View {
  if (amount < PAYMENT_AMOUNT_MIN) return privateView('error', [texts.nothingToSend(amount)], [tryCommand('/deposit')]);
  const example = `/tip ${recipientName(recipient)} ${formatUsdc(PAYMENT_AMOUNT_MAX)}`;
  return privateView('error', [texts.tooMuchAtOnce(amount)], [tryCommand(example)]);
}
