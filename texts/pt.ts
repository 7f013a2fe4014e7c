import { accountPt } from './account/pt.ts';
import { pagePt } from './chat-page/pt.ts';
import { settingsPt } from './communities/pt.ts';
import type { Texts } from './en.ts';
import { failuresPt } from './failures/pt.ts';
import { helpPt } from './help/pt.ts';
import { limitsPt } from './limits/pt.ts';
import { mistakesPt } from './mistakes/pt.ts';
import { payLinkPt, payPagePt } from './pay-links/pt.ts';
import { pursePt } from './purse/pt.ts';
import { rewardsPt } from './rewards/pt.ts';
import { tipsPt } from './tips/pt.ts';
import { treasuryPt } from './treasury/pt.ts';
import { walletPagePt } from './wallet-page/pt.ts';
import { walletsPt } from './wallets/pt.ts';
import { withdrawalsPt } from './withdrawals/pt.ts';

/** Everything the bot says, in the Portuguese of Brazil, to somebody it calls "você". */
export const textsPt: Texts = {
  ...accountPt,
  ...failuresPt,
  ...helpPt,
  ...limitsPt,
  ...mistakesPt,
  ...payLinkPt,
  ...rewardsPt,
  ...settingsPt,
  ...tipsPt,
  ...treasuryPt,
  ...walletsPt,
  ...withdrawalsPt,
  page: pagePt,
  payPage: payPagePt,
  purse: pursePt,
  walletPage: walletPagePt,
};
