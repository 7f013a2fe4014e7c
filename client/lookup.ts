import type { z } from 'zod';
import { cancelAnswer, validateAnswer } from '../core/catalog/answers.ts';
import { getJson, postJson, type HttpDeps } from './exchange.ts';
import { readRefusal, type Refused } from './refusal.ts';

/** `open`: there is no usable answer, or the service cannot say yet. */
export type Answered<Data> = { kind: 'found'; message: string; data: Data } | Refused | { kind: 'open' };

export type FoundPayment = z.infer<typeof validateAnswer>['data'];
export type CancelledPayment = z.infer<typeof cancelAnswer>['data'];

/** What became of a payment. */
export async function findPayment(deps: HttpDeps, baseUrl: string, txnId: string): Promise<Answered<FoundPayment>> {
  const answer = await getJson(deps, `${baseUrl}/payments/validate?txn_id=${txnId}`);
  const parsed = validateAnswer.safeParse(answer?.status === 200 ? answer.json : null);
  if (parsed.success) return { kind: 'found', message: parsed.data.msg, data: parsed.data.data };
  return answer?.status === 400 || answer?.status === 404 ? readRefusal(answer) : { kind: 'open' };
}

export type Cancellation = { txnId: number; signature: string; validBefore: number };

/** Takes a payment back. Asked again, the service answers the same. */
export async function cancelPayment(
  deps: HttpDeps,
  baseUrl: string,
  { txnId, signature, validBefore }: Cancellation,
): Promise<Answered<CancelledPayment>> {
  const body = { signature, valid_before: validBefore };
  const answer = await postJson(deps, `${baseUrl}/payments/${txnId}/cancel`, {}, body);
  const parsed = cancelAnswer.safeParse(answer?.status === 200 ? answer.json : null);
  if (parsed.success) return { kind: 'found', message: parsed.data.msg, data: parsed.data.data };
  return answer !== null && answer.status >= 400 && answer.status < 500 && answer.status !== 429
    ? readRefusal(answer)
    : { kind: 'open' };
}
