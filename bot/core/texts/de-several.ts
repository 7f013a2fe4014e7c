import { formatUsdcForPeople, sumUsdc, type MicroUsdc } from '../../../core/money.ts';
import type { WireStatus } from '../../../core/states.ts';
import { line, muted, strong, type Span } from '../../../core/view.ts';
import type { severalEn } from './en-several.ts';

const people = formatUsdcForPeople;
const usdc = (amount: MicroUsdc): Span => strong(`${people(amount)} USDC`);
const countPeople = (count: number): string => (count === 1 ? '1 Person' : `${count} Personen`);
const listed = (names: readonly string[], more: number): string =>
  more === 0 ? names.join(', ') : `${names.join(', ')} und ${more} weitere`;

const RESULTS: Record<WireStatus, string> = {
  queued: 'Unterwegs',
  pending_claim: 'Wartet aufs Abholen',
  paid: 'Angekommen',
  held: 'Vorerst zurückgehalten',
  refunded: 'Zurückgekommen',
};

export const severalDe: typeof severalEn = {
  people: countPeople,

  askSeveral: ({ count, amount, fee, note, walletName }) => {
    const start = walletName === null ? 'Insgesamt' : `Aus dem, was du als ${walletName} aufbewahrst, insgesamt`;
    const question = line`${start} ${usdc(amount)} an ${strong(countPeople(count))} senden?`;
    const total = line`Mit ${people(fee)} USDC Gebühr sind das ${usdc(sumUsdc([amount, fee]))}.`;
    return [question, ...(fee === 0n ? [] : [total]), ...(note === null ? [] : [line`Mit der Notiz ${strong(note)}`])];
  },
  part: ({ amount, names, more }) =>
    names.length + more === 1
      ? line`${strong(names[0] ?? '')}: ${people(amount)} USDC`
      : line`Je ${people(amount)} USDC: ${listed(names, more)}`,
  unevenSplit: (extra) => [muted(`Das geht nicht glatt auf, deshalb bekommen die Ersten ${people(extra)} USDC mehr.`)],
  namedTwice: (names, more) => [muted(`Mehrmals genannt, einmal gezählt: ${listed(names, more)}.`)],
  askedFor: (minutes) => [muted(`Bevor du bestätigst, wird nichts gesendet. Dafür hast du ${minutes} Minuten Zeit.`)],
  confirmSeveral: (total) => `${people(total)} USDC senden`,
  cancel: () => 'Abbrechen',

  cancelled: () => line`Abgebrochen. Es wurde nichts abgebucht.`,
  cardExpired: (minutes) =>
    line`Du hast nicht innerhalb von ${String(minutes)} Minuten bestätigt, deshalb wurde nichts gesendet. Tipp es noch einmal ein, wenn du noch möchtest:`,
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
};
