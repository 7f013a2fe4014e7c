import { microUsdc, splitEqually, type MicroUsdc } from '../money.ts';
import { countConfirmations, quorumOf, type RewardModerators } from '../rewards/reward-cards.ts';

/** A member gives a sum to those of a group who ask for a share in time. */
const HOUR_MS = 3_600_000;

/** With one person it is a tip. The giver reads every name before it pays, so there are not more than can be read. */
export const DROP_PEOPLE_MIN = 2;
export const DROP_PEOPLE_MAX = 20;
/** How long shares can be asked for. */
export const DROP_TIME_MIN_S = 60;
export const DROP_TIME_MAX_S = 24 * 3_600;
export const DROP_TIME_DEFAULT_S = 3_600;
/** After that time the giver has this long to pay it. */
export const DROP_LIST_HOURS = 24;
export const DROP_LIST_MS = DROP_LIST_HOURS * HOUR_MS;
/** One that is over is forgotten after that. */
export const DROP_KEPT_MS = 30 * 24 * HOUR_MS;

/**
 * Shares can be asked for; the giver looks at the list; one order pays it, and says how that ended. Beside
 * `core/states.ts`, which has room for no more.
 */
export const DROP_STATES = ['open', 'closed', 'agreed', 'ended'] as const;
type DropState = (typeof DROP_STATES)[number];
export const DROP_MOVES = {
  open: ['closed', 'ended'],
  closed: ['agreed', 'ended'],
  agreed: [],
  ended: [],
} as const satisfies Record<DropState, readonly DropState[]>;

/** Why nothing was paid: the giver called it off · nobody asked for a share · the giver did not pay it in time. */
export const DROP_ENDS = ['called_off', 'nobody', 'lapsed'] as const;
export type DropEnd = (typeof DROP_ENDS)[number];

/** Why a share is not given to this person. */
export type TakeProblem =
  | 'own'
  /** Has not the role, or is not known here for long enough; also one whom the moderators have banned. */
  | 'not_eligible'
  /** The same person has a share already, under another name. */
  | 'other_name'
  | 'full'
  | 'over'
  /** The platform does not say who has the role. */
  | 'unknown'
  /** Takes no payments, or none of this giver. */
  | 'takes_nothing';

/** Why nothing is dropped, or the list is not changed or paid. */
export type DropProblem =
  | 'unreadable'
  | 'people'
  | 'time'
  | 'share'
  | 'elsewhere'
  /** The moderators have named no role, and the bot sees nobody write. */
  | 'no_role'
  /** Nobody here could take a share yet. */
  | 'nobody_known'
  | 'busy'
  | 'none'
  | 'not_listed'
  | 'empty'
  | 'changed'
  | 'too_little'
  /** Out of the treasury: of those who moderate, and who have not asked for it or for a share of it. */
  | 'not_decider'
  | 'standing_unknown'
  | 'small_group'
  | 'own'
  | 'has_share'
  | 'treasury_short';

/**
 * What each place is worth: the sum is divided exactly, and what does not divide goes to the first. A place that nobody
 * has taken, or whose person was struck, leaves its part with the giver.
 */
export function sharesOf(amount: MicroUsdc, { people, taken }: { people: number; taken: number }): MicroUsdc[] {
  if (taken > people) throw new Error(`expected at most ${people} shares of a drop, found ${taken}`);
  return splitEqually(amount, people).slice(0, taken);
}

/** The smallest of the shares, which the card names. */
export function shareOf(amount: MicroUsdc, people: number): MicroUsdc {
  return microUsdc(amount / BigInt(people));
}

/** A person who has asked for a share. `names`: the ids of everything that they have proven to be theirs. */
export type Taker = { userId: string; names: readonly string[]; isStruck: boolean };

/**
 * Who is paid, in the order in which they asked: each person once, whatever names they have linked meanwhile. A person
 * who was struck is struck under every name.
 */
export function payeesAmong(takers: readonly Taker[]): string[] {
  const seen = new Set<string>();
  const struck = new Set(takers.flatMap((taker) => (taker.isStruck ? namesOf(taker) : [])));
  return takers.flatMap((taker) => {
    const names = namesOf(taker);
    const isOut = names.some((name) => struck.has(name) || seen.has(name));
    for (const name of names) seen.add(name);
    return isOut ? [] : [taker.userId];
  });
}

/** Whether two accounts are the same person's, as far as they have proven it. */
export function isSamePerson(one: Pick<Taker, 'userId' | 'names'>, other: Pick<Taker, 'userId' | 'names'>): boolean {
  const known = new Set(namesOf(one));
  return namesOf(other).some((name) => known.has(name));
}

function namesOf({ userId, names }: Pick<Taker, 'userId' | 'names'>): string[] {
  return [`account:${userId}`, ...names];
}

type Proposed = { giverId: string; amountMicroUsdc: bigint; closesAtMs: number; endsAtMs: number };

/**
 * A drop out of the treasury is decided about by the rules of rewards, from when its list stands: also its wait, before a
 * lone moderator may confirm what they have asked for.
 */
export function dropDecision({ giverId, amountMicroUsdc, closesAtMs, endsAtMs }: Proposed) {
  return { proposedBy: giverId, budgetMicroUsdc: amountMicroUsdc, createdAtMs: closesAtMs, expiresAtMs: endsAtMs };
}

/** `listHash`: the list that it was given for. */
type Confirmation = { userId: string; listHash: string; confirmedAtMs: number };

/**
 * How many have confirmed this list in a way that counts, of how many it takes. What was confirmed of another list counts
 * nothing, and nobody decides about a share of their own.
 */
export function dropStanding(
  drop: Proposed,
  moderators: RewardModerators,
  {
    confirmations,
    payees,
    listHash,
  }: { confirmations: readonly Confirmation[]; payees: readonly string[]; listHash: string },
): { confirmed: number; quorum: number } {
  const isOfList = (one: Confirmation) => one.listHash === listHash;
  const others = confirmations.filter((one) => isOfList(one) && !payees.includes(one.userId));
  const card = dropDecision(drop);
  return { confirmed: countConfirmations(card, moderators, others), quorum: quorumOf(card, moderators) };
}
