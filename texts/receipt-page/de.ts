import type { ReceiptPageTexts } from './en.ts';
import type { GoesBackIf } from '../going-back/en.ts';
import { goingBackDe } from '../going-back/de.ts';

const shortDays = new Intl.DateTimeFormat('de-DE', { day: 'numeric', month: 'short', timeZone: 'UTC' });
const minutes = new Intl.DateTimeFormat('de-DE', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });
const goesBack = (condition: GoesBackIf, on: string | null): string =>
  goingBackDe.sentence({ if: condition, to: 'sender', on });

export const receiptPageDe: ReceiptPageTexts = {
  minute: (date) => `${minutes.format(date)} UTC`,
  shortDay: (date) => shortDays.format(date),
  postmark: 'BEZAHLT',

  title: (sum, person) => `${sum} für ${person}`,
  states: {
    undone: () => 'Die Zahlung kam nicht zustande',
    unsettled: () => 'Wird noch einmal gesendet',
    received: (person) => `Angekommen bei ${person}`,
    lookedUp: (person) => `Wir suchen ${person}`,
    onItsWay: (person) => `Unterwegs zu ${person}`,
    goingBack: () => 'Unterwegs zurück an den Absender',
    waiting: () => 'Wartet auf Abholung',
    waitingForRoute: () => 'Wartet auf einen Weg zum Empfänger',
    held: () => 'Wird geprüft',
    returned: () => 'Zurück beim Absender',
  },
  passing: {
    payer_limit: 'Geht an einem anderen Tag weiter',
    recipient_limit: 'Geht an einem anderen Tag weiter',
    no_token_account: 'Wartet auf ein Konto',
    account_quota: 'Geht an einem anderen Tag weiter',
  },
  next: {
    undone: () => 'Es wurde nichts bezahlt: Das Geld ist noch beim Absender und lässt sich einfach neu senden.',
    unsettled: () =>
      'Dieselbe Zahlung geht von selbst noch einmal hinaus. Niemand zahlt doppelt, und es gibt nichts zu tun.',
    received: ({ person }) => `${person} hat das Geld. Es gibt nichts mehr zu tun; diese Seite bleibt als Beleg.`,
    lookedUp: ({ person, asked, askedMinutes }) =>
      `${asked ?? 'Das Domain Name System'} hat noch nicht geantwortet, deshalb wissen wir noch nicht, wer ${person} ist. Wir fragen ${askedMinutes} Minuten lang nach. Gibt es niemanden mit diesem Namen oder weiter keine Antwort, geht das Geld an den Absender zurück.`,
    onItsWay: ({ person }) => `Das Geld geht von selbst an ${person}. Es gibt nichts zu tun.`,
    goingBack: () => 'Das Geld geht von selbst an den Absender zurück.',
    waiting: ({ person, until }) => `${person} kann das Geld abholen. ${goesBack('nobody_collects', until)}`,
    waitingForRoute: ({ person, until }) =>
      `Das Geld gehört ${person}, aber die hinterlegte Adresse kann es noch nicht aufnehmen. Es wartet auf eine andere Adresse oder auf einen Weg zu dieser. ${goesBack('nothing_changes', until)}`,
    returned: () => 'Das Geld ist wieder dort, wo es herkam.',
  },
  returnedBecause: {
    not_collected: () => 'Das Geld wurde nicht rechtzeitig abgeholt.',
    taken_back: () => 'Der Absender hat das Geld zurückgenommen, bevor es abgeholt wurde.',
    not_found: ({ person }) => `${person} gibt es nicht, also hätte es niemand abholen können.`,
    no_answer: ({ person, asked, askedMinutes }) =>
      `${asked ?? 'Das Domain Name System'} hat ${askedMinutes} Minuten lang nicht geantwortet, deshalb ließ sich nicht klären, wer ${person} ist.`,
    had_another_owner: ({ person }) =>
      `${person} war früher jemand anderes, und wer es zur Zeit der Zahlung war, ließ sich nicht klären.`,
    newer_than_payment: ({ person }) =>
      `Wer jetzt ${person} ist, hat den Namen erst nach der Zahlung bekommen. Gemeint war also jemand anderes.`,
    opted_out: ({ person }) => `${person} möchte keine Zahlungen.`,
    declined: ({ person }) => `${person} wollte das Geld nicht.`,
    wind_down: () => 'Dieser Dienst schließt und gibt zurück, was wartet.',
    not_paid_out: () => 'Das Geld ließ sich nicht auszahlen und geht deshalb zurück.',
  },
  certainty: {
    undone: () => 'Die Zahlung fand nicht statt, es wurde nichts abgebucht.',
    pending: (networkName) => `${networkName} hat den Block ersetzt, in dem sie stand.`,
    settled: () => 'In der Blockchain, noch nicht endgültig.',
    final: () => 'Endgültig: Das Netzwerk kann die Zahlung nicht mehr rückgängig machen.',
  },
  between: ' ',
  stop: '. ',

  steps: 'Wie weit das Geld ist',
  sentStep: 'Gesendet',
  waitingStep: 'Wartet',
  receivedStep: 'Erhalten',
  returnedStep: 'Zurück',
  stepStates: { done: 'erledigt', now: 'läuft', later: 'steht noch aus', failed: 'fand nicht statt' },

  from: (sender) => `Von ${sender}`,
  someoneCalled: (name) => `jemandem, der sich „${name}“ nennt`,
  someone: 'jemandem ohne Namensangabe',
  forWhom: (person) => `für ${person}`,
  money: 'Der Betrag ist in USDC, einem digitalen Dollar.',
  note: 'Nachricht des Absenders',
  collect: 'Geld abholen',
  collectAgain: 'Anderen Weg wählen',
  keptBy: (operator) => `Bis dahin verwahrt es ${operator}.`,
  askOperator: (operator) => `Frag ${operator} danach und nenne die Nummer unten.`,
  forSender: 'Hast du das gesendet?',
  passOn: 'Gib den Link weiter, damit es abgeholt werden kann.',
  share: {
    share: 'Teilen',
    copy: 'Link kopieren',
    copied: 'Link kopiert',
    qr: 'Als Code zeigen',
    qrLabel: 'Ein Code, der diese Seite auf einem Handy öffnet',
  },

  proof: 'Zahlungsnachweis',
  state: 'Stand',
  recipient: 'An',
  network: 'Netzwerk',
  sent: 'Gesendet',
  settled: 'In der Blockchain',
  number: 'Nummer',
  transaction: 'Transaktion',
  transactionCopied: 'Transaktion kopiert',
  copy: 'Kopieren',
  seeOnChain: 'In der Blockchain ansehen',
  thisReceipt: 'Diese Seite',
  follows: 'Diese Seite zeigt von selbst, wie es weitergeht.',
  reloads: (seconds) => `Diese Seite lädt sich alle ${seconds} Sekunden neu, bis die Zahlung abgeschlossen ist.`,
};
