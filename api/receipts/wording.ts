import { formatUsdcForPeople } from '../../core/money.ts';
import type { ReceiptView } from './view.ts';

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

/** `20 December 2026 at 09:05 UTC`. */
export function formatMinute(date: Date): string {
  return `${minutes.format(date)} UTC`;
}

/** `1.00 USDC for x:alice`: what the page is called. */
export function titleOf(view: ReceiptView): string {
  return `${formatUsdcForPeople(view.amount)} USDC for ${view.recipient}`;
}

/** The state in a few words. */
export function stateOf(view: ReceiptView): string {
  if (view.isUndone) return 'Undone by the network';
  if (view.finality === 'pending') return 'Waiting for the chain';
  switch (view.status) {
    case 'paid':
      return `Received by ${view.recipient}`;
    case 'queued':
      return `On its way to ${view.recipient}`;
    case 'pending_claim':
      return 'Waiting to be collected';
    case 'held':
      return 'Being checked';
    case 'refunded':
      return 'Returned to the payer';
  }
}

/** How certain it is, as a second short sentence beside the state. */
export function certaintyOf(view: ReceiptView): string {
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
export function nextOf(view: ReceiptView): string[] {
  if (view.isUndone) return ['Whoever paid still has the money and can simply send it again.'];
  if (view.finality === 'pending') {
    return ['The same payment goes into another block by itself. Nobody pays twice, and there is nothing to do.'];
  }
  return [whereItGoes(view), ...(view.finality === 'settled' ? [untilFinal(view)] : [])];
}

function whereItGoes({ status, recipient, expiresAt }: ReceiptView): string {
  switch (status) {
    case 'paid':
      return `${recipient} has the money. There is nothing left to do; this page stays as the receipt.`;
    case 'queued':
      return `It goes to the wallet of ${recipient} by itself. There is nothing to do.`;
    case 'pending_claim': {
      const until = expiresAt === null ? '' : ` until ${formatDay(expiresAt)}`;
      return `Waiting for ${recipient} to collect it${until}; after that it goes back to the payer.`;
    }
    case 'held':
      return `Whoever runs this service has to look at it before it can go to ${recipient}. Until then it is kept.`;
    case 'refunded':
      return 'The money went back the way it came.';
  }
}

function untilFinal({ networkName }: ReceiptView): string {
  return `It becomes final on ${networkName} by itself. From then on, not even the network can take it back.`;
}
