import { accountEn } from './account/en.ts';
import { pageEn } from './chat-page/en.ts';
import { settingsEn } from './communities/en.ts';
import { dropsEn } from './drops/en.ts';
import { failuresEn } from './failures/en.ts';
import { helpEn } from './help/en.ts';
import { limitsEn } from './limits/en.ts';
import { mistakesEn } from './mistakes/en.ts';
import { requestsEn } from './money-requests/en.ts';
import { payLinkEn, payPageEn } from './pay-links/en.ts';
import { purseEn } from './purse/en.ts';
import { rewardsEn } from './rewards/en.ts';
import { tipsEn } from './tips/en.ts';
import { topEn } from './top/en.ts';
import { treasuryEn } from './treasury/en.ts';
import { walletPageEn } from './wallet-page/en.ts';
import { walletsEn } from './wallets/en.ts';
import { withdrawalsEn } from './withdrawals/en.ts';

/**
 * Everything the bot says, in English. Short, warm, concrete; the reader may never have owned a wallet. A language is
 * a set of files like these with the same shape.
 */
export const textsEn = {
  ...accountEn,
  ...dropsEn,
  ...failuresEn,
  ...helpEn,
  ...limitsEn,
  ...mistakesEn,
  ...payLinkEn,
  ...requestsEn,
  ...rewardsEn,
  ...settingsEn,
  ...tipsEn,
  ...topEn,
  ...treasuryEn,
  ...walletsEn,
  ...withdrawalsEn,
  page: pageEn,
  payPage: payPageEn,
  purse: purseEn,
  walletPage: walletPageEn,
};

export type Texts = typeof textsEn;
