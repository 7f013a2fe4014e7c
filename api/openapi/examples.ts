import { PAYMENT_AMOUNT_MAX, PAYMENT_AMOUNT_MIN } from '../../core/amounts.ts';
import { RECEIVERS_MAX } from '../../core/bodies/batch.ts';
import { routeInvocation } from '../../core/catalog/invocation.ts';
import { EXAMPLE_PLATFORM, type CatalogRow } from '../../core/catalog/row.ts';
import { AppError } from '../../core/errors.ts';
import { feeFor, formatUsdc, microUsdc, type MicroUsdc } from '../../core/money.ts';
import { isBatch } from '../../core/payments/operations.ts';
import { MPP_INTENT, MPP_METHOD } from '../../core/payments/mpp/challenge.ts';
import type { NetworkTerms } from '../../core/payments/x402.ts';
import { challengeBody, errorBody } from '../payments/answers.ts';
import type { Json } from './components.ts';

/** What prices are made of here. */
export type Terms = {
  terms: readonly NetworkTerms[];
  feeBps: number;
  feeFlat: MicroUsdc;
  /** The tokens that a challenge of the Machine Payments Protocol asks for; empty where there are none. */
  challenged: readonly string[];
};

export const REQUEST_ID = 'req_AAAAAAAAAAAA';

/** The least that anything costs here, fee included. */
export function leastTotal({ feeBps, feeFlat }: Pick<Terms, 'feeBps' | 'feeFlat'>): MicroUsdc {
  return microUsdc(PAYMENT_AMOUNT_MIN + feeFor(PAYMENT_AMOUNT_MIN, feeBps, feeFlat));
}

/** The range of its prices, in the forms that indexes read (x402scan, agentcash and mpp.dev: `x-payment-info`). */
export function paymentInfo({ paid }: CatalogRow, terms: Terms): Json {
  if (paid === null) return {};
  const lines = isBatch(paid.kind) ? BigInt(RECEIVERS_MAX) : 1n;
  const most = microUsdc(PAYMENT_AMOUNT_MAX * lines);
  const price = {
    mode: 'dynamic',
    currency: 'USD',
    min: formatUsdc(leastTotal(terms)),
    max: formatUsdc(microUsdc(most + feeFor(most, terms.feeBps, terms.feeFlat))),
  };
  const mpp = terms.challenged.map((currency) => ({ method: MPP_METHOD, intent: MPP_INTENT, currency }));
  const protocols = [{ x402: {} }, ...mpp.map((one) => ({ mpp: one }))];
  // `offers` as draft-payment-discovery has them; null: the amount depends on the request.
  const offers = mpp.map((one) => ({ ...one, amount: null }));
  return { 'x-payment-info': { price, protocols, ...(offers.length === 0 ? {} : { offers }) } };
}

/** The 402 of a paid operation, as it is answered here to its own example. */
export function priceExample(row: CatalogRow, baseUrl: string, terms: Terms): Json {
  const platform = row.platforms?.[0] ?? (row.parameters.includes('platform') ? EXAMPLE_PLATFORM : null);
  const path = row.path.replace('{platform}', platform ?? '').replace('{order_id}', 'dist_AAAAAAAAAAAAAAAAAAAAAA');
  const invocation = routeInvocation(row, platform);
  const input = {
    terms: terms.terms,
    total: leastTotal(terms),
    costs: new Map(),
    description: invocation.description,
    resource: baseUrl + path,
    reason: 'payment_required' as const,
    requestHash: '0'.repeat(64),
    discovery: invocation,
  };
  return challengeBody(input, REQUEST_ID);
}

/** One for each error word that is answered: components that the answers refer to. */
export function errorExamples(rows: readonly CatalogRow[]): Json {
  const codes = [...new Set(rows.flatMap(({ errors }) => errors))];
  return Object.fromEntries(
    codes.map((code) => [code, { summary: code, value: errorBody(new AppError(code), REQUEST_ID) }]),
  );
}
