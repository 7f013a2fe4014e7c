import { parsePaymentAmount } from '../../core/amounts.ts';
import { formatUsdc, sumUsdc, type MicroUsdc } from '../../core/money.ts';
import type { Operation } from '../../core/payments/operations.ts';
import { formatRecipient, type Recipient } from '../../core/platforms/recipient.ts';
import { requestHash } from '../../core/request-hash.ts';
import { badUsage, Stop } from '../terminal/stop.ts';

export type OrderLine = { recipient: Recipient; amount: MicroUsdc };

/** A paid request as it will be sent, and the name that the service's price must have for it. */
export type Order = {
  lines: readonly OrderLine[];
  sum: MicroUsdc;
  note: string | null;
  route: string;
  body: Record<string, unknown>;
  requestHash: string;
};

/** Limit of the interface (section 8). */
export const LINES_MAX = 100;
const NOTE_MAX = 2_000;

export function readAmount(text: unknown): MicroUsdc {
  return parsePaymentAmount(text, 'amount');
}

/** The body has canonical names and exact decimals, so that it asks for what was shown. */
export function singleOrder(line: OrderLine, note: string | null): Order {
  const { platform, key } = line.recipient;
  const body = { receiver: key, amount: formatUsdc(line.amount), ...noteField(note) };
  return order([line], note, { route: `/payments/${platform}/pay`, operation: 'rest.pay', path: { platform }, body });
}

export function batchOrder(lines: readonly OrderLine[], note: string | null): Order {
  if (lines.length === 0) throw badUsage('There is nobody to pay.', null);
  if (lines.length > LINES_MAX) {
    const text = `A payment has at most ${LINES_MAX} lines, found ${lines.length}.`;
    throw new Stop('usage', 'too_many_lines', text, 'Split it, and pay one part after the other.');
  }
  const receivers = lines.map(({ recipient: { platform, key }, amount }) => {
    return { platform, receiver: key, amount: formatUsdc(amount) };
  });
  const body = { receivers, ...noteField(note) };
  return order(lines, note, { route: '/payments/batch-pay', operation: 'rest.cross-batch-pay', path: {}, body });
}

/** The recipients, as the journal and refusals name them. */
export function nameOrder({ lines }: Pick<Order, 'lines'>): string {
  const [first, ...others] = lines.map(({ recipient }) => formatRecipient(recipient));
  return others.length === 0 ? (first ?? '') : `${first ?? ''} and ${others.length} more`;
}

type Request = { route: string; operation: Operation; path: Record<string, string>; body: Record<string, unknown> };

function order(lines: readonly OrderLine[], note: string | null, { route, operation, path, body }: Request): Order {
  const sum = sumUsdc(lines.map(({ amount }) => amount));
  return { lines, sum, note, route, body, requestHash: requestHash(operation, path, body) };
}

function noteField(note: string | null): { description?: string } {
  if (note === null) return {};
  if (note.length > NOTE_MAX || note.includes('\u0000'))
    throw badUsage(`A note has at most ${NOTE_MAX} characters.`, null);
  return { description: note };
}
