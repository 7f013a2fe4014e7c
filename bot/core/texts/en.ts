import { formatUsdcForPeople, type MicroUsdc } from '../../../core/money.ts';
import { code, line, strong, type Paragraph, type Span } from '../../../core/view.ts';
import { accountEn } from './en-account.ts';
import { failuresEn } from './en-failures.ts';
import { helpEn } from './en-help.ts';
import { limitsEn } from './en-limits.ts';
import { mistakesEn } from './en-mistakes.ts';
import { pageEn } from './en-page.ts';
import { payLinkEn, payPageEn } from './en-pay-page.ts';
import { recipientsEn } from './en-recipients.ts';
import { rewardsEn } from './en-rewards.ts';
import { settingsEn } from './en-settings.ts';
import { severalEn } from './en-several.ts';
import { summaryEn } from './en-summary.ts';
import { treasuryEn } from './en-treasury.ts';
import { walletPageEn } from './en-wallet-page.ts';
import { walletsEn } from './en-wallets.ts';
import { withdrawalsEn } from './en-withdrawals.ts';

/** A tip as its texts need it. `walletName`: what pays was kept under this name; null for the chat's own wallet. */
export type TipFacts = { amount: MicroUsdc; fee: MicroUsdc; recipient: string; walletName: string | null };

const usdc = (amount: MicroUsdc): Span => strong(`${formatUsdcForPeople(amount)} USDC`);
const fromWallet = (name: string | null): string => (name === null ? '' : ` from what you kept as ${name}`);
const withFee = (fee: MicroUsdc): string => (fee === 0n ? '' : ` (plus ${formatUsdcForPeople(fee)} USDC fee)`);

/**
 * Everything the bot says, in English. Short, warm, concrete; the reader may never have owned a wallet. A language is
 * a set of files like these with the same shape.
 */
export const textsEn = {
  ...accountEn,
  ...failuresEn,
  ...helpEn,
  ...limitsEn,
  ...mistakesEn,
  ...recipientsEn,
  ...rewardsEn,
  ...settingsEn,
  ...severalEn,
  ...summaryEn,
  ...treasuryEn,
  ...walletsEn,
  ...withdrawalsEn,
  ...payLinkEn,
  page: pageEn,
  payPage: payPageEn,
  walletPage: walletPageEn,

  thinking: (): Paragraph => line`One moment…`,
  askingPrice: (): Paragraph => line`Asking for the price…`,
  paying: ({ amount, fee, recipient, walletName }: TipFacts): Paragraph =>
    line`Paying ${usdc(amount)} to ${strong(recipient)}${withFee(fee)}${fromWallet(walletName)}…`,
  stillPaying: ({ amount, recipient }: TipFacts): Paragraph =>
    line`Still paying ${usdc(amount)} to ${strong(recipient)}. It can’t be charged twice.`,
  payingLater: ({ amount, recipient }: TipFacts): Paragraph[] => [
    line`Paying ${usdc(amount)} to ${strong(recipient)} takes longer than usual.`,
    line`You can close this: I keep trying, and I’ll say here how it ended. It can’t be charged twice.`,
  ],
  sent: ({ amount, fee, recipient, walletName }: TipFacts): Paragraph =>
    line`Sent ${usdc(amount)} to ${strong(recipient)}${withFee(fee)}${fromWallet(walletName)}.`,

  getPlayMoney: (): string => 'Get more play money',
  tryAgain: (): string => 'Try again',

  help: (isPlayMoney: boolean): Paragraph[] => [
    line`Send 0.01 to 10 USDC to anyone by the name they already go by.`,
    line`${code('/tip @x:alice 1')} sends 1 USDC to alice on X. A few words after it become a note.`,
    line`Names that work: ${code('x:alice')}, ${code('farcaster:alice')}, ${code('github:alice')}, ${code('alice@example.com')}, ${code('example.com')}, or a link to a profile.`,
    line`Amounts: ${code('1')}, ${code('0.5')}, ${code('50c')}, ${code('half')}, ${code('all')}.`,
    line`${code('/balance')} shows what you have, ${code('/deposit')} ${isPlayMoney ? 'gets you more play money' : 'how to add money'}, ${code('/wallet')} what you collected and keep here.`,
    line`${code('/withdraw')} sends it to an address of yours.`,
  ],
  unknown: (): Paragraph => line`I didn’t get that. Here is what I can do:`,

  gettingPlayMoney: (): Paragraph => line`Getting you some play money…`,
  welcome: (amount: MicroUsdc): Paragraph => line`Welcome! You have ${usdc(amount)} of play money to send.`,
  gotPlayMoney: (amount: MicroUsdc): Paragraph => line`Done. You now have ${usdc(amount)} of play money.`,
  noPlayMoney: (): Paragraph => line`I couldn’t get you play money just now.`,

  nothingToSend: (amount: MicroUsdc): Paragraph =>
    amount === 0n
      ? line`There is nothing to send yet. ${code('/deposit')} shows how to add money.`
      : line`You have ${usdc(amount)}, and the smallest tip is ${strong('0.01 USDC')}. ${code('/deposit')} shows how to add money.`,
  tooMuchAtOnce: (amount: MicroUsdc): Paragraph =>
    line`That would be ${usdc(amount)}, and one tip is at most ${strong('10 USDC')}.`,
  buttonIsOver: (): Paragraph => line`That button has done its work. Type the command again for a new one.`,
  somethingWrong: (): Paragraph => line`Something went wrong on my side, and nothing was charged. Please try again.`,
};

export type Texts = typeof textsEn;
