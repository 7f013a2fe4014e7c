import { receiptUrl } from '../../core/payments/answers.ts';
import { parseValidateQuery, type PaymentQuery } from '../../core/bodies/validate.ts';
import { AppError } from '../../core/errors.ts';
import { formatUsdc, microUsdc, toJsonAmount } from '../../core/money.ts';
import { findPlatform, platformRow } from '../../core/platforms/platforms.ts';
import { wireStatus } from '../../core/states.ts';
import { findProof, linesOf, type ReceiptRow } from '../../db/payments/records/find.ts';
import { lookUpLines } from '../../db/payments/records/lookup.ts';
import type { ApiDependencies } from '../environment/dependencies.ts';
import { readProof } from './proof.ts';

/** A question about a payment, whichever interface it came through. */
export type Question = {
  fields: Record<string, unknown>;
  /** The proof as its header has it; used where no field is given. */
  proof: string | null;
  isBot: boolean;
};

export type Validated =
  | { kind: 'found'; answer: Record<string, unknown> }
  /** A proof that was never presented pays for nothing yet. */
  | { kind: 'never-presented'; message: string };

/** What became of a payment, by any of its names or by its proof. Throws AppError where it cannot tell. */
export async function findValidated(
  dependencies: Pick<ApiDependencies, 'store' | 'networks' | 'settings'>,
  question: Question,
): Promise<Validated> {
  const query = parseValidateQuery(question.fields, question.isBot);
  const isEmpty = Object.values(query).every((value) => value === null);
  if (isEmpty && question.proof !== null) return findByProof(dependencies, question.proof);
  if (isEmpty || (query.amount === null) !== (query.recipients === null)) {
    const detail = 'Ask by txn_id, settlement_attempt_id, transaction_hash, amount with receiver, or a payment header.';
    throw new AppError('validation_failed', { detail });
  }
  return answer(dependencies, pick(query, await lookUpLines(dependencies.store, query)));
}

/** For amount and receiver the newest payment counts; any other question must have one answer. */
function pick(query: PaymentQuery, rows: readonly ReceiptRow[]): ReceiptRow {
  const [first, second] = rows;
  if (first === undefined) throw new AppError('payment_not_found');
  if (second !== undefined && query.recipients === null) throw new AppError('ambiguous');
  return first;
}

async function findByProof(
  dependencies: Pick<ApiDependencies, 'store' | 'networks' | 'settings'>,
  header: string,
): Promise<Validated> {
  const { store, networks } = dependencies;
  const reading = readProof(header, networks);
  if (reading.kind !== 'proof')
    throw new AppError('payment_not_found', { detail: 'The payment header cannot be read.' });
  const { network, authorization, payloadHash } = reading.proof;
  const proof = await findProof(store, network.terms.network, authorization.from, authorization.nonce);
  if (proof === null || proof.payloadHash !== payloadHash) {
    return { kind: 'never-presented', message: 'This payment was never presented' };
  }
  const lines = await linesOf(store, proof.paymentId);
  const [only] = await lookUpLines(store, { ...NOTHING, attemptId: proof.paymentId });
  if (lines.length > 1) throw new AppError('ambiguous', { settlementAttemptId: proof.paymentId });
  if (only === undefined) throw new AppError('payment_not_found');
  return answer(dependencies, only);
}

const NOTHING = { txnId: null, attemptId: null, transactionHash: null, amount: null, recipients: null };

/**
 * Never shows payer or wallet, and always links the receipt without note and sender: an answer found by something
 * public carries the `txn_id`, so a caller that knows the id need not be the payer.
 */
function answer({ settings }: Pick<ApiDependencies, 'settings'>, { line, payment, payout }: ReceiptRow): Validated {
  if (payment.answer === null) {
    if (payment.status === 'rejected') throw new AppError('payment_not_found', { detail: 'This payment was refused.' });
    throw new AppError('settlement_pending', { settlementAttemptId: payment.id, retryAfterSeconds: 5 });
  }
  const amount = microUsdc(line.amountMicroUsdc);
  const status = wireStatus(line.status, payout?.status ?? null);
  return {
    kind: 'found',
    answer: {
      code: 200,
      msg: `${formatUsdc(amount)} USDC for ${toWhom(line)}: ${status}`,
      data: {
        txn_id: line.txnId,
        amount: toJsonAmount(amount),
        receipt: receiptUrl(settings.baseUrl, line.publicSlug),
        status,
        network: payment.network,
        settled_at: payment.settledAtMs === null ? null : new Date(payment.settledAtMs).toISOString(),
        settlement_attempt_id: payment.id,
      },
    },
  };
}

/** A private name is not shown to everyone who can look a payment up. */
function toWhom({ platform, recipientKey }: ReceiptRow['line']): string {
  const known = findPlatform(platform);
  const isPrivate = known !== null && platformRow(known).mask !== undefined;
  return isPrivate ? `an ${platformRow(known).nameIsCalled ?? 'address'}` : `${platform}:${recipientKey}`;
}
