import type { PageFrame } from './en.ts';

export const pageFrameDe: PageFrame = {
  skip: 'Zum Inhalt springen',
  playMoney: 'Spielgeld: Hier ist nichts echt',
  testMoney: 'Testgeld: Es hat keinen Wert',
  operatedBy: 'Diesen Dienst betreibt',
  getHelp: 'Stimmt etwas nicht? Hilfe bekommen',
  askThem: 'Stimmt etwas nicht? Frag dort um Hilfe.',
  askYourself:
    'Stimmt etwas nicht? Das hier läuft auf deinem Rechner: Hilfe findest du im Terminal, in dem du es gestartet hast.',
  print: 'Drucken',
  language: 'Sprache',
  script: {
    copied: 'Kopiert',
    notCopied: 'Nicht kopiert',
    copyFailed: 'Das Kopieren hat nicht geklappt: Markiere den Text und kopiere ihn selbst',
    following: 'Diese Seite folgt der Zahlung von selbst.',
    interrupted: 'Gerade keine Verbindung; es wird von selbst wieder versucht.',
  },
};
