import { accountEs } from './account/es.ts';
import { pageEs } from './chat-page/es.ts';
import { settingsEs } from './communities/es.ts';
import type { Texts } from './en.ts';
import { dropsEs } from './drops/es.ts';
import { failuresEs } from './failures/es.ts';
import { helpEs } from './help/es.ts';
import { limitsEs } from './limits/es.ts';
import { mistakesEs } from './mistakes/es.ts';
import { requestsEs } from './money-requests/es.ts';
import { payLinkEs, payPageEs } from './pay-links/es.ts';
import { purseEs } from './purse/es.ts';
import { rewardsEs } from './rewards/es.ts';
import { tipsEs } from './tips/es.ts';
import { topEs } from './top/es.ts';
import { treasuryEs } from './treasury/es.ts';
import { walletPageEs } from './wallet-page/es.ts';
import { walletsEs } from './wallets/es.ts';
import { withdrawalsEs } from './withdrawals/es.ts';

/** Everything the bot says, in Spanish: "tú", and words that are understood on both sides of the Atlantic. */
export const textsEs: Texts = {
  ...accountEs,
  ...dropsEs,
  ...failuresEs,
  ...helpEs,
  ...limitsEs,
  ...mistakesEs,
  ...payLinkEs,
  ...requestsEs,
  ...rewardsEs,
  ...settingsEs,
  ...tipsEs,
  ...topEs,
  ...treasuryEs,
  ...walletsEs,
  ...withdrawalsEs,
  page: pageEs,
  payPage: payPageEs,
  purse: purseEs,
  walletPage: walletPageEs,
};
