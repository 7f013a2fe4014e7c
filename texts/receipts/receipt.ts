import { SMALL_TIP_MICRO_USDC } from '../../core/chats/small-tips.ts';
import { formatUsdcForPeople, microUsdc, sumUsdc, type MicroUsdc } from '../../core/money.ts';
import { findPlatform, platformRow } from '../../core/platforms/platforms.ts';
import { receiptEn, type ReceiptTexts } from './en.ts';
import { reportLabel } from '../reports/languages.ts';
import { nameIn, receiptTextsIn } from './languages.ts';
import { withGoingBack } from './going-back.ts';
import { findPassing, type PassingReason } from '../../core/payments/passing-reasons.ts';
import type { ReturnedBecause, WireStatus } from '../../core/states.ts';
import { line, quiet, strong, type Action, type Paragraph, type View } from '../../core/view.ts';

export type ReceiptFacts = {
  amount: MicroUsdc;
  /** From `recipientName`, and read as `@alice on X`; an e-mail address already masked where others read along. */
  recipient: string;
  status: WireStatus;
  /** With `held`: why, in the words of `transfers.held_reason`. */
  heldReason?: string | null;
  receiptUrl: string;
  /** ISO time until which the recipient can collect; only while the money waits. */
  claimUntil: string | null;
  /** With `pending_claim`: the recipient hears of it from the payer, or not at all. */
  onlyPayerTells?: boolean;
  /** With `pending_claim`: the recipient reads along, and collects in this very chat. */
  collectsHere?: boolean;
  /** What the payer wrote with it, where everybody who reads the receipt may read that too. */
  note?: string | null;
  /** The payer wrote something that the recipient reads by a press alone. */
  isNoteHidden?: boolean;
  /** With `paid`: the recipient came for what waited. */
  wasCollected?: boolean;
  /** With `refunded`. */
  returnedBecause?: ReturnedBecause | null;
};

/** Where the money of a tip is, as the books say it, and what the chat knows of it. */
export type TipNow = {
  line: {
    platform: string;
    position: number;
    amountMicroUsdc: bigint;
    status: WireStatus;
    heldReason: string | null;
    claimUntilMs: number | null;
    wasCollected: boolean;
    returnedBecause: ReturnedBecause | null;
  };
  order: {
    transport: string;
    communityId: string | null;
    recipient: string;
    lines: readonly { recipient: string }[] | null;
    body: Record<string, unknown>;
  };
  receiptUrl: string;
  /** The recipient has accepted this payer before: nobody else's words reach them unasked. */
  isAccepted: boolean;
};

export function toReceiptFacts({ line, order, receiptUrl, isAccepted }: TipNow): ReceiptFacts {
  const { claimUntilMs, amountMicroUsdc, platform, position, ...known } = line;
  const isMember = readsAlong(order, platform);
  const { description } = order.body;
  const note = isMember && typeof description === 'string' ? description : null;
  return {
    ...known,
    amount: microUsdc(amountMicroUsdc),
    recipient: order.lines?.[position]?.recipient ?? order.recipient,
    receiptUrl,
    claimUntil: claimUntilMs === null ? null : new Date(claimUntilMs).toISOString(),
    onlyPayerTells: onlyPayerTells(platform),
    collectsHere: isMember,
    note: isAccepted ? note : null,
    isNoteHidden: note !== null && !isAccepted,
  };
}

/**
 * Whether the recipient is a member of the community in which it was sent. Others, such as an e-mail recipient, may have
 * been sent a note that is for them alone.
 */
export function readsAlong(
  { transport, communityId }: { transport: string; communityId: string | null },
  platform: string,
): boolean {
  return communityId !== null && platform === transport;
}

/** Whether nobody but the payer tells a recipient that money waits: there we never write to strangers. */
export function onlyPayerTells(platform: string): boolean {
  const known = findPlatform(platform);
  return known === null || platformRow(known).toldBy === 'payer';
}

/**
 * The receipt that the worker posts into the payer's chat, in the language of the order (`orders.language`). Hashes stand
 * on the receipt's page: in a chat nobody compares one.
 */
export function receiptView(facts: ReceiptFacts, language: string | null = null): View {
  const texts = receiptTextsIn(language);
  return {
    state: 'ok',
    audience: 'everyone',
    opening: line`${strong(nameIn(language)(facts.recipient))} …`,
    paragraphs: receiptLines(facts, language),
    actions: [{ kind: 'link', label: texts.openReceipt(), url: facts.receiptUrl }],
  };
}

/** What a recipient can do with a tip. */
export const NOTICE_BUTTONS = ['keep_tip', 'decline_tip', 'read_note', 'block_giver', 'quiet_small'] as const;
export type NoticeButton = (typeof NOTICE_BUTTONS)[number];

/**
 * Those that a notice of this tip has. `isRead`: its note is open already. Who is accepted gets no button against them;
 * `/block` has it.
 */
export function noticeButtons(
  facts: Pick<ReceiptFacts, 'status' | 'isNoteHidden' | 'amount'>,
  { isAccepted, isRead = false, isQuiet = true }: { isAccepted: boolean; isRead?: boolean; isQuiet?: boolean },
): NoticeButton[] {
  const isWaiting = facts.status === 'pending_claim';
  const isHidden = facts.isNoteHidden === true && !isRead;
  return [
    // Of what has arrived by itself only its giver's notes are left to be wanted.
    ...(isWaiting || (isRead && !isAccepted) ? (['keep_tip'] as const) : []),
    ...(isWaiting ? (['decline_tip'] as const) : []),
    ...(isHidden ? (['read_note'] as const) : []),
    ...(isAccepted ? [] : (['block_giver'] as const)),
    ...(facts.amount < SMALL_TIP_MICRO_USDC && !isQuiet ? (['quiet_small'] as const) : []),
  ];
}

export function noticeLabel(button: NoticeButton, { status }: Pick<ReceiptFacts, 'status'>, language: string | null) {
  const { notice } = receiptTextsIn(language);
  return button === 'keep_tip' && status !== 'pending_claim' ? notice.readAlways() : notice[button]();
}

/** `tips`: the small tips of a day of one recipient. */
export function smallTipsView(
  tips: readonly { giverId: string; amountMicroUsdc: bigint; isWaiting: boolean }[],
  language: string | null,
): View {
  const texts = receiptTextsIn(language);
  const sum = sumUsdc(tips.map(({ amountMicroUsdc }) => microUsdc(amountMicroUsdc)));
  const people = new Set(tips.map(({ giverId }) => giverId)).size;
  const paragraphs = [texts.smallTips(people, strong(`${formatUsdcForPeople(sum)} USDC`))];
  const isAnyWaiting = tips.some(({ isWaiting }) => isWaiting);
  const actions: Action[] = isAnyWaiting ? [{ kind: 'command', command: '/claim' }] : [];
  return { state: 'ok', audience: 'everyone', paragraphs, actions };
}

/** What a recipient reads who is told alone: from whom, how much, and what to do now. `giver`: null for their community. */
export function recipientView(facts: ReceiptFacts, giver: string | null, language: string | null): View {
  const texts = receiptTextsIn(language);
  const sum = strong(`${formatUsdcForPeople(facts.amount)} USDC`);
  const report = { kind: 'link', label: reportLabel(language), url: `${facts.receiptUrl}/report` } as const;
  const from = giver ?? texts.community();
  const opening = texts.somethingFrom(from);
  const paragraphs = [texts.sentYou(from, sum), ...noteAndNext(texts, named(facts, language), language)];
  return { state: 'ok', audience: 'everyone', opening, paragraphs, actions: [report] };
}

/** A share of a reward, for a person with a name on another platform. */
export type RewardedFacts = Pick<ReceiptFacts, 'amount' | 'recipient' | 'status' | 'receiptUrl'> & { author: string };

/** What a person reads alone whom a community has rewarded. */
export function rewardedView(facts: RewardedFacts, language: string | null): View {
  const texts = receiptTextsIn(language);
  const sum = strong(`${formatUsdcForPeople(facts.amount)} USDC`);
  const paragraphs = [texts.rewarded(sum, facts.author), headline(texts, named(facts, language))];
  const receipt = { kind: 'link', label: texts.openReceipt(), url: facts.receiptUrl } as const;
  return { state: 'ok', audience: 'person', paragraphs, actions: [receipt] };
}

/**
 * What a recipient reads who is told where others read along. `giver`: null where those do not know of one; else the giver
 * is named, and not notified.
 */
export function noticeView(facts: ReceiptFacts, giver: string | null, language: string | null): View {
  const view = receiptView(facts, language);
  if (giver === null) return view;
  const texts = receiptTextsIn(language);
  const sum = strong(`${formatUsdcForPeople(facts.amount)} USDC`);
  const shown = named(facts, language);
  const sent = texts.sentThem(quiet(giver), strong(shown.recipient), sum);
  return { ...view, paragraphs: [sent, ...noteAndNext(texts, shown, language)] };
}

/** With the recipient's name as people read it. */
function named<Facts extends { recipient: string }>(facts: Facts, language: string | null): Facts {
  return { ...facts, recipient: nameIn(language)(facts.recipient) };
}

/** After a first line that says who sent it. */
function noteAndNext(texts: ReceiptTexts, facts: ReceiptFacts, language: string | null): Paragraph[] {
  const note = facts.note ? [texts.note(facts.note)] : [];
  const waits = facts.status === 'held' ? [headline(texts, facts), ...whatHappensNext(texts, facts, language)] : [];
  return [...note, ...(facts.status === 'pending_claim' ? howTheyHear(texts, facts, language) : waits)];
}

/** The same without its link, for a message that says more. */
export function receiptLines(facts: ReceiptFacts, language: string | null = null): Paragraph[] {
  const texts = receiptTextsIn(language);
  const note = facts.note ? [texts.note(facts.note)] : [];
  const shown = named(facts, language);
  return [headline(texts, shown), ...note, ...whatHappensNext(texts, shown, language)];
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

type HeadlineFacts = Pick<ReceiptFacts, 'amount' | 'recipient' | 'status' | 'heldReason' | 'wasCollected'>;

function headline(texts: ReceiptTexts, facts: HeadlineFacts): Paragraph {
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

function whatHappensNext(texts: ReceiptTexts, facts: ReceiptFacts, language: string | null): Paragraph[] {
  const { status, heldReason, recipient, returnedBecause } = facts;
  switch (status) {
    case 'held':
      return [line`${whyHeld(texts, heldReason ?? null, recipient)}`];
    case 'pending_claim':
      return howTheyHear(texts, facts, language);
    case 'refunded':
      return returnedBecause ? [line`${texts.returned[returnedBecause](recipient)}`] : [];
    case 'paid':
    case 'queued':
      return [];
  }
}

function howTheyHear(texts: ReceiptTexts, facts: ReceiptFacts, language: string | null): Paragraph[] {
  const { amount, recipient, receiptUrl } = facts;
  const claimUntilMs = facts.claimUntil === null ? null : Date.parse(facts.claimUntil);
  if (facts.onlyPayerTells === true) {
    return [
      texts.sendThemThis(),
      // A line of its own, to be copied as it stands.
      texts.messageForThem(`${formatUsdcForPeople(amount)} USDC`, receiptUrl),
      ...(claimUntilMs === null ? [] : [withGoingBack([], { to: 'you', claimUntilMs }, language)]),
    ];
  }
  return facts.collectsHere === true
    ? [withGoingBack(texts.collectHere(recipient), { to: 'sender', claimUntilMs }, language)]
    : [withGoingBack(texts.sendReceipt(), { to: 'you', claimUntilMs }, language)];
}
