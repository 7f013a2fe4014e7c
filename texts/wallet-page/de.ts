import { formatUsdcForPeople } from '../../core/money.ts';
import type { walletPageEn } from './en.ts';
import { whyFailedDe } from '../withdrawals/de.ts';
import { PROOF_FRESH_MINUTES } from '../rules/rules.ts';

const people = formatUsdcForPeople;

export const walletPageDe: typeof walletPageEn = {
  balance: (amount, place) => `${people(amount)} USDC auf ${place}`,
  balanceUnknown: (place) => `Auf ${place}: gerade keine Antwort. Lade diese Seite in einer Minute neu.`,

  openChat: 'Chat öffnen',

  depositTitle: 'Geld einzahlen',
  depositIntro:
    'Scanne einen davon mit der App, aus der du sendest. Sende nur USDC, an jede Adresse nur in ihrem Netzwerk: Alles andere könnte verloren gehen.',
  depositAt: (place) => `USDC auf ${place}`,
  qrCode: (place) => `QR-Code deiner Adresse auf ${place}`,

  network: 'Netzwerk',
  address: 'Adresse',
  addressHint: 'Von einer Wallet oder Börse, die USDC annimmt.',
  amount: 'Betrag in USDC',
  amountHint: 'Eine Zahl wie 2.50.',
  next: 'Vor dem Senden prüfen',
  receiveIntro: 'Sende hierher nur USDC, an jede Adresse nur in ihrem Netzwerk: Alles andere könnte verloren gehen.',
  receivePlay: 'Hier kommt Spielgeld an. Sende nie echtes Geld dorthin: Niemand könnte es zurückholen.',
  history: 'Letzte Auszahlungen',
  othersIntro:
    'Jeder davon hat diesen Namen ebenfalls nachgewiesen. Wenn einer nicht dir gehört, nimm allen das Recht: Du selbst kannst den Namen jederzeit neu nachweisen.',
  onlyHere: 'Ab jetzt nur noch dieser Browser',
  proveFirst: `Zu deiner Sicherheit darf deine Anmeldung dafür nicht älter als ${PROOF_FRESH_MINUTES} Minuten sein: Melde dich in diesem Browser noch einmal mit dem Namen an und komm zurück.`,
  proveAgain: 'Namen noch einmal nachweisen',

  reviewTitle: 'Vor dem Senden prüfen',
  reviewHeading: (amount) => `$${people(amount)} auszahlen?`,
  reviewAmount: 'Betrag',
  reviewCost: 'Kosten',
  reviewNoCost: 'keine: Wir zahlen sie',
  reviewFrom: 'Von',
  reviewTo: 'An diese Adresse',
  reviewNetwork: 'Netzwerk',
  reviewWarning: 'Bitte vergleiche die Adresse noch einmal: Was an eine falsche geht, lässt sich nicht zurückholen.',
  confirm: (amount) => `$${people(amount)} auszahlen`,

  progressTitle: 'Auszahlung',
  toAddress: 'An',
  states: {
    waiting: 'Wird vorbereitet',
    later: 'Geht später',
    sending: 'Unterwegs',
    paid: 'Angekommen',
    failed: 'Nicht gesendet',
  },
  waitingNote:
    'Das kann einige Minuten dauern. Du kannst diese Seite schließen: Es geht von selbst weiter und kann nicht doppelt gesendet werden.',
  failedNote: (failure) => `${whyFailedDe(failure)} Das Geld ist noch da, wo es war.`,
  transaction: 'Transaktion',
  seeTransaction: 'Transaktion ansehen',
  refreshNote: (seconds) => `Diese Seite lädt sich alle ${seconds} Sekunden neu.`,

  problemTitle: 'Das hat nicht geklappt',
  formOver: 'Diese Seite hat ihre Arbeit schon getan, oder sie gehört dir nicht. Fang bei deinem Geld neu an.',
  notFound: 'So eine Seite gibt es hier nicht.',
  foreign: 'Dieses Formular kam nicht von unserer eigenen Seite, deshalb ist nichts passiert.',
  tooFast: 'Das war etwas schnell. Bitte warte eine Minute.',
  somethingWrong:
    'Bei uns ist etwas schiefgegangen. Lade die Seite mit deinem Geld neu: Sie zeigt, was gesendet wurde.',
};
