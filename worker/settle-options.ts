import { batchPaymentAnswer, singlePaymentAnswer, type AnsweredLine } from '../core/payments/answers.ts';
import { isBatch } from '../core/payments/operations.ts';
import type { PaymentRow } from '../db/payments/records/find.ts';
import type { SettledLine, SettleDependencies } from '../db/payments/settle.ts';
import type { WorkerContext } from './dependencies.ts';

/**
 * What settling a payment needs besides the database: ids, the time, and the stored answer that callers always get.
 * `extra`: what was sent beyond the price; it goes to the first recipient.
 */
export function settleOptions(worker: WorkerContext, extra = 0n): Omit<SettleDependencies, 'tables'> {
  return {
    transferIdOf: worker.transferIdOf,
    answerFor: (payment, lines) => answerFor(worker.settings.baseUrl, payment, lines, extra),
    nowMs: worker.now(),
  };
}

function answerFor(
  baseUrl: string,
  payment: PaymentRow,
  lines: readonly SettledLine[],
  extra: bigint,
): Record<string, unknown> {
  const answered = lines.map(toAnsweredLine);
  const [first] = answered;
  if (first !== undefined && extra > 0n) first.extraMicroUsdc = extra;
  if (first === undefined) throw new Error(`payment ${payment.id} has no lines`);
  return isBatch(payment.operation)
    ? batchPaymentAnswer(baseUrl, payment.id, answered)
    : singlePaymentAnswer(baseUrl, payment.id, first);
}

function toAnsweredLine(line: SettledLine): AnsweredLine {
  return {
    txnId: line.txnId,
    slug: line.slug,
    platform: line.platform,
    key: line.recipientKey,
    amountMicroUsdc: line.amountMicroUsdc,
    lineStatus: line.status,
    payoutStatus: line.payoutStatus,
    expiresAtMs: line.expiresAtMs,
  };
}
