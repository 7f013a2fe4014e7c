import { PAYMENT_AMOUNT_MAX, PAYMENT_AMOUNT_MIN } from '../../core/amounts.ts';
import { formatUsdc, type MicroUsdc } from '../../core/money.ts';
import { recipientName } from '../../core/receipt-text.ts';
import type { Recipient } from '../../core/recipients/recipient.ts';
import type { View } from '../../core/view.ts';
import type { OrderDraft } from '../../db/bot/orders.ts';
import type { CoreDeps } from './dependencies.ts';
import { decideFunding, type Funding } from './funding.ts';
import { parseCommand } from './grammar.ts';
import type { Origin, TextEvent } from './messenger.ts';
import { EXAMPLE_TIP, type Mistake } from './mistakes.ts';
import type { Tip } from './tip.ts';
import { privateView, tryCommand } from './views.ts';
import { balanceView, depositView, walletsView } from './wallet-views.ts';
import { withdrawConfirmView, withdrawHelpView } from './withdraw-views.ts';
import { heldWallet, type PersonWallet } from './wallets.ts';

/** A command is answered by a view at once, or by an order that somebody has to carry out. */
export type Reply = { kind: 'view'; view: View } | { kind: 'order'; draft: Omit<OrderDraft, 'messageId' | 'language'> };

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
    case 'help':
      return reply(helpView(deps));
    case 'unknown':
      return reply(privateView('error', [deps.texts.unknown()], [EXAMPLE_TIP, '/balance', '/help'].map(tryCommand)));
    case 'mistake':
      return reply(mistakeView(deps, command));
  }
}

const reply = (view: View): Reply => ({ kind: 'view', view });

function helpView({ texts, faucet }: CoreDeps): View {
  return privateView('ok', texts.help(faucet !== undefined), [EXAMPLE_TIP, '/balance', '/deposit'].map(tryCommand));
}

function mistakeView({ texts }: CoreDeps, mistake: Mistake): View {
  return privateView('error', [texts.mistake(mistake)], mistake.examples.map(tryCommand));
}

async function answerTip(deps: CoreDeps, event: TextEvent, tip: Tip): Promise<Reply> {
  const [recipient, ...more] = tip.recipients;
  // The one place that refuses several recipients; it goes when orders can use the batch route.
  if (more.length > 0) return reply(severalView(deps, tip));
  const wallet = await heldWallet(deps.store, event);
  const funding = await decideFunding(deps, wallet.walletId, tip.amount);
  const { amount } = funding;
  if (amount < PAYMENT_AMOUNT_MIN || amount > PAYMENT_AMOUNT_MAX) return reply(unfitView(deps, recipient, amount));
  const payment = { recipient, note: tip.note, wallet, funding };
  return { kind: 'order', draft: await draftOrder(deps, event, payment) };
}

function severalView({ texts }: CoreDeps, { recipients, amount }: Tip): View {
  const sum = amount.kind === 'exact' && amount.amount <= PAYMENT_AMOUNT_MAX ? formatUsdc(amount.amount) : '1';
  const examples = recipients.slice(0, 3).map((recipient) => `/tip ${recipientName(recipient)} ${sum}`);
  return privateView('error', [texts.severalNotYet()], examples.map(tryCommand));
}

/** Only `all` and `half` get here: a written amount was judged by the grammar. */
function unfitView({ texts }: CoreDeps, recipient: Recipient, amount: MicroUsdc): View {
  if (amount < PAYMENT_AMOUNT_MIN) return privateView('error', [texts.nothingToSend(amount)], [tryCommand('/deposit')]);
  const example = `/tip ${recipientName(recipient)} ${formatUsdc(PAYMENT_AMOUNT_MAX)}`;
  return privateView('error', [texts.tooMuchAtOnce(amount)], [tryCommand(example)]);
}

type Payment = { recipient: Recipient; note: string | null; wallet: PersonWallet; funding: Funding };

async function draftOrder(deps: CoreDeps, origin: Origin, { recipient, note, wallet, funding }: Payment) {
  const { transport, eventId, chatId, userId } = origin;
  const { paying, amount } = funding;
  const { walletId, name: walletName } = wallet;
  return {
    id: `order_${Buffer.from(deps.random(18)).toString('base64url')}`,
    transport,
    eventId,
    chatId,
    userId,
    walletId,
    walletName,
    network: paying.network,
    payerAddress: await paying.addressOf(walletId),
    route: `/payments/${recipient.platform}/pay`,
    body: { receiver: recipient.display, amount: formatUsdc(amount), ...(note === null ? {} : { description: note }) },
    recipient: recipientName(recipient),
    amountMicroUsdc: amount,
    createdAtMs: deps.clock.now(),
  };
}
