import type { HttpDeps } from '../../client/exchange.ts';
import { findPayment as find, type FoundPayment } from '../../client/lookup.ts';
import type { PaidPayment } from '../../client/payments.ts';
import type { PaidLine as WireLine } from '../../client/pennypost.ts';
import type { Refused } from '../../client/refusal.ts';
import { plainText } from '../terminal/plain-text.ts';

/** Why a service refused: its code, and its text made safe for a terminal. */
export type Refusal = { word: string; text: string };

/** The outcome of one line, as on the receipt. */
export type PaidLine = Omit<WireLine, 'amount' | 'status'> & { amount: number; status: string };
export type PaidAnswer = { message: string; lines: PaidLine[] };

export function toRefusal({ reason, detail, status }: Refused): Refusal {
  return { word: reason, text: plainText(detail ?? '') || `The service answered ${status}.` };
}

/** In a form that is safe for a terminal. Null where a line has no amount: then it is no receipt. */
export function toPaidAnswer({ message, lines }: Pick<PaidPayment, 'message' | 'lines'>): PaidAnswer | null {
  const read = lines.flatMap(({ amount, receipt, claimUrl, ...line }) => {
    if (amount === null) return [];
    return [{ ...line, amount, receipt: linkText(receipt), claimUrl: claimUrl === null ? null : linkText(claimUrl) }];
  });
  return read.length === lines.length ? { message: plainText(message), lines: read } : null;
}

const linkText = (link: string) => plainText(link, 2_000);

export type Found =
  | { kind: 'found'; message: string; data: FoundPayment }
  | { kind: 'refused'; refusal: Refusal }
  | { kind: 'open' };

/** Finds the outcome of a payment. */
export async function findPayment(deps: HttpDeps, service: string, txnId: string): Promise<Found> {
  const found = await find(deps, service, txnId);
  switch (found.kind) {
    case 'found':
      return { ...found, message: plainText(found.message) };
    case 'refused':
      return { kind: 'refused', refusal: toRefusal(found) };
    case 'open':
      return found;
  }
}
