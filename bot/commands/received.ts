import { strong, type Action, type View } from '../../core/view.ts';
import { declineLine } from '../../db/claims/decline.ts';
import { factsOfLines } from '../../db/notices/line-facts.ts';
import { acceptGivers, isAccepted } from '../../db/tips/accepted.ts';
import { giverOf } from '../../db/tips/blocks.ts';
import { findOrderByTxn, type OrderRow } from '../../db/tips/orders.ts';
import { quietSmallTips, ringSmallTips } from '../../db/tips/quiet.ts';
import {
  noticeButtons,
  noticeLabel,
  toReceiptFacts,
  type NoticeButton,
  type ReceiptFacts,
} from '../../texts/receipts/receipt.ts';
import { newButton } from '../conversation/buttons.ts';
import type { CoreDeps } from '../conversation/dependencies.ts';
import { languageOf } from '../conversation/speech.ts';
import { privateView, tryCommand } from '../conversation/views.ts';
import type { Origin } from '../shared/messenger.ts';
import { identitiesOf } from '../tips/blocking.ts';
import { chatAccountOf, failedView, keepClaimView } from './claim.ts';

type PressedTip = { action: 'read_note' | 'keep_tip' | 'decline_tip'; txnId: number };

/** What a recipient does with a tip that they were told of. Pressed again it answers the same, or that it is over. */
export async function pressReceived(deps: CoreDeps, origin: Origin, { action, txnId }: PressedTip): Promise<View> {
  const identityIds = await identitiesOf(deps, origin.userId);
  const tip = await findReceived(deps, origin, { txnId, identityIds });
  if (tip === null) return privateView('error', [deps.texts.buttonIsOver()]);
  switch (action) {
    case 'read_note':
      return noteView(deps, origin, tip);
    case 'keep_tip':
      return keep(deps, origin, tip);
    case 'decline_tip': {
      const isDeclined = await declineLine(deps.store, { txnId, identityIds }, deps.clock.now());
      if (!isDeclined) return privateView('error', [deps.texts.buttonIsOver()]);
      return privateView('ok', [deps.texts.declinedTip()]);
    }
  }
}

type Received = { txnId: number; order: OrderRow; facts: ReceiptFacts; note: string | null; isAccepted: boolean };

/** Null for a tip to anyone else, and for one whose giver had it erased. */
async function findReceived(
  { store }: Pick<CoreDeps, 'store'>,
  { userId }: Origin,
  { txnId, identityIds }: { txnId: number; identityIds: readonly string[] },
): Promise<Received | null> {
  const giver = await giverOf(store, { txnId, identityIds });
  const order = giver === null ? null : await findOrderByTxn(store, giver.firstTxnId);
  const [line] = await factsOfLines(store, [txnId]);
  if (order === null || order.erasedAtMs !== null || line === undefined) return null;
  const isKnown = await isAccepted(store, { userId, giverId: order.userId });
  const facts = toReceiptFacts({ line, order, receiptUrl: '', isAccepted: isKnown });
  const { description } = order.body;
  return { txnId, order, facts, note: typeof description === 'string' ? description : null, isAccepted: isKnown };
}

async function noteView(deps: CoreDeps, origin: Origin, tip: Received): Promise<View> {
  const { texts } = deps;
  const { order, facts, note } = tip;
  if (note === null) return privateView('error', [texts.buttonIsOver()]);
  const buttons = noticeButtons(facts, { isAccepted: tip.isAccepted, isRead: true });
  const language = await languageOf(deps, origin);
  const actions = await Promise.all(buttons.map((one) => buttonOf(deps, origin, { tip, button: one, language })));
  return privateView('ok', [texts.noteFrom(order.userId, facts.amount), [strong(note)]], actions);
}

type Offered = { tip: Received; button: NoticeButton; language: string | null };

function buttonOf(deps: CoreDeps, { userId }: Origin, { tip, button, language }: Offered): Promise<Action> {
  const action = button === 'quiet_small' ? { action: button } : { action: button, txnId: tip.txnId };
  return newButton(deps, userId, action, noticeLabel(button, tip.facts, language));
}

/** What waits for this account is collected, and what this giver writes is shown from now on. */
async function keep(deps: CoreDeps, origin: Origin, { order, facts }: Received): Promise<View> {
  const { store, texts, clock } = deps;
  const { userId } = origin;
  await acceptGivers(store, { userId, giverIds: [order.userId] }, clock.now());
  if (facts.status !== 'pending_claim') return privateView('ok', [texts.readsNotes()]);
  const account = chatAccountOf(userId);
  if (account === null) throw new Error(`${userId} is no account that a tip could be kept for`);
  const claim = await deps.claims.open(account);
  return claim.kind === 'done' ? keepClaimView(deps, origin, claim.claimId) : failedView(deps, claim);
}

/** One line a day for all small tips, or a message for each. */
export async function pressQuiet(
  { store, texts, clock }: Pick<CoreDeps, 'store' | 'texts' | 'clock'>,
  { userId }: Origin,
  isQuiet: boolean,
): Promise<View> {
  if (isQuiet) await quietSmallTips(store, userId, clock.now());
  else await ringSmallTips(store, userId);
  return privateView('ok', [isQuiet ? texts.smallAreQuiet() : texts.smallAreHeard()], [tryCommand('/block')]);
}
