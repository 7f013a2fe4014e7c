import { PAYMENT_AMOUNT_MAX, PAYMENT_AMOUNT_MIN } from '../../core/amounts.ts';
import { formatUsdc, type MicroUsdc } from '../../core/money.ts';
import { recipientName } from '../../core/receipt-text.ts';
import type { Recipient } from '../../core/recipients/recipient.ts';
import type { View } from '../../core/view.ts';
import { claimView, linkView } from './claim.ts';
import type { CoreDeps } from './dependencies.ts';
import { decideFunding } from './funding.ts';
import { parseCommand } from './grammar.ts';
import { helpView } from './help.ts';
import { historyView } from './history.ts';
import { languageView } from './language.ts';
import type { TextEvent } from './messenger.ts';
import { mistakeView } from './mistake-view.ts';
import { EXAMPLE_TIP } from './mistakes.ts';
import { shownName } from './names.ts';
import { draftOrder, type Draft } from './order-draft.ts';
import { privacyView } from './privacy.ts';
import { refuseRecipient } from './refused-recipient.ts';
import { proposeSeveral } from './several.ts';
import { tippedMessageOf } from './summary.ts';
import type { Tip } from './tip.ts';
import { privateView, tryCommand } from './views.ts';
import { balanceView, depositView, walletsView } from './wallet-views.ts';
import { withdrawConfirmView, withdrawHelpView } from './withdraw-views.ts';
import { heldWallet } from './wallets.ts';

/** A command is answered by a view at once, or by an order that somebody has to carry out. */
export type Reply =
  | { kind: 'view'; view: View }
  | { kind: 'order'; draft: Draft }
  /** An order that its payer has to agree to first. */
  | { kind: 'proposal'; draft: Draft };

export async function answerCommand(deps: CoreDeps, event: TextEvent): Promise<Reply> {
  const command = parseCommand(event.text, event.context);
  switch (command.kind) {
    case 'tip':
      return answerTip(deps, event, command);
    case 'balance':
      return reply(await balanceView(deps, event));
    case 'deposit':
      return reply(await depositView(deps, event));
    case 'wallet':
      return reply(await walletsView(deps, event));
    case 'withdraw':
      return reply(await withdrawConfirmView(deps, event, command));
    case 'withdraw_help':
      return reply(withdrawHelpView(deps));
    case 'history':
      return reply(await historyView(deps, event));
    case 'language':
      return reply(await languageView(deps, event, command.choice));
    case 'claim':
      return reply(await claimView(deps, event, command.choice));
    case 'link':
      return reply(await linkView(deps, event, command.choice));
    case 'privacy':
      return reply(await privacyView(deps, event));
    case 'help':
      return reply(helpView(deps, command.topic ?? null));
    case 'unknown':
      return reply(privateView('error', [deps.texts.unknown()], [EXAMPLE_TIP, '/balance', '/help'].map(tryCommand)));
    case 'mistake':
      return reply(mistakeView(deps, command));
  }
}

const reply = (view: View): Reply => ({ kind: 'view', view });

async function answerTip(deps: CoreDeps, event: TextEvent, tip: Tip): Promise<Reply> {
  const refused = await refuseRecipient(deps, event, tip);
  if (refused) return reply(refused);
  const [recipient, ...more] = tip.recipients;
  if (more.length > 0) return proposeSeveral(deps, event, tip);
  const wallet = await heldWallet(deps.store, event);
  const funding = await decideFunding(deps, wallet.walletId, tip.amount);
  const { amount } = funding;
  if (amount < PAYMENT_AMOUNT_MIN || amount > PAYMENT_AMOUNT_MAX) return reply(unfitView(deps, recipient, amount));
  const note = tip.note === null ? {} : { description: tip.note };
  const draft = await draftOrder(deps, event, {
    route: `/payments/${recipient.platform}/pay`,
    body: { receiver: recipient.display, amount: formatUsdc(amount), ...note },
    recipient: shownName(event, recipient),
    wallet,
    funding,
  });
  return { kind: 'order', draft: { ...draft, tippedMessageId: tippedMessageOf(deps, event, recipient) } };
}

/** Only `all` and `half` get here: a written amount was judged by the grammar. */
function unfitView({ texts }: CoreDeps, recipient: Recipient, amount: MicroUsdc): View {
  if (amount < PAYMENT_AMOUNT_MIN) return privateView('error', [texts.nothingToSend(amount)], [tryCommand('/deposit')]);
  const example = `/tip ${recipientName(recipient)} ${formatUsdc(PAYMENT_AMOUNT_MAX)}`;
  return privateView('error', [texts.tooMuchAtOnce(amount)], [tryCommand(example)]);
}
