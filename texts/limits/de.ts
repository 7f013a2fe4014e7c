import { formatUsdcForPeople, type MicroUsdc } from '../../core/money.ts';
import type { LimitName } from '../../core/wallets/spending-limits.ts';
import { code, line, muted, strong, type Paragraph, type Span } from '../../core/view.ts';
import type { limitsEn } from './en.ts';
import { SPENDING_WAIT_HOURS } from '../rules/rules.ts';
import { namesIn } from '../names/person.ts';
import { momentIn } from '../rules/moment.ts';

const named = namesIn('de');

const people = formatUsdcForPeople;
const usdc = (amount: MicroUsdc): Span => strong(`${people(amount)} USDC`);
const time = momentIn('de');

const LIMITS: Record<LimitName, (value: MicroUsdc) => Paragraph> = {
  tip: (value) => line`Für eine Person höchstens: ${usdc(value)}`,
  ask: (value) =>
    value === 0n ? line`Ich frage vorher: ${strong('immer')}` : line`Ich frage vorher ab mehr als: ${usdc(value)}`,
  day: (value) => line`An einem Tag höchstens: ${usdc(value)}`,
};

export const limitsDe: typeof limitsEn = {
  limitsTitle: (walletName) =>
    walletName === null
      ? line`So viel dürfen Trinkgelder hier aus deiner Wallet nehmen:`
      : line`So viel dürfen Trinkgelder aus dem nehmen, was du als ${strong(named(walletName))} behalten hast:`,
  limit: ({ name, value, raise }) => [
    ...LIMITS[name](value),
    ...(raise === null ? [] : line` · ab ${time(raise.at)}: ${usdc(raise.to)}`),
  ],
  spentToday: (spent) => line`Heute verbraucht: ${usdc(spent)}. Ein Tag beginnt um Mitternacht UTC.`,
  limitsHint: () => [
    muted(`Weniger gilt sofort, mehr nach ${SPENDING_WAIT_HOURS} Stunden. Auszahlungen begrenzen diese Grenzen nie.`),
  ],
  limitLowered: () => line`Erledigt. Ab jetzt gilt:`,
  limitWillRise: () =>
    line`Notiert. Es ändert sich in ${SPENDING_WAIT_HOURS} Stunden, damit es niemand anders unbemerkt tun kann. Bis dahin kannst du es zurücknehmen:`,
  limitTooLarge: (largest) => line`Mehr als ${usdc(largest)} geht dort nicht.`,
  limitTooSmall: (smallest) => line`Mindestens ${usdc(smallest)}. ${code('/lock')} sperrt alle Ausgaben.`,
  limitsUnreadable: (found) => line`${code(found)} kann ich nicht als Grenze lesen. So werden sie geändert:`,
  limitsInDirectChat: () =>
    line`Grenzen werden dort geändert, wo nur wir beide mitlesen: Schreib mir direkt. Jetzt gelten diese:`,
  cancelRaises: () => 'Grenzen lassen, wie sie sind',
  raisesCancelled: () => line`Erledigt. Keine Grenze steigt. Es gelten:`,
  noRaises: () => line`Es sollte keine Grenze steigen. Es gelten:`,

  spendingProblem: (problem) => {
    switch (problem.code) {
      case 'wallet_locked':
        return problem.until === null
          ? line`Du hast Ausgaben gesperrt, also wurde nichts gesendet. ${code('/unlock')} öffnet sie wieder, nach ${SPENDING_WAIT_HOURS} Stunden.`
          : line`Ausgaben sind bis ${time(problem.until)} gesperrt, also wurde nichts gesendet.`;
      case 'passkey_needed':
        return line`Dieses Geld geht nur mit seinem Passkey hinaus, darum wurde nichts gesendet. Senden kannst du es auf seiner Seite:`;
      case 'over_tip_limit':
        return line`Eine Person bekommt aus dieser Wallet höchstens ${usdc(problem.limit)}, also wurde nichts gesendet.`;
      case 'over_day_limit':
        return line`Das ist mehr als deine ${usdc(problem.limit)} am Tag, also wurde nichts gesendet. Bis Mitternacht UTC bleiben ${usdc(problem.left)}.`;
    }
  },
  spendingWasOver: () =>
    line`Das lag über einer Grenze deiner Wallet, als ich es versucht habe, also wurde nichts gesendet. Jetzt würde es passen: Schreib es noch einmal.`,

  askOne: ({ recipient, amount, fee, note, walletName }) => {
    const kept = walletName === null ? '' : ` aus dem, was du als ${named(walletName)} behalten hast,`;
    return [
      line`${usdc(amount)}${kept} an ${strong(named(recipient))} senden?`,
      ...(fee === 0n ? [] : [line`Dazu kommt eine Gebühr von ${people(fee)} USDC.`]),
      ...(note === null ? [] : [line`Mit der Notiz ${strong(note)}`]),
    ];
  },
  neverTipped: () =>
    line`Diesem Namen hast du von hier noch nie Trinkgeld gegeben. Ist das wirklich, wen du meinst? Sieh nach, bevor du sendest.`,
  openProfile: (name) => `${named(name)} ansehen`,

  holdsMuch: (most) =>
    line`Das ist viel für einen Chat: Lass hier besser nicht mehr als ${usdc(most)}. ${code('/withdraw')} sendet den Rest an eine Adresse von dir.`,

  locked: () =>
    line`Gesperrt. Aus deinen Wallets wird nichts mehr ausgegeben, in keinem Chat. ${code('/withdraw')} geht weiterhin.`,
  unlocksAt: (at) =>
    line`Ausgaben sind ab ${time(at)} wieder möglich. Warst das nicht du, lässt ${code('/lock')} sie gesperrt.`,
  notLocked: () => line`Es ist nichts gesperrt.`,
  isLocked: (until) =>
    until === null ? line`Ausgaben sind gesperrt.` : line`Ausgaben sind bis ${time(until)} gesperrt.`,

  undo: () => 'Zurücknehmen',
  undone: (amount, recipient) =>
    line`Zurückgenommen: ${usdc(amount)} für ${strong(named(recipient))}. Es ist unterwegs zu deiner Wallet.`,
  undoTooLate: (recipient) => line`Zu spät: ${strong(named(recipient))} hat es schon oder holt es gerade ab.`,
  undoLater: () =>
    line`Ich konnte es gerade nicht zurücknehmen. Nichts ist verloren: Bitte drück in einer Minute noch einmal.`,
};
