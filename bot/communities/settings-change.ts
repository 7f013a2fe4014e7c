import { CHANNELS_MAX, type CommunitySettings } from '../../core/communities/community-settings.ts';
import type { SettingsProblem } from '../../texts/communities/facts.ts';
import type { Decision } from '../../db/communities/community-settings.ts';
import type { Named } from '../../core/grammar/recipient.ts';
import type { SettingsWish } from '../../core/grammar/settings.ts';
import { toLimit } from './settings-facts.ts';

export type SettingWish = Exclude<SettingsWish, { setting: 'ban' | 'unban' }>;

/** Where a setting is changed. */
export type Place = { here: Named; communityId: string };

/** Applies a wish to the present settings. Pure: when two moderators change them at once, one is asked again. */
export function applyWish(now: CommunitySettings, wish: SettingWish, place: Place): Decision<SettingsProblem> {
  switch (wish.setting) {
    case 'channels':
      return changeChannels(now, wish.change, place.here);
    case 'min':
      return changeLimits({ ...now, tipMinMicroUsdc: wish.amount?.toString() ?? null });
    case 'max':
      return changeLimits({ ...now, tipMaxMicroUsdc: wish.amount?.toString() ?? null });
    case 'cooldown':
      return changed({ ...now, cooldownSeconds: wish.seconds });
    case 'receipts':
      return changed({ ...now, receipts: wish.style });
    case 'notes':
      return changed({ ...now, hasNotes: wish.isOn });
    case 'language':
      return changed({ ...now, language: wish.language });
    case 'lifetime':
      return changed({ ...now, messageLifetimeSeconds: wish.seconds });
    case 'log':
      return changed({ ...now, logChat: wish.isHere ? place.here : null });
    case 'role':
      // On Discord it has the id of the guild itself.
      if (wish.role?.id === place.communityId) return refused({ code: 'role_of_all' });
      return changed({ ...now, rewardRole: wish.role });
    case 'drops':
      if (wish.role?.id === place.communityId) return refused({ code: 'drops_for_all' });
      return changed({ ...now, dropRole: wish.role });
    case 'quorum':
      return changed({ ...now, rewardQuorum: wish.count });
  }
}

function changeChannels(
  now: CommunitySettings,
  change: 'add' | 'remove' | 'all',
  here: Named,
): Decision<SettingsProblem> {
  const others = now.channels.filter(({ id }) => id !== here.id);
  if (change === 'all') return changed({ ...now, channels: [] });
  if (change === 'remove') {
    return now.channels.length === 0 ? refused({ code: 'everywhere_already' }) : changed({ ...now, channels: others });
  }
  if (others.length >= CHANNELS_MAX) return refused({ code: 'too_many_channels' });
  return changed({ ...now, channels: [...others, here] });
}

function changeLimits(settings: CommunitySettings): Decision<SettingsProblem> {
  const [min, max] = [toLimit(settings.tipMinMicroUsdc), toLimit(settings.tipMaxMicroUsdc)];
  if (min !== null && max !== null && min > max) return refused({ code: 'min_above_max', min, max });
  return changed(settings);
}

const changed = (settings: CommunitySettings): Decision<SettingsProblem> => ({ kind: 'changed', settings });
const refused = (problem: SettingsProblem): Decision<SettingsProblem> => ({ kind: 'refused', refused: problem });
