import { formatUsdcForPeople, type MicroUsdc } from '../../../core/money.ts';
import { code, line, strong, type Span } from '../../../core/view.ts';
import { accountDe } from './de-account.ts';
import { failuresDe } from './de-failures.ts';
import { helpDe } from './de-help.ts';
import { limitsDe } from './de-limits.ts';
import { mistakesDe } from './de-mistakes.ts';
import { pageDe } from './de-page.ts';
import { payLinkDe, payPageDe } from './de-pay-page.ts';
import { recipientsDe } from './de-recipients.ts';
import { rewardsDe } from './de-rewards.ts';
import { settingsDe } from './de-settings.ts';
import { severalDe } from './de-several.ts';
import { summaryDe } from './de-summary.ts';
import { treasuryDe } from './de-treasury.ts';
import { walletPageDe } from './de-wallet-page.ts';
import { walletsDe } from './de-wallets.ts';
import { withdrawalsDe } from './de-withdrawals.ts';
import type { Texts } from './en.ts';

const usdc = (amount: MicroUsdc): Span => strong(`${formatUsdcForPeople(amount)} USDC`);
const fromWallet = (name: string | null): string => (name === null ? '' : ` aus dem, was du als ${name} aufbewahrst`);
const withFee = (fee: MicroUsdc): string => (fee === 0n ? '' : ` (plus ${formatUsdcForPeople(fee)} USDC Gebühr)`);

/** Everything the bot says, in German, to somebody it calls "du". */
export const textsDe: Texts = {
  ...accountDe,
  ...failuresDe,
  ...helpDe,
  ...limitsDe,
  ...mistakesDe,
  ...recipientsDe,
  ...rewardsDe,
  ...settingsDe,
  ...severalDe,
  ...summaryDe,
  ...treasuryDe,
  ...walletsDe,
  ...withdrawalsDe,
  ...payLinkDe,
  page: pageDe,
  payPage: payPageDe,
  walletPage: walletPageDe,

  thinking: () => line`Einen Moment…`,
  askingPrice: () => line`Ich frage nach dem Preis…`,
  paying: ({ amount, fee, recipient, walletName }) =>
    line`Ich zahle ${usdc(amount)} an ${strong(recipient)}${withFee(fee)}${fromWallet(walletName)}…`,
  stillPaying: ({ amount, recipient }) =>
    line`Ich zahle noch ${usdc(amount)} an ${strong(recipient)}. Doppelt abgebucht werden kann nichts.`,
  payingLater: ({ amount, recipient }) => [
    line`Die Zahlung von ${usdc(amount)} an ${strong(recipient)} dauert länger als sonst.`,
    line`Du kannst das hier schließen: Ich versuche es weiter und sage hier, wie es ausgegangen ist. Doppelt abgebucht werden kann nichts.`,
  ],
  sent: ({ amount, fee, recipient, walletName }) =>
    line`${usdc(amount)} an ${strong(recipient)} gesendet${withFee(fee)}${fromWallet(walletName)}.`,

  getPlayMoney: () => 'Mehr Spielgeld holen',
  tryAgain: () => 'Noch einmal versuchen',

  help: (isPlayMoney) => [
    line`Schick 0.01 bis 10 USDC an alle, unter dem Namen, den sie schon haben.`,
    line`${code('/tip @x:alice 1')} sendet 1 USDC an alice auf X. Was du dahinter schreibst, wird eine Notiz.`,
    line`Diese Namen gehen: ${code('x:alice')}, ${code('farcaster:alice')}, ${code('github:alice')}, ${code('alice@example.com')}, ${code('example.com')} oder ein Link zu einem Profil.`,
    line`Beträge: ${code('1')}, ${code('0.5')}, ${code('50c')}, ${code('half')} (die Hälfte), ${code('all')} (alles).`,
    line`${code('/balance')} zeigt, was du hast, ${code('/deposit')}, wie du ${isPlayMoney ? 'mehr Spielgeld bekommst' : 'Geld einzahlst'}, und ${code('/wallet')}, was du abgeholt hast und hier aufbewahrst.`,
    line`${code('/withdraw')} schickt es an eine Adresse von dir.`,
  ],
  unknown: () => line`Das habe ich nicht verstanden. Das kann ich:`,

  gettingPlayMoney: () => line`Ich hole dir Spielgeld…`,
  welcome: (amount) => line`Willkommen! Du hast ${usdc(amount)} Spielgeld zum Verschicken.`,
  gotPlayMoney: (amount) => line`Fertig. Du hast jetzt ${usdc(amount)} Spielgeld.`,
  noPlayMoney: () => line`Ich konnte dir gerade kein Spielgeld holen.`,

  nothingToSend: (amount) =>
    amount === 0n
      ? line`Es ist noch nichts zum Senden da. ${code('/deposit')} zeigt, wie du Geld einzahlst.`
      : line`Du hast ${usdc(amount)}, und das kleinste Trinkgeld ist ${strong('0.01 USDC')}. ${code('/deposit')} zeigt, wie du Geld einzahlst.`,
  tooMuchAtOnce: (amount) => line`Das wären ${usdc(amount)}, und ein Trinkgeld ist höchstens ${strong('10 USDC')}.`,
  buttonIsOver: () =>
    line`Dieser Knopf hat seine Arbeit getan. Tipp den Befehl noch einmal ein, dann bekommst du einen neuen.`,
  somethingWrong: () =>
    line`Bei mir ist etwas schiefgegangen, und es wurde nichts abgebucht. Bitte versuch es noch einmal.`,
};
