import { microUsdc, type MicroUsdc } from '../../core/money.ts';
import { findPlatform } from '../../core/platforms/platforms.ts';
import { recipientName } from '../../core/platforms/recipient-name.ts';
import { profileUrl } from '../../core/platforms/profile-url.ts';
import { formatRecipient, type Recipient } from '../../core/platforms/recipient.ts';
import type { Action, View } from '../../core/view.ts';
import { isKnownRecipient, rememberRecipients } from '../../db/tips/known-recipients.ts';
import type { OrderRow } from '../../db/tips/orders.ts';
import { walletLimitsAt } from '../../db/wallets/wallet-limits.ts';
import { newButton } from '../conversation/buttons.ts';
import { CARD_MINUTES } from '../shared/card-time.ts';
import type { CoreDeps } from '../conversation/dependencies.ts';
import type { TextEvent } from '../shared/messenger.ts';
import { findNetwork } from '../shared/networks.ts';
import { recipientsOf } from './order-recipients.ts';
import { totalFor } from '../shared/terms.ts';
import { privateView } from '../conversation/views.ts';

/**
 * Whether a tip for one person is shown on a card first: a large one always, a name typed for the first time unless all
 * money here is play money. There a slip costs nothing, and a newcomer's first tip should simply work.
 */
export async function asksFirst(
  deps: Pick<CoreDeps, 'store' | 'clock' | 'faucet'>,
  event: TextEvent,
  { recipient, amount }: { recipient: Recipient; amount: MicroUsdc },
): Promise<boolean> {
  const { store, clock } = deps;
  // Asked before Discord has a first word, so nothing is read that does not matter here.
  const { ask } = await walletLimitsAt(store.read, event.walletId, clock.now());
  if (amount > ask) return true;
  if (deps.faucet !== undefined || isNative(event, recipient)) return false;
  return !(await isKnownRecipient(store, event.userId, formatRecipient(recipient)));
}

/** A member of this very chat, by a mention or a reply: the platform shows who that is. */
function isNative({ transport, context }: TextEvent, recipient: Recipient): boolean {
  const { repliesTo } = context ?? {};
  if (recipient.platform === transport) return true;
  return repliesTo !== undefined && formatRecipient(repliesTo) === formatRecipient(recipient);
}

/** Called for each order that was paid, before that counts as shown: so a crash leads here again. */
export async function rememberTipped(
  { store, clock }: Pick<CoreDeps, 'store' | 'clock'>,
  order: OrderRow,
): Promise<void> {
  const names = recipientsOf(order).map(({ recipient }) => formatRecipient(recipient));
  await rememberRecipients(store, order.userId, names, clock.now());
}

/** Whom it is for in full, and where to see that it is the right one. Nothing happens without a press. */
export async function askOneView(
  deps: Pick<CoreDeps, 'texts' | 'store' | 'networks' | 'random' | 'clock'>,
  order: OrderRow,
): Promise<View> {
  const { texts, store } = deps;
  const { userId, id: orderId, walletName, body } = order;
  const [first] = recipientsOf(order);
  if (!first) throw new Error(`order ${orderId} is for nobody`);
  const { recipient } = first;
  const amount = microUsdc(order.amountMicroUsdc);
  const { pinned } = findNetwork(deps.networks, order.network) ?? deps.networks[0];
  const total = totalFor(amount, pinned);
  const note = typeof body['description'] === 'string' ? body['description'] : null;
  const name = recipientName(recipient);
  const isNew = !(await isKnownRecipient(store, userId, formatRecipient(recipient)));
  const confirm = await newButton(deps, userId, { action: 'confirm_order', orderId }, texts.confirmSeveral(total));
  const cancel = await newButton(deps, userId, { action: 'cancel_order', orderId }, texts.cancel());
  const url = profileUrl(recipient);
  const profile: Action[] = url === null ? [] : [{ kind: 'link', label: texts.openProfile(name), url }];
  return privateView(
    'ok',
    [
      ...texts.askOne({ recipient: name, amount, fee: microUsdc(total - amount), note, walletName }),
      ...(isNew && !isOfChat(order, recipient) ? [texts.neverTipped()] : []),
      texts.askedFor(CARD_MINUTES),
    ],
    [confirm, cancel, ...profile],
  );
}

function isOfChat({ transport }: OrderRow, { platform }: Recipient): boolean {
  return findPlatform(transport) === platform;
}
