import { findChatRow } from '../../core/chats/chats.ts';
import { findPlatform } from '../../core/platforms/platforms.ts';
import { parseRecipient, type Recipient } from '../../core/platforms/recipient.ts';
import type { View } from '../../core/view.ts';
import { findSpendingProblem, spendingProblemView } from '../tips/caps.ts';
import { claimView, linkView } from './claim.ts';
import type { CoreDeps } from '../conversation/dependencies.ts';
import { parseCommand } from '../../core/grammar/command.ts';
import { helpView } from './help.ts';
import { answerStart } from './start.ts';
import { historyView } from './history.ts';
import { languageView } from './language.ts';
import { limitsView } from '../wallets/limits.ts';
import { lockView, unlockView } from '../wallets/lock.ts';
import type { TextEvent } from '../shared/messenger.ts';
import { mistakeView } from '../conversation/mistake-view.ts';
import { EXAMPLE_TIP, type Mistake } from '../../core/grammar/mistakes.ts';
import { blockView } from '../tips/blocking.ts';
import { findBearers } from '../tips/chat-names.ts';
import type { TipWords } from '../tips/order-command.ts';
import { draftTip } from './one-tip.ts';
import type { Draft } from '../tips/order-draft.ts';
import { askAtRate } from '../tips/other-money.ts';
import { refuseByRules, refuseDraft, wordsOfTip } from '../tips/order-placing.ts';
import { isLinkable } from '../pay-links/pay-link.ts';
import { givesRewards, offeredIn } from './offered.ts';
import { privacyView } from './privacy.ts';
import { refuseRecipient } from '../tips/refused-recipient.ts';
import { settingsView } from './settings.ts';
import { answerDrop } from '../drops/drop.ts';
import { topView } from '../communities/top.ts';
import { answerReward } from '../rewards/reward.ts';
import { answerRequest } from '../money-requests/request.ts';
import { proposeSeveral } from '../tips/several.ts';
import type { Tip } from '../../core/grammar/tip.ts';
import { answerTreasury } from '../treasury/treasury.ts';
import type { TreasuryReply } from '../treasury/treasury-reply.ts';
import { privateView, tryCommand } from '../conversation/views.ts';
import { balanceView, depositView, walletsView } from '../wallets/wallet-views.ts';
import { cancelAllView } from '../wallets/withdraw-cancel.ts';
import { withdrawConfirmView, withdrawHelpView } from '../wallets/withdraw-views.ts';

/** A command is answered by a view at once, or by an order to carry out. */
export type Reply =
  | ({ kind: 'view' } & TreasuryReply)
  | { kind: 'order'; draft: Draft; words: TipWords }
  /** An order that its payer has to agree to first. */
  | { kind: 'proposal'; draft: Draft; words: TipWords };

export async function answerCommand(deps: CoreDeps, event: TextEvent): Promise<Reply> {
  const { otherMoney } = deps;
  const command = parseCommand(event.text, {
    ...event.context,
    ...askerOf(event),
    ...(otherMoney && { rates: otherMoney.rates }),
  });
  switch (command.kind) {
    case 'tip':
      return answerTip(deps, event, command);
    case 'balance':
      return reply(await balanceView(deps, event));
    case 'deposit':
      return reply(await depositView(deps, event));
    case 'wallet':
      return reply(await walletsView(deps, event));
    case 'withdraw':
      return reply(await withdrawConfirmView(deps, event, command));
    case 'withdraw_help':
      return reply(await withdrawHelpView(deps, event));
    case 'withdraw_cancel':
      return reply(await cancelAllView(deps, event));
    case 'limits':
      return reply(await limitsView(deps, event, command.wish));
    case 'lock':
      return reply(await lockView(deps, event));
    case 'unlock':
      return reply(await unlockView(deps, event));
    case 'history':
      return reply(await historyView(deps, event));
    case 'language':
      return reply(await languageView(deps, event, command.choice));
    case 'claim':
      return reply(await claimView(deps, event, command.choice));
    case 'link':
      return reply(await linkView(deps, event, command.choice));
    case 'settings':
      return reply(await settingsView(deps, event, command.wish));
    case 'treasury':
      return { kind: 'view', ...(await answerTreasury(deps, event, command.wish)) };
    case 'reward':
      // Where no rewards are offered the command is as unknown as any other word.
      if (!givesRewards(deps)) return reply(unknownView(deps));
      return { kind: 'view', ...(await answerReward(deps, event, command.wish)) };
    case 'request':
      return { kind: 'view', ...(await answerRequest(deps, event, command.wish)) };
    case 'drop':
      return { kind: 'view', ...(await answerDrop(deps, event, command.wish)) };
    case 'top':
      return reply(await topView(deps, event, command.wish));
    case 'privacy':
      return reply(await privacyView(deps, event));
    case 'block':
      return reply(await blockView(deps, event));
    case 'help':
      return reply(await helpView(deps, event, command.topic ?? null));
    case 'start':
      return reply(await answerStart(deps, event, command.choice));
    case 'unknown':
      return reply(unknownView(deps));
    case 'mistake':
      return reply(await correctionView(deps, event, command));
  }
}

/** One who shares a bill names themselves: `@alice and me`. */
function askerOf({ transport, userId }: TextEvent): { asker?: Recipient } {
  // Only where there are groups, whose members have ids.
  const platform = findChatRow(transport)?.treasury ? findPlatform(transport) : null;
  const prefix = `${transport}:`;
  if (platform === null || !userId.startsWith(prefix)) return {};
  return { asker: parseRecipient(platform, userId.slice(prefix.length)) };
}

const reply = (view: View): Reply => ({ kind: 'view', view });

/** A command that is not offered here is as unknown as any other word, so nobody is asked whether they meant it. */
async function correctionView(deps: CoreDeps, event: TextEvent, mistake: Mistake): Promise<View> {
  const [, meant] = /^\/(\w+)/.exec(mistake.examples[0] ?? '') ?? [];
  const isAsked = mistake.code === 'did_you_mean' && meant !== undefined;
  if (isAsked && !(await offeredIn(deps, event))(meant)) return unknownView(deps);
  return mistakeView(deps, mistake);
}

function unknownView({ texts }: Pick<CoreDeps, 'texts'>): View {
  return privateView('error', [texts.unknown()], [EXAMPLE_TIP, '/balance', '/help'].map(tryCommand));
}

/** First what the community forbids: a member who may not tip there is told only that, and not what to correct. */
async function answerTip(deps: CoreDeps, event: TextEvent, typed: Tip): Promise<Reply> {
  const refused = (await refuseByRules(deps, event, typed)) ?? (await refuseRecipient(deps, event, typed));
  if (refused) return reply(refused);
  const known = await findBearers(deps, event, typed);
  if (known.kind === 'view') return known;
  const { tip } = known;
  // A name that they had until lately is still theirs.
  const own = tip === typed ? null : await refuseRecipient(deps, event, tip);
  if (own) return reply(own);
  const asked = await askAtRate(deps, event, typed);
  if (asked) return reply(asked);
  const drafted = tip.recipients.length > 1 ? await proposeSeveral(deps, event, tip) : await draftTip(deps, event, tip);
  if (drafted.kind === 'view') return drafted;
  const { draft } = drafted;
  if (tip.viaLink && !isLinkable(deps, draft)) return reply(privateView('error', [deps.texts.noLink()]));
  const view = await refuseDraft(deps, draft, tip);
  if (view !== null) return reply(view);
  // A tip that another person's wallet pays takes nothing out of this one.
  const problem = tip.viaLink ? null : await findSpendingProblem(deps, draft);
  if (problem !== null) return reply(spendingProblemView(deps, problem));
  return { ...drafted, draft: { ...draft, viaLink: tip.viaLink ?? null }, words: wordsOfTip(tip) };
}
