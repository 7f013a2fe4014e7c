import { AT_ONCE_DOLLARS, KNOWN_AFTER_HOURS, type purseEn } from './en.ts';

const plurals = new Intl.PluralRules('de');
const is = (count: number, one: string, others: string): string => (plurals.select(count) === 'one' ? one : others);

export const purseDe: typeof purseEn = {
  title: 'Dein Geld',
  of: (name) => `Aufbewahrt für ${name}`,
  ofChat: 'Das Geld dieses Chats',
  unknown: 'Ein Teil ist gerade nicht zu sehen. Lade diese Seite in einer Minute neu.',
  waits: (sum) => `${sum} warten noch auf dich.`,
  collect: 'Abholen',
  keeper: (operator) =>
    `${operator} bewahrt es für dich auf. Es ist kein Bankkonto, und niemand versichert es: Lass hier nur, was du auch im Geldbeutel tragen würdest.`,

  signInTitle: 'Dein Geld ansehen',
  signInLead:
    'Für diesen Browser wird hier nichts aufbewahrt. Melde dich mit dem Namen an, an den das Geld gesendet wurde:',
  signInOther: 'Mit einem anderen Namen anmelden',
  signInWith: (platform) => `Mit ${platform} anmelden`,
  signInNew: 'Noch nie etwas abgeholt? Öffne den Link, den du bekommen hast, und wähle „Keep it here“.',

  looksTitle: 'Du kannst es jetzt ansehen',
  looksUntil:
    'Es wurde an einem anderen Ort aufbewahrt, bevor du dich hier angemeldet hast. Ab {time} kannst du es auch aus diesem Browser senden.',
  newcomerTitle: (count) => is(count, 'Jemand anderes hat sich angemeldet', `${count} andere haben sich angemeldet`),
  newcomerUntil: 'Ansehen geht schon jetzt, senden ab {time}. Warst das nicht du, dann beende es.',
  endNewcomers: 'Nicht ich: beenden',

  places: (count) => is(count, 'An 1 Ort angemeldet', `An ${count} Orten angemeldet`),
  thisBrowser: 'Dieser Browser',
  otherBrowser: 'Ein anderer Browser',
  account: (platform) => `Dein Konto bei ${platform}`,
  since: 'seit {time}',
  laterFrom: 'kann ab {time} senden',
  leave: 'Hier abmelden',
  leaveLast: 'Nur dieser Ort hat es noch, das Abmelden würde dich also aussperren.',

  sendTitle: 'An jemanden senden',
  sendPlatform: 'Wo hat die Person ihren Namen?',
  sendName: 'Ihr Name dort',
  sendNameHint: 'Etwa alice, oder alice@example.com für eine E-Mail.',
  sendAmount: 'Betrag in Dollar',
  sendNote: 'Nachricht, wenn du magst',
  sendNext: 'Erst ansehen',
  reviewTitle: (sum, name) => `${sum} an ${name} senden?`,
  to: 'An',
  amount: 'Betrag',
  fee: 'Gebühr',
  total: 'Zusammen',
  note: 'Nachricht',
  confirm: (sum) => `${sum} senden`,
  back: 'Zurück zu deinem Geld',
  tooLittle: (needed, held) => `Das kostet mit der Gebühr ${needed}, und da sind ${held}. Es wurde nichts gesendet.`,
  sentTitle: (sum, name) => `${sum} an ${name}`,
  sentStates: { going: 'Unterwegs', sent: 'Gesendet', failed: 'Nicht gesendet' },
  goingNote:
    'Das dauert ein paar Sekunden. Du kannst diese Seite schließen: Es geht von selbst weiter und kann nicht doppelt gesendet werden.',
  sentNote: 'Hat die Person hier noch nie etwas abgeholt, dann schick ihr die Quittung: Darin steht, wie es geht.',
  openReceipt: 'Quittung öffnen',

  takeOut: 'Auf eine eigene Wallet oder Börse auszahlen',
  takeOutIntro:
    'Dafür braucht es eine Adresse. Eine Wallet-App oder Börse zeigt deine unter „Empfangen“ oder „Einzahlen“, für USDC. In welchem Netzwerk sie liegt, erkennen wir selbst.',
  takeOutCost: 'Das kostet dich nichts: Wir zahlen dafür.',
  takeOutWait: `An eine hier neue Adresse gehen bis zu ${AT_ONCE_DOLLARS} am Tag sofort. Mehr geht nach ${KNOWN_AFTER_HOURS} Stunden; so lange sieht man es an deinen anderen Orten und kann es zurückrufen. Danach ist die Adresse bekannt, und jede Summe geht sofort dorthin.`,
  noAddress: 'Das ist keine Adresse einer Wallet oder Börse. Kopiere sie dort unter „Empfangen“ oder „Einzahlen“.',

  statement: 'Was kam und ging',
  statementEmpty: 'Noch nichts.',
  statementFile: 'Als Tabelle speichern (CSV)',
  kinds: { received: 'Erhalten', sent: 'Gesendet', out: 'Ausgezahlt' },
  feeOf: (sum) => `Gebühr ${sum}`,
  reference: (reference) => `Nr. ${reference}`,
};
