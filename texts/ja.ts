import { accountJa } from './account/ja.ts';
import { pageJa } from './chat-page/ja.ts';
import { settingsJa } from './communities/ja.ts';
import type { Texts } from './en.ts';
import { dropsJa } from './drops/ja.ts';
import { failuresJa } from './failures/ja.ts';
import { helpJa } from './help/ja.ts';
import { limitsJa } from './limits/ja.ts';
import { mistakesJa } from './mistakes/ja.ts';
import { requestsJa } from './money-requests/ja.ts';
import { payLinkJa, payPageJa } from './pay-links/ja.ts';
import { purseJa } from './purse/ja.ts';
import { rewardsJa } from './rewards/ja.ts';
import { tipsJa } from './tips/ja.ts';
import { topJa } from './top/ja.ts';
import { treasuryJa } from './treasury/ja.ts';
import { walletPageJa } from './wallet-page/ja.ts';
import { walletsJa } from './wallets/ja.ts';
import { withdrawalsJa } from './withdrawals/ja.ts';

/**
 * Everything the bot says, in plain and polite Japanese. A Latin word or a number keeps a space from the Japanese
 * around it, so that a name or a command can be seen, and copied, as one piece.
 */
export const textsJa: Texts = {
  ...accountJa,
  ...dropsJa,
  ...failuresJa,
  ...helpJa,
  ...limitsJa,
  ...mistakesJa,
  ...payLinkJa,
  ...requestsJa,
  ...rewardsJa,
  ...settingsJa,
  ...tipsJa,
  ...topJa,
  ...treasuryJa,
  ...walletsJa,
  ...withdrawalsJa,
  page: pageJa,
  payPage: payPageJa,
  purse: purseJa,
  walletPage: walletPageJa,
};
