import type { Language } from '../../core/languages.ts';
import { rewardPageDe } from './de.ts';
import { rewardPageEn, type RewardPageTexts } from './en.ts';
import { rewardPageEs } from './es.ts';
import { rewardPageJa } from './ja.ts';
import { rewardPagePt } from './pt.ts';

export const REWARD_PAGES: Readonly<Record<Language, RewardPageTexts>> = {
  en: rewardPageEn,
  es: rewardPageEs,
  de: rewardPageDe,
  pt: rewardPagePt,
  ja: rewardPageJa,
};
