import type { PaidPayment } from '../../client/payments.ts';
import { parseNumberUsdc, sumUsdc } from '../../core/money.ts';
import type { PaidAmounts } from '../../db/pay-links/pay-links.ts';
import type { OrderAnswer, OrderRow } from '../../db/tips/orders.ts';

/** What an order keeps of an answer: of several lines all of them, and the first as its own. */
export function toOrderAnswer({ body }: Pick<OrderRow, 'body'>, { lines }: PaidPayment): OrderAnswer {
  const [{ txnId, receipt }] = lines;
  const results = lines.map(({ txnId: id, receipt: page, status }) => ({ txnId: id, receipt: page, status }));
  return { txnId, receipt, ...(Array.isArray(body['receivers']) && { results }) };
}

/**
 * What a pay link brought. A plain transfer is known by its amount, a little above the price, and all of it goes to the
 * recipients: from then on every page, message and file names what the receipts name. Null where the answer leaves an
 * amount out.
 */
export function toPaidAmounts(order: PaidAmounts, paid: PaidPayment): PaidAmounts | null {
  const known = paid.lines.map(({ amount }) => (amount === null ? null : parseNumberUsdc(amount)));
  const amounts = known.filter((amount) => amount !== null);
  if (amounts.length < known.length) return null;
  const sum = sumUsdc(amounts);
  const { amountMicroUsdc, totalMicroUsdc, lines } = order;
  return {
    amountMicroUsdc: sum,
    totalMicroUsdc: totalMicroUsdc === null ? null : totalMicroUsdc + sum - amountMicroUsdc,
    lines:
      lines && lines.map((line, at) => ({ ...line, amountMicroUsdc: String(amounts[at] ?? line.amountMicroUsdc) })),
  };
}
