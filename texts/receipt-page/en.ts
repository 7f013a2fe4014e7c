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
  /** `x:alice`; an e-mail address is masked. */
  recipient: string;
  platform: Platform;
  networkName: string;
  status: WireStatus;
  /** Its platform has not said yet whom the name means. */
  isLookedUp: boolean;
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

/** `1.00 USDC for x:alice`: what the page is called. */
export function titleOf(view: ReceiptPageFacts): string {
  return `${formatUsdcForPeople(view.amount)} USDC for ${view.recipient}`;
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
      return `Received by ${view.recipient}`;
    case 'queued':
      if (view.isLookedUp) return `${view.recipient} is being looked up`;
      return view.isReturned ? 'On its way back to the payer' : `On its way to ${view.recipient}`;
    case 'pending_claim':
      return 'Waiting to be collected';
    case 'held':
      return heldWords(view.heldReason, view.recipient).state;
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

/** What happens next, a paragraph an item. */
export function nextOf(view: ReceiptPageFacts): string[] {
  if (view.isUndone) return ['Whoever paid still has the money and can simply send it again.'];
  if (view.finality === 'pending') {
    return ['The same payment goes into another block by itself. Nobody pays twice, and there is nothing to do.'];
  }
  return [whereItGoes(view), ...(view.finality === 'settled' ? [untilFinal(view)] : [])];
}

function whereItGoes(view: ReceiptPageFacts): string {
  const { status, recipient, expiresAt } = view;
  switch (status) {
    case 'paid':
      return `${recipient} has the money. There is nothing left to do; this page stays as the receipt.`;
    case 'queued':
      if (view.isLookedUp) return whileLookedUp(view);
      if (view.isReturned) return `${whyItGoesBack(view)}It is on its way back to the payer by itself.`;
      return `It goes to the wallet of ${recipient} by itself. There is nothing to do.`;
    case 'pending_claim': {
      const until = expiresAt === null ? '' : ` until ${formatDay(expiresAt)}`;
      return `Waiting for ${recipient} to collect it${until}; after that it goes back to the payer.`;
    }
    case 'held':
      return heldWords(view.heldReason, recipient).next;
    case 'refunded':
      return `${whyItGoesBack(view)}The money went back the way it came.`;
  }
}

function whileLookedUp({ platform, recipient }: ReceiptPageFacts): string {
  return `${asked(platform)} did not answer yet, so it is not known who ${recipient} is. It is asked again for ${ASK_FOR_MINUTES} minutes; if there is nobody of that name, or still no answer, the money goes back to the payer.`;
}

/** A sentence and a space, or nothing where the state says it all. */
function whyItGoesBack({ returnReason, platform, recipient }: ReceiptPageFacts): string {
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

function untilFinal({ networkName }: ReceiptPageFacts): string {
  return `It becomes final on ${networkName} by itself. From then on, not even the network can take it back.`;
}
