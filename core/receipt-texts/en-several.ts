import type { WireStatus } from '../states.ts';
import { line, muted, strong, type Paragraph, type Span } from '../view.ts';

/** As many as are named, and how many more there are. */
export type NameList = { names: readonly string[]; more: number };

const STATES: Readonly<Record<WireStatus, string>> = {
  queued: 'On its way to',
  pending_claim: 'Waiting for',
  paid: 'Received by',
  held: 'Kept back for now, for',
  refunded: 'Came back to you, for',
};

/** The receipt of a tip for several people. */
export const severalReceiptEn = {
  forSeveral: (total: Span, count: number): Paragraph =>
    line`${total} for ${strong(count === 1 ? '1 person' : `${count} people`)}.`,
  stateOfSeveral: (status: WireStatus, { names, more }: NameList): Paragraph =>
    line`${STATES[status]} ${strong(names.join(', '))}${more === 0 ? '' : ` and ${more} more`}.`,
  sendEachReceipt: (): Paragraph => line`Send each of them their receipt: that is where they collect it.`,
  sendEachReceiptUntil: (day: string): Paragraph =>
    line`Send each of them their receipt: that is where they collect it until ${day}. After that it comes back to you.`,
  otherReceipts: (count: number): Paragraph => [
    muted(`The payer finds the other ${count === 1 ? 'receipt' : `${count} receipts`} with /history.`),
  ],
};
