import { accountDe } from './account/de.ts';
import { pageDe } from './chat-page/de.ts';
import { settingsDe } from './communities/de.ts';
import type { Texts } from './en.ts';
import { dropsDe } from './drops/de.ts';
import { failuresDe } from './failures/de.ts';
import { helpDe } from './help/de.ts';
import { limitsDe } from './limits/de.ts';
import { mistakesDe } from './mistakes/de.ts';
import { requestsDe } from './money-requests/de.ts';
import { payLinkDe, payPageDe } from './pay-links/de.ts';
import { purseDe } from './purse/de.ts';
import { rewardsDe } from './rewards/de.ts';
import { tipsDe } from './tips/de.ts';
import { topDe } from './top/de.ts';
import { treasuryDe } from './treasury/de.ts';
import { walletPageDe } from './wallet-page/de.ts';
import { walletsDe } from './wallets/de.ts';
import { withdrawalsDe } from './withdrawals/de.ts';

/** Everything the bot says, in German, to a person it calls "du". */
export const textsDe: Texts = {
  ...accountDe,
  ...dropsDe,
  ...failuresDe,
  ...helpDe,
  ...limitsDe,
  ...mistakesDe,
  ...payLinkDe,
  ...requestsDe,
  ...rewardsDe,
  ...settingsDe,
  ...tipsDe,
  ...topDe,
  ...treasuryDe,
  ...walletsDe,
  ...withdrawalsDe,
  page: pageDe,
  payPage: payPageDe,
  purse: purseDe,
  walletPage: walletPageDe,
};
