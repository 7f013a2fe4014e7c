import { accountPt } from './account/pt.ts';
import { pagePt } from './chat-page/pt.ts';
import { settingsPt } from './communities/pt.ts';
import type { Texts } from './en.ts';
import { dropsPt } from './drops/pt.ts';
import { failuresPt } from './failures/pt.ts';
import { helpPt } from './help/pt.ts';
import { limitsPt } from './limits/pt.ts';
import { mistakesPt } from './mistakes/pt.ts';
import { requestsPt } from './money-requests/pt.ts';
import { payLinkPt, payPagePt } from './pay-links/pt.ts';
import { pursePt } from './purse/pt.ts';
import { rewardsPt } from './rewards/pt.ts';
import { tipsPt } from './tips/pt.ts';
import { topPt } from './top/pt.ts';
import { treasuryPt } from './treasury/pt.ts';
import { walletPagePt } from './wallet-page/pt.ts';
import { walletsPt } from './wallets/pt.ts';
import { withdrawalsPt } from './withdrawals/pt.ts';

/** Everything the bot says, in the Portuguese of Brazil, to a person it calls "você". */
export const textsPt: Texts = {
  ...accountPt,
  ...dropsPt,
  ...failuresPt,
  ...helpPt,
  ...limitsPt,
  ...mistakesPt,
  ...payLinkPt,
  ...requestsPt,
  ...rewardsPt,
  ...settingsPt,
  ...tipsPt,
  ...topPt,
  ...treasuryPt,
  ...walletsPt,
  ...withdrawalsPt,
  page: pagePt,
  payPage: payPagePt,
  purse: pursePt,
  walletPage: walletPagePt,
};
