import { microUsdc } from '../../core/money.ts';
import { countConfirmations, quorumOf } from '../../core/rewards/reward-cards.ts';
import { tellingUrl } from '../../core/rewards/telling.ts';
import type { Action, Paragraph, View } from '../../core/view.ts';
import { ANYBODY } from '../../db/chats/buttons.ts';
import { confirmationsOf, findReward, moderatorsOf, type RewardCard } from '../../db/rewards/reward-cards.ts';
import { isAgreed } from '../../db/rewards/reward-links.ts';
import { newButton } from '../conversation/buttons.ts';
import type { CoreDeps } from '../conversation/dependencies.ts';
import type { RewardProblem } from '../../texts/rewards/problem.ts';
import type { RewardFacts } from '../../texts/rewards/en.ts';
import { speaking } from '../conversation/speech.ts';
import { showCurrent } from '../shared/show-current.ts';
import { privateView, publicView, tryCommand, workingView } from '../conversation/views.ts';

const AUTHOR_CHARACTERS_MAX = 40;
const NAME_CHARACTERS_MAX = 40;

const EXAMPLE = '/reward https://farcaster.xyz/alice/0x0123abcd 5';
/** What can be typed instead, or next. */
const EXAMPLES: Record<RewardProblem['code'], readonly string[]> = {
  elsewhere: [],
  small_group: [],
  nothing_said: [EXAMPLE],
  unreadable: [EXAMPLE, `${EXAMPLE} without bob`, '/reward without bob'],
  not_a_post: [EXAMPLE],
  not_a_name: ['/reward without bob'],
  budget: [EXAMPLE],
  not_decider: ['/treasury'],
  standing_unknown: [],
  busy: [],
  nothing_open: [EXAMPLE],
  card_over: [],
  being_paid: [],
  own: [],
  refused: [],
  unreachable: [],
  missing: ['/treasury deposit'],
  balance_unknown: ['/treasury'],
};

export function rewardProblemView({ texts }: Pick<CoreDeps, 'texts'>, problem: RewardProblem): View {
  return privateView('error', [texts.rewardProblem(problem)], EXAMPLES[problem.code].map(tryCommand));
}

/** A payment by the link that is refused is refused sooner. */
export const LINK_SHOWN_AFTER_MS = 2_000;

/**
 * Strangers may send what they like to the page, so a payment by the link is shown from then on only, by a press too: `reopen`
 * has to know whether the chat may have seen it.
 */
function isNotYetNews({ clock }: Pick<CoreDeps, 'clock'>, { viaLink, endedAtMs }: RewardCard): boolean {
  return viaLink === true && clock.now() - (endedAtMs ?? 0) < LINK_SHOWN_AFTER_MS;
}

/** The card of a reward, as far as it has come by now. */
export async function rewardCard(
  deps: Pick<CoreDeps, 'texts' | 'store' | 'random' | 'clock' | 'publicUrl'>,
  card: RewardCard,
): Promise<View> {
  const { texts } = deps;
  const facts = factsOf(card);
  const by = card.endedBy ?? card.proposedBy;
  const links = linksOf(deps, card);
  switch (card.status) {
    case 'proposed':
      return askView(deps, card, facts);
    case 'confirmed':
    case 'signed':
      if (isNotYetNews(deps, card)) return askView(deps, card, facts);
      return { ...workingView(texts.rewardPaying(facts)), actions: links };
    case 'paid': {
      return publicView(
        'ok',
        [...texts.rewardPaid(facts, card.counts), ...whoseMoney(deps, card)],
        [...links, ...tellThem(deps, card)],
      );
    }
    case 'failed':
      return publicView('error', texts.rewardFailed(facts, card.failure ?? 'unknown'), links);
    case 'rejected':
      return publicView('ok', [texts.rewardRejected(facts, by)]);
    case 'expired': {
      const confirmations = await confirmationsOf(deps.store.read, deps.store.tables, card.id);
      return publicView('ok', [isAgreed(card, confirmations) ? texts.rewardUnpaid(facts) : texts.rewardExpired(facts)]);
    }
    case 'replaced':
      return publicView('ok', [texts.rewardReplaced(facts, by)]);
  }
}

/** Says so where it was not the treasury that paid. */
function whoseMoney({ texts }: Pick<CoreDeps, 'texts'>, { header, viaLink }: RewardCard): Paragraph[] {
  if (header === null) return [texts.rewardPaidElsewhere()];
  return viaLink === true ? [texts.rewardPaidByLink()] : [];
}

/** In the language of the request, because the card is for everyone. */
export async function showReward(deps: CoreDeps, card: RewardCard): Promise<void> {
  const { read, tables } = deps.store;
  const withPresses = async (row: RewardCard) => ({ row, presses: await confirmationsOf(read, tables, row.id) });
  await showCurrent({
    first: await withPresses(card),
    async read() {
      const row = await findReward(deps.store, card.id);
      return row && withPresses(row);
    },
    async show({ row }) {
      const { transport, chatId, messageId, language } = row;
      if (messageId === null) return;
      await deps.messengers[transport]?.edit(chatId, messageId, await rewardCard(speaking(deps, language), row));
    },
    faceOf: ({ row: { status, failure, counts }, presses }) => [status, failure, counts, presses],
  });
}

async function askView(
  deps: Pick<CoreDeps, 'texts' | 'store' | 'random' | 'clock' | 'publicUrl'>,
  card: RewardCard,
  facts: RewardFacts,
): Promise<View> {
  const { texts, store } = deps;
  const confirmations = await confirmationsOf(store.read, store.tables, card.id);
  const moderators = moderatorsOf(card);
  const needed = quorumOf(card, moderators);
  const confirmed = confirmations.map(({ userId }) => userId);
  const press = (action: 'confirm_reward' | 'reject_reward', label: string) =>
    newButton(deps, ANYBODY, { action, rewardId: card.id }, label);
  const done = countConfirmations(card, moderators, confirmations);
  const actions = [
    await press('confirm_reward', texts.rewardConfirm(done, needed)),
    await press('reject_reward', texts.rewardReject()),
    ...(done < needed ? [] : [payLinkOf(deps, card)]),
    ...linksOf(deps, card),
  ];
  const missing = done < needed ? [] : [texts.rewardUnfunded()];
  return { ...workingView(...texts.rewardAsk(facts, { needed, confirmed }), ...missing), actions };
}

/** For everyone who sees the card, and for any wallet: payers there pay with their own money. */
function payLinkOf(
  { texts, publicUrl }: Pick<CoreDeps, 'texts' | 'publicUrl'>,
  { distributionId, totalMicroUsdc }: RewardCard,
): Action {
  const label = texts.payByLink(microUsdc(totalMicroUsdc));
  return { kind: 'link', label, url: `${publicUrl}/pay/reward/${distributionId}` };
}

function linksOf({ texts }: Pick<CoreDeps, 'texts'>, { preview }: RewardCard): Action[] {
  const { page, csv, postUrl } = preview;
  return [
    { kind: 'link', label: texts.rewardPage(), url: page },
    { kind: 'link', label: texts.rewardCsv(), url: csv },
    ...(postUrl === null ? [] : [{ kind: 'link', label: texts.rewardPost(), url: postUrl } as const]),
  ];
}

const plainLine = (paragraph: Paragraph): string => paragraph.map(({ text }) => text).join('');

/** Those rewarded live on another platform, where only a member can call them. */
function tellThem({ texts }: Pick<CoreDeps, 'texts'>, { preview }: RewardCard): Action[] {
  const { top, page, postUrl, author } = preview;
  const names = top.map(({ name }) => name);
  const textOf = (called: string) => plainLine(texts.rewardTelling(called, cut(author, AUTHOR_CHARACTERS_MAX)));
  const url = tellingUrl({ names, page, postUrl, textOf });
  return url === null ? [] : [{ kind: 'link', label: texts.rewardTell(), url }];
}

function factsOf({ proposedBy: by, preview, ...card }: RewardCard): RewardFacts {
  const { author, count, weights, top, leftOut } = preview;
  return {
    by,
    author: cut(author, AUTHOR_CHARACTERS_MAX),
    budget: microUsdc(card.budgetMicroUsdc),
    fee: microUsdc(card.totalMicroUsdc - card.budgetMicroUsdc),
    costMax: microUsdc(card.costMaxMicroUsdc),
    count,
    weights,
    top: top.map(({ name, amountMicroUsdc }) => ({
      name: cut(name, NAME_CHARACTERS_MAX),
      amount: microUsdc(BigInt(amountMicroUsdc)),
    })),
    leftOut,
  };
}

/** Strangers chose these names. Never splits a character. */
function cut(text: string, charactersMax: number): string {
  return text.slice(0, charactersMax).replace(/[\uD800-\uDBFF]$/, '');
}
