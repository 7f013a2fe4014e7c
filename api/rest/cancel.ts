import type { Context } from 'hono';
import { receiptUrl } from '../../core/payments/answers.ts';
import { parseCancel } from '../../core/bodies/cancel.ts';
import { AppError } from '../../core/errors.ts';
import { formatUsdc, microUsdc, toJsonAmount } from '../../core/money.ts';
import { findLine, type ReceiptRow } from '../../db/payments/records/find.ts';
import { refundLine } from '../../db/refunds/refund-line.ts';
import type { ApiDependencies } from '../environment/dependencies.ts';
import type { ApiEnv } from '../http/env.ts';
import { readJsonBody } from '../http/read-body.ts';

/** `POST /payments/{txn_id}/cancel`: the payer takes back what is not collected. */
export async function cancelPayment(c: Context<ApiEnv>, dependencies: ApiDependencies): Promise<Response> {
  const nowMs = dependencies.now();
  const order = parseCancel(await readJsonBody(c.req.raw), Math.floor(nowMs / 1000));
  const found = await findByTxnId(c, dependencies);
  await checkSigner(dependencies, found, order);
  const { line } = found;
  const result = await refundLine(dependencies.store, line.txnId, nowMs, 'taken_back');
  if (result === 'not-waiting') {
    throw new AppError('not_cancellable', {
      detail: 'Only a payment that still waits to be collected can be taken back.',
    });
  }
  if (result === 'being-collected') {
    throw new AppError('not_cancellable', {
      detail: 'Its recipient is about to collect it. If they do not finish, it can be taken back in half an hour.',
    });
  }
  dependencies.notify(null);
  const amount = microUsdc(line.amountMicroUsdc);
  return c.json({
    code: 200,
    msg: `${formatUsdc(amount)} USDC for ${line.platform}:${line.recipientKey} is on its way back to you`,
    data: {
      txn_id: line.txnId,
      amount: toJsonAmount(amount),
      receipt: receiptUrl(dependencies.settings.baseUrl, line.slug),
      status: 'queued',
    },
  });
}

async function findByTxnId(
  c: Context<ApiEnv>,
  { store, now }: Pick<ApiDependencies, 'store' | 'now'>,
): Promise<ReceiptRow> {
  const text = c.req.param('txn_id') ?? '';
  const found = /^[1-9][0-9]{0,15}$/.test(text) ? await findLine(store, Number(text), now()) : null;
  if (found === null) throw new AppError('payment_not_found', { field: 'txn_id' });
  return found;
}

async function checkSigner(
  { networks }: Pick<ApiDependencies, 'networks'>,
  { line, payment }: ReceiptRow,
  { signature, validBefore }: { signature: string; validBefore: number },
): Promise<void> {
  const network = networks.find(({ terms }) => terms.network === payment.network);
  if (!network) throw new Error(`payment ${payment.id} is on ${payment.network}, which is not enabled`);
  const cancellation = { txnId: line.txnId, validBefore };
  if (await network.checker.isCancelledBy(payment.payer, cancellation, signature)) return;
  const detail = 'The signature is not the payer’s: sign Cancel(txnId, validBefore) with the account that paid.';
  throw new AppError('invalid_signature', { field: 'signature', detail });
}
