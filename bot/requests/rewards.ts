import { z } from 'zod';
import { formatUsdc, parseNumberUsdc, sumUsdc, type MicroUsdc } from '../../core/money.ts';
import type { RewardCounts } from '../../core/rewards/reward-cards.ts';
import type { RewardPreview } from '../../db/tables/reward-cards.ts';
import { isPaidFor } from '../../core/rewards/distribution-answer.ts';
import { DISTRIBUTION_STATES } from '../../core/states.ts';
import { fromHeader } from '../../core/payments/x402.ts';
import type { Channel } from '../../client/channel.ts';
import { getJson, postJson, type Answer, type HttpDeps } from '../../client/exchange.ts';
import { readRefusal, type Refused } from '../../client/refusal.ts';
import { createRestChannel } from '../../client/rest.ts';
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
 * `id`: the distribution; `key`: the bot's name for its payment. `isAnybodys`: signed by a visitor of a page, who may
 * mean harm, and for whom nothing is kept waiting.
 */
export type RewardPayment = { id: string; key: string; isAnybodys?: boolean };

type Made = { kind: 'created'; made: NewDistribution } | Refused | { kind: 'unreachable' };

/** Distributions of the API. The bot calls it over HTTP like anyone else. */
export type Rewards = {
  /**
   * Free, and moves nothing; one that nobody pays for expires by itself. `walletId`: the treasury that it is for. It also
   * counts as unreachable while too many are being made, for this treasury or for all.
   */
  create: (wish: RewardWish, walletId: string) => Promise<Made>;
  /** Null where it does not say. */
  read: (id: string) => Promise<DistributionNow | null>;
  /** `open`: the API does not say, or a payment is under way that may still fail. */
  reject: (id: string) => Promise<RewardPaid | { kind: 'over' | 'open' }>;
  /** How it is paid. Anyone may pay for it, so a price may be answered by another payer's payment. */
  channel: (payment: RewardPayment) => Channel<RewardPaid>;
};

/** `payer`: whose money it was, as the network writes addresses; null where the API does not say. */
export type RewardPaid = { kind: 'paid'; now: DistributionNow; payer: string | null };

const ROUTE = '/rewards/decsocial';
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
const statusSchema = z.enum(DISTRIBUTION_STATES);
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

export function createRewards(deps: HttpDeps & { baseUrl: string; apiToken?: string | undefined }): Rewards {
  const headers: Record<string, string> =
    deps.apiToken === undefined ? {} : { authorization: `Bearer ${deps.apiToken}` };
  const urlOf = (path: string) => `${deps.baseUrl}${ROUTE}/${path}`;
  const post = (path: string, body: unknown) => postJson(deps, urlOf(path), headers, body);
  const places = createRewardPlaces();
  return {
    async create({ post: content_id, budget, excluded: exclude }, walletId) {
      const ask = () => post('create-distribution', { budget: formatUsdc(budget), content_id, exclude });
      const answer = await places.use(walletId, ask);
      const made = answer?.status === 200 ? toNew(answer.json, budget) : null;
      if (made !== null) return { kind: 'created', made };
      return answer?.status === 400 ? readRefusal(answer) : { kind: 'unreachable' };
    },
    read: async (id) => nowIn(await getJson(deps, urlOf(`distributions/${id}`), headers)),
    async reject(id) {
      const answer = await post(`distributions/${id}/reject`, {});
      if (answer?.status === 404) return { kind: 'over' };
      // Its state tells what stands in its way, whatever word came with it.
      const isRefused = answer?.status === 409 || answer?.status === 400;
      const rejected = isRefused ? await getJson(deps, urlOf(`distributions/${id}`), headers) : answer;
      const now = nowIn(rejected);
      if (now === null) return { kind: 'open' };
      if (isPaidFor(now)) return { kind: 'paid', now, payer: null };
      return { kind: OVER.includes(now.status) ? 'over' : 'open' };
    },
    channel: ({ id, key, isAnybodys = false }) =>
      createRestChannel<RewardPaid>(deps, {
        url: urlOf('confirm-distribution'),
        idempotencyKey: key,
        apiToken: deps.apiToken,
        body: { order_id: id },
        readPaid: paidIn,
        isShared: true,
        isVisitors: isAnybodys,
      }),
  };
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

/** Null for an answer that does not say it is paid. */
function paidIn(answer: Answer): RewardPaid | null {
  const now = nowIn(answer);
  if (now === null || !isPaidFor(now)) return null;
  return { kind: 'paid', now, payer: payerIn(answer.headers.get('payment-response') ?? '') };
}

/** For display only: the money has moved even where it is missing. */
function payerIn(header: string): string | null {
  const read = settlementSchema.safeParse(fromHeader(header));
  return read.success ? read.data.payer : null;
}

/** Nobody can pay for it any more. */
const OVER: readonly DistributionNow['status'][] = ['rejected', 'expired'];

function toCounts(counts: NonNullable<z.infer<typeof nowSchema>['counts']>): RewardCounts {
  const { paid, queued: onTheWay, pending_claim: waiting, refunded, held } = counts;
  return { paid, onTheWay, waiting, refunded, held };
}
