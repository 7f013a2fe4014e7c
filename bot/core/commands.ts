import { PAYMENT_AMOUNT_MAX, PAYMENT_AMOUNT_MIN } from '../../core/amounts.ts';
import { formatUsdc, microUsdc, type MicroUsdc } from '../../core/money.ts';
import { recipientName } from '../../core/receipt-text.ts';
import type { Recipient } from '../../core/recipients/recipient.ts';
import type { View } from '../../core/view.ts';
import type { OrderDraft } from '../../db/bot/orders.ts';
import { readBalance } from './balance.ts';
import { newButton } from './buttons.ts';
import type { CoreDeps } from './dependencies.ts';
import type { AmountForm } from './grammar-amount.ts';
import { parseCommand } from './grammar.ts';
import type { Origin, TextEvent } from './messenger.ts';
import { EXAMPLE_TIP, type Mistake } from './mistakes.ts';
import type { PinnedTerms } from './terms.ts';
import type { Tip } from './tip.ts';
import { privateView, tryCommand } from './views.ts';

/** A command is answered by a view at once, or by an order that somebody has to carry out. */
export type Reply = { kind: 'view'; view: View } | { kind: 'order'; draft: Omit<OrderDraft, 'messageId'> };

export async function answerCommand(deps: CoreDeps, event: TextEvent): Promise<Reply> {
  const command = parseCommand(event.text, event.context);
  switch (command.kind) {
    case 'tip':
      return answerTip(deps, event, command);
    case 'balance':
      return reply(await balanceView(deps, event));
    case 'deposit':
      return reply(await depositView(deps, event));
    case 'help':
      return reply(helpView(deps));
    case 'unknown':
      return reply(privateView('error', [deps.texts.unknown()], [EXAMPLE_TIP, '/balance', '/help'].map(tryCommand)));
    case 'mistake':
      return reply(mistakeView(deps, command));
  }
}

const reply = (view: View): Reply => ({ kind: 'view', view });

async function balanceView(deps: CoreDeps, { walletId }: Origin): Promise<View> {
  const balance = await readBalance(deps, await deps.wallets.addressOf(walletId));
  const next = balance === 0n ? '/deposit' : EXAMPLE_TIP;
  return privateView('ok', [deps.texts.balance(balance, deps.faucet !== undefined)], [tryCommand(next)]);
}

async function depositView(deps: CoreDeps, { walletId, userId }: Origin): Promise<View> {
  const { texts } = deps;
  const address = await deps.wallets.addressOf(walletId);
  if (!deps.faucet) return privateView('ok', texts.deposit(address), [tryCommand('/balance')]);
  const button = await newButton(deps, userId, 'take_play_money', texts.getPlayMoney());
  return privateView('ok', texts.playDeposit(address), [button]);
}

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
  const payerAddress = await deps.wallets.addressOf(event.walletId);
  const amount = await decideAmount(deps, payerAddress, tip.amount);
  if (amount < PAYMENT_AMOUNT_MIN || amount > PAYMENT_AMOUNT_MAX) return reply(unfitView(deps, recipient, amount));
  return { kind: 'order', draft: draftOrder(deps, event, { recipient, amount, note: tip.note, payerAddress }) };
}

function severalView({ texts }: CoreDeps, { recipients, amount }: Tip): View {
  const sum = amount.kind === 'exact' && amount.amount <= PAYMENT_AMOUNT_MAX ? formatUsdc(amount.amount) : '1';
  const examples = recipients.slice(0, 3).map((recipient) => `/tip ${recipientName(recipient)} ${sum}`);
  return privateView('error', [texts.severalNotYet()], examples.map(tryCommand));
}

/** `all` and `half` are decided once, here, from what the wallet holds now; the order then has a plain amount. */
async function decideAmount(deps: CoreDeps, address: string, form: AmountForm): Promise<MicroUsdc> {
  if (form.kind === 'exact') return form.amount;
  const balance = await readBalance(deps, address);
  const all = largestAmount(balance, deps.pinned);
  return form.kind === 'all' ? all : microUsdc(all / 2n);
}

/** The largest amount that a balance pays for together with its fee: rounding the fee up stays within what is cut here. */
function largestAmount(balance: MicroUsdc, pinned: PinnedTerms): MicroUsdc {
  if (balance <= pinned.feeFlat) return microUsdc(0n);
  return microUsdc(((balance - pinned.feeFlat) * 10_000n) / BigInt(10_000 + pinned.feeBps));
}

/** Only `all` and `half` get here: a written amount was judged by the grammar. */
function unfitView({ texts }: CoreDeps, recipient: Recipient, amount: MicroUsdc): View {
  if (amount < PAYMENT_AMOUNT_MIN) return privateView('error', [texts.nothingToSend(amount)], [tryCommand('/deposit')]);
  const example = `/tip ${recipientName(recipient)} ${formatUsdc(PAYMENT_AMOUNT_MAX)}`;
  return privateView('error', [texts.tooMuchAtOnce(amount)], [tryCommand(example)]);
}

type Payment = { recipient: Recipient; amount: MicroUsdc; note: string | null; payerAddress: string };

function draftOrder(deps: CoreDeps, origin: Origin, { recipient, amount, note, payerAddress }: Payment) {
  const { transport, eventId, chatId, userId, walletId } = origin;
  return {
    id: `order_${Buffer.from(deps.random(18)).toString('base64url')}`,
    transport,
    eventId,
    chatId,
    userId,
    walletId,
    payerAddress,
    route: `/payments/${recipient.platform}/pay`,
    body: { receiver: recipient.display, amount: formatUsdc(amount), ...(note === null ? {} : { description: note }) },
    recipient: recipientName(recipient),
    amountMicroUsdc: amount,
    createdAtMs: deps.clock.now(),
  };
}
