import type { ReportTexts } from './en.ts';

export const reportsDe: ReportTexts = {
  link: 'Melden',
  title: 'Diese Zahlung melden',
  pageTitle: 'Diese Seite melden',
  goesTo: (operator) =>
    `Deine Meldung geht an den Betreiber dieses Dienstes (${operator}). Der Absender erfährt nichts davon.`,
  pageGoesTo: (operator) =>
    `Deine Meldung geht an den Betreiber dieses Dienstes (${operator}). Die Person, der die Seite gehört, erfährt nichts davon.`,
  moderators:
    'Wurde aus einer Gruppe gesendet, sehen deren Moderatoren vielleicht den Grund, aber nicht, was du schreibst.',
  movesNothing:
    'Eine Meldung bewegt kein Geld: Was wartet, kannst du weiter abholen, ablehnen oder zurückgehen lassen.',
  why: 'Was stimmt nicht?',
  reasons: {
    trick: 'Es sieht nach einem Trick aus, um an mein Geld oder meine Daten zu kommen',
    pretends: 'Der Absender gibt sich für jemand anderen aus',
    insults: 'Es beleidigt oder droht',
    not_meant: 'Es war nicht für mich gedacht',
    other: 'Etwas anderes',
  },
  words: 'Was sollte der Betreiber wissen? (freiwillig)',
  wordsHint: (charactersMax) =>
    `Höchstens ${charactersMax} Zeichen. Schreib keine Passwörter und keine Codes: Hier braucht sie niemand.`,
  send: 'Meldung senden',
  back: 'Zurück',
  chooseOne: 'Bitte wähle aus, was nicht stimmt.',
  tooLong: (charactersMax) => `Das sind mehr als ${charactersMax} Zeichen. Bitte kürze es.`,
  callerFull: 'Du hast innerhalb einer Stunde mehrmals etwas gemeldet. Bitte versuch es später noch einmal.',
  dayFull: 'Heute können keine weiteren Meldungen gespeichert werden. Bitte versuch es morgen noch einmal.',
  orWrite: (help) => `Oder wende dich an den Betreiber: ${help}.`,
  help: 'Hilfe',
  doneTitle: 'Danke',
  done: (operator) => `Es ist dem Betreiber dieses Dienstes (${operator}) gemeldet.`,
  doneNext:
    'Du brauchst nichts weiter zu tun. Niemand hier wird dich je um Geld, ein Passwort oder geheime Wörter bitten.',

  reported: 'Gemeldet:',
  readIt: 'Auch der Betreiber des Dienstes hat die Meldung. Der Absender erfährt nichts davon.',
};
