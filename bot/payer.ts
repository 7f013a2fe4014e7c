import { z } from 'zod';
import { readChallenge, type Challenge } from '../core/challenge.ts';
import { WIRE_STATUSES } from '../core/states.ts';
import type { LineResult } from '../db/tables/bot.ts';
import type { Clock } from './clock.ts';
import { postJson, type Answer, type HttpDeps } from './http.ts';

/** The same for each try of one order: the API knows a repeat by route, body and key. */
export type PayRequest = { orderId: string; route: string; body: Record<string, unknown> };

/** `line`: the one of several that was refused, where the API names one. */
type Refused = { kind: 'refused'; reason: string; line?: number };

export type PriceAnswer =
  | { kind: 'price'; challenge: Challenge }
  | Refused
  /** Nothing usable came back; nothing was signed, so nothing can be charged. */
  | { kind: 'unreachable' };

export type PaidAnswer =
  /** `results` where several were paid, in the order of the request; the rest says what the first of them does. */
  | { kind: 'paid'; txnId: number; receipt: string; results?: LineResult[] }
  /** A 400 or a 402: this header moves nothing. */
  | Refused
  /** Not known yet. Only the same header may be sent again. */
  | { kind: 'pending' };

export type Payer = {
  askPrice: (request: PayRequest) => Promise<PriceAnswer>;
  present: (request: PayRequest, header: string, onWaiting: () => Promise<void>) => Promise<PaidAnswer>;
};

export type PayerDeps = HttpDeps & {
  baseUrl: string;
  /** `BOT_API_TOKEN`; opens the routes that only bots have. */
  apiToken?: string;
  clock: Clock;
};

/** As in one batch of the API. */
const LINES_MAX = 100;
const PRICE_TRIES = 6;
const PRESENT_LIMIT_MS = 180_000;
const PAUSE_MIN_MS = 500;
const PAUSE_MAX_MS = 15_000;

const receiptLink = z.url({ protocol: /^https?$/ }).max(2_000);
/** The published reference shows `txn_id` as text in places. */
const txnId = z
  .union([
    z.int(),
    z
      .string()
      .regex(/^[0-9]{1,16}$/)
      .transform(Number),
  ])
  .pipe(z.int().positive());
const paidSchema = z.object({ code: z.literal(200), data: z.object({ txn_id: txnId, receipt: receiptLink }) });
/** A state of later days reads as the one that promises least. */
const lineStatus = z.enum(WIRE_STATUSES).catch('queued');
const paidLine = z.object({ txn_id: txnId, receipt: receiptLink, status: lineStatus });
const batchSchema = z.object({ code: z.literal(200), data: z.array(paidLine).min(1).max(LINES_MAX) });
const errorWord = z.string().regex(/^[a-z0-9_]{1,80}$/);
const refusalSchema = z.object({ error: errorWord });
const lineField = z.object({ field: z.string().regex(/^receivers\[[0-9]{1,2}\]/) });

/** Pays like any outsider: over HTTP, by the 402 flow. It holds no key and decides nothing about money. */
export function createPayer(deps: PayerDeps): Payer {
  const post = (request: PayRequest, headers: Record<string, string>) => {
    const all: Record<string, string> = { 'idempotency-key': request.orderId, ...headers };
    if (deps.apiToken !== undefined) all['authorization'] = `Bearer ${deps.apiToken}`;
    return postJson(deps, `${deps.baseUrl}${request.route}`, all, request.body);
  };
  return {
    askPrice: (request) => askPrice(deps, () => post(request, {})),
    present: (request, header, onWaiting) =>
      present(deps, request, () => post(request, { 'payment-signature': header }), onWaiting),
  };
}

async function askPrice(deps: PayerDeps, post: () => Promise<Answer | null>): Promise<PriceAnswer> {
  for (let tries = 1; ; tries++) {
    const answer = readPrice(await post());
    if (answer.kind !== 'unreachable' || tries === PRICE_TRIES) return answer;
    await deps.clock.sleep(pauseFor(null, tries));
  }
}

export function readPrice(answer: Answer | null): PriceAnswer {
  if (answer?.status === 402) {
    const challenge = readChallenge(answer.headers.get('payment-required'));
    return challenge === null ? { kind: 'refused', reason: 'unreadable_price' } : { kind: 'price', challenge };
  }
  const isRetryable = answer === null || answer.status === 429 || answer.status >= 500;
  // A pause is said once; asking again within seconds would not end it.
  if (isRetryable && readReason(answer) !== 'service_paused') return { kind: 'unreachable' };
  return refusalIn(answer);
}

/**
 * Sends one header until its fate is known or the time is up. Whatever is not a clear answer (a lost reply, 429, 500,
 * a 200 that cannot be read) leaves the fate open, and then only this header may come again.
 */
async function present(
  deps: PayerDeps,
  request: PayRequest,
  post: () => Promise<Answer | null>,
  onWaiting: () => Promise<void>,
): Promise<PaidAnswer> {
  const deadline = deps.clock.now() + PRESENT_LIMIT_MS;
  for (let tries = 1; ; tries++) {
    const answer = await post();
    const outcome = readOutcome(answer, request);
    const pauseMs = pauseFor(answer, tries);
    if (outcome.kind !== 'pending' || deps.clock.now() + pauseMs >= deadline) return outcome;
    if (tries === 1) await onWaiting();
    await deps.clock.sleep(pauseMs);
  }
}

function readOutcome(answer: Answer | null, request: PayRequest): PaidAnswer {
  if (answer?.status === 200) return readPaid(answer.json, request) ?? { kind: 'pending' };
  if (answer?.status === 400 || answer?.status === 402) return refusalIn(answer);
  return { kind: 'pending' };
}

/** Null for what does not answer this request: then nobody knows who was paid. Tasks are answered like this as well. */
export function readPaid(
  json: unknown,
  { body }: Pick<PayRequest, 'body'>,
): Extract<PaidAnswer, { kind: 'paid' }> | null {
  const { receivers } = body;
  if (!Array.isArray(receivers)) {
    const paid = paidSchema.safeParse(json);
    return paid.success ? { kind: 'paid', txnId: paid.data.data.txn_id, receipt: paid.data.data.receipt } : null;
  }
  const paid = batchSchema.safeParse(json);
  if (!paid.success || paid.data.data.length !== receivers.length) return null;
  const results = paid.data.data.map(({ txn_id, receipt, status }) => ({ txnId: txn_id, receipt, status }));
  const [first] = results;
  return first ? { kind: 'paid', txnId: first.txnId, receipt: first.receipt, results } : null;
}

function refusalIn(answer: Answer | null): Refused {
  const named = lineField.safeParse(answer?.json);
  const line = named.success ? Number(/[0-9]+/.exec(named.data.field)?.[0]) : null;
  return { kind: 'refused', reason: readReason(answer), ...(line === null ? {} : { line }) };
}

/** The stable error word. The header carries it too; the body of a 402 may be written for the first generation. */
export function readReason(answer: Answer | null): string {
  const header = errorWord.safeParse(answer?.headers.get('payment-error'));
  const body = refusalSchema.safeParse(answer?.json);
  if (header.success) return header.data;
  return body.success ? body.data.error : 'unknown_answer';
}

export function pauseFor(answer: Answer | null, tries: number): number {
  const asked = Number(answer?.headers.get('retry-after') ?? Number.NaN) * 1_000;
  const wanted = Number.isFinite(asked) ? asked : PAUSE_MIN_MS * 2 ** (tries - 1);
  return Math.min(Math.max(wanted, PAUSE_MIN_MS), PAUSE_MAX_MS);
}
