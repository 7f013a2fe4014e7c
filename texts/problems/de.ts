import type { ProblemTexts } from './en.ts';

export const problemsDe: ProblemTexts = {
  title: 'Das hat nicht geklappt',
  missingTitle: 'Hier ist nichts',
  missing: 'Unter dieser Adresse gibt es nichts.',
  returnToSender: 'Zurück an den Absender',
  error: (status) => `Fehler ${status}`,
  copiedCompletely:
    'Wurde der Link vollständig kopiert? Die Adresse eines Belegs endet mit 22 Zeichen, und es gibt ihn, sobald die Zahlung gemacht ist.',
  toStartPage: 'Zur Startseite',
  nameThis: (id) => `Wenn du um Hilfe bittest, nenne dies: ${id}`,

  addresses: {
    not_an_address:
      'Das ist keine Adresse. Auf Base ist es 0x und 40 Ziffern oder Buchstaben von a bis f, auf Solana sind es 32 bis 44 Buchstaben und Ziffern.',
    wrong_checksum:
      'In dieser Adresse ist ein Tippfehler: Groß- und Kleinbuchstaben passen nicht zusammen. Kopiere sie bitte noch einmal.',
    ours: 'Diese Adresse gehört zu diesem Dienst. Gib bitte eine eigene an.',
    nobody: 'Diese Adresse gehört niemandem: Geld, das dorthin geht, wäre verloren.',
    system: 'Diese Adresse ist ein Teil des Netzwerks und gehört keinem Menschen: Geld wäre dort verloren.',
    token: 'Das ist die Adresse eines Tokens, nicht die einer Person.',
    token_account: 'Das ist ein Token-Konto. Gib bitte die Adresse der Wallet an, der es gehört.',
    special_account:
      'Dieses Konto dient dem Staking oder späterem Unterschreiben. Gib bitte die Adresse der Wallet selbst an.',
    program: 'Diese Adresse gehört einem Programm, nicht der Wallet einer Person.',
    foreign_account: 'Das USDC-Konto dieser Wallet gehört jetzt jemand anderem, der das Geld bekäme.',
    blacklisted: 'Der Herausgeber von USDC hat diese Adresse gesperrt, deshalb kommen dort keine USDC an.',
  },
  notThisForm: 'Dieses Formular kam nicht von unserer Seite.',
  noAddress: 'Gib die Adresse an, an die das Geld gehen soll.',
  otherNetwork: 'Diese Adresse gehört zu einem Netzwerk, das hier nicht angeboten wird. Welche es gibt, steht am Feld.',
  noName: (example) => `So einen Namen kann es dort nicht geben. Er sieht etwa so aus: ${example}`,
  notKept: 'Für diesen Namen wird hier nichts aufbewahrt: Gib eine eigene Adresse an.',
  mailNotSent: 'Die Mail ließ sich nicht senden. Versuch es gleich noch einmal.',
  mailsUsedUp: (minutes) =>
    `Es wurden zu viele Mails angefordert. Öffne den Link in der letzten und schau auch im Spam nach. Eine neue geht in ${minutes === 1 ? 'einer Minute' : `${minutes} Minuten`}.`,
  claimOver: 'Die Zeit dafür ist um. Fang neu an.',
  doneAlready: 'Das ist schon erledigt. Lade die Seite neu.',
  noAnswer: 'Die andere Seite hat nicht geantwortet. Es hat sich nichts geändert; versuch es gleich noch einmal.',
  tooFast: 'Das war etwas schnell. Warte kurz und versuch es noch einmal.',
  declined: 'Das geht bei diesem Dienst nicht. Sein Support kann dir mehr dazu sagen.',
  ourSide: 'Bei uns ist etwas schiefgegangen. Es ist nichts geschehen.',
  closing: 'Dieser Dienst schließt und nimmt keine Zahlungen mehr an.',
  other: 'Das hat nicht geklappt. Es ist nichts geschehen; fang neu an.',
};
