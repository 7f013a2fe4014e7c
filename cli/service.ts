import { z } from 'zod';
import { batchAnswer, singleAnswer, validateAnswer } from '../core/catalog/answers.ts';
import { readChallenge, type Challenge } from '../core/challenge.ts';
import { exchange, type Answer } from './http.ts';
import { plainText } from './plain-text.ts';

/** Why a service did not do what it was asked: its own word, and its own text made plain. */
export type Refusal = { word: string; text: string };

export type Price =
  | { kind: 'price'; challenge: Challenge }
  | { kind: 'refused'; refusal: Refusal }
  | { kind: 'silent' };

/** What became of one line, as the receipt has it. */
export type PaidLine = {
  txnId: number;
  amount: number;
  receipt: string;
  status: string;
  claimUrl: string | null;
  expiresAt: string | null;
};
export type PaidAnswer = { message: string; lines: PaidLine[] };

export type Presented =
  | { kind: 'paid'; answer: PaidAnswer }
  /** `unclaimed`: the service says by it that it holds no payment under this header. */
  | { kind: 'refused'; refusal: Refusal; unclaimed: boolean }
  /** Not known yet. Only the very same header may be sent again. */
  | { kind: 'open'; waitMs: number | null };

/** A request that is paid for, always under the same key: how a service knows a repetition. */
export type PaidRequest = { service: string; route: string; body: Record<string, unknown>; id: string };

type Fetch = typeof globalThis.fetch;

const errorSchema = z.object({ error: z.string().max(100), detail: z.string().nullish() });
const url = z.url({ protocol: /^https?$/ }).max(2_000);

/** The price, or why there is none. Nothing is signed and nothing can be charged. */
export async function askPrice(fetch: Fetch, request: PaidRequest): Promise<Price> {
  const answer = await post(fetch, request, {});
  if (answer?.status === 402) {
    const challenge = readChallenge(answer.headers.get('payment-required'));
    const unreadable = { word: 'unreadable_price', text: 'The price of this service cannot be read.' };
    return challenge === null ? { kind: 'refused', refusal: unreadable } : { kind: 'price', challenge };
  }
  if (answer === null) return { kind: 'silent' };
  return { kind: 'refused', refusal: readRefusal(answer) };
}

/** Sends a signed header once. */
export async function present(fetch: Fetch, request: PaidRequest, header: string): Promise<Presented> {
  const answer = await post(fetch, request, { 'payment-signature': header });
  if (answer?.status === 200) {
    const paid = readPaid(answer.json);
    if (paid !== null) return { kind: 'paid', answer: paid };
  }
  if (answer?.status === 400 || answer?.status === 402) {
    const refusal = readRefusal(answer);
    return { kind: 'refused', refusal, unclaimed: isUnclaimed(answer.status, refusal.word) };
  }
  const seconds = Number(answer?.headers.get('retry-after') ?? Number.NaN);
  return { kind: 'open', waitMs: Number.isFinite(seconds) ? seconds * 1_000 : null };
}

/**
 * A 402 is answered only after the service has looked whether it holds this very header, and so are questions about the
 * recipient (contract, section 3). What is wrong with the form of a request is said before that, so it says nothing.
 */
function isUnclaimed(status: number, word: string): boolean {
  return status === 402 || word === 'receiver_not_found' || word === 'receiver_opted_out';
}

export type Found =
  | { kind: 'found'; message: string; data: z.infer<typeof validateAnswer>['data'] }
  | { kind: 'refused'; refusal: Refusal }
  | { kind: 'open' };

/** What became of a payment. */
export async function findPayment(fetch: Fetch, service: string, txnId: string): Promise<Found> {
  const answer = await exchange(fetch, { method: 'GET', url: `${service}/payments/validate?txn_id=${txnId}` });
  const parsed = validateAnswer.safeParse(answer?.status === 200 ? answer.json : null);
  if (parsed.success) return { kind: 'found', message: plainText(parsed.data.msg), data: parsed.data.data };
  if (answer?.status === 400 || answer?.status === 404) return { kind: 'refused', refusal: readRefusal(answer) };
  return { kind: 'open' };
}

function post(fetch: Fetch, { service, route, body, id }: PaidRequest, headers: Record<string, string>) {
  return exchange(fetch, {
    method: 'POST',
    url: service + route,
    headers: { 'idempotency-key': id, ...headers },
    body,
  });
}

function readRefusal({ status, headers, json }: Answer): Refusal {
  const parsed = errorSchema.safeParse(json);
  const word = headers.get('payment-error') ?? (parsed.success ? parsed.data.error : '');
  const text = parsed.success ? (parsed.data.detail ?? '') : '';
  return {
    word: /^[a-z0-9_]{1,80}$/.test(word) ? word : 'unknown_answer',
    text: plainText(text) || `The service answered ${status}.`,
  };
}

/** Null for what does not say what was paid: then it is no proof that anything was. */
function readPaid(json: unknown): PaidAnswer | null {
  const single = singleAnswer.safeParse(json);
  if (single.success) return toPaid(single.data.msg, [single.data.data]);
  const batch = batchAnswer.safeParse(json);
  return batch.success ? toPaid(batch.data.msg, batch.data.data) : null;
}

type WireLine = z.infer<typeof singleAnswer>['data'] | z.infer<typeof batchAnswer>['data'][number];

function toPaid(message: string, lines: readonly WireLine[]): PaidAnswer {
  return {
    message: plainText(message),
    lines: lines.map(({ txn_id, amount, receipt, status, claim_url, expires_at }) => ({
      txnId: txn_id,
      amount,
      receipt: linkOf(receipt) ?? '',
      status,
      claimUrl: linkOf(claim_url),
      expiresAt: expires_at ?? null,
    })),
  };
}

/** A link that people may be shown. */
function linkOf(text: string | undefined): string | null {
  const parsed = url.safeParse(text);
  return parsed.success ? plainText(parsed.data, 2_000) : null;
}
