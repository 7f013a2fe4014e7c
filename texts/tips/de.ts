import { formatUsdcForPeople, sumUsdc, type MicroUsdc } from '../../core/money.ts';
import type { WireStatus } from '../../core/states.ts';
import { code, line, muted, strong, type Span } from '../../core/view.ts';
import type { tipsEn } from './en.ts';
import { TIP_MAX, TIP_MIN } from '../rules/rules.ts';
import { namesIn } from '../names/person.ts';

const named = namesIn('de');

const people = formatUsdcForPeople;
const usdc = (amount: MicroUsdc): Span => strong(`${people(amount)} USDC`);
const countPeople = (count: number): string => (count === 1 ? '1 Person' : `${count} Personen`);
const listed = (names: readonly string[], more: number): string =>
  more === 0 ? names.map(named).join(', ') : `${names.map(named).join(', ')} und ${more} weitere`;

const RESULTS: Record<WireStatus, string> = {
  queued: 'Unterwegs',
  pending_claim: 'Wartet aufs Abholen',
  paid: 'Angekommen',
  held: 'Vorerst zurückgehalten',
  refunded: 'Zurückgekommen',
};

const fromWallet = (name: string | null): string =>
  name === null ? '' : ` aus dem, was du als ${named(name)} aufbewahrst`;
const withFee = (fee: MicroUsdc): string => (fee === 0n ? '' : ` (plus ${people(fee)} USDC Gebühr)`);

export const tipsDe: typeof tipsEn = {
  thinking: () => line`Einen Moment…`,
  askingPrice: () => line`Ich frage nach dem Preis…`,
  paying: ({ amount, fee, recipient, walletName }) =>
    line`Ich zahle ${usdc(amount)} an ${strong(named(recipient))}${withFee(fee)}${fromWallet(walletName)}…`,
  stillPaying: ({ amount, recipient }) =>
    line`Ich zahle noch ${usdc(amount)} an ${strong(named(recipient))}. Doppelt abgebucht werden kann nichts.`,
  payingLater: ({ amount, recipient }) => [
    line`Die Zahlung von ${usdc(amount)} an ${strong(named(recipient))} dauert länger als sonst.`,
    line`Du kannst das hier schließen: Ich versuche es weiter und sage hier, wie es ausgegangen ist. Doppelt abgebucht werden kann nichts.`,
  ],
  sent: ({ amount, fee, recipient, walletName }) =>
    line`${usdc(amount)} an ${strong(named(recipient))} gesendet${withFee(fee)}${fromWallet(walletName)}.`,
  tryAgain: () => 'Noch einmal versuchen',
  nothingToSend: (amount) =>
    amount === 0n
      ? line`Es ist noch nichts zum Senden da. ${code('/deposit')} zeigt, wie du Geld einzahlst.`
      : line`Du hast ${usdc(amount)}, und das kleinste Trinkgeld ist ${strong(`${TIP_MIN} USDC`)}. ${code('/deposit')} zeigt, wie du Geld einzahlst.`,
  tooMuchAtOnce: (amount) =>
    line`Das wären ${usdc(amount)}, und ein Trinkgeld ist höchstens ${strong(`${TIP_MAX} USDC`)}.`,
  buttonIsOver: () =>
    line`Dieser Knopf geht nicht mehr. Tipp den Befehl noch einmal ein, dann bekommst du einen neuen.`,
  somethingWrong: () =>
    line`Bei mir ist etwas schiefgegangen, und es wurde nichts abgebucht. Bitte versuch es noch einmal.`,

  selfTip: (name) => line`${strong(named(name))} bist du selbst. Schick es jemand anderem:`,
  ownBotTip: () => line`Das bin ich, und ich brauche kein Trinkgeld. Schick es jemand anderem:`,
  botTip: (name) =>
    line`${strong(named(name))} ist ein Bot, und Bots können kein Geld abholen. Schick es einem Menschen:`,
  nobodyByName: (name) =>
    line`In dieser Gruppe habe ich in letzter Zeit niemanden gesehen, der ${strong(name)} heißt, deshalb wurde nichts gesendet. Antworte auf eine Nachricht der Person mit ${code('/tip 1')}, oder bitte sie, hier zuerst ${code('/help')} zu schreiben.`,
  namesInGroups: (name, platform) =>
    line`${platform} sagt mir nicht, wer ${strong(name)} ist, deshalb wurde nichts gesendet. Antworte in einer Gruppe auf ${platform}, in der auch ich bin, mit ${code('/tip 1')} auf eine Nachricht der Person.`,

  people: countPeople,

  askSeveral: ({ count, amount, fee, note, walletName }) => {
    const start = walletName === null ? 'Insgesamt' : `Aus dem, was du als ${named(walletName)} aufbewahrst, insgesamt`;
    const question = line`${start} ${usdc(amount)} an ${strong(countPeople(count))} senden?`;
    const total = line`Mit ${people(fee)} USDC Gebühr sind das ${usdc(sumUsdc([amount, fee]))}.`;
    return [question, ...(fee === 0n ? [] : [total]), ...(note === null ? [] : [line`Mit der Notiz ${strong(note)}`])];
  },
  part: ({ amount, names, more }) =>
    names.length + more === 1
      ? line`${strong(named(names[0] ?? ''))}: ${people(amount)} USDC`
      : line`Je ${people(amount)} USDC: ${listed(names, more)}`,
  unevenSplit: (extra) => [muted(`Das geht nicht glatt auf, deshalb bekommen die Ersten ${people(extra)} USDC mehr.`)],
  namedTwice: (names, more) => [muted(`Mehrmals genannt, einmal gezählt: ${listed(names, more)}.`)],
  askedFor: (minutes) => [muted(`Bevor du bestätigst, wird nichts gesendet. Dafür hast du ${minutes} Minuten Zeit.`)],
  confirmSeveral: (total) => `${people(total)} USDC senden`,
  cancel: () => 'Abbrechen',

  cancelled: () => line`Abgebrochen. Es wurde nichts abgebucht.`,
  cardExpired: (minutes) =>
    line`Du hast nicht innerhalb von ${String(minutes)} Minuten bestätigt, deshalb wurde nichts gesendet. Tipp es noch einmal ein, wenn du noch möchtest:`,
  askAtRate: ({ typed, amount, rate, source }) =>
    line`${people(typed.amount)} ${typed.currency} sind jetzt ${strong(`${people(amount)} USDC`)}: 1 ${typed.currency} ist ${people(rate)} USDC wert${source === null ? '' : ` (${source})`}. Das hier senden?`,
  payAtRate: () => 'Zu diesem Kurs senden',
  rateHolds: (seconds) => [muted(`Bevor du drückst, wird nichts gesendet. Der Kurs gilt ${seconds} Sekunden.`)],
  rateIsOver: () => line`Dieser Kurs gilt nicht mehr, gesendet wurde nichts. Schreib es noch einmal für einen neuen.`,
  allEach: () => line`Das kann nur an eine Person gehen. Möchtest du es aufteilen?`,
  oneWasRefused: () => line`Deshalb hat niemand etwas bekommen. Ohne diesen Namen:`,

  lineResults: ({ status, names, more }) => line`${RESULTS[status]}: ${strong(listed(names, more))}`,
  moreReceipts: (count) => [muted(`Die anderen ${count} Belege stehen in deinem Verlauf.`)],

  undoWaiting: () => 'Wartendes zurücknehmen',
  undoneFor: ({ amount, names, more }) =>
    line`Zurückgenommen: ${usdc(amount)} für ${strong(listed(names, more))}. Das Geld ist auf dem Weg in deine Wallet.`,
  undoTooLateFor: (names, more) =>
    line`Zu spät für ${strong(listed(names, more))}: Dort ist es schon, oder es wird gerade abgeholt.`,

  notYourButton: () => line`Das kann nur drücken, wer es angefragt hat. Du kannst aber selbst ein Trinkgeld senden:`,

  tipped: ({ recipient, total, tips, people }) => {
    const from = people === 1 ? '1 Person' : `${String(people)} Personen`;
    const many = tips > people ? `${from}, in ${String(tips)} Trinkgeldern` : from;
    return line`${strong(named(recipient))} hat dafür ${strong(`${formatUsdcForPeople(total)} USDC`)} bekommen, von ${many}.`;
  },
  rushTitle: ({ tips, people: count, sum }) =>
    line`${tips === 1 ? '1 Trinkgeld' : `${String(tips)} Trinkgelder`} von ${countPeople(count)}, zusammen ${usdc(sum)}:`,
  rushLine: (giver, recipient, amount) => line`${giver} → ${named(recipient)} · ${people(amount)} USDC`,
  rushMore: (count) => [muted(`und davor noch ${count}`)],
  rushCall: (names, more) =>
    line`${strong(listed(names, more))}: Hier wurde euch etwas geschickt. Mit ${code('/claim')} holt ihr es ab.`,
  takenBackAll: () => line`Was dafür gegeben wurde, ist zurückgenommen.`,
  openReceipt: () => 'Beleg öffnen',
};
