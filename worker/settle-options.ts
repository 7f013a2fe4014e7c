import { batchPaymentAnswer, singlePaymentAnswer, type AnsweredLine } from '../core/payments/answers.ts';
import { isBatch } from '../core/payments/operations.ts';
import type { Passage } from '../core/failpoints.ts';
import type { PaymentRow } from '../db/payments/records/find.ts';
import type { SettledLine, SettleDependencies } from '../db/payments/settle.ts';
import type { ScanResult } from '../db/scan/apply.ts';
import type { EvmWorker, SolanaWorker, WorkerContext } from './dependencies.ts';

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

/** What has come into the books from the chain. */
export function landedOf(
  { profile: { network } }: Pick<EvmWorker | SolanaWorker, 'profile'>,
  { changedPayments: payments, changedTransfers: transfers }: ScanResult,
  sinceMs: number,
): Passage {
  return { sinceMs, network, payments, transfers };
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
