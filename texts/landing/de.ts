import type { LandingTexts } from './en.ts';

export const landingDe: LandingTexts = {
  title: 'USDC an jeden Menschen senden',
  heading: 'Sende Geld an jeden Menschen, unter dem Namen, den er schon hat.',
  example: (sum, name) =>
    `Zum Beispiel ${sum} an ${name}: Du gibst einen Link weiter, die Person zeigt, dass der Name ihr gehört, und das Geld ist ihres. Gesendet wird in USDC, einem digitalen Dollar.`,
  sendTitle: 'Geld senden',
  sendFrom:
    'Von dem, was du hier aufbewahrst, an alle, die einen Namen haben. Du siehst erst den Preis und nimmst es zurück, solange es niemand abgeholt hat.',
  sendOpen: 'An einen Namen senden',
  chatTitle: 'Im Chat',
  chatType: (command) => `Tippe ${command} und sieh zu, wie es ankommt.`,
  chatOpen: 'Chat öffnen',
  collectTitle: 'Hat dir jemand Geld gesendet?',
  collectLink: 'Öffne den Link, den du bekommen hast: Dort holst du es ab, kostenlos.',
  collectWaits: (duration) => `Geld wartet ${duration}, dann geht es an den Absender zurück.`,
  seeMoney: 'Dein Geld ansehen',
  realTitle: 'Ist das echt?',
  realProof:
    'Das Geld bekommt nur, wer zeigt, dass der Name ihm gehört. Wir fragen nie nach einer Karte, einem Passwort oder geheimen Wörtern.',
  realReceipt:
    'Jede Zahlung hat eine eigene Seite, die ihr bis ans Ende folgt. Schick deren Link der Person, für die das Geld ist.',
  apiTitle: 'Für Programme',
  apiAsk: (code) => `Frag an, und die Antwort ist ${code} mit dem Preis. Probier es aus, es kostet nichts:`,
  apiCopy: 'Befehl kopieren',
  apiCopied: 'Befehl kopiert',
  apiDocs: 'Dokumentation lesen',
  apiSigns: (client, code) =>
    `Ein x402-Client wie ${client} unterschreibt den Preis und fragt noch einmal. Die Antwort ${code} nennt dann den Beleg.`,
  apiPayers: (file) => `Zahler mit Guthaben zum Ausprobieren stehen in ${file} im Datenordner.`,
};
