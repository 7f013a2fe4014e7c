import type { z } from 'zod';
import { createdDistributionAnswer, distributionAnswer } from '../core/catalog/reward-answers.ts';
import { formatUsdc, parseNumberUsdc, type MicroUsdc } from '../core/money.ts';
import { REWARD_PLATFORM } from '../core/rewards/engagement.ts';
import { isPaidFor } from '../core/rewards/distribution-answer.ts';
import type { Channel, PaidAnswer } from './channel.ts';
import { getJson, postJson, type HttpDeps } from './exchange.ts';
import type { Answered } from './lookup.ts';
import type { Reward, RewardRequest } from './pennypost.ts';
import { readRefusal } from './refusal.ts';
import { createRestChannel } from './rest.ts';

export type RewardPaid = PaidAnswer & { reward: Reward };

/** Rewards of one service. */
export type RewardCalls = {
  create: (request: RewardRequest, budget: MicroUsdc) => Promise<Answered<Reward>>;
  read: (id: string) => Promise<Answered<Reward>>;
  /** Anyone may pay for it, so a price may be answered by another payer's payment. */
  channel: (id: string, key: string, payer: string) => Channel<RewardPaid>;
};

export const CONFIRMING = {
  operation: 'rest.confirm-distribution',
  pathParameters: { platform: REWARD_PLATFORM },
} as const;

export function createRewardCalls(deps: HttpDeps & { baseUrl: string }): RewardCalls {
  const urlOf = (path: string) => `${deps.baseUrl}/rewards/${REWARD_PLATFORM}/${path}`;
  return {
    async create({ post, weights, maxRecipients, exclude }, budget) {
      const body = {
        content_id: post,
        budget: formatUsdc(budget),
        ...(weights && { weights }),
        ...(maxRecipients !== undefined && { max_recipients: maxRecipients }),
        ...(exclude && { exclude }),
      };
      return toAnswered(await postJson(deps, urlOf('create-distribution'), {}, body), createdDistributionAnswer);
    },
    read: async (id) =>
      toAnswered(await getJson(deps, urlOf(`distributions/${encodeURIComponent(id)}`)), distributionAnswer),
    channel: (id, key, payer) =>
      createRestChannel<RewardPaid>(deps, {
        url: urlOf('confirm-distribution'),
        idempotencyKey: key,
        payer,
        body: { order_id: id },
        isShared: true,
        readPaid({ json }) {
          const parsed = distributionAnswer.safeParse(json);
          return parsed.success && parsed.data.data.id === id && isPaidFor(parsed.data.data)
            ? { kind: 'paid', reward: toReward(parsed.data.data) }
            : null;
        },
      }),
  };
}

type Data = z.infer<typeof distributionAnswer>['data'];

function toAnswered(
  answer: Awaited<ReturnType<typeof getJson>>,
  schema: z.ZodType<{ msg: string; data: Data }>,
): Answered<Reward> {
  const parsed = schema.safeParse(answer?.status === 200 ? answer.json : null);
  if (parsed.success) return { kind: 'found', message: parsed.data.msg, data: toReward(parsed.data.data) };
  const isRefused = answer !== null && answer.status >= 400 && answer.status < 500 && answer.status !== 429;
  return isRefused ? readRefusal(answer) : { kind: 'open' };
}

function toReward({ id, status, budget, total, expires_at, page, recipients }: Data): Reward {
  return {
    id,
    status,
    budget: toText(budget),
    total: toText(total),
    expiresAt: expires_at,
    page,
    shares: recipients.map((share) => ({
      name: share.username,
      amount: share.amount,
      status: share.status ?? null,
      receipt: share.receipt ?? null,
      claimUrl: share.claim_url ?? null,
    })),
  };
}

function toText(amount: number): string {
  const read = parseNumberUsdc(amount);
  if (read === null) throw new Error(`the service must answer an amount of USDC, found ${amount}`);
  return formatUsdc(read);
}
