import { PAYMENT_AMOUNT_MIN } from '../../core/amounts.ts';
import type { Language } from '../../core/languages.ts';
import { formatUsdc, formatUsdcForPeople, microUsdc, type MicroUsdc } from '../../core/money.ts';
import type { Distribution } from '../../core/rewards/distribution.ts';
import type { DistributionState, WireStatus } from '../../core/states.ts';
import { RECEIPT_PAGES } from '../receipt-page/languages.ts';
import { REWARD_PAGES } from './languages.ts';

/** What the sentences of a reward's page need to know. `lines`: null before a payment settled. */
export type RewardPageFacts = {
  state: DistributionState;
  fee: MicroUsdc;
  lines: readonly { status: WireStatus }[] | null;
  distribution: Pick<Distribution, 'budget' | 'shares' | 'expiresAtMs' | 'weights'>;
};

export function titleOf({ distribution: { budget, shares } }: RewardPageFacts, language: Language): string {
  const words = REWARD_PAGES[language];
  return words.title(formatUsdcForPeople(budget), words.people(shares.length));
}

/** The state in a few words. */
export function stateOf({ state }: RewardPageFacts, language: Language): string {
  return REWARD_PAGES[language].states[state];
}

/** A second sentence beside it. */
export function explain(
  { state, distribution, fee, lines }: RewardPageFacts,
  language: Language,
  until: string = RECEIPT_PAGES[language].minute(new Date(distribution.expiresAtMs)),
): string {
  const { explain: words } = REWARD_PAGES[language];
  switch (state) {
    case 'pending': {
      const price = `${formatUsdcForPeople(microUsdc(distribution.budget + fee))} USDC`;
      return words.pending(until, price);
    }
    case 'confirming':
      return words.confirming;
    case 'confirmed':
    case 'partial':
      return countsOf(lines ?? [], language);
    case 'completed':
      return words.completed;
    case 'rejected':
    case 'expired':
      return words.over;
  }
}

const COUNTED = ['paid', 'queued', 'pending_claim', 'held', 'refunded'] as const satisfies readonly WireStatus[];

/** `38 received, 2 to be collected`; what nobody has is left out. */
function countsOf(lines: readonly { status: WireStatus }[], language: Language): string {
  const { counts } = REWARD_PAGES[language];
  return COUNTED.map((status) => ({ status, count: lines.filter((line) => line.status === status).length }))
    .filter(({ count }) => count > 0)
    .map(({ status, count }) => `${count} ${counts[status]}`)
    .join(', ');
}

/** Reasons are kept as text: one that is not known any more is shown as it stands. */
export function reasonOf(reason: string, language: Language): string {
  const { reasons, tooSmall } = REWARD_PAGES[language];
  if (reason === 'share_too_small') return tooSmall(formatUsdc(PAYMENT_AMOUNT_MIN));
  const known: Readonly<Record<string, string>> = reasons;
  return Object.hasOwn(known, reason) ? (known[reason] ?? reason) : reason;
}

/** `like 1, comment 2, repost 3` */
export function ruleOf({ distribution: { weights } }: RewardPageFacts, language: Language): string {
  const { like, comment, repost } = weights;
  return REWARD_PAGES[language].rule(String(like), String(comment), String(repost));
}

/** `12.5 %`, one decimal at most. */
export function percentOf(weightMillionths: number, language: Language): string {
  return REWARD_PAGES[language].percent(
    new Intl.NumberFormat(language, { maximumFractionDigits: 1 }).format(Math.round(weightMillionths / 1_000) / 10),
  );
}
