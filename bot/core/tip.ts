import { PAYMENT_AMOUNT_MAX, PAYMENT_AMOUNT_MIN } from '../../core/amounts.ts';
import { formatUsdc, microUsdc, splitEqually, type MicroUsdc } from '../../core/money.ts';
import { recipientName } from '../../core/receipt-text.ts';
import type { Recipient } from '../../core/recipients/recipient.ts';
import type { AmountForm } from './grammar-amount.ts';
import type { Mistake } from './mistakes.ts';

/** A tip command as it was read: nothing in it is undecided but the balance behind `all` and `half`. */
export type Tip = {
  kind: 'tip';
  recipients: readonly [Recipient, ...Recipient[]];
  amount: AmountForm;
  /** Whether the amount is for each recipient or shared out among them. */
  sharing: 'each' | 'split';
  note: string | null;
  /** Typed as `/pay`: not from the own wallet, but by a link. */
  viaLink?: true;
};

/** Null when every recipient gets between 0.01 and 10 USDC; `all` and `half` are judged once the balance is known. */
export function checkRange({ recipients, amount, sharing }: Tip): Mistake | null {
  if (amount.kind !== 'exact') return null;
  const isSplit = sharing === 'split';
  const parts = isSplit ? splitEqually(amount.amount, recipients.length) : [amount.amount];
  const tooSmall = parts.some((part) => part < PAYMENT_AMOUNT_MIN);
  if (!tooSmall && parts.every((part) => part <= PAYMENT_AMOUNT_MAX)) return null;
  const allowed = multiply(tooSmall ? PAYMENT_AMOUNT_MIN : PAYMENT_AMOUNT_MAX, isSplit ? recipients.length : 1);
  const names = recipients.map((recipient) => recipientName(recipient)).join(' ');
  return {
    kind: 'mistake',
    code: tooSmall ? 'too_small' : 'too_large',
    found: formatUsdc(amount.amount),
    examples: [`/tip ${names} ${formatUsdc(allowed)}${isSplit ? ' split' : ''}`],
  };
}

function multiply(amount: MicroUsdc, times: number): MicroUsdc {
  return microUsdc(amount * BigInt(times));
}
