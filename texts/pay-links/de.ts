import { formatUsdcForPeople, type MicroUsdc } from '../../core/money.ts';
import { line, strong } from '../../core/view.ts';
import type { payLinkEn, payPageEn } from './en.ts';
import { namesIn } from '../names/person.ts';

const named = namesIn('de');

const people = (amount: MicroUsdc): string => formatUsdcForPeople(amount);

export const payLinkDe: typeof payLinkEn = {
  payByLink: (total) => `${people(total)} USDC bezahlen`,
  linkOffer: ({ total, recipient, minutes, isAsked }) =>
    line`${isAsked ? 'Bezahle' : 'Oder bezahle'} ${strong(`${people(total)} USDC`)} für ${strong(named(recipient))} mit irgendeiner Wallet oder App: Der Knopf unten gilt ${String(minutes)} Minuten und nur einmal. Wer ihn öffnet, darf für dich zahlen.`,
  addAndSend: () => 'Spielgeld holen und senden',
  sendNow: () => 'Jetzt senden',
  linkInUse: () =>
    line`Jemand hat begonnen, über den Link zu zahlen, deshalb zahle ich nicht daneben. Wird nichts daraus, tipp das Trinkgeld noch einmal ein.`,
  goesOnThere: () => line`Es ist unterwegs. Dort, wo du das Trinkgeld eingetippt hast, siehst du, wie es ausgeht.`,
  noLink: () => line`Zahlungslinks gibt es hier nicht.`,
};

export const payPageDe: typeof payPageEn = {
  title: (total) => `${people(total)} USDC bezahlen`,
  titlePaid: (total) => `Bezahlt: ${people(total)} USDC`,
  titleClosed: (total) => `Geschlossen: ${people(total)} USDC`,
  forWhom: (recipient) => `für ${recipient}`,
  gets: (recipient, amount) => `${recipient} bekommt ${people(amount)} USDC`,
  more: (count) => `und ${count} weitere`,
  details: 'Wer was bekommt',
  fee: (fee) => `dazu eine Gebühr von ${people(fee)} USDC`,
  ourAddress: (recipient) =>
    `Deine Wallet zeigt unsere Adresse; das Geld ist für ${recipient}. Wir geben es weiter, und du bekommst einen Beleg.`,
  reward: (author) => `Eine Belohnung für einen Beitrag von ${author}`,
  rewardAddress: (recipient) =>
    `Deine Wallet zeigt unsere Adresse; das Geld ist für ${recipient}. Wir geben es weiter, und die Seite der Belohnung zeigt es.`,
  until: 'Du kannst zahlen bis',
  timeLeft: 'Noch',

  withWallet: 'Mit deiner Wallet bezahlen',
  walletIntro: 'In deiner Wallet siehst du, was du unterschreibst. Eine Netzgebühr kostet es nicht.',
  noWallet:
    'In diesem Browser ist keine Wallet. Öffne diese Seite in der App deiner Wallet, oder zahle aus irgendeiner App.',
  onlyWallet:
    'In diesem Browser ist keine Wallet. Öffne diese Seite in der App deiner Wallet oder in einem Browser, der eine hat.',
  newcomer: 'Noch keine USDC?',
  newcomerNote: (places) =>
    `USDC sind digitale Dollar, die man in einer Wallet-App oder an einer Börse kauft, die sie anbietet; wir verkaufen keine. Für diese Seite muss sie USDC auf ${places} senden können.`,
  payWith: (wallet) => `Mit ${wallet} bezahlen`,
  walletAsks: 'Deine Wallet fragt dich jetzt.',
  walletRefused: 'Deine Wallet hat nicht unterschrieben, also wurde nichts bezahlt.',
  otherChain: 'Deine Wallet konnte nicht ins richtige Netz wechseln, also wurde nichts bezahlt.',
  openIn: (wallet) => `In ${wallet} öffnen`,

  inApp: 'Du bist im Browser einer anderen App; dort ist keine Wallet zu erreichen.',
  openBrowser: 'Im eigenen Browser öffnen',
  copyLink: 'Oder kopiere diese Adresse in deinen Browser:',

  playWallet: 'Mit einer Spielgeld-Wallet bezahlen',
  playIntro: 'Sie hat Spielgeld und ist für diese Seite gemacht. Nach deiner eigenen Wallet wird hier nie gefragt.',
  payPlay: 'Mit Spielgeld bezahlen',

  anyApp: 'Aus irgendeiner App bezahlen',
  anyAppIntro:
    'Von einer Börse oder einer Wallet auf einem anderen Gerät: Sende genau diesen Betrag in USDC an diese Adresse.',
  showAddress: 'Adresse und Betrag zeigen',
  on: (place) => `Auf ${place}`,
  amount: 'Genauer Betrag in USDC',
  address: 'Adresse',
  copy: 'Kopieren',
  copied: 'Kopiert',
  qrCode: (place) => `QR-Code der Adresse auf ${place}`,
  qrPayment: (place) => `QR-Code mit Adresse und Betrag auf ${place}`,
  exactly:
    'Sende diesen Betrag bis auf die letzte Stelle: Daran erkennen wir, wofür er ist. Ein wenig kommt dazu, und auch das geht an den Empfänger. Zieht deine Börse davon eine Gebühr ab, rechne sie dazu: Genau dieser Betrag muss ankommen.',
  onlyUsdc:
    'Nur USDC, nur in dem Netzwerk, das über der Adresse steht, und nur einmal: Bezahle nicht auch noch mit einer Wallet. Kommt das Geld zurück, geht es an die Wallet der Person, die diesen Link wollte.',
  arrives: 'Sobald es angekommen ist, sagen es diese Seite und der Chat.',

  notConfirmed: 'Es ist noch nicht bestätigt',
  notConfirmedNote: 'Wer die Gemeinschaft moderiert, muss es erst im Chat bestätigen.',
  paying: 'Deine Zahlung ist unterwegs',
  payingNote: 'Zahle nicht ein zweites Mal. Du kannst diese Seite schließen: Es geht von selbst weiter.',
  beingPaid: 'Es wird gerade bezahlt',
  beingPaidNote: 'Niemand muss ein zweites Mal zahlen. Du kannst diese Seite schließen: Es geht von selbst weiter.',
  rewardOver: 'Diese Belohnung ist vorbei',
  rewardOverNote: 'Dafür kann nichts mehr bezahlt werden. Der Chat sagt, was aus ihr geworden ist.',
  rewardOverInstead: 'Du willst trotzdem etwas geben? Bitte im Chat um eine neue Belohnung.',
  paid: 'Es ist bezahlt',
  paidNote: (recipient) => `Der Beleg zeigt, wie weit das Geld ist. Gib seinen Link an ${recipient} weiter.`,
  receipt: 'Beleg öffnen',
  receiptOf: (recipient) => `Beleg für ${recipient}`,
  expired: 'Die Zeit für diesen Link ist um',
  expiredNote: 'Bitte zahle nichts mehr. Was rechtzeitig gesendet wurde, kommt noch an, und der Chat sagt es.',
  expiredInstead: 'Du willst noch zahlen? Bitte dort um einen neuen Link, wo du diesen bekommen hast.',
  refresh: 'Lade diese Seite neu, um zu sehen, wie es weitergeht.',

  refused: {
    insufficient_funds: 'In dieser Wallet sind in diesem Netz nicht genug USDC. Es wurde nichts abgebucht.',
    order_in_progress: 'Jemand bezahlt das schon. Mehr wurde nicht abgebucht.',
    not_confirmed: 'Es haben noch nicht genug bestätigt. Es wurde nichts abgebucht.',
    changed_payment:
      'Was zurückkam, ist nicht das, was wir vorbereitet hatten, oder es dauerte zu lange. Es wurde nichts abgebucht; bitte versuche es noch einmal.',
    wallet_added:
      'Deine Wallet hat der Zahlung etwas Eigenes hinzugefügt, und wir geben nichts weiter, was wir nicht kennen. Es wurde nichts abgebucht. Schalte solche Zusätze in der Wallet ab, nimm eine andere oder zahle mit einer beliebigen App.',
    payer_not_allowed: 'Diese Adresse kann hier nicht zahlen. Bitte nimm eine andere Wallet.',
    link_over: 'Die Zeit für diesen Link ist um. Es wurde nichts abgebucht.',
    service_closing: 'Dieser Dienst schließt und nimmt keine Zahlungen mehr an. Es wurde nichts abgebucht.',
    too_many_links:
      'Von derselben Person wurden zu viele Links geöffnet und nie bezahlt. Es wurde nichts abgebucht; bezahle zuerst einen davon.',
    rate_limited: 'Das war etwas schnell. Bitte versuche es in einer Minute noch einmal.',
    other:
      'Das hat nicht geklappt. Wenn deine Wallet keine Zahlung zeigt, versuche es noch einmal oder zahle auf anderem Weg.',
  },
};
