import { formatUsdcForPeople, type MicroUsdc } from '../../../core/money.ts';
import { code, line, strong, type Span } from '../../../core/view.ts';
import type { Texts } from './en.ts';
import { accountJa } from './ja-account.ts';
import { failuresJa } from './ja-failures.ts';
import { helpJa } from './ja-help.ts';
import { limitsJa } from './ja-limits.ts';
import { mistakesJa } from './ja-mistakes.ts';
import { pageJa } from './ja-page.ts';
import { payLinkJa, payPageJa } from './ja-pay-page.ts';
import { recipientsJa } from './ja-recipients.ts';
import { rewardsJa } from './ja-rewards.ts';
import { settingsJa } from './ja-settings.ts';
import { severalJa } from './ja-several.ts';
import { summaryJa } from './ja-summary.ts';
import { treasuryJa } from './ja-treasury.ts';
import { walletPageJa } from './ja-wallet-page.ts';
import { walletsJa } from './ja-wallets.ts';
import { withdrawalsJa } from './ja-withdrawals.ts';

const usdc = (amount: MicroUsdc): Span => strong(`${formatUsdcForPeople(amount)} USDC`);
const fromWallet = (name: string | null): string => (name === null ? '' : `${name} 名義の残高から `);
const withFee = (fee: MicroUsdc): string => (fee === 0n ? '' : `（ほかに手数料 ${formatUsdcForPeople(fee)} USDC）`);

/**
 * Everything the bot says, in plain and polite Japanese. A Latin word or a number keeps a space from the Japanese
 * around it, so that a name or a command can be seen, and copied, as one piece.
 */
export const textsJa: Texts = {
  ...accountJa,
  ...failuresJa,
  ...helpJa,
  ...limitsJa,
  ...mistakesJa,
  ...recipientsJa,
  ...rewardsJa,
  ...settingsJa,
  ...severalJa,
  ...summaryJa,
  ...treasuryJa,
  ...walletsJa,
  ...withdrawalsJa,
  ...payLinkJa,
  page: pageJa,
  payPage: payPageJa,
  walletPage: walletPageJa,

  thinking: () => line`少々お待ちください…`,
  askingPrice: () => line`料金を確認しています…`,
  paying: ({ amount, fee, recipient, walletName }) =>
    line`${fromWallet(walletName)}${strong(recipient)} に ${usdc(amount)} を支払っています${withFee(fee)}…`,
  stillPaying: ({ amount, recipient }) =>
    line`${strong(recipient)} に ${usdc(amount)} をまだ支払っています。二重に引かれることはありません。`,
  payingLater: ({ amount, recipient }) => [
    line`${strong(recipient)} への ${usdc(amount)} の支払いに、いつもより時間がかかっています。`,
    line`閉じても大丈夫です。続けて試し、結果はここでお知らせします。二重に引かれることはありません。`,
  ],
  sent: ({ amount, fee, recipient, walletName }) =>
    line`${fromWallet(walletName)}${strong(recipient)} に ${usdc(amount)} を送りました${withFee(fee)}。`,

  getPlayMoney: () => 'お試し用のお金をもっともらう',
  tryAgain: () => 'もう一度試す',

  help: (isPlayMoney) => [
    line`相手がふだん使っている名前あてに、0.01～10 USDC を送れます。`,
    line`${code('/tip @x:alice 1')} で、X の alice に 1 USDC を送ります。後に続けて書いた言葉は、ひとこととして届きます。`,
    line`使える名前：${code('x:alice')}、${code('farcaster:alice')}、${code('github:alice')}、${code('alice@example.com')}、${code('example.com')}、プロフィールへのリンク。`,
    line`金額：${code('1')}、${code('0.5')}、${code('50c')}、${code('half')}（半分）、${code('all')}（全額）。`,
    line`${code('/balance')} は残高、${code('/deposit')} は${isPlayMoney ? 'お試し用のお金の追加' : '入金のしかた'}、${code('/wallet')} は受け取ってここに保管しているお金です。`,
    line`${code('/withdraw')} で、自分のアドレスへ送れます。`,
  ],
  unknown: () => line`うまく読み取れませんでした。できることはこちらです。`,

  gettingPlayMoney: () => line`お試し用のお金を用意しています…`,
  welcome: (amount) => line`ようこそ！お試し用のお金が ${usdc(amount)} あります。自由に送ってみてください。`,
  gotPlayMoney: (amount) => line`用意できました。お試し用のお金は、今 ${usdc(amount)} です。`,
  noPlayMoney: () => line`今は、お試し用のお金を用意できませんでした。`,

  nothingToSend: (amount) =>
    amount === 0n
      ? line`まだ送れるお金がありません。入金のしかたは ${code('/deposit')} で見られます。`
      : line`残高は ${usdc(amount)} で、チップは最低 ${strong('0.01 USDC')} です。入金のしかたは ${code('/deposit')} で見られます。`,
  tooMuchAtOnce: (amount) => line`${usdc(amount)} になりますが、一度に送れるチップは ${strong('10 USDC')} までです。`,
  buttonIsOver: () => line`このボタンはもう使えません。コマンドをもう一度入力すると、新しいボタンが出ます。`,
  somethingWrong: () => line`こちらで問題が起きました。お金は引かれていません。もう一度お試しください。`,
};
