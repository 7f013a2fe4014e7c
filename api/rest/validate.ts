import type { Context } from 'hono';
import { receiptUrl } from '../../core/answers.ts';
import { parseValidateQuery, type PaymentQuery } from '../../core/bodies/validate.ts';
import { AppError } from '../../core/errors.ts';
import { formatUsdc, microUsdc, toJsonAmount } from '../../core/money.ts';
import { wireStatus } from '../../core/states.ts';
import { findProof, linesOf, type ReceiptRow } from '../../db/payments/find.ts';
import { lookUpLines } from '../../db/payments/lookup.ts';
import type { ApiDependencies } from '../dependencies.ts';
import { readProof } from '../proof.ts';
import { hasBotToken } from './caller.ts';
import type { ApiEnv } from './env.ts';
import { proofHeaderOf } from './proof-header.ts';
import { readGetBody } from './read-body.ts';

/** `GET /payments/validate`: what became of a payment, by any of its names or by its proof. */
export async function validatePayment(c: Context<ApiEnv>, dependencies: ApiDependencies): Promise<Response> {
  const isBot = hasBotToken(c, dependencies.settings.botApiToken);
  const query = parseValidateQuery({ ...(await readGetBody(c)), ...c.req.query() }, isBot);
  const isEmpty = Object.values(query).every((value) => value === null);
  const header = proofHeaderOf(c);
  if (isEmpty && header !== null) return validateProof(c, dependencies, header);
  if (isEmpty || (query.amount === null) !== (query.recipients === null)) {
    const detail = 'Ask by txn_id, settlement_attempt_id, transaction_hash, amount with receiver, or a payment header.';
    throw new AppError('validation_failed', { detail });
  }
  return answer(c, dependencies, pick(query, await lookUpLines(dependencies.store, query)), query.txnId !== null);
}

/** For amount and receiver the newest counts; any other question must have one answer. */
function pick(query: PaymentQuery, rows: readonly ReceiptRow[]): ReceiptRow {
  const [first, second] = rows;
  if (first === undefined) throw new AppError('payment_not_found');
  if (second !== undefined && query.recipients === null) throw new AppError('ambiguous');
  return first;
}

async function validateProof(c: Context<ApiEnv>, dependencies: ApiDependencies, header: string): Promise<Response> {
  const { store, networks } = dependencies;
  const reading = readProof(header, networks);
  if (reading.kind !== 'proof')
    throw new AppError('payment_not_found', { detail: 'The payment header cannot be read.' });
  const { network, authorization, payloadHash } = reading.proof;
  const proof = await findProof(store, network.terms.network, authorization.from, authorization.nonce);
  if (proof === null || proof.payloadHash !== payloadHash) return answerNeverPresented(c);
  const lines = await linesOf(store, proof.paymentId);
  const [only] = await lookUpLines(store, { ...NOTHING, attemptId: proof.paymentId });
  if (lines.length > 1) throw new AppError('ambiguous', { settlementAttemptId: proof.paymentId });
  if (only === undefined) throw new AppError('payment_not_found');
  return answer(c, dependencies, only, false);
}

const NOTHING = { txnId: null, attemptId: null, transactionHash: null, amount: null, recipients: null };

/** A proof that nobody has presented pays for nothing yet. No terms are offered: this address sells nothing. */
function answerNeverPresented(c: Context<ApiEnv>): Response {
  const body = {
    x402Version: 1,
    code: 402,
    msg: 'This payment was never presented',
    error: 'payment_required',
    accepts: [],
  };
  return c.json({ ...body, request_id: c.get('requestId') }, 402);
}

/** Never shows payer or wallet. Whoever asked by a public name gets the receipt without note and sender. */
function answer(c: Context<ApiEnv>, dependencies: ApiDependencies, found: ReceiptRow, byTxnId: boolean): Response {
  const { line, payment, payout } = found;
  if (payment.answer === null) {
    if (payment.status === 'rejected') throw new AppError('payment_not_found', { detail: 'This payment was refused.' });
    throw new AppError('settlement_pending', { settlementAttemptId: payment.id, retryAfterSeconds: 5 });
  }
  const amount = microUsdc(line.amountMicroUsdc);
  const status = wireStatus(line.status, payout?.status ?? null);
  return c.json({
    code: 200,
    msg: `${formatUsdc(amount)} USDC for ${line.platform === 'email' ? 'an e-mail address' : `${line.platform}:${line.recipientKey}`}: ${status}`,
    data: {
      txn_id: line.txnId,
      amount: toJsonAmount(amount),
      receipt: receiptUrl(dependencies.settings.baseUrl, byTxnId ? line.slug : line.publicSlug),
      status,
      network: payment.network,
      settled_at: payment.settledAtMs === null ? null : new Date(payment.settledAtMs).toISOString(),
      settlement_attempt_id: payment.id,
    },
  });
}
