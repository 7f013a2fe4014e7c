import type { TipPageTexts } from './en.ts';

export const tipPageDe: TipPageTexts = {
  title: 'An einen Namen senden',
  lead: 'An alle, unter dem Namen, den sie schon haben. Sie bekommen es, indem sie zeigen, dass der Name ihnen gehört.',
  ownTitle: (person) => `${person} etwas senden`,
  shownBecause: (person) => `${person} hat gezeigt, dass dieser Name der eigene ist, und diese Seite hierher gestellt.`,
  platform: 'Bei welchem Dienst ist die Person?',
  name: 'Name der Person dort',
  amount: 'Betrag in Dollar',
  otherAmount: 'Anderer',
  note: 'Nachricht, wenn du magst',
  next: 'Weiter',
  nextNote:
    'Noch wird nichts gesendet: Du siehst erst den Preis und stimmst ihm zu. Es kommt aus Geld, das du hier aufbewahrst.',
  badge: 'Sende mir etwas',

  section: 'Deine Seite',
  sectionNote: (days) =>
    `Alle können sie öffnen und dir etwas senden. Sie zeigt deinen Namen und die Worte unten. Nach ${days} Tagen endet sie, wenn du sie nicht wieder einschaltest.`,
  words: 'Ein paar Worte, wenn du magst',
  wordsHint: (charactersMax) => `Höchstens ${charactersMax} Zeichen und keine Links.`,
  switchOn: 'Einschalten',
  save: 'Speichern',
  switchOff: 'Ausschalten',
  open: 'Deine Seite öffnen',
  until: 'Sie ist da bis {time}.',
  embed: 'Für ein Profil oder eine README:',
  copy: 'Kopieren',
  hasLink: 'Darin steht ein Link oder eine Adresse. Bitte schreib es ohne.',
  tooLong: (charactersMax) => `Das sind mehr als ${charactersMax} Zeichen. Bitte kürze es.`,
  barred: 'Der Betreiber dieses Dienstes hat deine Seite entfernt.',
};
