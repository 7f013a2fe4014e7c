import { code, muted, type Action, type Paragraph, type View } from '../../core/view.ts';
import { writtenSum } from '../../core/grammar/amount.ts';
import { ban, countBans, unban } from '../../db/communities/community-bans.ts';
import {
  changeCommunitySettings,
  readCommunitySettings,
  type Community,
} from '../../db/communities/community-settings.ts';
import type { CoreDeps } from '../conversation/dependencies.ts';
import type { Named } from '../../core/grammar/recipient.ts';
import type { SettingsWish } from '../../core/grammar/settings.ts';
import type { Origin, TextEvent } from '../shared/messenger.ts';
import { sayButton } from '../conversation/said.ts';
import { mistakeView } from '../conversation/mistake-view.ts';
import type { Mistake } from '../../core/grammar/mistakes.ts';
import type { SettingFact, SettingsProblem } from '../../texts/communities/facts.ts';
import { applyWish, type SettingWish } from '../communities/settings-change.ts';
import { factsOf, hasRoles, SETTING_EXAMPLES, togglesOf } from '../communities/settings-facts.ts';
import { askStanding } from '../treasury/treasury-place.ts';
import { treasuryProblemView } from '../treasury/treasury-views.ts';
import { privateView, tryCommand } from '../conversation/views.ts';

/** How much of a place's name is kept. */
const NAME_CHARACTERS_MAX = 100;

type Wish = SettingsWish | Mistake | null;
type Place = Origin & { communityId: string };

/** What moderators read and change. Nobody else learns from it which settings hold, or what was wrong with a wish. */
export async function settingsView(
  deps: Pick<CoreDeps, 'texts' | 'store' | 'clock' | 'messengers' | 'log'>,
  origin: TextOrigin,
  wish: Wish,
): Promise<View> {
  const { texts } = deps;
  const { communityId } = origin;
  if (communityId === undefined) return privateView('error', [texts.settingsElsewhere()]);
  if (origin.isModerator !== true) return privateView('error', [texts.settingsForModerators()]);
  const place = { ...origin, communityId };
  if (wish === null) return cardView(deps, origin, place);
  if ('kind' in wish) return mistakeView(deps, wish);
  if ('person' in wish) return banView(deps, place, wish);
  const isForOwner = wish.setting === 'quorum' || (wish.setting === 'role' && wish.role !== null);
  return isForOwner ? ownerView(deps, place, wish) : changeView(deps, place, wish);
}

/**
 * Only the owner decides these: a moderator who could make one confirmation enough, or name a role of their other
 * accounts, would need nobody else's.
 */
async function ownerView(
  deps: Pick<CoreDeps, 'texts' | 'messengers' | 'log' | 'store' | 'clock'>,
  place: Place,
  wish: SettingWish,
): Promise<View> {
  const none = { setting: 'role', name: null, hasRoles: false } as const;
  if (!hasRoles(place.transport)) return privateView('error', [deps.texts.setting(none)]);
  const standing = await askStanding(deps, place, []);
  if (standing === null) return treasuryProblemView(deps, { code: 'standing_unknown' });
  if (standing.ownerId !== place.userId) return problemView(deps, wish, { code: 'not_owner' });
  return changeView(deps, place, wish);
}

/** One card: what holds, and a button for each change that is one choice. Sums and names are typed. */
async function cardView(deps: CardDeps, event: TextOrigin, place: Place): Promise<View> {
  const community = communityOf(place);
  const settings = await readCommunitySettings(deps.store, community);
  const bans: SettingFact = { setting: 'ban', count: await countBans(deps.store, community) };
  const lines = [...factsOf(settings, place), bans].map((fact) => withExample(deps, fact));
  const isPressed = deps.messengers[place.transport]?.pressesCommands === true;
  const actions = isPressed ? await Promise.all(togglesOf(settings).map((one) => toggleOf(deps, event, one))) : [];
  return privateView('ok', [deps.texts.settingsTitle(), ...lines], actions);
}

type CardDeps = Pick<CoreDeps, 'store' | 'texts' | 'clock' | 'messengers'>;
type TextOrigin = Origin & Pick<TextEvent, 'context'>;

async function toggleOf(deps: CardDeps, event: TextOrigin, command: string): Promise<Action> {
  return { kind: 'button', label: command.replace('/settings ', ''), id: await sayButton(deps, event, command) };
}

function withExample({ texts }: Pick<CoreDeps, 'texts'>, fact: SettingFact): Paragraph {
  const said = texts.setting(fact);
  const isOfRoles = fact.setting === 'role' || fact.setting === 'drops';
  if (isOfRoles && !fact.hasRoles) return said;
  return [...said, muted(' · '), code(SETTING_EXAMPLES[fact.setting])];
}

async function changeView(
  deps: Pick<CoreDeps, 'store' | 'texts' | 'clock'>,
  place: Place,
  wish: SettingWish,
): Promise<View> {
  const { store, texts, clock } = deps;
  const by = { changedBy: place.userId, nowMs: clock.now() };
  const here = { id: place.chatId, name: nameOf(place) };
  const { communityId } = place;
  const decision = await changeCommunitySettings(store, communityOf(place), by, (now) =>
    applyWish(now, wish, { here, communityId }),
  );
  if (decision.kind === 'refused') return problemView(deps, wish, decision.refused);
  const fact = factsOf(decision.settings, place).find(({ setting }) => setting === wish.setting);
  if (!fact) throw new Error(`nothing says what now holds for ${wish.setting}`);
  return privateView('ok', [texts.settingsChanged(), texts.setting(fact)], [tryCommand('/settings')]);
}

function problemView({ texts }: Pick<CoreDeps, 'texts'>, { setting }: SettingWish, problem: SettingsProblem): View {
  return privateView('error', [texts.settingsProblem(problem)], examplesFor(setting, problem).map(tryCommand));
}

/** The same wish, changed so that it is possible. */
function examplesFor(setting: SettingWish['setting'], problem: SettingsProblem): string[] {
  switch (problem.code) {
    case 'min_above_max': {
      const limit = writtenSum({ kind: 'exact', amount: setting === 'min' ? problem.max : problem.min });
      return [`/settings ${setting} ${limit}`, `/settings ${setting === 'min' ? 'max' : 'min'} off`];
    }
    case 'everywhere_already':
      return ['/settings channels add'];
    case 'too_many_channels':
      return ['/settings channels all', '/settings channels remove'];
    case 'not_owner':
      return [];
    case 'drops_for_all':
      return [SETTING_EXAMPLES.drops, '/settings drops off'];
    case 'role_of_all':
      return [SETTING_EXAMPLES.role, '/settings role off'];
  }
}

type BanWish = { setting: 'ban' | 'unban'; person: Named };

/** For the moderator alone; the banned member learns it from the answer to a tip. */
async function banView(
  deps: Pick<CoreDeps, 'store' | 'texts' | 'clock'>,
  place: Place,
  { setting, person }: BanWish,
): Promise<View> {
  const { store, texts, clock } = deps;
  const member = { ...communityOf(place), userId: person.id };
  if (setting === 'unban') {
    const wasBanned = await unban(store, member);
    return privateView('ok', [wasBanned ? texts.unbanned(person.name) : texts.wasNotBanned(person.name)]);
  }
  if (person.id === place.userId) return privateView('error', [texts.noSelfBan()], [tryCommand(SETTING_EXAMPLES.ban)]);
  await ban(store, member, { bannedBy: place.userId, nowMs: clock.now() });
  return privateView('ok', [texts.banned(person.name)], [tryCommand(`/settings unban ${person.id}`)]);
}

function communityOf({ transport, communityId }: Place): Community {
  return { transport, communityId };
}

/** Never splits a character. */
function nameOf({ chatName, chatId }: Place): string {
  return (chatName ?? chatId).slice(0, NAME_CHARACTERS_MAX).replace(/[\uD800-\uDBFF]$/, '');
}
