import { batchPaymentAnswer, type AnsweredLine } from '../../core/payments/answers.ts';
import { distributionState, type Distribution } from '../../core/rewards/distribution.ts';
import { distributionData, paidLinesOf, type PaidLine } from '../../core/rewards/distribution-answer.ts';
import { AppError } from '../../core/errors.ts';
import { feeFor, formatUsdc, microUsdc, type MicroUsdc } from '../../core/money.ts';
import type { DistributionState } from '../../core/states.ts';
import { linesOf, type LineWithPayout, type PaymentRow } from '../../db/payments/records/find.ts';
import { findDistribution, type FoundDistribution } from '../../db/rewards/distributions.ts';
import type { ApiDependencies } from '../environment/dependencies.ts';

/** 128 bits in base64url behind a word. */
const ID = /^dist_[A-Za-z0-9_-]{22}$/;

export type Reading = Pick<ApiDependencies, 'store' | 'now'> & {
  settings: Pick<ApiDependencies['settings'], 'baseUrl' | 'feeBps' | 'feeFlat'>;
};

/** A distribution as it stands now. */
export type ShownDistribution = FoundDistribution & {
  state: DistributionState;
  fee: MicroUsdc;
  /** In the order of the shares; null before a payment settled. */
  lines: readonly PaidLine[] | null;
};

/** Throws AppError `distribution_not_found`. */
export async function requireDistribution(store: Reading['store'], id: string): Promise<FoundDistribution> {
  const found = ID.test(id) ? await findDistribution(store, id) : null;
  if (found === null) throw new AppError('distribution_not_found', { field: 'order_id' });
  return found;
}

export async function showDistribution({ store, now, settings }: Reading, id: string): Promise<ShownDistribution> {
  const found = await requireDistribution(store, id);
  const { distribution, payment } = found;
  const isAnswered = payment !== null && payment.answer !== null;
  const rows = isAnswered ? await linesOf(store, payment.id) : [];
  const lines = isAnswered ? toPaidLines(settings.baseUrl, payment.id, rows) : null;
  const holder = payment && { isAnswered, statuses: (lines ?? []).map(({ status }) => status) };
  // Sums come from the payment; before it, from the price of the next one.
  const fee = payment
    ? microUsdc(payment.feeMicroUsdc)
    : feeFor(distribution.budget, settings.feeBps, settings.feeFlat);
  return { ...found, lines, fee, state: distributionState(distribution, holder, now()) };
}

/** What creating answers, over REST and as a tool. */
export function toCreatedAnswer(
  { baseUrl, feeBps, feeFlat }: Reading['settings'],
  { distribution, orderSecret }: { distribution: Distribution; orderSecret: string },
): Record<string, unknown> {
  const { budget, shares } = distribution;
  const fee = feeFor(budget, feeBps, feeFlat);
  const data = distributionData(distribution, { baseUrl, state: 'pending', fee, payment: null, lines: null });
  const msg = `${formatUsdc(budget)} USDC would go to ${countOf(shares)}; nothing is paid yet`;
  return { code: 200, msg, data: { ...data, order_secret: orderSecret } };
}

/** What GET, reject and the page answer. */
export function toAnswer(baseUrl: string, shown: ShownDistribution): Record<string, unknown> {
  const { distribution, payment, state, fee, lines } = shown;
  return {
    code: 200,
    msg: describe(shown),
    data: distributionData(distribution, { baseUrl, state, fee, payment: payment && toPaymentFacts(payment), lines }),
  };
}

/**
 * The answer to confirming: the list as frozen and the lines as the payment settled them. Neither changes, so every
 * caller gets the same answer for ever.
 */
export function toConfirmedAnswer(
  baseUrl: string,
  { distribution }: FoundDistribution,
  payment: PaymentRow,
): Record<string, unknown> {
  if (payment.answer === null) throw new Error(`payment ${payment.id} has no answer, so it confirms nothing yet`);
  const { msg } = payment.answer;
  const fee = microUsdc(payment.feeMicroUsdc);
  const lines = paidLinesOf(payment.answer);
  const facts = toPaymentFacts(payment);
  return {
    code: 200,
    msg,
    data: distributionData(distribution, { baseUrl, state: 'confirmed', fee, payment: facts, lines }),
  };
}

function toPaymentFacts({ id, network, landedTransaction }: PaymentRow) {
  return { id, network, transaction: landedTransaction };
}

function toPaidLines(baseUrl: string, paymentId: string, rows: readonly LineWithPayout[]): PaidLine[] {
  const lines = rows.map(({ line, payout }): AnsweredLine => {
    return {
      txnId: line.txnId,
      slug: line.slug,
      platform: line.platform,
      key: line.recipientKey,
      amountMicroUsdc: line.amountMicroUsdc,
      lineStatus: line.status,
      payoutStatus: payout?.status ?? null,
      expiresAtMs: line.expiresAtMs,
    };
  });
  return paidLinesOf(batchPaymentAnswer(baseUrl, paymentId, lines));
}

const WORDS: Readonly<Record<DistributionState, string>> = {
  pending: 'waits to be confirmed',
  confirming: 'is being paid for',
  confirmed: 'is paid for; shares are on their way',
  completed: 'has reached everybody',
  partial: 'is paid for; not everybody has their share yet',
  rejected: 'was rejected',
  expired: 'was not confirmed in time',
};

function describe({ distribution, state }: ShownDistribution): string {
  return `${formatUsdc(distribution.budget)} USDC for ${countOf(distribution.shares)}: ${WORDS[state]}`;
}

const countOf = ({ length }: readonly unknown[]): string => (length === 1 ? '1 person' : `${length} people`);
