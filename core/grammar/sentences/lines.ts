import { PAYMENT_AMOUNT_MAX, PAYMENT_AMOUNT_MIN } from '../../amounts.ts';
import { splitEqually, type MicroUsdc } from '../../money.ts';
import { recipientName } from '../../platforms/recipient-name.ts';
import type { Recipient } from '../../platforms/recipient.ts';
import { RECIPIENTS_MAX } from '../names.ts';
import { NOTE_CHARACTERS_MAX } from '../note.ts';

/** A sentence that says beyond doubt who gets what. */
export type Payment = {
  kind: 'payment';
  lines: readonly [PaymentLine, ...PaymentLine[]];
  note: string | null;
};

export type PaymentLine = { recipient: Recipient; amount: MicroUsdc };

/** Null where a line is nothing that can be paid, or one person stands there twice. */
export function toPaid(lines: readonly PaymentLine[], note: string | null): Payment | null {
  const [first, ...others] = lines;
  const isPayable = lines.every(({ amount }) => amount >= PAYMENT_AMOUNT_MIN && amount <= PAYMENT_AMOUNT_MAX);
  const isOnce = new Set(lines.map(({ recipient }) => recipientName(recipient))).size === lines.length;
  const isShort = Array.from(note ?? '').length <= NOTE_CHARACTERS_MAX && lines.length <= RECIPIENTS_MAX;
  if (first === undefined || !isPayable || !isOnce || !isShort) return null;
  return { kind: 'payment', lines: [first, ...others], note };
}

export function shared(recipients: readonly Recipient[], amount: MicroUsdc, isSplit: boolean): PaymentLine[] {
  const parts = isSplit ? splitEqually(amount, recipients.length) : null;
  return recipients.map((recipient, at) => ({ recipient, amount: parts?.[at] ?? amount }));
}
