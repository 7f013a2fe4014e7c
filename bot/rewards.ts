import { z } from 'zod';
import { formatUsdc, parseNumberUsdc, sumUsdc, type MicroUsdc } from '../core/money.ts';
import type { RewardCounts, RewardPreview } from '../db/tables/reward-cards.ts';
import type { Clock } from './clock.ts';
import { getJson, postJson, type Answer, type HttpDeps } from './http.ts';
import { pauseFor, readPrice, readReason, type PriceAnswer } from './payer.ts';
import { createRewardPlaces } from './reward-places.ts';

/** What the API has frozen: nothing of it changes until it is paid. */
export type NewDistribution = {
  id: string;
  budget: MicroUsdc;
  /** With the fee. */
  total: MicroUsdc;
  expiresAtMs: number;
  preview: RewardPreview;
};

/** How far the API is with one. */
export type DistributionNow = { status: z.infer<typeof statusSchema>; counts: RewardCounts | null };

export type RewardWish = { post: string; budget: MicroUsdc; excluded: readonly string[] };

/**
 * `id`: the distribution; `key`: what the bot calls the payment for it. `isAnybodys`: signed by somebody on a page, who may
 * mean no good, and for whom nothing is kept waiting.
 */
export type RewardPayment = { id: string; key: string; isAnybodys?: boolean };

type Refused = { kind: 'refused'; reason: string };
type Made = { kind: 'created'; made: NewDistribution } | Refused | { kind: 'unreachable' };

/** Distributions of the API (contract, section 5). The bot calls it over HTTP like anybody else. */
export type Rewards = {
  /**
   * Free, and moves nothing; one that nobody pays for is over by itself. `walletId`: the treasury that it is for. It is
   * unreachable also while too many are being made, for this treasury or for all.
   */
  create: (wish: RewardWish, walletId: string) => Promise<Made>;
  /** Null where it does not say. */
  read: (id: string) => Promise<DistributionNow | null>;
  /** `open`: it does not say, or somebody pays for it now, which may still come to nothing. */
  reject: (id: string) => Promise<Paid | { kind: 'over' | 'open' }>;
  /** `paid`: somebody has paid for it already. `busy`: somebody does so now. */
  askPrice: (payment: RewardPayment) => Promise<PriceAnswer | Paid | { kind: 'busy' }>;
  /** `pending`: not known yet, or somebody else’s payment is on its way. Only the same header may be sent again. */
  present: (payment: RewardPayment, header: string) => Promise<Paid | Refused | { kind: 'pending' }>;
};

/** `payer`: whose money it was, as the network writes addresses; null where the API does not say. */
type Paid = { kind: 'paid'; now: DistributionNow; payer: string | null };

const ROUTE = '/rewards/decsocial';
const PRICE_TRIES = 6;
const PRESENT_LIMIT_MS = 180_000;
/** As in one batch of the API. */
const PEOPLE_MAX = 100;
const REASONS_MAX = 20;
const TOP = 10;

const usdc = z.number().transform((value, context) => {
  const amount = parseNumberUsdc(value);
  if (amount !== null) return amount;
  context.addIssue({ code: 'custom', message: 'wanted an amount of USDC' });
  return z.NEVER;
});
const count = z.int().min(0).max(PEOPLE_MAX);
const link = z.url({ protocol: /^https?$/ }).max(2_000);
const statusSchema = z.enum(['pending', 'confirming', 'confirmed', 'completed', 'partial', 'rejected', 'expired']);
const nowSchema = z.object({
  status: statusSchema,
  counts: z.object({ paid: count, queued: count, pending_claim: count, refunded: count, held: count }).nullish(),
});
const settlementSchema = z.object({ payer: z.string().min(1).max(100) });
const weight = z.number().min(0).max(100);
const createdSchema = z.object({
  id: z.string().regex(/^[A-Za-z0-9_-]{16,80}$/),
  status: z.literal('pending'),
  budget: usdc,
  total: usdc,
  weights: z.object({ like: weight, comment: weight, repost: weight }),
  expires_at: z.iso.datetime(),
  page: link,
  csv: link,
  // Strangers' words: shown as text, and cut where they are shown.
  post: z.object({ url: link.nullable(), author: z.string().max(200) }),
  recipients: z
    .array(z.object({ username: z.string().min(1).max(200), amount: usdc }))
    .min(1)
    .max(PEOPLE_MAX),
  left_out: z.array(z.object({ reason: z.string().max(80), count: z.int().min(0) })).max(REASONS_MAX),
});
const answerOf = <Data extends z.ZodType>(data: Data) => z.object({ code: z.literal(200), data });

export function createRewards(
  deps: HttpDeps & { baseUrl: string; apiToken?: string; clock: Pick<Clock, 'now' | 'sleep'> },
): Rewards {
  const headers: Record<string, string> =
    deps.apiToken === undefined ? {} : { authorization: `Bearer ${deps.apiToken}` };
  const urlOf = (path: string) => `${deps.baseUrl}${ROUTE}/${path}`;
  const post = (path: string, body: unknown, more: Record<string, string> = {}) =>
    postJson(deps, urlOf(path), { ...headers, ...more }, body);
  const confirm = ({ id, key }: RewardPayment, more: Record<string, string> = {}) =>
    post('confirm-distribution', { order_id: id }, { 'idempotency-key': key, ...more });
  const places = createRewardPlaces();
  return {
    async create({ post: content_id, budget, excluded: exclude }, walletId) {
      const ask = () => post('create-distribution', { budget: formatUsdc(budget), content_id, exclude });
      const answer = await places.use(walletId, ask);
      const made = answer?.status === 200 ? toNew(answer.json, budget) : null;
      if (made !== null) return { kind: 'created', made };
      return answer?.status === 400 ? { kind: 'refused', reason: readReason(answer) } : { kind: 'unreachable' };
    },
    read: async (id) => nowIn(await getJson(deps, urlOf(`distributions/${id}`), headers)),
    async reject(id) {
      const answer = await post(`distributions/${id}/reject`, {});
      if (answer?.status === 404) return { kind: 'over' };
      // What stands in its way is told by how far it is, whatever words that has.
      const isRefused = answer?.status === 409 || answer?.status === 400;
      const rejected = isRefused ? await getJson(deps, urlOf(`distributions/${id}`), headers) : answer;
      const now = nowIn(rejected);
      if (now === null) return { kind: 'open' };
      if (isPaidFor(now)) return { kind: 'paid', now, payer: null };
      return { kind: OVER.includes(now.status) ? 'over' : 'open' };
    },
    askPrice: (payment) => askPrice(deps, () => confirm(payment)),
    present: (payment, header) => present(deps, payment, () => confirm(payment, { 'payment-signature': header })),
  };
}

type Pausing = { clock: Pick<Clock, 'now' | 'sleep'> };

async function askPrice({ clock }: Pausing, ask: () => Promise<Answer | null>): ReturnType<Rewards['askPrice']> {
  for (let tries = 1; ; tries++) {
    const answer = await ask();
    const paid = paidIn(answer);
    if (paid !== null) return paid;
    const price = readPrice(answer);
    if (price.kind === 'refused' && price.reason === IN_PROGRESS) return { kind: 'busy' };
    if (price.kind !== 'unreachable' || tries === PRICE_TRIES) return price;
    await clock.sleep(pauseFor(null, tries));
  }
}

/** While somebody else’s payment is on its way nothing is decided: it may still fail, and then this header is good. */
const IN_PROGRESS = 'order_in_progress';

/** As for an order: whatever is not a clear answer leaves the fate open. */
async function present(
  { clock }: Pausing,
  { isAnybodys }: RewardPayment,
  send: () => Promise<Answer | null>,
): ReturnType<Rewards['present']> {
  const deadline = clock.now() + PRESENT_LIMIT_MS;
  for (let tries = 1; ; tries++) {
    const answer = await send();
    const paid = paidIn(answer);
    if (paid !== null) return paid;
    // What the API has taken it answers before it counts anybody's tries.
    const isTooMuch = answer?.status === 429 && isAnybodys === true;
    const isRefused = answer?.status === 400 || answer?.status === 402 || isTooMuch;
    const reason = readReason(answer);
    if (isRefused && reason !== IN_PROGRESS) return { kind: 'refused', reason };
    const pauseMs = pauseFor(answer, tries);
    if (clock.now() + pauseMs >= deadline) return { kind: 'pending' };
    await clock.sleep(pauseMs);
  }
}

/** Null where the list is not what was asked for: then nobody is asked to agree to it. */
function toNew(json: unknown, budget: MicroUsdc): NewDistribution | null {
  const read = answerOf(createdSchema).safeParse(json);
  if (!read.success) return null;
  const {
    id,
    total,
    weights,
    post,
    page,
    csv,
    recipients,
    left_out: leftOut,
    expires_at,
    budget: found,
  } = read.data.data;
  if (found !== budget || sumUsdc(recipients.map(({ amount }) => amount)) !== budget) return null;
  const top = recipients
    .slice(0, TOP)
    .map(({ username, amount }) => ({ name: username, amountMicroUsdc: amount.toString() }));
  const { author, url: postUrl } = post;
  const preview = {
    weights,
    author,
    postUrl,
    page,
    csv,
    count: recipients.length,
    top,
    leftOut: leftOut.filter((one) => one.count > 0),
  };
  return { id, budget, total, expiresAtMs: Date.parse(expires_at), preview };
}

function nowIn(answer: Answer | null): DistributionNow | null {
  const read = answer?.status === 200 ? answerOf(nowSchema).safeParse(answer.json) : null;
  if (!read?.success) return null;
  const { status, counts } = read.data.data;
  return { status, counts: counts ? toCounts(counts) : null };
}

/** Null for what does not say that somebody has paid for it. */
function paidIn(answer: Answer | null): Paid | null {
  const now = nowIn(answer);
  if (now === null || !isPaidFor(now)) return null;
  return { kind: 'paid', now, payer: payerIn(answer?.headers.get('payment-response') ?? '') };
}

function payerIn(header: string): string | null {
  try {
    const read = settlementSchema.safeParse(JSON.parse(Buffer.from(header, 'base64').toString('utf8')));
    return read.success ? read.data.payer : null;
  } catch {
    // Not JSON: it is for show only, and the money has moved all the same.
    return null;
  }
}

export function isPaidFor({ status }: Pick<DistributionNow, 'status'>): boolean {
  return PAID.includes(status);
}

/** What the API calls one that is paid for, whatever has become of its shares. */
const PAID: readonly DistributionNow['status'][] = ['confirmed', 'completed', 'partial'];

/** Nobody can pay for it any more. */
const OVER: readonly DistributionNow['status'][] = ['rejected', 'expired'];

function toCounts(counts: NonNullable<z.infer<typeof nowSchema>['counts']>): RewardCounts {
  const { paid, queued: onTheWay, pending_claim: waiting, refunded, held } = counts;
  return { paid, onTheWay, waiting, refunded, held };
}
