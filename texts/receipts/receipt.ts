import { formatUsdcForPeople, type MicroUsdc } from '../../core/money.ts';
import { findPlatform, platformRow } from '../../core/platforms/platforms.ts';
import { receiptEn, type ReceiptTexts } from './en.ts';
import { receiptTextsIn } from './languages.ts';
import { findPassing, type PassingReason } from '../../core/payments/passing-reasons.ts';
import type { ReturnedBecause, WireStatus } from '../../core/states.ts';
import { code, line, muted, strong, type Paragraph, type View } from '../../core/view.ts';

export type ReceiptFacts = {
  amount: MicroUsdc;
  /** From `recipientName`; an e-mail address already masked where others read along. */
  recipient: string;
  status: WireStatus;
  /** With `held`: why, in the words of `transfers.held_reason`. */
  heldReason?: string | null;
  receiptUrl: string;
  /** The inbound transaction. */
  transaction: string | null;
  /** ISO time until which the recipient can collect; only while the money waits. */
  claimUntil: string | null;
  /** With `pending_claim`: the recipient hears of it from the payer, or not at all. */
  onlyPayerTells?: boolean;
  /** With `pending_claim`: the recipient reads along, and collects in this very chat. */
  collectsHere?: boolean;
  /** What the payer wrote with it, where everybody who reads the receipt may read that too. */
  note?: string | null;
  /** With `paid`: the recipient came for what waited. */
  wasCollected?: boolean;
  /** With `refunded`. */
  returnedBecause?: ReturnedBecause | null;
};

/** Whether nobody but the payer tells a recipient that money waits: there we never write to strangers. */
export function onlyPayerTells(platform: string): boolean {
  const known = findPlatform(platform);
  return known === null || platformRow(known).toldBy === 'payer';
}

/** The receipt that the worker posts into the payer's chat, in the language of the order (`orders.language`). */
export function receiptView(facts: ReceiptFacts, language: string | null = null): View {
  const texts = receiptTextsIn(language);
  const note = facts.note ? [texts.note(facts.note)] : [];
  const paragraphs: Paragraph[] = [headline(texts, facts), ...note, ...whatHappensNext(texts, facts)];
  if (facts.transaction) paragraphs.push(line`${muted(texts.transaction())} ${code(shorten(facts.transaction))}`);
  return {
    state: 'ok',
    audience: 'everyone',
    paragraphs,
    actions: [{ kind: 'link', label: texts.openReceipt(), url: facts.receiptUrl }],
  };
}

/** In a few words, for pages. */
const PASSING_STATES: Readonly<Record<PassingReason, string>> = {
  payer_limit: 'Waiting for another day',
  recipient_limit: 'Waiting for another day',
  no_token_account: 'Waiting for an account',
  account_quota: 'Waiting for another day',
};

/** Why money is kept back (`transfers.held_reason`), and what lets it go on, for people who know nothing of us. */
export function heldWords(reason: string | null, recipient: string): { state: string; next: string } {
  const passing = findPassing(reason);
  const state = passing === null ? 'Being checked' : PASSING_STATES[passing];
  return { state, next: whyHeld(receiptEn, reason, recipient) };
}

/** Why money is kept back, and what lets it go on. */
export function whyHeld(texts: ReceiptTexts, reason: string | null, recipient: string): string {
  const passing = findPassing(reason);
  return passing === null ? texts.untilChecked() : texts.passing[passing](recipient);
}

function headline(texts: ReceiptTexts, facts: ReceiptFacts): Paragraph {
  const { status, heldReason, wasCollected } = facts;
  const sum = strong(`${formatUsdcForPeople(facts.amount)} USDC`);
  const recipient = strong(facts.recipient);
  switch (status) {
    case 'paid':
      return wasCollected === true ? texts.collected(recipient, sum) : texts.received(recipient, sum);
    case 'queued':
      return texts.onItsWay(recipient, sum);
    case 'pending_claim':
      return texts.waits(recipient, sum);
    case 'held':
      return findPassing(heldReason ?? null) !== null
        ? texts.hasToWait(recipient, sum)
        : texts.isChecked(recipient, sum);
    case 'refunded':
      return texts.cameBack(recipient, sum);
  }
}

function whatHappensNext(texts: ReceiptTexts, facts: ReceiptFacts): Paragraph[] {
  const { status, heldReason, recipient, returnedBecause } = facts;
  switch (status) {
    case 'held':
      return [line`${whyHeld(texts, heldReason ?? null, recipient)}`];
    case 'pending_claim':
      return howTheyHear(texts, facts);
    case 'refunded':
      return returnedBecause ? [line`${texts.returned[returnedBecause](recipient)}`] : [];
    case 'paid':
    case 'queued':
      return [];
  }
}

function howTheyHear(texts: ReceiptTexts, facts: ReceiptFacts): Paragraph[] {
  const { amount, recipient, claimUntil, receiptUrl } = facts;
  const until = claimUntil === null ? null : texts.day(new Date(claimUntil));
  if (facts.onlyPayerTells === true) {
    return [
      texts.sendThemThis(),
      // A line of its own, to be copied as it stands.
      texts.messageForThem(`${formatUsdcForPeople(amount)} USDC`, receiptUrl),
      ...(until === null ? [] : [texts.collectUntil(until)]),
    ];
  }
  if (facts.collectsHere === true) {
    return [until === null ? texts.collectHere(recipient) : texts.collectHereUntil(recipient, until)];
  }
  return [until === null ? texts.sendReceipt() : texts.sendReceiptUntil(recipient, until)];
}

/** The ends of a hash are enough to compare; the receipt page has all of it. */
export function shorten(hash: string): string {
  return hash.length <= 16 ? hash : `${hash.slice(0, 8)}…${hash.slice(-6)}`;
}
