import type { PaidPayment } from '../../client/payments.ts';
import type { OrderAnswer, OrderRow } from '../../db/tips/orders.ts';

/** What an order keeps of an answer: of several lines all of them, and the first as its own. */
export function toOrderAnswer({ body }: Pick<OrderRow, 'body'>, { lines }: PaidPayment): OrderAnswer {
  const [{ txnId, receipt }] = lines;
  const results = lines.map(({ txnId: id, receipt: page, status }) => ({ txnId: id, receipt: page, status }));
  return { txnId, receipt, ...(Array.isArray(body['receivers']) && { results }) };
}
