import type { Language } from '../core/texts/languages.ts';
import { wordsDe } from './words-de.ts';
import { wordsEn } from './words-en.ts';
import { wordsEs } from './words-es.ts';
import { wordsJa } from './words-ja.ts';
import { wordsPt } from './words-pt.ts';
import { settingsWordsDe } from './settings-words-de.ts';
import { settingsWordsEn } from './settings-words-en.ts';
import { settingsWordsEs } from './settings-words-es.ts';
import { settingsWordsJa } from './settings-words-ja.ts';
import { settingsWordsPt } from './settings-words-pt.ts';
import {
  rewardWordsDe,
  rewardWordsEn,
  rewardWordsEs,
  rewardWordsJa,
  rewardWordsPt,
  type RewardCommandWords,
} from './reward-words.ts';
import type { SettingsWords } from './settings-words.ts';
import {
  treasuryWordsDe,
  treasuryWordsEn,
  treasuryWordsEs,
  treasuryWordsJa,
  treasuryWordsPt,
  type TreasuryWords,
} from './treasury-words.ts';
import type { DiscordWords } from './words.ts';

export const WORDS = {
  en: wordsEn,
  es: wordsEs,
  de: wordsDe,
  pt: wordsPt,
  ja: wordsJa,
} as const satisfies Record<Language, DiscordWords>;

/** What only moderators read. */
export const SETTINGS_WORDS = {
  en: settingsWordsEn,
  es: settingsWordsEs,
  de: settingsWordsDe,
  pt: settingsWordsPt,
  ja: settingsWordsJa,
} as const satisfies Record<Language, SettingsWords>;

export const TREASURY_WORDS = {
  en: treasuryWordsEn,
  es: treasuryWordsEs,
  de: treasuryWordsDe,
  pt: treasuryWordsPt,
  ja: treasuryWordsJa,
} as const satisfies Record<Language, TreasuryWords>;

export const REWARD_WORDS = {
  en: rewardWordsEn,
  es: rewardWordsEs,
  de: rewardWordsDe,
  pt: rewardWordsPt,
  ja: rewardWordsJa,
} as const satisfies Record<Language, RewardCommandWords>;
