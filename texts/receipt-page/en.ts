import { ASK_FOR_MS } from '../../core/lookups.ts';
import { formatUsdcForPeople, type MicroUsdc } from '../../core/money.ts';
import { platformRow, type Platform } from '../../core/platforms/platforms.ts';
import type { ReturnReason, WireStatus } from '../../core/states.ts';
import { heldWords } from '../receipts/receipt.ts';

/** How certain the inbound transfer is: not in a block (any more), in a block, in a block that stays. */
export type Finality = 'pending' | 'settled' | 'final';

/** What the sentences of a receipt's page need to know. */
export type ReceiptPageFacts = {
  amount: MicroUsdc;
  /** `x:alice`, as programs name them; an e-mail address is masked. */
  recipient: string;
  /** `@alice on X`. */
  person: string;
  platform: Platform;
  networkName: string;
  status: WireStatus;
  /** Its platform has not said yet whom the name means. */
  isLookedUp: boolean;
  /** Collected, but no address of its recipient can take it yet. */
  waitsForRoute: boolean;
  /** It goes back to whoever paid, or has got there. */
  isReturned: boolean;
  /** Why it goes back, where there is more to say than that nobody collected it or the payer took it back. */
  returnReason: ReturnReason | null;
  /** With `held`: why, in the words of `transfers.held_reason`. */
  heldReason: string | null;
  finality: Finality;
  /** Settled once, then reorganised away and proven dead. */
  isUndone: boolean;
  /** Until when it can be collected; only while it waits for that. */
  expiresAt: Date | null;
};

const ASK_FOR_MINUTES = ASK_FOR_MS / 60_000;
const days = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' });
const minutes = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
  timeZone: 'UTC',
});

/** `20 December 2026`. */
export function formatDay(date: Date): string {
  return days.format(date);
}

/** `20 DEC`, small enough for a postmark. */
export function formatShortDay(date: Date): string {
  const [day = '', month = ''] = formatDay(date).split(' ');
  return `${day} ${month.slice(0, 3)}`.toUpperCase();
}

/** `20 December 2026 at 09:05 UTC`. */
export function formatMinute(date: Date): string {
  return `${minutes.format(date)} UTC`;
}

/** `$1.00 for @alice on X`: what the page is called. */
export function titleOf({ amount, person }: ReceiptPageFacts): string {
  return `$${formatUsdcForPeople(amount)} for ${person}`;
}

/** `on X`: what follows a name. Empty where the name says by itself what it is: an address, a domain. */
export function onPlatform(platform: Platform): string {
  const { nameIsIdentity, title } = platformRow(platform);
  return nameIsIdentity ? '' : `on ${title}`;
}

/** The state in a few words. */
export function stateOf(view: ReceiptPageFacts): string {
  if (view.isUndone) return 'Undone by the network';
  if (view.finality === 'pending') return 'Waiting for the chain';
  switch (view.status) {
    case 'paid':
      return `Received by ${view.person}`;
    case 'queued':
      if (view.isLookedUp) return `${view.person} is being looked up`;
      return view.isReturned ? 'On its way back to the payer' : `On its way to ${view.person}`;
    case 'pending_claim':
      return view.waitsForRoute ? 'Waiting for a way to its owner' : 'Waiting to be collected';
    case 'held':
      return heldWords(view.heldReason, view.person).state;
    case 'refunded':
      return 'Returned to the payer';
  }
}

/** How certain it is, as a second short sentence beside the state. */
export function certaintyOf(view: ReceiptPageFacts): string {
  if (view.isUndone) return 'It never took place, and nothing was charged.';
  switch (view.finality) {
    case 'pending':
      return `${view.networkName} replaced the block it was in.`;
    case 'settled':
      return 'On the chain, not final yet.';
    case 'final':
      return 'Final: the network cannot undo the payment any more.';
  }
}

/** What happens next, in one or two sentences. */
export function nextOf(view: ReceiptPageFacts): string {
  if (view.isUndone) return 'It never took place: whoever paid still has the money and can simply send it again.';
  if (view.finality === 'pending')
    return 'The same payment goes into another block by itself. Nobody pays twice, and there is nothing to do.';
  return whereItGoes(view);
}

/** The way of the money, for the eye: sent, waiting, collected, or back. */
export function stepsOf(view: ReceiptPageFacts): { title: string; state: 'done' | 'now' | 'later' | 'failed' }[] {
  const { status, isReturned, isUndone, finality } = view;
  const isBack = isReturned || status === 'refunded';
  const sent = isUndone ? 'failed' : finality === 'pending' ? 'now' : 'done';
  const isOver = status === 'paid' || status === 'refunded';
  const isMoving = status === 'queued' && !view.isLookedUp;
  const waiting = sent === 'done' ? (isOver || isMoving ? 'done' : 'now') : sent === 'now' ? 'later' : 'failed';
  const last = isOver ? 'done' : sent === 'done' && isMoving ? 'now' : sent === 'failed' ? 'failed' : 'later';
  return [
    { title: 'Sent', state: sent },
    { title: 'Waiting', state: waiting },
    { title: isBack ? 'Returned' : 'Collected', state: last },
  ];
}

export const receiptPageEn = {
  from: 'From',
  to: 'for',
  someone: 'somebody',
  someoneCalled: 'someone calling themselves',
  note: 'Note from the sender',
  collect: 'Collect it',
  collectAgain: 'Choose another way',
  steps: 'How far it has come',
  passOn: 'Did you send it? Pass it on',
  share: {
    share: 'Share',
    copy: 'Copy the link',
    copied: 'Link copied',
    qr: 'Show as a code',
    qrLabel: 'A code that opens this page on a phone',
  },
  proof: 'Proof of payment',
  state: 'State',
  recipient: 'To',
  network: 'Network',
  sent: 'Sent',
  settled: 'On the chain',
  number: 'Number',
  transaction: 'Transaction',
  transactionCopied: 'Transaction copied',
  copy: 'Copy',
  seeOnChain: 'See it on the chain',
  thisReceipt: 'This page',
  follows: 'This page follows the payment by itself.',
  reloads: (seconds: number): string =>
    `This page loads itself again every ${seconds} seconds until the payment is final.`,
};

function whereItGoes(view: ReceiptPageFacts): string {
  const { status, person: recipient, expiresAt } = view;
  switch (status) {
    case 'paid':
      return `${recipient} has the money. There is nothing left to do; this page stays as the receipt.`;
    case 'queued':
      if (view.isLookedUp) return whileLookedUp(view);
      if (view.isReturned) return `${whyItGoesBack(view)}It is on its way back to the payer by itself.`;
      return `It goes to the wallet of ${recipient} by itself. There is nothing to do.`;
    case 'pending_claim': {
      const until = expiresAt === null ? '' : ` until ${formatDay(expiresAt)}`;
      if (view.waitsForRoute)
        return `${recipient} has collected it, but gave an address that cannot take it yet. It waits for another address, or for a way to this one${until}; after that it goes back to the payer.`;
      return `Waiting for ${recipient} to collect it${until}; after that it goes back to the payer.`;
    }
    case 'held':
      return heldWords(view.heldReason, recipient).next;
    case 'refunded':
      return `${whyItGoesBack(view)}The money went back the way it came.`;
  }
}

function whileLookedUp({ platform, person: recipient }: ReceiptPageFacts): string {
  return `${asked(platform)} has not answered yet, so it is not known who ${recipient} is. It is asked again for ${ASK_FOR_MINUTES} minutes; if there is nobody of that name, or still no answer, the money goes back to the payer.`;
}

/** A sentence and a space, or nothing where the state says it all. */
function whyItGoesBack({ returnReason, platform, person: recipient }: ReceiptPageFacts): string {
  return returnReason === null ? '' : `${REASONS[returnReason](recipient, asked(platform))} `;
}

const REASONS: Readonly<Record<ReturnReason, (recipient: string, asked: string) => string>> = {
  not_found: (recipient) => `There is no ${recipient}, so nobody could have collected it.`,
  no_answer: (recipient, who) =>
    `${who} gave no answer for ${ASK_FOR_MINUTES} minutes, so nobody could say who ${recipient} is.`,
  had_another_owner: (recipient) =>
    `${recipient} was somebody else before, and nobody could say who it was at the time of the payment.`,
  newer_than_payment: (recipient) =>
    `Whoever is ${recipient} now got that name only after the payment, so somebody else was meant.`,
  opted_out: (recipient) => `${recipient} wants no payments.`,
  declined: (recipient) => `${recipient} did not want it.`,
};

/** Who knows about a name. Addresses and domains are asked for in the domain name system. */
function asked(platform: Platform): string {
  const { nameIsIdentity, title } = platformRow(platform);
  return nameIsIdentity ? 'The domain name system' : title;
}
