import { REWARD_PLATFORM } from '../../core/rewards/engagement.ts';
import { createHash } from 'node:crypto';
import { DISTRIBUTION_LIFE_MS, type Distribution, type FrozenShare } from '../../core/rewards/distribution.ts';
import { parseDistributionOrder, type DistributionOrder } from '../../core/bodies/rewards.ts';
import { AppError } from '../../core/errors.ts';
import { parseRecipient } from '../../core/platforms/recipient.ts';
import type { Engagement } from '../../core/rewards/engagement.ts';
import { shareOut, type LeftOutPeople, type ShareOut } from '../../core/rewards/share-out.ts';
import { formatWeights } from '../../core/rewards/weights.ts';
import { addDistribution } from '../../db/rewards/distributions.ts';
import { waitForPlace } from '../../db/rewards/unpaid.ts';
import type { HubPerson } from '../../identity/hub/person.ts';
import { startLimit } from '../../identity/time-limit.ts';
import type { ApiDependencies } from '../environment/dependencies.ts';
import { excludedBy, leftOutOf } from './left-out.ts';
import type { Rewards } from './offers/offer.ts';

/** The limit for all requests to others. */
const READING_MAX_MS = 25_000;
/** Each round shows which of the recipients have no name; those are left out, and others move up. */
const ROUNDS_MAX = 5;

export type Caller = { address: string; isBot: boolean; signal?: AbortSignal };
export type Created = { distribution: Distribution; orderSecret: string };

/**
 * Makes a distribution, which pays nothing: confirming does. Reads everything before it writes anything, so a hub that
 * fails half way leaves nothing behind. A repeated call makes another one.
 */
export async function createDistribution(
  dependencies: ApiDependencies,
  body: unknown,
  caller: Caller,
): Promise<Created> {
  const rewards = rewardsOf(dependencies);
  const order = parseDistributionOrder(body, caller.isBot);
  const make = (): Promise<Created> => create(dependencies, rewards, order, caller);
  // Strangers who take all places must not shut out a community's own members.
  if (caller.isBot) return make();
  const { creationLimiter } = rewards;
  if (!creationLimiter.allows(caller.address)) {
    throw new AppError('rate_limited', { retryAfterSeconds: creationLimiter.retryAfterSeconds(caller.address) });
  }
  await refuseWithoutPlace(dependencies, rewards, caller);
  return rewards.reading(make);
}

/** Unpaid distributions are kept for some days, so a stranger may make only a limited number. */
async function refuseWithoutPlace(
  { store, now }: Pick<ApiDependencies, 'store' | 'now'>,
  { untriedMax }: Rewards,
  { address }: Caller,
): Promise<void> {
  const waitMs = await waitForPlace(store, { caller: address, untriedMax }, now());
  if (waitMs === null) return;
  const detail = 'Too many distributions of the last day are still unpaid.';
  throw new AppError('rate_limited', { detail, retryAfterSeconds: Math.ceil(waitMs / 1000) });
}

/** Without a hub that knows who engaged with a post, the platform is not offered for rewards. */
function rewardsOf({ rewards }: Pick<ApiDependencies, 'rewards'>): Rewards {
  if (rewards !== undefined && rewards !== null) return rewards;
  const detail = 'Rewards are not offered here: no Farcaster hub is configured.';
  throw new AppError('platform_unavailable', { field: 'platform', detail });
}

async function create(
  dependencies: ApiDependencies,
  { hub }: Rewards,
  order: DistributionOrder,
  caller: Caller,
): Promise<Created> {
  const { store, ids, now } = dependencies;
  const limit = startLimit(READING_MAX_MS, caller.signal);
  const { engagement, shared, people } = await readAndShare(dependencies, hub, order, limit.signal).finally(limit.end);
  const distribution = toDistribution({
    id: ids.distributionId(),
    order,
    engagement,
    shared,
    people,
    createdAtMs: now(),
  });
  const orderSecret = ids.orderSecret();
  const made = { secretHash: secretHash(orderSecret), caller: caller.isBot ? null : caller.address };
  await addDistribution(store, distribution, made);
  return { distribution, orderSecret };
}

async function readAndShare(
  dependencies: ApiDependencies,
  hub: Rewards['hub'],
  order: DistributionOrder,
  signal: AbortSignal,
) {
  const named = await excludedBy(dependencies, order);
  const engagement = await hub.readEngagement(order.contentId, signal);
  const leftOut = await leftOutOf(dependencies, engagement, named);
  return { engagement, ...(await shareAmongNamed(hub, { order, engagement, leftOut }, signal)) };
}

type Sharing = { order: DistributionOrder; engagement: Engagement; leftOut: LeftOutPeople };

/** Shares out among people with a name, because a line is written for a name and collected by it. */
async function shareAmongNamed(
  hub: Rewards['hub'],
  { order, engagement, leftOut }: Sharing,
  signal: AbortSignal,
): Promise<{ shared: ShareOut; people: ReadonlyMap<string, HubPerson> }> {
  const nameless = new Set<string>();
  const people = new Map<string, HubPerson>();
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const shared = shareOut({
      budget: order.budget,
      recipientsMax: order.recipientsMax,
      weights: order.weights,
      people: engagement.people,
      leftOut: { ...leftOut, nameless },
    });
    const unknown = shared.recipients.map(({ userId }) => userId).filter((userId) => !people.has(userId));
    if (unknown.length > 0)
      for (const [id, person] of await hub.describePeople(unknown, signal)) people.set(id, person);
    const without = unknown.filter((userId) => !isNamed(people.get(userId)));
    if (without.length === 0) return { shared, people };
    for (const userId of without) nameless.add(userId);
  }
  throw new AppError('no_engagement', { detail: 'Too many of those who engaged have no name to be paid by.' });
}

/** A name that no payment could be written for counts as none. */
function isNamed(person: HubPerson | undefined): boolean {
  if (person === undefined || person.username === null) return false;
  try {
    parseRecipient(REWARD_PLATFORM, person.username);
    return true;
  } catch (error) {
    if (error instanceof AppError) return false;
    throw error;
  }
}

type Made = Omit<Sharing, 'leftOut'> & {
  id: string;
  shared: ShareOut;
  people: ReadonlyMap<string, HubPerson>;
  createdAtMs: number;
};

function toDistribution({ id, order, engagement, shared, people, createdAtMs }: Made): Distribution {
  return {
    id,
    platform: engagement.platform,
    contentId: engagement.contentId,
    postUrl: engagement.url,
    authorId: engagement.authorId,
    authorName: engagement.authorName,
    excerpt: engagement.excerpt,
    publishedAtMs: engagement.publishedAtMs,
    budget: order.budget,
    weights: formatWeights(order.weights),
    recipientsMax: order.recipientsMax,
    shares: shared.recipients.map(({ userId, weightMillionths, amount }): FrozenShare => {
      const person = people.get(userId);
      if (person === undefined || person.username === null)
        throw new Error(`user ${userId} gets a share without a name`);
      const walletAddress = person.addresses[0]?.address ?? null;
      return { userId, username: person.username, weightMillionths, amount, walletAddress };
    }),
    leftOut: shared.leftOut,
    rejectedAtMs: null,
    createdAtMs,
    expiresAtMs: createdAtMs + DISTRIBUTION_LIFE_MS,
  };
}

export function secretHash(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}
