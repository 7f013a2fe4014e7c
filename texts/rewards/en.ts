import { formatUsdcForPeople, type MicroUsdc } from '../../core/money.ts';
import { code, line, muted, strong, type Paragraph, type Span } from '../../core/view.ts';
import type { RewardCounts } from '../../core/rewards/reward-cards.ts';
import type { RewardProblem } from './problem.ts';
import {
  REWARD_CARD_HOURS,
  REWARD_DEFAULT,
  REWARD_MAX,
  REWARD_MIN,
  REWARD_NAMES_MAX,
  TIP_MAX,
  TIP_MIN,
} from '../rules/rules.ts';
import { momentIn } from '../rules/moment.ts';

/** A reward as its texts need it; `by` as the platform numbers people: `discord:7`. `top`: those who get most. */
export type RewardFacts = {
  by: string;
  author: string;
  budget: MicroUsdc;
  fee: MicroUsdc;
  /** What may come on top for the cost of the transaction; 0: nothing. */
  costMax: MicroUsdc;
  count: number;
  weights: { like: number; comment: number; repost: number };
  top: readonly { name: string; amount: MicroUsdc }[];
  leftOut: readonly { reason: string; count: number }[];
};

/** `needed`: how many have to confirm; `confirmed`: who has. */
export type RewardWords = { needed: 1 | 2; confirmed: readonly string[] };

const people = formatUsdcForPeople;
const usdc = (amount: MicroUsdc): Span => strong(`${people(amount)} USDC`);
const withFee = (fee: MicroUsdc): string => (fee === 0n ? '' : ` (plus ${people(fee)} USDC fee)`);
const time = momentIn('en-GB');

const WHY = new Map([
  ['author', 'wrote the post'],
  ['creator', 'asked for this reward'],
  ['excluded', 'excluded'],
  ['opted_out', 'wants no payments'],
  ['nameless', 'has no name'],
  ['no_weight', 'did only what counts nothing'],
  ['max_recipients', `more than ${REWARD_NAMES_MAX} people`],
  ['share_too_small', `less than ${TIP_MIN} USDC`],
]);

/** Everything about rewards for a post. */
export const rewardsEn = {
  rewardAsk: (facts: RewardFacts, { needed, confirmed }: RewardWords): Paragraph[] => {
    const { by, author, budget, fee, costMax, count, weights, top, leftOut } = facts;
    const { like, comment, repost } = weights;
    const left = leftOut.reduce((sum, one) => sum + one.count, 0);
    const why = leftOut.map((one) => `${one.count} ${WHY.get(one.reason) ?? one.reason}`).join(', ');
    return [
      line`${strong(by)} wants to reward those who engaged with a post by ${strong(author)}: ${usdc(budget)}${withFee(fee)} for ${strong(String(count))} people, out of this community’s treasury.`,
      ...(costMax === 0n
        ? []
        : [line`If today’s free transactions are used up, up to ${usdc(costMax)} more pays for their cost.`]),
      line`A like counts ${String(like)}, a comment ${String(comment)}, a repost ${String(repost)}.`,
      ...top.map(({ name, amount }, index) => line`${String(index + 1)}. ${name} · ${people(amount)} USDC`),
      ...(count > top.length ? [line`and ${String(count - top.length)} more`] : []),
      ...(left === 0 ? [] : [line`Left out: ${strong(String(left))} (${why})`]),
      line`To leave somebody out: ${code('/reward without alice')}`,
      needed === 1
        ? line`One who moderates here and did not ask for it has to confirm within ${REWARD_CARD_HOURS} hours. One Reject ends it.`
        : line`Two who moderate here and did not ask for it have to confirm within ${REWARD_CARD_HOURS} hours. One Reject ends it.`,
      ...(confirmed.length === 0 ? [] : [line`Confirmed by ${strong(confirmed.join(', '))}`]),
    ];
  },
  rewardConfirm: (done: number, needed: number): string => `Confirm ${done}/${needed}`,
  rewardReject: (): string => 'Reject',
  rewardPage: (): string => 'Who gets what',
  rewardCsv: (): string => 'As CSV',
  rewardPost: (): string => 'The post',
  rewardTell: (): string => 'Tell them on Farcaster',
  /** What a member posts there. `called`: the names of those rewarded. */
  rewardTelling: (called: string, author: string): Paragraph =>
    line`${called} thank you for what you did with the post by ${author}. You have a share; here is how to get it:`,

  rewardPaying: ({ budget, count, author }: RewardFacts): Paragraph =>
    line`Paying ${usdc(budget)} to ${strong(String(count))} people for a post by ${strong(author)}…`,
  rewardPaid: ({ budget, author }: RewardFacts, counts: RewardCounts | null): Paragraph[] => {
    const parts: [number, string][] = [
      [counts?.paid ?? 0, 'paid'],
      [counts?.onTheWay ?? 0, 'on the way'],
      [counts?.waiting ?? 0, 'wait to be collected'],
      [counts?.held ?? 0, 'held'],
      [counts?.refunded ?? 0, 'came back'],
    ];
    const said = parts.filter(([number]) => number > 0).map(([number, what]) => `${number} ${what}`);
    return [
      line`Rewarded: ${usdc(budget)} for a post by ${strong(author)}.`,
      ...(said.length === 0 ? [] : [line`${said.join(', ')}`]),
    ];
  },
  rewardPaidElsewhere: (): Paragraph => [muted('Somebody else has paid for it: nothing left the treasury.')],
  rewardPaidByLink: (): Paragraph => [muted('Paid by the link: nothing left the treasury.')],
  rewardUnfunded: (): Paragraph =>
    line`It is confirmed, but no network of the treasury has enough for it. Pay in with ${code('/treasury deposit')} and press Confirm again, or anybody pays it with a wallet by the button below.`,
  rewardRejected: ({ budget, author }: RewardFacts, by: string): Paragraph =>
    line`${strong(by)} has rejected the reward of ${usdc(budget)} for a post by ${strong(author)}. Nothing moved.`,
  rewardExpired: ({ budget, author }: RewardFacts): Paragraph =>
    line`The reward of ${usdc(budget)} for a post by ${strong(author)} is over: not enough have confirmed it in time. Nothing moved.`,
  rewardUnpaid: ({ budget, author }: RewardFacts): Paragraph =>
    line`The reward of ${usdc(budget)} for a post by ${strong(author)} is over: it was confirmed, and nobody has paid it in time. Nothing moved.`,
  rewardReplaced: ({ author }: RewardFacts, by: string): Paragraph =>
    line`${strong(by)} has left somebody out: another card for the post by ${strong(author)} stands in the place of this one.`,
  rewardFailed: ({ budget, author }: RewardFacts, reason: string): Paragraph[] => [
    line`The reward of ${usdc(budget)} for a post by ${strong(author)} was not paid, and nothing moved.`,
    whyNot(reason),
  ],

  rewardProblem: (problem: RewardProblem): Paragraph => {
    switch (problem.code) {
      case 'elsewhere':
        return line`Say ${code('/reward')} in the server or group whose money it is.`;
      case 'small_group':
        return line`This group has no treasury yet: show the chat history to new members in the group’s settings first.`;
      case 'nothing_said':
        return line`${code('/reward')} shares money of this community’s treasury out among all who engaged with a post on Farcaster. It needs the link to that post; a sum may follow, else it is ${REWARD_DEFAULT} USDC. I show who would get what before anything is paid:`;
      case 'unreadable':
        return line`I can’t read ${code(problem.found)}. These work:`;
      case 'not_a_post':
        return line`${code(problem.found)} is no link to a post on Farcaster. These work:`;
      case 'not_a_name':
        return line`I can’t read ${code(problem.found)} as a name on Farcaster. This works:`;
      case 'budget':
        return line`${code(problem.found)} can’t be shared out. From ${REWARD_MIN} to ${REWARD_MAX} USDC works:`;
      case 'not_decider':
        return line`That is for those who moderate here.`;
      case 'standing_unknown':
        return line`I can’t find out who runs this community, so I did nothing. I have to be a member here. Try again in a minute.`;
      case 'busy':
        return line`Another reward waits to be confirmed. Confirm or reject that one first.`;
      case 'nothing_open':
        return line`No reward waits to be confirmed here. This makes one:`;
      case 'card_over':
        return line`That reward is decided already.`;
      case 'being_paid':
        return line`Somebody is paying it with a wallet right now. Press again in a minute.`;
      case 'own':
        return problem.at === null
          ? line`You asked for this reward yourself, so somebody else who moderates here has to confirm it.`
          : line`You asked for this reward yourself. Others may reject it until ${time(problem.at)}; then you can confirm it.`;
      case 'refused':
        return whyNot(problem.reason);
      case 'unreachable':
        return line`I can’t read that post right now, so I did nothing. Try again in a minute.`;
      case 'missing':
        return line`The treasury has ${usdc(problem.most)}, and this needs ${usdc(problem.needed)} on one network. ${code('/treasury deposit')} shows how to pay in.`;
      case 'balance_unknown':
        return line`I can’t find out what the treasury has right now. Try again in a minute.`;
    }
  },
};

/** In the words of the API, and in ours. */
function whyNot(reason: string): Paragraph {
  switch (reason) {
    case 'content_not_found':
      return line`I can’t find that post. It may be deleted; the link from the app works best.`;
    case 'no_engagement':
      return line`Nobody who could be rewarded has engaged with that post yet.`;
    case 'budget_too_small':
      return line`That is too little: each person has to get ${TIP_MIN} USDC at least.`;
    case 'budget_too_large':
      return line`That is too much: each person can get ${TIP_MAX} USDC at most.`;
    case 'insufficient_funds':
      return line`The treasury has not enough. ${code('/treasury deposit')} shows how to pay in.`;
    case 'receiver_opted_out':
      return line`Somebody on the list wants no payments any more. A new card leaves them out.`;
    case 'distribution_expired':
      return line`Its time is over.`;
    case 'distribution_rejected':
      return line`It was rejected.`;
    case 'took_too_long':
      return line`It took too long.`;
    case 'service_closing':
      return line`This service is closing: it takes no more payments.`;
    case 'service_paused':
      return line`Payments are paused right now.`;
    case 'unreachable':
      return line`I could not reach the service.`;
    default:
      return line`The reason: ${code(reason)}`;
  }
}
