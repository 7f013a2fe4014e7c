import { DISCORD_TRANSPORT } from '../../core/discord/chat.ts';
import { PLATFORM_NAMES, platformRow, type Platform } from '../../core/platforms/platforms.ts';
import { parseRecipient } from '../../core/platforms/recipient.ts';
import { sentTips } from '../../db/tips/history.ts';
import type { Store } from '../../db/store/store.ts';
import { readRecipient } from '../../core/grammar/recipient.ts';

export type Suggestion = { name: string; value: string };

const SHOWN_MAX = 25;
const CHARACTERS_MAX = 100;
const RECENT_MAX = 50;
/** In the order of the table. An address or a domain needs no prefix, and people on Discord are chosen, not typed. */
const PLATFORMS = PLATFORM_NAMES.flatMap((platform) => {
  const { prefix } = platformRow(platform);
  return prefix === null || platform === DISCORD_TRANSPORT ? [] : [{ prefix, platform }];
});

/** Recipients that the end of the typed text may mean: people paid before, then that name on each platform. */
export async function suggestRecipients(
  { store }: { store: Store },
  userId: string,
  typed: string,
): Promise<Suggestion[]> {
  const [, before = '', word = ''] = /^(.*\s)?(\S*)$/s.exec(typed) ?? [];
  const recent = await recentNames(store, userId);
  const wanted = word.replace(/^@/, '').toLowerCase();
  const names = [...recent.filter((name) => name.includes(wanted)), ...namesFor(word)];
  return [...new Set(names)]
    .map((name) => `${before}${name}`)
    .filter((text) => text.length <= CHARACTERS_MAX)
    .slice(0, SHOWN_MAX)
    .map((text) => ({ name: text, value: text }));
}

/** A masked address is not one. */
async function recentNames(store: Store, userId: string): Promise<string[]> {
  const tips = await sentTips(store, userId, RECENT_MAX);
  const names = tips.map(({ recipient }) => recipient.toLowerCase());
  return names.filter((name) => !name.startsWith(`${DISCORD_TRANSPORT}:`) && !/[*…]/.test(name));
}

function namesFor(word: string): string[] {
  if (readRecipient(word, {}).kind === 'recipient') return [word];
  const bare = word.replace(/^@/, '');
  // A platform without a name is a beginning that can be typed on.
  if (bare === '') return PLATFORMS.map(({ prefix }) => `${prefix}:`);
  return PLATFORMS.filter(({ prefix, platform }) => prefix.startsWith(bare) || isName(platform, bare)).map(
    ({ prefix, platform }) => (isName(platform, bare) ? `${prefix}:${bare}` : `${prefix}:`),
  );
}

function isName(platform: Platform, text: string): boolean {
  try {
    parseRecipient(platform, text);
    return true;
  } catch {
    // Only the form is checked here; no platform is asked.
    return false;
  }
}
