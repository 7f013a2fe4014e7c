import type { CommunitySettings } from '../../core/communities/community-settings.ts';
import { formatUsdc, microUsdc, type MicroUsdc } from '../../core/money.ts';
import { cutNames } from '../../texts/receipts/several.ts';
import type { View } from '../../core/view.ts';
import { isBanned } from '../../db/communities/community-bans.ts';
import { findCooldownEnd } from '../../db/communities/community-pace.ts';
import { readCommunitySettings } from '../../db/communities/community-settings.ts';
import type { CoreDeps } from '../conversation/dependencies.ts';
import { formatWait } from '../../core/grammar/duration.ts';
import { tipCommand, type TipWords } from './order-command.ts';
import type { RuleProblem } from '../../texts/communities/facts.ts';
import { toLimit } from '../communities/settings-facts.ts';
import { privateView, tryCommand } from '../conversation/views.ts';

/** What a member is about to do. `parts`: what each recipient gets, as far as that is known. */
export type Attempt = {
  transport: string;
  communityId?: string | null | undefined;
  chatId: string;
  userId: string;
  note: string | null;
  parts: readonly MicroUsdc[];
};

type Deps = Pick<CoreDeps, 'store' | 'clock'>;

/** What the moderators' settings have against it; null when nothing, or where no community is. */
export async function findRuleProblem(deps: Deps, attempt: Attempt): Promise<RuleProblem | null> {
  const { store, clock } = deps;
  const { transport, communityId, userId } = attempt;
  if (!communityId) return null;
  const member = { transport, communityId, userId };
  const settings = await readCommunitySettings(store, member);
  if (await isBanned(store, member)) return { code: 'banned' };
  const problem = judge(settings, attempt);
  if (problem !== null) return problem;
  const { cooldownSeconds } = settings;
  const endsAtMs = await findCooldownEnd(store, member, { cooldownSeconds, nowMs: clock.now() });
  return endsAtMs === null ? null : { code: 'too_soon', endsAtMs };
}

function judge(settings: CommunitySettings, { chatId, note, parts }: Attempt): RuleProblem | null {
  const { channels, hasNotes, tipMinMicroUsdc, tipMaxMicroUsdc } = settings;
  if (channels.length > 0 && !channels.some(({ id }) => id === chatId)) {
    return { code: 'other_channel', ...cutNames(channels.map(({ name }) => name)) };
  }
  if (!hasNotes && note !== null) return { code: 'no_notes' };
  const [min, max] = [toLimit(tipMinMicroUsdc), toLimit(tipMaxMicroUsdc)];
  if (min !== null && parts.some((part) => part < min)) return { code: 'below_min', limit: min };
  if (max !== null && parts.some((part) => part > max)) return { code: 'above_max', limit: max };
  return null;
}

/** For this person alone, with the same command as it would be allowed, where there is one. */
export function ruleView(
  { texts, clock }: Pick<CoreDeps, 'texts' | 'clock'>,
  problem: RuleProblem,
  words: TipWords,
): View {
  const example = allowedCommand(problem, words);
  const wait = problem.code === 'too_soon' ? formatWait(problem.endsAtMs - clock.now()) : '';
  return privateView('error', [texts.ruleProblem(problem, wait)], example === null ? [] : [tryCommand(example)]);
}

function allowedCommand(problem: RuleProblem, words: TipWords): string | null {
  switch (problem.code) {
    case 'no_notes':
      return tipCommand({ ...words, note: null });
    case 'below_min':
    case 'above_max':
      return tipCommand({ ...words, sum: allowedSum(problem.limit, words) });
    case 'banned':
    case 'other_channel':
    case 'too_soon':
      return null;
  }
}

function allowedSum(limit: MicroUsdc, { sharing, names }: TipWords): string {
  return formatUsdc(sharing === 'split' ? microUsdc(limit * BigInt(names.length)) : limit);
}
