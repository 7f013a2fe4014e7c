import type { Language } from '../../core/languages.ts';
import { formatUsdcForPeople } from '../../core/money.ts';
import { findPassing } from '../../core/payments/passing-reasons.ts';
import { platformRow } from '../../core/platforms/platforms.ts';
import { GOING_BACK } from '../going-back/languages.ts';
import { personName } from '../names/person.ts';
import { receiptTextsIn } from '../receipts/languages.ts';
import { whyHeld } from '../receipts/receipt.ts';
import type { LetterFacts } from './en.ts';
import { ASK_FOR_MINUTES, letterStateOf, type ReceiptPageFacts } from './facts.ts';
import { RECEIPT_PAGES } from './languages.ts';

/** `$1.00 for @alice on X`: what the page is called. */
export function titleOf({ amount, to }: Pick<ReceiptPageFacts, 'amount' | 'to'>, language: Language = 'en'): string {
  return RECEIPT_PAGES[language].title(`$${formatUsdcForPeople(amount)}`, personName(to, language));
}

/** The state in a few words. */
export function stateOf(view: ReceiptPageFacts, language: Language = 'en'): string {
  const { states, passing } = RECEIPT_PAGES[language];
  const state = letterStateOf(view);
  const reason = state === 'held' ? findPassing(view.heldReason) : null;
  return reason === null ? states[state](personName(view.to, language)) : passing[reason];
}

/** How certain it is, for those who open the proof. */
export function certaintyOf(view: ReceiptPageFacts, language: Language = 'en'): string {
  return RECEIPT_PAGES[language].certainty[view.isUndone ? 'undone' : view.finality](view.networkName);
}

/** What happens next, in one or two sentences. `until`: when it goes back, in the words of the sentence. */
export function nextOf(
  view: ReceiptPageFacts,
  language: Language = 'en',
  until: string | null = dayOf(view, language),
): string {
  const { next, between } = RECEIPT_PAGES[language];
  const state = letterStateOf(view);
  const facts = { ...factsOf(view, language), until };
  if (state === 'held') return whyHeld(receiptTextsIn(language), view.heldReason, facts.person);
  const why = whyBackOf(view, language);
  return why === null ? next[state](facts) : `${why}${between}${next[state](facts)}`;
}

/** Why it goes back, or has come back; null for every other state. */
export function whyBackOf(view: ReceiptPageFacts, language: Language = 'en'): string | null {
  const state = letterStateOf(view);
  const isBack = state === 'goingBack' || state === 'returned';
  if (!isBack || view.returnedBecause === null) return null;
  return RECEIPT_PAGES[language].returnedBecause[view.returnedBecause]({ ...factsOf(view, language), until: null });
}

function dayOf({ expiresAt }: ReceiptPageFacts, language: Language): string | null {
  return expiresAt === null ? null : GOING_BACK[language].day(expiresAt);
}

function factsOf({ to, platform }: ReceiptPageFacts, language: Language): Omit<LetterFacts, 'until'> {
  // Addresses and domains are asked for in the domain name system.
  const { nameIsIdentity, title } = platformRow(platform);
  return {
    person: personName(to, language),
    asked: nameIsIdentity ? null : title,
    askedMinutes: ASK_FOR_MINUTES,
  };
}

type LetterStep = { title: string; state: 'done' | 'now' | 'later' | 'failed' };

/** The way of the money, for the eye: sent, waiting, received, or back. */
export function stepsOf(view: ReceiptPageFacts, language: Language = 'en'): LetterStep[] {
  const { status, isReturned, isUndone, finality } = view;
  const words = RECEIPT_PAGES[language];
  const isBack = isReturned || status === 'refunded';
  const sent = isUndone ? 'failed' : finality === 'pending' ? 'now' : 'done';
  const isOver = status === 'paid' || status === 'refunded';
  const isMoving = status === 'queued' && !view.isLookedUp;
  const waiting = sent === 'done' ? (isOver || isMoving ? 'done' : 'now') : sent === 'now' ? 'later' : 'failed';
  const last = isOver ? 'done' : sent === 'done' && isMoving ? 'now' : sent === 'failed' ? 'failed' : 'later';
  return [
    { title: words.sentStep, state: sent },
    { title: words.waitingStep, state: waiting },
    { title: isBack ? words.returnedStep : words.receivedStep, state: last },
  ];
}
